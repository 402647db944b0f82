// What reading a CSV file yields: the header, then batches of records, each known by the line it starts on.
import type { Issue } from '#shared/domain/issue.ts';

/** A record that cannot be understood as a row of this file; its cells as far as they could be read. */
export interface RejectedRecord {
  readonly line: number;
  readonly cells: readonly string[];
  readonly issue: Issue;
}

/** Records in file order. `lines[i]` is the line on which `cells[i]` starts; each has as many cells as the header. */
export interface RecordBatch {
  readonly lines: readonly number[];
  /** The texts of all records, made when they are first asked for: before the next batch is asked for, or never. */
  readonly cells: readonly (readonly string[])[];
  /** The texts of one record, for who wants few of them. */
  cellsOf(index: number): readonly string[];
  /** The bytes of the same records, for who can do without their texts. */
  readonly spans: CellSpans;
  readonly rejected: readonly RejectedRecord[];
  /** Why the file cannot be read any further, on the last batch only; null where all is well. */
  readonly fault: Issue | null;
}

/** Where the cells of a batch stand in `bytes`, without the quotes around them. Good until the next batch is asked for. */
export interface CellSpans {
  readonly bytes: Buffer;
  /** Two numbers a cell: where it begins; and where it ends, shifted by `flagBits`, with the flags of the cell. */
  readonly bounds: Int32Array;
  /** Where in `bounds` each record begins; -1 where only the texts of its cells are known. */
  readonly starts: readonly number[];
}

export const flagBits = 3;
/** It stands in quotes, at `start - 1` and `end`. */
export const quotedFlag = 1;
/** It contains quotes, written twice. */
export const escapedFlag = 2;
/** It is more than ASCII. */
export const wideFlag = 4;

export interface CsvContents {
  readonly header: readonly string[];
  readonly headerLine: number;
  readonly delimiter: ',' | ';' | '\t';
  /**
   * To be read once. Cells may be pieces of a much longer text: detach what is kept for long.
   * The next bytes are asked for when the next batch is.
   */
  readonly batches: AsyncIterable<RecordBatch>;
  /** Lets go of the source where the batches are not wanted, for instance because the header is wrong. */
  close(): Promise<void>;
}

/** `issue` says why the file could not be read up to its header. */
export type OpenedCsv =
  | { readonly ok: true; readonly value: CsvContents }
  | { readonly ok: false; readonly issue: Issue };

export interface CsvOptions {
  /** A record longer than this many bytes of UTF-8 ends the reading; it bounds memory. Default 256 KiB. */
  readonly maxRecordBytes?: number;
}
