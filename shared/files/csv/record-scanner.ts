// Finds the cells of records in one pass over their bytes, without making texts of them. A record with invalid quotes
// goes to csv-parse, which decides how it is read; `record-scanner.test.ts` compares the two on arbitrary bytes.
import { count } from '#shared/text/wording.ts';
import { isValue } from '../column-values.ts';
import {
  BatchBuilder,
  breaksWithin,
  CellSpans,
  escapedFlag,
  flagBits,
  quotedFlag,
  type SeveralLines,
  type ShortRows,
  wideFlag,
} from './batch-builder.ts';
import { createLineCounter, endOf, linesOf, type TextEnd } from './decode-text.ts';
import type { ParsedRecord, RecordParser } from './parse-record.ts';
import type { Delimiter, RecordBatch } from './record-batch.ts';

const lineFeed = 10;
const carriageReturn = 13;
const quote = 0x22;
const space = 0x20;

// The kinds of bytes that the scan must check; all other bytes are 0.
const stop = 1;
const wide = 2;

// How the scan of one record ended.
const complete = 0;
/** The bytes end before the record does. */
const incomplete = 1;
/** A quote is out of place. */
const misquoted = 2;

export interface ScannerOptions {
  readonly delimiter: Delimiter;
  /** The line of the file on which the first byte is. */
  readonly firstLine: number;
  readonly maxRecordBytes: number;
  /** The cells of a workbook, which are not quoted. */
  readonly isSheet?: boolean | undefined;
}

/** Takes bytes of UTF-8 and returns batches. The first record is the header. */
export class RecordScanner {
  /** Must be set before the first quote is fed. */
  recordParser: RecordParser | undefined;
  #options: ScannerOptions;
  #builder: BatchBuilder;
  #delimiter: number;
  #kinds = new Uint8Array(256).fill(wide, 128);
  /** Scanning starts again only with this many bytes: a long record that arrives slowly costs linear time. */
  #minBytes = 0;
  #line: number;

  // The bytes that are not scanned yet, from the start of a record. The buffers are reused to spare the garbage
  // collector.
  #buffer: Buffer = Buffer.alloc(0);
  #bytes: Buffer = this.#buffer;
  #at = 0;
  #isFinal = false;
  // The cells found in this batch; the bounds of those of the current record begin at `#recordStart`.
  #spans = new CellSpans(this.#bytes, new Int32Array(64));
  #boundCount = 0;
  #recordStart = 0;
  #hasBreaks = false;

  constructor(options: ScannerOptions) {
    this.#options = options;
    this.#builder = new BatchBuilder(options.delimiter);
    this.#line = options.firstLine;
    this.#delimiter = options.delimiter.charCodeAt(0);
    for (const byte of [this.#delimiter, quote, lineFeed, carriageReturn]) this.#kinds[byte] = stop;
  }

  get header(): readonly string[] | undefined {
    return this.#builder.header;
  }

  /** See `BatchBuilder`. A row of a workbook is one line, whatever its cells contain. */
  get severalLines(): SeveralLines | undefined {
    return this.#options.isSheet ? undefined : this.#builder.severalLines;
  }

  /** See `BatchBuilder`. */
  get shortRows(): ShortRows {
    return this.#builder.shortRows;
  }

  /** The end of the bytes that were fed. */
  get end(): TextEnd {
    return endOf(this.#bytes.subarray(this.#at), this.#line);
  }

  feed(bytes: Buffer): RecordBatch {
    this.#append(bytes);
    return this.#bytes.length >= this.#minBytes ? this.#scanBatch(false) : this.#builder.take();
  }

  finish(): RecordBatch {
    return this.#scanBatch(true);
  }

  /** Moves what is left of the last batch to the front, and puts the next bytes behind it. */
  #append(bytes: Buffer): void {
    const rest = this.#bytes.subarray(this.#at);
    const length = rest.length + bytes.length;
    const buffer = length <= this.#buffer.length ? this.#buffer : Buffer.allocUnsafeSlow(2 * length);
    if (this.#at > 0 || buffer !== this.#buffer) rest.copy(buffer);
    bytes.copy(buffer, rest.length);
    this.#spans.isCurrent = false;
    this.#buffer = buffer;
    this.#bytes = buffer.subarray(0, length);
    this.#at = 0;
  }

  #scanBatch(isFinal: boolean): RecordBatch {
    this.#isFinal = isFinal;
    this.#spans.isCurrent = false;
    this.#spans = new CellSpans(this.#bytes, this.#spans.bounds);
    this.#boundCount = 0;
    while (this.#at < this.#bytes.length && this.#builder.fault === null) {
      if (!this.#skipBlankLine() && !this.#readRecord()) break;
    }
    const rest = this.#bytes.length - this.#at;
    this.#minBytes = Math.min(2 * rest, this.#options.maxRecordBytes + 1);
    if (isFinal) this.#builder.end(!this.#endsLine());
    return this.#builder.take(this.#spans);
  }

  #endsLine(): boolean {
    const last = this.#bytes.at(-1);
    return last === lineFeed || last === carriageReturn;
  }

  /** Returns whether a record was read; if not, more bytes are needed, or the reading has ended. */
  #readRecord(): boolean {
    const start = this.#at;
    this.#recordStart = this.#boundCount;
    const outcome = this.#scan();
    const { maxRecordBytes } = this.#options;
    if (outcome === complete && this.#at - start <= maxRecordBytes) {
      this.#addRecord();
      return true;
    }
    this.#boundCount = this.#recordStart;
    this.#at = start;
    if (outcome === complete) return this.#failTooLong();
    const isTooLong = this.#bytes.length - start > maxRecordBytes;
    return (outcome === misquoted || isTooLong || this.#isFinal) && this.#parseRecord(isTooLong);
  }

  #addRecord(): void {
    const start = this.#recordStart;
    const count = (this.#boundCount - start) / 2;
    if (!this.#hasBreaks && this.#builder.takesSpan(count) && this.#isSurelyFilled(start)) {
      this.#builder.addSpan(start, this.#line);
      this.#line += 1;
      return;
    }
    const texts = this.#spans.cells(start, count);
    const swallowed = this.#hasBreaks ? this.#swallowedRows(texts) : undefined;
    if (swallowed !== undefined) {
      this.#addMisquoted(texts, swallowed);
      return;
    }
    this.#builder.add(texts, this.#line);
    this.#line += 1 + breaksWithin(texts);
  }

  #swallowedRows(cells: readonly string[]): string | undefined {
    const { delimiter, isSheet = false } = this.#options;
    const width = this.#builder.header?.length;
    if (isSheet || !(width === undefined ? swallowsValues(cells, delimiter) : swallowsRows(cells, width, delimiter)))
      return undefined;
    return 'a quote opens in one row and closes in a later one: remove both, or write quotes inside a cell twice ("")';
  }

  #addMisquoted(cells: readonly string[], problem: string): void {
    this.#builder.addMisquoted(cells, this.#line, problem);
    this.#line += 1 + breaksWithin(cells);
  }

  /** Whether some cell begins with a visible ASCII character, so that the record is not blank. */
  #isSurelyFilled(start: number): boolean {
    const { bounds } = this.#spans;
    for (let at = start; at < this.#boundCount; at += 2) {
      const cell = bounds[at] as number;
      const byte = this.#bytes[cell] as number;
      if (cell < (bounds[at + 1] as number) >> flagBits && byte > space && byte < 0x80) return true;
    }
    return false;
  }

  /** Reads the next record with csv-parse. */
  #parseRecord(isTooLong: boolean): boolean {
    const rest = this.#bytes.subarray(this.#at);
    const { delimiter, maxRecordBytes } = this.#options;
    const record = this.recordParser?.parseRecord(rest, delimiter);
    if (record !== undefined && (this.#isFinal || record.length < rest.length)) {
      if (record.length > maxRecordBytes) return this.#failTooLong();
      this.#addParsed(record, rest.subarray(0, record.length));
      return true;
    }
    if (!isTooLong && !this.#isFinal) return false;
    const quoteLine = openQuoteLine(rest, delimiter, this.#line);
    if (isTooLong && quoteLine === undefined) return this.#failTooLong();
    return this.#failUnclosed(
      quoteLine ?? this.#line,
      isTooLong ? `within ${count(maxRecordBytes)} bytes` : 'before the file ends',
    );
  }

  #addParsed({ cells, length }: ParsedRecord, bytes: Buffer): void {
    const problem = this.recordParser?.quoteProblem(bytes, this.#options.delimiter) ?? this.#swallowedRows(cells);
    this.#at += length;
    if (problem !== undefined) this.#addMisquoted(cells, problem);
    else {
      this.#builder.add(cells, this.#line);
      this.#line += 1 + breaksWithin(cells);
    }
  }

  #failTooLong(): false {
    const { maxRecordBytes } = this.#options;
    const problem = `the row on line ${this.#line} has more than ${count(maxRecordBytes)} bytes`;
    const fix = 'shorten it, or add the line breaks that are missing';
    this.#builder.fail(this.#line, 'RECORD_TOO_LONG', `${problem}, so no row from there on is read: ${fix}`);
    return false;
  }

  #failUnclosed(line: number, where: string): false {
    const problem = `the quote that opens on line ${line} is not closed ${where}`;
    const message = `${problem}, so no row from there on is read: close it, or remove it`;
    this.#builder.fail(line, 'FILE_QUOTE_UNCLOSED', message);
    return false;
  }

  #skipBlankLine(): boolean {
    const length = this.#lineEndLength(this.#at);
    if (length <= 0) return false;
    this.#at += length;
    this.#line += 1;
    return true;
  }

  /** 0: no line ends at `index`. -1: the next byte must come first, because it could be the LF of a CRLF. */
  #lineEndLength(index: number): number {
    const byte = this.#bytes[index];
    if (byte === lineFeed) return 1;
    if (byte !== carriageReturn) return 0;
    if (index + 1 < this.#bytes.length) return this.#bytes[index + 1] === lineFeed ? 2 : 1;
    return this.#isFinal ? 1 : -1;
  }

  /** Finds the cells of one record and moves behind its line end. */
  #scan(): number {
    const bytes = this.#bytes;
    const length = bytes.length;
    this.#hasBreaks = false;
    for (;;) {
      const outcome = this.#at < length && bytes[this.#at] === quote ? this.#scanQuoted() : this.#scanUnquoted();
      if (outcome !== complete) return outcome;
      if (this.#at >= length || bytes[this.#at] !== this.#delimiter) return this.#endRecord();
      this.#at++;
    }
  }

  #endRecord(): number {
    if (this.#at >= this.#bytes.length) return this.#isFinal ? complete : incomplete;
    const length = this.#lineEndLength(this.#at);
    // Something else follows a closing quote.
    if (length === 0) return misquoted;
    if (length < 0) return incomplete;
    this.#at += length;
    return complete;
  }

  #scanUnquoted(): number {
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
    if (at < length && bytes[at] === quote) return misquoted;
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
    if (at >= length) return incomplete;
    this.#addCell(start, at, flags);
    this.#at = at + 1;
    return complete;
  }

  #addCell(start: number, end: number, flags: number): void {
    const spans = this.#spans;
    const at = this.#boundCount;
    if (at + 2 > spans.bounds.length) {
      const more = new Int32Array(2 * at);
      more.set(spans.bounds);
      spans.bounds = more;
    }
    spans.bounds[at] = start;
    spans.bounds[at + 1] = (end << flagBits) | flags;
    this.#boundCount = at + 2;
  }
}

/** The line of the quote that is still open at the end of `record`, which starts on `firstLine`. */
export function openQuoteLine(record: Buffer, delimiter: string, firstLine: number): number | undefined {
  const opening = openQuoteIndex(record, delimiter.charCodeAt(0));
  return opening === undefined ? undefined : firstLine + createLineCounter().count(record.subarray(0, opening));
}

function openQuoteIndex(record: Buffer, delimiter: number): number | undefined {
  let opening: number | undefined;
  let isCellStart = true;
  for (let index = 0; index < record.length; index++) {
    const byte = record[index];
    if (byte === quote && opening !== undefined) {
      if (record[index + 1] === quote) index++;
      else opening = undefined;
    } else if (byte === quote && isCellStart) {
      opening = index;
    }
    isCellStart = byte === delimiter || byte === 10 || byte === 13;
  }
  return opening;
}

// Recognises a cell in quotes that contains rows of the file: its quotes were meant for something else.

/** In a file of fewer columns, many a comment has the shape of its rows. */
const fewestColumns = 3;
/** A line within a comment has fewer separators. */
const fewestOfWholeRow = 6;

/**
 * Whether the text of one of the cells begins in a row of `width` cells, and contains or ends in another one. In a file
 * of few columns one of the rows also has a number, SIM, PAC or port id behind the cell, or both have one at its place.
 */
function swallowsRows(cells: readonly string[], width: number, delimiter: string): boolean {
  // Cells beyond the header may be blank, and are then no reason to reject the record.
  if (cells.length < width) return false;
  return cells.some((cell, index) => {
    const lines = linesOf(cell);
    const [first = '', last = ''] = [lines[0], lines.at(-1)];
    const separatorsIn = (line: string): number => line.split(delimiter).length - 1;
    if (lines.length < 2 || separatorsIn(first) !== width - 1 - index) return false;
    const isWhole = (line: string): boolean => separatorsIn(line) === width - 1;
    const rows = [...lines.slice(1, -1).filter(isWhole), ...(separatorsIn(last) === index ? [last] : [])];
    const isCertain = (line: string) => width >= (line === last ? fewestColumns : fewestOfWholeRow);
    const [begun = '', ...behind] = first.split(delimiter);
    const head = [...cells.slice(0, index), begun, ...behind];
    return rows.some((line) => isCertain(line) || behind.some(isValue) || hasValueAsIn(head, line.split(delimiter)));
  });
}

const hasValueAsIn = (head: readonly string[], cells: readonly string[]): boolean =>
  cells.some((cell, place) => isValue(cell) && isValue(head[place] ?? ''));

/** Whether a name in the header goes on with a number, SIM, PAC or port id: the quote opens in the header. */
const swallowsValues = (cells: readonly string[], delimiter: string): boolean =>
  cells.flatMap((cell) => linesOf(cell).slice(1)).some((line) => line.split(delimiter).some(isValue));
