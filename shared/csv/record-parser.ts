// csv-parse, fed by hand: no stream machinery, no object per record, and the line on which each record starts.
import { type CsvError, type Options, Parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { Delimiter } from './header-line.ts';
import { createLineCounter, lineBreaksIn } from './line-breaks.ts';
import { openQuoteLine } from './open-quote.ts';
import type { RecordCollector } from './record-collector.ts';

export interface RecordParserOptions {
  readonly delimiter: Delimiter;
  /** The line of the file on which the first byte stands. */
  readonly firstLine: number;
  readonly maxRecordBytes: number;
}

const optionsFor = (delimiter: Delimiter): Options => ({
  delimiter,
  // Named, because csv-parse would otherwise hold the whole file to the line end it meets first.
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
  // Cells are counted here, where a record of the wrong length can be rejected by its line.
  relax_column_count: true,
});

/** Bytes of UTF-8 in, records to the collector. What it makes of any bytes is what they mean. */
export class RecordParser extends Parser {
  #options: RecordParserOptions;
  #collector: RecordCollector;
  #nextLine: number;
  #linesSeen = 0;
  #blanksSeen = 0;
  /** What was fed since the end of the last record, to look at the bytes of a record that seems wrong. */
  #window: Buffer[] = [];
  #windowStart = 0;
  #recordStart = 0;
  #recordStartLine: number;
  #fed = 0;

  constructor(options: RecordParserOptions, collector: RecordCollector) {
    // A quote out of place must not swallow the records behind it; `push` finds the record that has one.
    super({ ...optionsFor(options.delimiter), relax_quotes: true });
    this.#options = options;
    this.#collector = collector;
    this.#nextLine = options.firstLine;
    this.#recordStartLine = options.firstLine;
  }

  /** Bytes up to the end of the last record. */
  get consumed(): number {
    return this.#recordStart;
  }

  /** The line behind the last record. */
  get nextLine(): number {
    return this.#recordStartLine;
  }

  feed(bytes: Buffer): void {
    this.#window.push(bytes);
    this.#fed += bytes.length;
    this._transform(bytes, 'utf8', (problem) => this.#fail(problem));
    if (this.#fed - this.#recordStart > this.#options.maxRecordBytes) this.#judgeOpenRecord();
    this.#forgetRead();
  }

  finish(): void {
    this._flush((problem) => this.#fail(problem));
  }

  /** Called by csv-parse with each record. */
  override push(record: string[] | null): boolean {
    if (record === null || this.#collector.fault !== null) return true;
    const { lines, empty_lines: blanks, bytes } = this.info;
    const blanksBefore = blanks - this.#blanksSeen;
    const line = this.#nextLine + blanksBefore;
    // csv-parse counts a CRLF inside quotes twice, so its count serves only to see that there is none.
    const single = lines - this.#linesSeen - blanksBefore === 1;
    this.#nextLine = line + 1 + (single ? 0 : record.reduce((sum, cell) => sum + lineBreaksIn(cell), 0));
    this.#linesSeen = lines;
    this.#blanksSeen = blanks;
    // A blank line has two bytes at most, and they are no part of the record.
    if (bytes - this.#recordStart - 2 * blanksBefore > this.#options.maxRecordBytes) this.#tooLong(line);
    else this.#keep(record, line, bytes);
    this.#recordStart = bytes;
    this.#recordStartLine = this.#nextLine;
    return true;
  }

  #keep(record: string[], line: number, end: number): void {
    const misquoted = hasQuote(record) ? this.#quoteProblem(end) : undefined;
    this.#collector.add(record, line, misquoted, this.#nextLine - 1);
  }

  /** What csv-parse, strict, has against the record that ends at `end`; undefined where its quotes are in order. */
  #quoteProblem(end: number): string | undefined {
    try {
      parse(this.#bytesTo(end), optionsFor(this.#options.delimiter));
      return undefined;
    } catch (problem) {
      return (problem as CsvError).code === 'CSV_INVALID_CLOSING_QUOTE'
        ? 'a quoted cell goes on behind its closing quote: write quotes inside a cell twice ("")'
        : 'a quote stands inside a cell that does not begin with one: put the cell in quotes and write the quote twice ("")';
    }
  }

  /** More bytes than a record may have, and no end of it: blank lines, an open quote, or not a CSV at all. */
  #judgeOpenRecord(): void {
    const open = this.#bytesTo(this.#fed);
    const begin = open.findIndex((byte) => byte !== 10 && byte !== 13);
    if (begin < 0) this.#dropBlankLines(open);
    if (begin < 0 || open.length - begin <= this.#options.maxRecordBytes) return;
    const quoteLine = openQuoteLine(open, this.#options.delimiter, this.#recordStartLine);
    if (quoteLine === undefined) this.#tooLong(this.#nextLine + this.info.empty_lines - this.#blanksSeen);
    else this.#unclosed(quoteLine, `within ${this.#options.maxRecordBytes} bytes`);
  }

  /** Endless blank lines must not fill the window. The last few bytes stay: csv-parse has yet to look at them. */
  #dropBlankLines(open: Buffer): void {
    const kept = open.at(-4) === 10 && open.at(-5) === 13 ? 5 : 4;
    this.#recordStartLine += createLineCounter().count(open.subarray(0, -kept));
    this.#recordStart = this.#fed - kept;
  }

  /** What was fed from the end of the last record on. */
  #bytesTo(end: number): Buffer {
    const last = this.#window.at(-1) ?? Buffer.alloc(0);
    const lastStart = this.#fed - last.length;
    if (this.#recordStart >= lastStart) return last.subarray(this.#recordStart - lastStart, end - lastStart);
    return Buffer.concat(this.#window).subarray(this.#recordStart - this.#windowStart, end - this.#windowStart);
  }

  #fail(problem: unknown): void {
    if (problem === undefined || problem === null || this.#collector.fault !== null) return;
    if ((problem as CsvError).code !== 'CSV_QUOTE_NOT_CLOSED') throw problem;
    const line = openQuoteLine(this.#bytesTo(this.#fed), this.#options.delimiter, this.#recordStartLine);
    this.#unclosed(line ?? this.#recordStartLine, 'before the file ends');
  }

  #unclosed(line: number, where: string): void {
    const message = `the quote that opens on line ${line} is not closed ${where}: no record from there on could be read`;
    this.#collector.fail(line, 'FILE_QUOTE_UNCLOSED', message);
  }

  #tooLong(line: number): void {
    this.#collector.tooLong(line, this.#options.maxRecordBytes);
  }

  #forgetRead(): void {
    let first = this.#window[0];
    while (first !== undefined && this.#windowStart + first.length <= this.#recordStart) {
      this.#windowStart += first.length;
      this.#window.shift();
      first = this.#window[0];
    }
  }
}

// A plain loop: this runs over every cell of every file.
function hasQuote(record: readonly string[]): boolean {
  for (let index = 0; index < record.length; index++) {
    if (record[index]?.includes('"')) return true;
  }
  return false;
}
