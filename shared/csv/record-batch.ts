// What reading a CSV file returns: the header, then batches of records, each with the line it starts on.
import type { Issue } from '#shared/row/issue.ts';
import type { Delimiter } from './delimiter.ts';
import type { EncodingName } from './detect-encoding.ts';

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
