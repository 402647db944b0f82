// What reading a CSV file returns: the header, then batches of records, each with the line it starts on.
import type { Issue } from '#shared/row/issue.ts';
import type { EncodingName } from './decode-text.ts';

/** Records in file order, blank ones left out. Its texts can be read only before the next batch is asked for. */
export interface RecordBatch {
  /** The line on which each record starts. */
  readonly lines: readonly number[];
  /** Why a record is not a row of this file, by its index. All other records have as many cells as the header. */
  readonly rejected: ReadonlyMap<number, Issue>;
  /** The texts of one record, as far as it could be read. */
  cellsOf(record: number): readonly string[];
  /** One of these texts. */
  cellAt(record: number, index: number): string;
  /** The cells from `first` to `last` with their quotes and separators. Only the same cells have the same text. */
  textBetween(record: number, first: number, last: number): string;
  /** The indexes of the cells of a record that a workbook stores as dates, and not as texts. Absent for a CSV. */
  readonly dateCells?: ReadonlyMap<number, readonly number[]>;
  /** Why the file cannot be read any further; only the last batch has one. */
  readonly fault: Issue | null;
}

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
  /** What people added to the file: names in the header, each with the column that it is. */
  readonly added?: Readonly<Record<string, string>>;
  /** The names of all sheets of the workbook; absent for a CSV. */
  readonly sheets?: readonly string[];
  /**
   * Can be read once. A cell may be a slice of a much longer text: copy what is kept for long.
   * The source is read only as batches are asked for.
   */
  readonly batches: AsyncIterable<RecordBatch>;
  /** What was recognised while reading. Complete once all batches are read. */
  notices(): readonly Issue[];
  /** Reads a workbook again from its start, with the parts that are in memory, until this is closed. */
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
  /** The name of the sheet, in a workbook. */
  readonly sheet?: string | undefined;
  /** Sheets that are read behind it, as one file. */
  readonly otherSheets?: readonly OtherSheet[] | undefined;
  /** Leaves out the rows of a workbook that are hidden or filtered out. */
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
  /** The row of a workbook that begins on a line. @default - the line */
  readonly rowOfLine?: ((line: number) => number) | undefined;
  /** A longer record ends the reading; this bounds memory. In bytes of UTF-8. @default 256 KiB */
  readonly maxRecordBytes?: number;
  /** Called while a workbook is decompressed. What it throws ends the reading, and is thrown. */
  readonly checkTime?: (() => void) | undefined;
  /**
   * `first`: only the first batch of a workbook is wanted. Texts of later rows are not loaded, and cells of a large
   * sheet, whose list of merged cells is behind its rows, are not merged. @default 'all'
   */
  readonly rows?: 'first' | 'all';
  /** What to do with a workbook in which several sheets have the header. @default 'first' */
  readonly severalSheets?: 'reject' | 'first';
}

// What separates the cells of a record.
export const delimiters = [',', ';', '\t', '|'] as const;
export type Delimiter = (typeof delimiters)[number];
