// What reading a CSV file returns: the header, then batches of records, each with the line it starts on.
import { errorAt, type Issue, type IssueCode } from '#shared/row/issue.ts';
import type { EncodingName } from './decode-text.ts';

/** Records in file order, blank ones left out. */
export interface RecordBatch {
  /** The line on which each record starts. */
  readonly lines: readonly number[];
  /** Why a record is not a row of this file, by its index. All other records have as many cells as the header. */
  readonly rejected: ReadonlyMap<number, Issue>;
  /** The texts of one record, as far as it could be read. Only before the next batch is asked for. */
  cellsOf(index: number): readonly string[];
  /** The bytes of the same records. */
  readonly spans: CellSpans;
  /** Why the file cannot be read any further; only the last batch has one. */
  readonly fault: Issue | null;
}

/**
 * Where the cells of a batch are in `bytes`, without the quotes around them. Valid until the next batch is asked for.
 */
export interface CellSpans {
  readonly bytes: Buffer;
  /**
   * Two numbers per cell: where it begins; and where it ends, shifted left by `flagBits`, plus the flags of the cell.
   */
  readonly bounds: Int32Array;
  /** The index in `bounds` of the first cell of each record; -1 when only the texts of its cells are known. */
  readonly starts: readonly number[];
}

export const flagBits = 3;
/** The cell is in quotes, at `start - 1` and `end`. */
export const quotedFlag = 1;
/** The cell contains quotes, written twice. */
export const escapedFlag = 2;
/** The cell has characters beyond ASCII. */
export const wideFlag = 4;

/** Of a header: one with more is no list of numbers, and each column costs time wherever the file is read. */
export const mostColumns = 500;

export interface CsvContents {
  readonly header: readonly string[];
  readonly headerLine: number;
  readonly delimiter: Delimiter;
  /** The name of the sheet; absent for a CSV. */
  readonly sheet?: string;
  /** Sheets whose rows follow those of the first one, with their headers. */
  readonly otherSheets?: { readonly sheet: string; readonly headerLine: number }[];
  /** A workbook counts the days of its dates from 1904 on. */
  readonly startsIn1904?: boolean;
  /** `row 5 of "November"`, where several sheets are read as one file and a line is not a row of the first one. */
  readonly placeOf?: (line: number) => string;
  /** The names of all sheets of the workbook; absent for a CSV. */
  readonly sheets?: readonly string[];
  /**
   * Can be read once. A cell may be a slice of a much longer text: copy what is kept for long.
   * The source is read only as batches are asked for.
   */
  readonly batches: AsyncIterable<RecordBatch>;
  /** What was recognised while reading. Complete once all batches are read. */
  notices(): readonly Issue[];
  /** Of a workbook: reads it from its start with the parts that are in memory, until this is closed. */
  readonly again?: (layout: FileLayout) => Promise<OpenedCsv>;
  /** Closes the source when the batches are not wanted, for instance because the header is wrong. */
  close(): Promise<void>;
}

/** `headerLine` is its row there. */
export interface OtherSheet {
  readonly sheet: string;
  readonly headerLine?: number | undefined;
}

/** How a file is to be read. What is absent is detected. */
export interface FileLayout {
  readonly headerLine?: number | undefined;
  readonly delimiter?: Delimiter | undefined;
  readonly encoding?: EncodingName | undefined;
  /** Of a workbook: the name of the sheet. */
  readonly sheet?: string | undefined;
  /** Sheets that are read behind it, as one file. */
  readonly otherSheets?: readonly OtherSheet[] | undefined;
  /** Of a workbook: leaves out rows that are hidden or filtered out. */
  readonly visibleRowsOnly?: boolean | undefined;
}

/** `issue`: why the file could not be read up to its header. */
export type OpenedCsv =
  | { readonly ok: true; readonly value: CsvContents }
  | { readonly ok: false; readonly issue: Issue };

export interface CsvOptions extends FileLayout {
  /**
   * Recognises the header below title rows by the names of columns.
   * @default - the first row that is not blank is the header
   */
  readonly isHeader?: ((cells: readonly string[]) => boolean) | undefined;
  /** Of a workbook: the row that begins on a line. @default - the line */
  readonly rowOfLine?: ((line: number) => number) | undefined;
  /** A longer record ends the reading; this bounds memory. In bytes of UTF-8. @default 256 KiB */
  readonly maxRecordBytes?: number;
  /**
   * Of a workbook: what a formula without a value does. Results read files again that an earlier release accepted.
   * @default 'empty', an empty cell
   */
  readonly uncalculated?: UncalculatedFormula;
  /** Of a workbook: called while it is decompressed. What it throws ends the reading, and is thrown. */
  readonly checkTime?: (() => void) | undefined;
  /**
   * Of a workbook: only the first batch is wanted. Texts of later rows are not loaded, and in a large sheet, whose list
   * of merged cells is behind its rows, cells are not merged. @default 'all'
   */
  readonly rows?: 'first' | 'all';
  /** Of a workbook in which several sheets have the header. @default 'first' */
  readonly severalSheets?: 'reject' | 'first';
}

export type UncalculatedFormula = 'reject' | 'empty';

// What separates the cells of a record.
export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];

// Gathers records into a batch: keeps the header apart, omits blank records, rejects records of the wrong length.

/** The buffers of a batch; the next batch reuses them. */
export interface BatchBuffers extends Pick<CellSpans, 'bytes' | 'bounds'> {
  isCurrent: boolean;
}

const noSpan = -1;
const noBuffers: BatchBuffers = { bytes: Buffer.alloc(0), bounds: new Int32Array(0), isCurrent: true };

export class BatchBuilder {
  header: readonly string[] | undefined;
  fault: Issue | null = null;
  #isEmpty = true;
  /** Delimiters behind the last cell of each row, as many as the first row has. */
  #endDelimiters: number | undefined;
  #lines: number[] = [];
  #starts: number[] = [];
  /** The cells of the records without a span, by index. */
  #texts = new Map<number, readonly string[]>();
  #rejected = new Map<number, Issue>();

  /** Whether a record with this many cells can be added by its bounds. */
  takesSpan(count: number): boolean {
    return count === this.header?.length && !this.#endDelimiters;
  }

  /** Adds a record of the right length that is not blank; its bounds begin at `start`. */
  addSpan(start: number, line: number): void {
    this.#isEmpty = false;
    this.#endDelimiters ??= 0;
    this.#lines.push(line);
    this.#starts.push(start);
  }

  /** Adds a record that may be the header, blank or of the wrong length. */
  add(record: readonly string[], line: number): void {
    if (this.header === undefined) this.header = record;
    // A spreadsheet writes an emptied row as delimiters only.
    else if (!isBlank(record)) this.#addRow(record, line, this.header.length);
  }

  /** Some programs end each row but the header with delimiters. In one row alone, they may be out of place. */
  #addRow(record: readonly string[], line: number, width: number): void {
    const delimiters = isBlank(record.slice(width)) ? record.length - width : 0;
    this.#endDelimiters ??= delimiters;
    if (this.#endDelimiters === 0) this.#addText(record, line, checkLength(record, line, width));
    else if (delimiters === this.#endDelimiters) this.#addText(record.slice(0, width), line, undefined);
    else this.#addText(record, line, checkLength(record, line, width) ?? withoutDelimiter(line));
  }

  /** Adds a record whose quotes are wrong; `problem` describes how. */
  addMisquoted(record: readonly string[], line: number, problem: string): void {
    if (this.header === undefined) this.fail(line, 'RECORD_QUOTE_INVALID', `in the header, ${problem}`);
    else if (!isBlank(record)) this.#addText(record, line, errorAt(line, 'RECORD_QUOTE_INVALID', problem));
  }

  #addText(record: readonly string[], line: number, issue: Issue | undefined): void {
    const index = this.#lines.length;
    this.#texts.set(index, record);
    if (issue !== undefined) this.#rejected.set(index, issue);
    this.addSpan(noSpan, line);
  }

  /** Ends the reading; the first fault counts. */
  fail(line: number, code: IssueCode, message: string): void {
    this.fault ??= errorAt(line, code, message);
  }

  /** No more records follow. */
  end(): void {
    if (this.#isEmpty) this.fail(0, 'FILE_EMPTY', 'the file has a header and no rows');
  }

  /** Returns what was added since the last call. @param buffers those of the added spans */
  take(buffers: BatchBuffers = noBuffers): RecordBatch {
    const { bytes, bounds } = buffers;
    const width = this.header?.length ?? 0;
    const [lines, starts, texts, rejected] = [this.#lines, this.#starts, this.#texts, this.#rejected];
    this.#lines = [];
    this.#starts = [];
    this.#texts = new Map();
    this.#rejected = new Map();
    const cellsOf = (index: number): readonly string[] => {
      if (!buffers.isCurrent) throw new Error('the cells of a batch must be read before the next batch is');
      return texts.get(index) ?? decodeCells(bytes, bounds, starts[index] as number, width);
    };
    return { lines, rejected, cellsOf, spans: { bytes, bounds, starts }, fault: this.fault };
  }
}

const isBlank = (record: readonly string[]): boolean =>
  record[0]?.trim() === '' && record.every((cell) => cell.trim() === '');

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

/** The texts of `count` adjacent cells; the bounds of the first are at index `bound`. */
export function decodeCells(bytes: Buffer, bounds: Int32Array, bound: number, count: number): string[] {
  const from = bounds[bound] as number;
  // One native call for the whole record, then slices of it, is faster than one call per cell.
  const all = bytes.toString('latin1', from, (bounds[bound + 2 * count - 1] as number) >> flagBits);
  const cells: string[] = [];
  for (let at = bound; at < bound + 2 * count; at += 2) {
    const start = bounds[at] as number;
    const flags = bounds[at + 1] as number;
    const end = flags >> flagBits;
    const text = (flags & wideFlag) === 0 ? all.slice(start - from, end - from) : bytes.toString('utf8', start, end);
    cells.push((flags & escapedFlag) === 0 ? text : text.replaceAll('""', '"'));
  }
  return cells;
}
