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
  readonly cells: readonly (readonly string[])[];
  /** What was asked for by `keepStretch`, beside `cells`: as the file has it, quotes and all, undefined where it is not at hand. */
  readonly stretches: readonly (string | undefined)[];
  readonly rejected: readonly RejectedRecord[];
  /** Why the file cannot be read any further, on the last batch only; null where all is well. */
  readonly fault: Issue | null;
}

export interface CsvContents {
  readonly header: readonly string[];
  readonly headerLine: number;
  readonly delimiter: ',' | ';' | '\t';
  /**
   * Asks for the text of the cells `first` to `last` of each record in one piece. Records with the same text have the same
   * cells there; those with another may have, too, and the records of the first batch may come without it.
   */
  keepStretch(first: number, last: number): void;
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
