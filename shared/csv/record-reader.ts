// The fast way through a CSV, and the only file that knows it: a record whose quotes are in order is cut at its
// delimiters in one pass over the bytes, several times faster than csv-parse. Any other record goes to csv-parse, which
// stays the authority on what bytes mean; `record-reader.test.ts` holds the two against each other on arbitrary bytes.
import { lineBreaksIn } from './line-breaks.ts';
import { RecordCollector } from './record-collector.ts';
import { RecordParser, type RecordParserOptions } from './record-parser.ts';
import type { RecordBatch } from './records.ts';

const lineFeed = 10;
const carriageReturn = 13;
const quote = 0x22;
/** What csv-parse is given first of a record that it must judge: nearly always more than that record, and little more. */
const firstPiece = 512;

/** What the scan of one record ended with. */
const complete = 0;
/** The bytes break off before the record ends. */
const open = 1;
/** Its quotes are not in order. */
const odd = 2;

/** Bytes of UTF-8 in, batches out. The first record is the header: it is kept, not yielded. */
export class RecordReader {
  #options: RecordParserOptions;
  #collector = new RecordCollector();
  #delimiter: number;
  /** Bytes in which the scan stops to look: delimiter, quote and line ends. */
  #stops = new Uint8Array(256);
  /** The beginning of a record whose end has not come yet. */
  #pending: Buffer = Buffer.alloc(0);
  /** So many bytes are worth another look: a long record that trickles in is not scanned anew with every byte. */
  #worthwhile = 0;
  #line: number;

  // The text being scanned and the scan's place in it.
  #bytes: Buffer = this.#pending;
  /** The same bytes as a text of one character each, to cut cells out of. */
  #text = '';
  #at = 0;
  #isFinal = false;
  #record: string[] = [];
  #breaks = 0;
  /** Cells whose text is wanted in one piece, and where the ones of this record begin and end. */
  #first = -1;
  #last = -1;
  #stretchStart = 0;
  #stretchEnd = 0;

  constructor(options: RecordParserOptions) {
    this.#options = options;
    this.#line = options.firstLine;
    this.#delimiter = options.delimiter.charCodeAt(0);
    for (const stop of [this.#delimiter, quote, lineFeed, carriageReturn]) this.#stops[stop] = 1;
  }

  get header(): readonly string[] | undefined {
    return this.#collector.header;
  }

  keepStretch(first: number, last: number): void {
    this.#first = first;
    this.#last = last;
  }

  feed(bytes: Buffer): RecordBatch {
    this.#pending = this.#pending.length === 0 ? bytes : Buffer.concat([this.#pending, bytes]);
    if (this.#pending.length >= this.#worthwhile) this.#read(false);
    return this.#collector.take();
  }

  finish(): RecordBatch {
    this.#read(true);
    this.#collector.end();
    return this.#collector.take();
  }

  #read(isFinal: boolean): void {
    this.#bytes = this.#pending;
    this.#text = this.#bytes.toString('latin1');
    this.#at = 0;
    this.#isFinal = isFinal;
    while (this.#at < this.#bytes.length && this.#collector.fault === null) {
      if (!this.#skipBlankLine() && !this.#readRecord()) break;
    }
    this.#keepOpenRecord();
  }

  /** Whether a record was taken; if not, more bytes are needed, or the file is at its end. */
  #readRecord(): boolean {
    const start = this.#at;
    const outcome = this.#scan();
    const { maxRecordBytes } = this.#options;
    if (outcome === complete) {
      if (this.#at - start > maxRecordBytes) this.#collector.tooLong(this.#line, maxRecordBytes);
      else this.#collector.add(this.#record, this.#line, this.#stretch());
      this.#line += 1 + this.#breaks;
      return true;
    }
    this.#at = start;
    const isTooLong = this.#bytes.length - start > maxRecordBytes;
    return (outcome === odd || isTooLong || this.#isFinal) && this.#askAuthority(start);
  }

  /** Not decoded: the same bytes give the same text, and that is all that is wanted of it. */
  #stretch(): string | undefined {
    return this.#record.length > this.#last && this.#last >= 0
      ? this.#text.slice(this.#stretchStart, this.#stretchEnd)
      : undefined;
  }

  /** csv-parse takes over until it has read a record, or found why there is none. */
  #askAuthority(start: number): boolean {
    const parser = new RecordParser({ ...this.#options, firstLine: this.#line }, this.#collector);
    const piece = start + Math.min(firstPiece, this.#options.maxRecordBytes);
    parser.feed(this.#bytes.subarray(start, piece));
    if (parser.consumed === 0 && piece < this.#bytes.length) parser.feed(this.#bytes.subarray(piece));
    if (parser.consumed === 0 && this.#isFinal) parser.finish();
    this.#at = start + parser.consumed;
    this.#line = parser.nextLine;
    return parser.consumed > 0;
  }

  #keepOpenRecord(): void {
    // A copy where little is left, so that the bytes behind it can go.
    this.#pending = Buffer.from(this.#bytes.subarray(this.#at));
    this.#worthwhile = Math.min(2 * this.#pending.length, this.#options.maxRecordBytes + 1);
    this.#text = '';
  }

  #skipBlankLine(): boolean {
    const length = this.#lineEndLength(this.#at);
    if (length <= 0) return false;
    this.#at += length;
    this.#line += 1;
    return true;
  }

  /** 0 where no line ends at `index`, -1 where the next byte must come first: it could be the LF of a CRLF. */
  #lineEndLength(index: number): number {
    const byte = this.#bytes[index];
    if (byte === lineFeed) return 1;
    if (byte !== carriageReturn) return 0;
    if (index + 1 < this.#bytes.length) return this.#bytes[index + 1] === lineFeed ? 2 : 1;
    return this.#isFinal ? 1 : -1;
  }

  /** Reads one record into `#record` and goes behind its line end. */
  #scan(): number {
    this.#record = [];
    this.#breaks = 0;
    for (;;) {
      if (this.#record.length === this.#first) this.#stretchStart = this.#at;
      const outcome = this.#readCell();
      if (outcome !== complete) return outcome;
      if (this.#record.length === this.#last + 1) this.#stretchEnd = this.#at;
      if (this.#at >= this.#bytes.length || this.#bytes[this.#at] !== this.#delimiter) return this.#endRecord();
      this.#at++;
    }
  }

  #readCell(): number {
    return this.#at < this.#bytes.length && this.#bytes[this.#at] === quote ? this.#quotedCell() : this.#plainCell();
  }

  #endRecord(): number {
    if (this.#at >= this.#bytes.length) return this.#isFinal ? complete : open;
    const length = this.#lineEndLength(this.#at);
    // Behind a closing quote stands something else.
    if (length === 0) return odd;
    if (length < 0) return open;
    this.#at += length;
    return complete;
  }

  #plainCell(): number {
    const bytes = this.#bytes;
    const stops = this.#stops;
    const start = this.#at;
    const end = bytes.length;
    let at = start;
    let every = 0;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      if (stops[byte] === 1) break;
      every |= byte;
    }
    this.#at = at;
    if (at < end && bytes[at] === quote) return odd;
    this.#record.push(this.#cell(start, at, every));
    return complete;
  }

  #quotedCell(): number {
    const bytes = this.#bytes;
    const start = this.#at + 1;
    const end = bytes.length;
    let isEscaped = false;
    let at = start;
    let every = 0;
    let least = 0xff;
    for (; at < end; at++) {
      const byte = bytes[at] as number;
      every |= byte;
      if (byte < least) least = byte;
      if (byte !== quote) continue;
      if (at + 1 >= end || bytes[at + 1] !== quote) break;
      isEscaped = true;
      at++;
    }
    if (at >= end) return open;
    const text = this.#cell(start, at, every);
    this.#record.push(isEscaped ? text.replaceAll('""', '"') : text);
    // Rare, and so not looked for byte by byte: only where some byte is small enough.
    if (least <= carriageReturn) this.#breaks += lineBreaksIn(text);
    this.#at = at + 1;
    return complete;
  }

  /** @param every all bytes of the cell, or-ed: above 127 they are more than ASCII */
  #cell(start: number, end: number, every: number): string {
    return every < 0x80 ? this.#text.slice(start, end) : this.#bytes.toString('utf8', start, end);
  }
}
