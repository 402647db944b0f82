// Gathers records into batches: keeps the header apart, omits blank records, and rejects records of the wrong length,
// unless a spreadsheet program left out cells that are empty.
import { errorAt, type Issue, type IssueCode } from '#shared/row/issue.ts';
import { lineBreaksIn, linesOf } from './decode-text.ts';
import type { Delimiter, RecordBatch } from './record-batch.ts';

export const flagBits = 3;
/** The cell is in quotes, at `start - 1` and `end`. */
export const quotedFlag = 1;
/** The cell contains quotes, written twice. */
export const escapedFlag = 2;
/** The cell has characters beyond ASCII. */
export const wideFlag = 4;

/** Where the cells of records are in the bytes of a batch, and their texts. The next batch reuses the buffers. */
export class CellSpans {
  readonly bytes: Buffer;
  /** Two numbers per cell, without its quotes: its start; and its end, shifted left by `flagBits`, plus its flags. */
  bounds: Int32Array;
  isCurrent = true;
  #text: string | undefined;

  constructor(bytes: Buffer, bounds: Int32Array) {
    this.bytes = bytes;
    this.bounds = bounds;
  }

  /** The texts of adjacent cells. @param first the index in `bounds` of the first one */
  cells(first: number, count: number): string[] {
    const cells: string[] = [];
    for (let at = first; at < first + 2 * count; at += 2) cells.push(this.cell(at));
    return cells;
  }

  /** @param at its index in `bounds` */
  cell(at: number): string {
    const text = this.#decoded();
    const start = this.bounds[at] as number;
    const flags = this.bounds[at + 1] as number;
    const end = flags >> flagBits;
    const cell = (flags & wideFlag) === 0 ? text.slice(start, end) : this.bytes.toString('utf8', start, end);
    return (flags & escapedFlag) === 0 ? cell : cell.replaceAll('""', '"');
  }

  /** Adjacent cells with their quotes and what separates them. A character that is not ASCII is several. */
  between(first: number, last: number): string {
    const { bounds } = this;
    const from = (bounds[first] as number) - ((bounds[first + 1] as number) & quotedFlag);
    const end = bounds[last + 1] as number;
    return this.#decoded().slice(from, (end >> flagBits) + (end & quotedFlag));
  }

  /** One character for each byte: one native call for the whole batch, of which most cells are slices. */
  #decoded(): string {
    if (!this.isCurrent) throw new Error('the cells of a batch must be read before the next batch is');
    this.#text ??= this.bytes.toString('latin1');
    return this.#text;
  }
}

/** How many rows have line breaks in their cells, and the lines of the first ones. */
export interface SeveralLines {
  count: number;
  readonly first: { readonly from: number; readonly to: number }[];
}
const namedRows = 10;

/** Rows without their last cells, which are empty in all rows that were written with them. */
export interface ShortRows {
  count: number;
  firstLine: number;
}

/**
 * Excel writes sixteen rows at a time, and without their last columns if these are empty in all of them. The header is
 * in the first block, or in one below titles.
 */
const rowsInBlock = 16;

const noSpan = -1;
const noSpans = new CellSpans(Buffer.alloc(0), new Int32Array(0));

export class BatchBuilder {
  header: readonly string[] | undefined;
  readonly severalLines: SeveralLines = { count: 0, first: [] };
  readonly shortRows: ShortRows = { count: 0, firstLine: 0 };
  fault: Issue | null = null;
  #isEmpty = true;
  /** Delimiters behind the last cell of each row, as many as the first row has. */
  #endDelimiters: number | undefined;
  /** Lines of the file that are inside of cells, so that no row begins on them. */
  #breaks = 0;
  /** The rows of a block that lack their last cells, until its end: they are in no batch yet. */
  #short: { readonly cells: readonly string[]; readonly line: number; readonly block: number }[] = [];
  /** The block with the latest row that has all cells. */
  #fullBlock = 0;
  /** No row lacks cells that another one of its block has. */
  #areBlocksEven = true;
  #lines: number[] = [];
  #starts: number[] = [];
  /** The cells of the records without a span, by index. */
  #texts = new Map<number, readonly string[]>();
  #rejected = new Map<number, Issue>();
  readonly #delimiter: Delimiter;

  constructor(delimiter: Delimiter) {
    this.#delimiter = delimiter;
  }

  /** Whether a record with this many cells can be added by its bounds. */
  takesSpan(count: number): boolean {
    return count === this.header?.length && !this.#endDelimiters;
  }

  /** Adds a record of the right length that is not blank; its bounds begin at `start`. */
  addSpan(start: number, line: number): void {
    this.#endDelimiters ??= 0;
    this.#meetFullRow(line);
    this.#push(start, line);
  }

  #push(start: number, line: number): void {
    this.#isEmpty = false;
    this.#lines.push(line);
    this.#starts.push(start);
  }

  /** Adds a record that may be the header, blank or of the wrong length. */
  add(record: readonly string[], line: number): void {
    if (this.header === undefined) {
      this.header = record;
      this.#fullBlock = this.#blockOf(line);
      // A spreadsheet writes an emptied row as delimiters only.
    } else if (!isBlank(record)) this.#addRow(record, line, this.header.length);
    this.#breaks += breaksWithin(record);
  }

  /** Some programs end each row but the header with delimiters. In one row alone, they may be out of place. */
  #addRow(record: readonly string[], line: number, width: number): void {
    const delimiters = isBlank(record.slice(width)) ? record.length - width : 0;
    this.#endDelimiters ??= delimiters;
    const cells = this.#endDelimiters > 0 && delimiters === this.#endDelimiters ? record.slice(0, width) : record;
    if (cells.length < width && this.#endDelimiters === 0) {
      this.#addShort(cells, line);
      return;
    }
    this.#meetFullRow(line);
    const lacksDelimiter = cells === record && this.#endDelimiters > 0;
    const issue = checkLength(cells, line, width) ?? (lacksDelimiter ? withoutDelimiter(line) : undefined);
    if (issue === undefined) this.#addValid(cells, line);
    else this.#addInvalid(cells, issue);
  }

  #addValid(cells: readonly string[], line: number): void {
    this.#addText(cells, line, undefined);
    const breaks = breaksWithin(cells);
    if (breaks > 0) this.#countLines(line, line + breaks);
  }

  #blockOf(line: number): number {
    return Math.ceil((line - this.#breaks) / rowsInBlock);
  }

  /** Its last cells may be out of place, unless all rows of its block lack them, and rows before had all cells. */
  #addShort(cells: readonly string[], line: number): void {
    const block = this.#blockOf(line);
    const [first] = this.#short;
    if (first !== undefined && first.block !== block) this.#endBlock();
    else if (first !== undefined && first.cells.length !== cells.length) this.#areBlocksEven = false;
    if (this.#isEmpty || block === this.#fullBlock) this.#areBlocksEven = false;
    this.#short.push({ cells, line, block });
    if (!this.#areBlocksEven) this.#endBlock();
  }

  #meetFullRow(line: number): void {
    this.#fullBlock = this.#blockOf(line);
    if (this.#short.length === 0) return;
    if (this.#short[0]?.block === this.#fullBlock) this.#areBlocksEven = false;
    this.#endBlock();
  }

  /** Adds the rows of a block that lack their last cells. */
  #endBlock(): void {
    const width = this.header?.length ?? 0;
    const rows = this.#short;
    this.#short = [];
    for (const { cells, line } of rows) {
      const issue = this.#areBlocksEven ? undefined : checkLength(cells, line, width);
      if (issue !== undefined) this.#addInvalid(cells, issue);
      else {
        if (this.shortRows.count === 0) this.shortRows.firstLine = line;
        this.shortRows.count += 1;
        this.#addValid([...cells, ...Array.from({ length: width - cells.length }, () => '')], line);
      }
    }
  }

  #countLines(from: number, to: number): void {
    this.severalLines.count += 1;
    if (this.severalLines.count <= namedRows) this.severalLines.first.push({ from, to });
  }

  /** Each line of an invalid record is a row with its error: a quote that is out of place must not hide the others. */
  #addInvalid(record: readonly string[], { line, code, message }: Issue): void {
    const breaks = breaksWithin(record);
    const lines = breaks > 0 ? ` (lines ${line} to ${line + breaks} were read as one record)` : '';
    const texts = breaks > 0 ? linesOf(record.join(this.#delimiter)) : [];
    const rows = breaks > 0 ? texts.map((text) => text.split(this.#delimiter)) : [record];
    for (const [index, cells] of rows.entries())
      if (!isBlank(cells)) this.#addText(cells, line + index, errorAt(line + index, code, message + lines));
  }

  /** Adds a record whose quotes are wrong; `problem` describes how. */
  addMisquoted(record: readonly string[], line: number, problem: string): void {
    if (this.header === undefined) this.fail(line, 'RECORD_QUOTE_INVALID', `in the header, ${problem}`);
    else if (!isBlank(record)) {
      this.#meetFullRow(line);
      this.#addInvalid(record, errorAt(line, 'RECORD_QUOTE_INVALID', problem));
    }
    this.#breaks += breaksWithin(record);
  }

  #addText(record: readonly string[], line: number, issue: Issue | undefined): void {
    const index = this.#lines.length;
    this.#texts.set(index, record);
    if (issue !== undefined) this.#rejected.set(index, issue);
    this.#push(noSpan, line);
  }

  /** Ends the reading; the first fault counts. */
  fail(line: number, code: IssueCode, message: string): void {
    this.#endBlock();
    this.fault ??= errorAt(line, code, message);
  }

  /** No more records follow. @param isCut the last one does not end with a line break, and may lack something */
  end(isCut: boolean): void {
    if (isCut && this.#short.length > 0) this.#areBlocksEven = false;
    this.#endBlock();
    if (this.#isEmpty) this.fail(0, 'FILE_EMPTY', 'the file has a header and no rows');
  }

  /** Returns what was added since the last call. @param spans those of the added records */
  take(spans: CellSpans = noSpans): RecordBatch {
    const [lines, starts, texts, rejected] = [this.#lines, this.#starts, this.#texts, this.#rejected];
    const width = this.header?.length ?? 0;
    this.#lines = [];
    this.#starts = [];
    this.#texts = new Map();
    this.#rejected = new Map();
    const startOf = (record: number): number => starts[record] ?? noSpan;
    const textsOf = (record: number): readonly string[] => texts.get(record) ?? [];
    return {
      lines,
      rejected,
      cellsOf: (record) => (startOf(record) < 0 ? textsOf(record) : spans.cells(startOf(record), width)),
      cellAt: (record, index) =>
        startOf(record) < 0 ? (textsOf(record)[index] ?? '') : spans.cell(startOf(record) + 2 * index),
      textBetween: (record, first, last) =>
        startOf(record) < 0
          ? textOfCells(textsOf(record).slice(first, last + 1))
          : spans.between(startOf(record) + 2 * first, startOf(record) + 2 * last),
      fault: this.fault,
    };
  }
}

/** As the bytes of other cells are decoded, so that the same text always means the same cells. */
export const textOfCells = (cells: readonly string[]): string =>
  Buffer.from(cells.map((cell) => `"${cell.replaceAll('"', '""')}"`).join()).toString('latin1');

const isBlank = (record: readonly string[]): boolean =>
  record[0]?.trim() === '' && record.every((cell) => cell.trim() === '');

/** Line breaks in the cells of a record. */
export const breaksWithin = (cells: readonly string[]): number =>
  cells.reduce((sum, cell) => sum + lineBreaksIn(cell), 0);

const withoutDelimiter = (line: number): Issue =>
  errorAt(
    line,
    'RECORD_TOO_FEW_CELLS',
    'the rows above end with a separator, and this one does not: end all rows alike',
  );

function checkLength({ length }: readonly string[], line: number, expected: number): Issue | undefined {
  if (length === expected) return undefined;
  const message = `the row has ${length} ${length === 1 ? 'cell' : 'cells'}, the header has ${expected}`;
  return length > expected
    ? errorAt(
        line,
        'RECORD_TOO_MANY_CELLS',
        `${message}: remove the cells beyond it, or put a cell that contains the separator in quotes`,
      )
    : errorAt(line, 'RECORD_TOO_FEW_CELLS', `${message}: leave cells empty, but keep their separators`);
}
