// The fast way through a CSV, and the only file that knows it: the cells of a record whose quotes are in order are found in
// one pass over its bytes, and no text is made of them. Any other record goes to csv-parse, which stays the authority on
// what bytes mean; `record-reader.test.ts` holds the two against each other on arbitrary bytes.
import { type CellTexts, createCellTexts } from './cell-texts.ts';
import { lineBreaksIn, type TextEnd, textEnd } from './line-breaks.ts';
import { RecordCollector, type SpanPlace } from './record-collector.ts';
import { RecordParser, type RecordParserOptions } from './record-parser.ts';
import { escapedFlag, flagBits, quotedFlag, type RecordBatch, wideFlag } from './records.ts';

const lineFeed = 10;
const carriageReturn = 13;
const quote = 0x22;
const space = 0x20;
/** What csv-parse is given first of a record that it must judge: nearly always more than that record, and little more. */
const firstPiece = 512;

// What the scan must look at; all other bytes are 0.
const stop = 1;
const wide = 2;

// What the scan of one record ended with.
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
  #kinds = new Uint8Array(256).fill(wide, 128);
  /** So many bytes are worth another look: a long record that trickles in is not scanned anew with every byte. */
  #worthwhile = 0;
  #line: number;

  // Bytes that came, from the beginning of a record on, and the scan's place in them. Always the same buffers, or the
  // collector would have nothing else to do.
  #buffer: Buffer = Buffer.alloc(0);
  #bytes: Buffer = this.#buffer;
  #at = 0;
  #isFinal = false;
  // The cells that were found; those of the last record begin at `#recordStart`.
  #bounds = new Int32Array(64);
  #boundCount = 0;
  #recordStart = 0;
  #hasBreaks = false;
  /** Of the last batch. */
  #place: SpanPlace = { bytes: this.#bytes, bounds: this.#bounds, isCurrent: true };

  constructor(options: RecordParserOptions) {
    this.#options = options;
    this.#line = options.firstLine;
    this.#delimiter = options.delimiter.charCodeAt(0);
    for (const byte of [this.#delimiter, quote, lineFeed, carriageReturn]) this.#kinds[byte] = stop;
  }

  get header(): readonly string[] | undefined {
    return this.#collector.header;
  }

  /** Of the bytes that were fed. */
  get end(): TextEnd {
    return textEnd(this.#bytes.subarray(this.#at), this.#line);
  }

  feed(bytes: Buffer): RecordBatch {
    this.#append(bytes);
    return this.#bytes.length >= this.#worthwhile ? this.#read(false) : this.#collector.take();
  }

  finish(): RecordBatch {
    return this.#read(true);
  }

  /** Moves what is left of the last batch to the front, and puts the next bytes behind it. */
  #append(bytes: Buffer): void {
    const rest = this.#bytes.subarray(this.#at);
    const length = rest.length + bytes.length;
    const buffer = length <= this.#buffer.length ? this.#buffer : Buffer.allocUnsafeSlow(2 * length);
    if (this.#at > 0 || buffer !== this.#buffer) rest.copy(buffer);
    bytes.copy(buffer, rest.length);
    this.#place.isCurrent = false;
    this.#buffer = buffer;
    this.#bytes = buffer.subarray(0, length);
    this.#at = 0;
  }

  #read(isFinal: boolean): RecordBatch {
    this.#isFinal = isFinal;
    this.#boundCount = 0;
    while (this.#at < this.#bytes.length && this.#collector.fault === null) {
      if (!this.#skipBlankLine() && !this.#readRecord()) break;
    }
    const rest = this.#bytes.length - this.#at;
    this.#worthwhile = Math.min(2 * rest, this.#options.maxRecordBytes + 1);
    if (isFinal) this.#collector.end();
    this.#place = { bytes: this.#bytes, bounds: this.#bounds, isCurrent: true };
    return this.#collector.take(this.#place);
  }

  /** Whether a record was taken; if not, more bytes are needed, or the file is at its end. */
  #readRecord(): boolean {
    const start = this.#at;
    this.#recordStart = this.#boundCount;
    const outcome = this.#scan();
    const { maxRecordBytes } = this.#options;
    if (outcome === complete) {
      if (this.#at - start > maxRecordBytes) this.#collector.tooLong(this.#line, maxRecordBytes);
      else this.#addRecord();
      return true;
    }
    this.#boundCount = this.#recordStart;
    this.#at = start;
    const isTooLong = this.#bytes.length - start > maxRecordBytes;
    return (outcome === odd || isTooLong || this.#isFinal) && this.#askAuthority(start);
  }

  #addRecord(): void {
    const start = this.#recordStart;
    const count = (this.#boundCount - start) / 2;
    if (count === this.#collector.header?.length && this.#isSurelyFilled(start)) {
      this.#collector.addSpan(start, this.#line);
    } else {
      this.#collector.add(this.#texts()(start, count), this.#line);
    }
    this.#line += this.#hasBreaks ? 1 + this.#breaksWithin(start) : 1;
  }

  #texts(): CellTexts {
    return createCellTexts(this.#bytes, this.#bounds);
  }

  /** Whether some cell begins with a byte that is no blank. A cell that begins otherwise needs a closer look. */
  #isSurelyFilled(start: number): boolean {
    for (let at = start; at < this.#boundCount; at += 2) {
      const cell = this.#bounds[at] as number;
      const byte = this.#bytes[cell] as number;
      if (cell < (this.#bounds[at + 1] as number) >> flagBits && byte > space && byte < 0x80) return true;
    }
    return false;
  }

  #breaksWithin(start: number): number {
    const cells = this.#texts()(start, (this.#boundCount - start) / 2);
    return cells.reduce((sum, cell) => sum + lineBreaksIn(cell), 0);
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

  /** Finds the cells of one record and goes behind its line end. */
  #scan(): number {
    const bytes = this.#bytes;
    const length = bytes.length;
    this.#hasBreaks = false;
    for (;;) {
      const outcome = this.#at < length && bytes[this.#at] === quote ? this.#scanQuoted() : this.#scanPlain();
      if (outcome !== complete) return outcome;
      if (this.#at >= length || bytes[this.#at] !== this.#delimiter) return this.#endRecord();
      this.#at++;
    }
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

  #scanPlain(): number {
    const bytes = this.#bytes;
    const kinds = this.#kinds;
    const start = this.#at;
    const length = bytes.length;
    let at = start;
    let flags = 0;
    for (; at < length; at++) {
      const kind = kinds[bytes[at] as number];
      if (kind === 0) continue;
      if (kind === stop) break;
      flags = wideFlag;
    }
    this.#at = at;
    if (at < length && bytes[at] === quote) return odd;
    this.#addCell(start, at, flags);
    return complete;
  }

  #scanQuoted(): number {
    const bytes = this.#bytes;
    const kinds = this.#kinds;
    const start = this.#at + 1;
    const length = bytes.length;
    let at = start;
    let flags = quotedFlag;
    for (; at < length; at++) {
      const kind = kinds[bytes[at] as number];
      if (kind === 0) continue;
      const byte = bytes[at];
      if (byte === quote) {
        if (at + 1 >= length || bytes[at + 1] !== quote) break;
        flags |= escapedFlag;
        at++;
      } else if (kind === wide) flags |= wideFlag;
      else if (byte !== this.#delimiter) this.#hasBreaks = true;
    }
    if (at >= length) return open;
    this.#addCell(start, at, flags);
    this.#at = at + 1;
    return complete;
  }

  #addCell(start: number, end: number, flags: number): void {
    const at = this.#boundCount;
    if (at + 2 > this.#bounds.length) {
      const more = new Int32Array(2 * at);
      more.set(this.#bounds);
      this.#bounds = more;
    }
    this.#bounds[at] = start;
    this.#bounds[at + 1] = (end << flagBits) | flags;
    this.#boundCount = at + 2;
  }
}
