// The records of a file as csv-parse alone reads it, for comparison with the scanner.
import { type CsvError, type Options, Parser } from 'csv-parse';
import { parse } from 'csv-parse/sync';
import type { BatchBuilder } from '#shared/files/csv/batch-builder.ts';
import { createLineCounter, lineBreaksIn } from '#shared/files/csv/decode-text.ts';
import type { Delimiter } from '#shared/files/csv/record-batch.ts';
import { openQuoteLine } from '#shared/files/csv/record-scanner.ts';
import { count } from '#shared/text/wording.ts';

export interface ReferenceOptions {
  readonly delimiter: Delimiter;
  /** The line of the file on which the first byte is. */
  readonly firstLine: number;
  readonly maxRecordBytes: number;
}

const optionsFor = (delimiter: Delimiter): Options => ({
  delimiter,
  // Named, because csv-parse otherwise expects the first line end that it meets in the whole file.
  record_delimiter: ['\r\n', '\n', '\r'],
  skip_empty_lines: true,
  // The batch builder counts cells, so that a record of the wrong length is rejected with its line.
  relax_column_count: true,
});

/** Takes bytes of UTF-8 and adds records to the builder. Its result defines what the bytes mean. */
export class CsvParseReference extends Parser {
  #options: ReferenceOptions;
  #builder: BatchBuilder;
  #nextLine: number;
  #linesSeen = 0;
  #blanksSeen = 0;
  /** The bytes since the end of the last record, to check a record that seems malformed. */
  #window: Buffer[] = [];
  #windowStart = 0;
  #recordStart = 0;
  #recordStartLine: number;
  #fed = 0;

  constructor(options: ReferenceOptions, builder: BatchBuilder) {
    // A misplaced quote must not swallow the records behind it; `push` finds the record that has one.
    super({ ...optionsFor(options.delimiter), relax_quotes: true });
    this.#options = options;
    this.#builder = builder;
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
    if (this.#fed - this.#recordStart > this.#options.maxRecordBytes) this.#checkOpenRecord();
    this.#forgetRead();
  }

  finish(): void {
    this._flush((problem) => this.#fail(problem));
  }

  /** Called by csv-parse with each record. */
  override push(record: string[] | null): boolean {
    if (record === null || this.#builder.fault !== null) return true;
    const { lines, empty_lines: blanks, bytes } = this.info;
    const blanksBefore = blanks - this.#blanksSeen;
    const line = this.#nextLine + blanksBefore;
    // csv-parse counts a CRLF inside quotes twice, so its count only shows whether there is one.
    const single = lines - this.#linesSeen - blanksBefore === 1;
    this.#nextLine = line + 1 + (single ? 0 : record.reduce((sum, cell) => sum + lineBreaksIn(cell), 0));
    this.#linesSeen = lines;
    this.#blanksSeen = blanks;
    // A blank line has two bytes at most, and they are not part of the record.
    if (bytes - this.#recordStart - 2 * blanksBefore > this.#options.maxRecordBytes) this.#tooLong(line);
    else this.#keep(record, line, bytes);
    this.#recordStart = bytes;
    this.#recordStartLine = this.#nextLine;
    return true;
  }

  #keep(record: string[], line: number, end: number): void {
    const misquoted = hasQuote(record) ? this.#quoteProblem(end) : undefined;
    if (misquoted === undefined) this.#builder.add(record, line);
    else this.#builder.addMisquoted(record, line, misquoted);
  }

  /** Why strict csv-parse does not accept the record that ends at `end`; undefined when its quotes are in order. */
  #quoteProblem(end: number): string | undefined {
    try {
      parse(this.#bytesTo(end), optionsFor(this.#options.delimiter));
      return undefined;
    } catch (problem) {
      return (problem as CsvError).code === 'CSV_INVALID_CLOSING_QUOTE'
        ? 'a quoted cell goes on behind its closing quote: write quotes inside a cell twice ("")'
        : 'a quote is inside a cell that does not begin with one: put the cell in quotes and write the quote twice ("")';
    }
  }

  /** More bytes than a record may have, without an end: blank lines, an open quote, or not a CSV. */
  #checkOpenRecord(): void {
    const open = this.#bytesTo(this.#fed);
    const begin = open.findIndex((byte) => byte !== 10 && byte !== 13);
    if (begin < 0) this.#dropBlankLines(open);
    if (begin < 0 || open.length - begin <= this.#options.maxRecordBytes) return;
    const quoteLine = openQuoteLine(open, this.#options.delimiter, this.#recordStartLine);
    if (quoteLine === undefined) this.#tooLong(this.#nextLine + this.info.empty_lines - this.#blanksSeen);
    else this.#unclosed(quoteLine, `within ${this.#options.maxRecordBytes} bytes`);
  }

  /** Endless blank lines must not fill the window. The last few bytes stay: csv-parse has not read them yet. */
  #dropBlankLines(open: Buffer): void {
    const kept = open.at(-4) === 10 && open.at(-5) === 13 ? 5 : 4;
    this.#recordStartLine += createLineCounter().count(open.subarray(0, -kept));
    this.#recordStart = this.#fed - kept;
  }

  /** The bytes from the end of the last record on. */
  #bytesTo(end: number): Buffer {
    const last = this.#window.at(-1) ?? Buffer.alloc(0);
    const lastStart = this.#fed - last.length;
    if (this.#recordStart >= lastStart) return last.subarray(this.#recordStart - lastStart, end - lastStart);
    return Buffer.concat(this.#window).subarray(this.#recordStart - this.#windowStart, end - this.#windowStart);
  }

  #fail(problem: unknown): void {
    if (problem === undefined || problem === null || this.#builder.fault !== null) return;
    if ((problem as CsvError).code !== 'CSV_QUOTE_NOT_CLOSED') throw problem;
    const line = openQuoteLine(this.#bytesTo(this.#fed), this.#options.delimiter, this.#recordStartLine);
    this.#unclosed(line ?? this.#recordStartLine, 'before the file ends');
  }

  #unclosed(line: number, where: string): void {
    const problem = `the quote that opens on line ${line} is not closed ${where}`;
    const message = `${problem}, so no row from there on is read: close it, or remove it`;
    this.#builder.fail(line, 'FILE_QUOTE_UNCLOSED', message);
  }

  #tooLong(line: number): void {
    const problem = `the row on line ${line} has more than ${count(this.#options.maxRecordBytes)} bytes`;
    const fix = 'shorten it, or add the line breaks that are missing';
    this.#builder.fail(line, 'RECORD_TOO_LONG', `${problem}, so no row from there on is read: ${fix}`);
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

function hasQuote(record: readonly string[]): boolean {
  for (let index = 0; index < record.length; index++) {
    if (record[index]?.includes('"')) return true;
  }
  return false;
}
