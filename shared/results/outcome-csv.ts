// A CSV file made from the outcomes of rows: results.csv and the correction files.

import type { Delimiter } from '#shared/csv/delimiter.ts';
import { csvHeader, csvRow } from '#shared/files/csv/csv-row.ts';
import type { FileOutcomes, RowOutcome } from './file-rows.ts';

export interface OutcomeCsv {
  readonly delimiter: Delimiter;
  readonly header: readonly string[];
  /** undefined: the row does not belong in this file. */
  readonly cellsOf: (outcome: RowOutcome) => readonly string[] | undefined;
}

export function rowsText({ cellsOf, delimiter }: OutcomeCsv, outcomes: readonly RowOutcome[]): string {
  let text = '';
  for (const outcome of outcomes) {
    const cells = cellsOf(outcome);
    if (cells !== undefined) text += csvRow(cells, delimiter);
  }
  return text;
}

export const headerText = ({ header, delimiter }: OutcomeCsv): string => csvHeader(header, delimiter);

/** The cells of the file, in batches. */
export async function* cellBatches(
  { cellsOf }: OutcomeCsv,
  { batches }: FileOutcomes,
): AsyncIterable<(readonly string[])[]> {
  for await (const outcomes of batches) {
    yield outcomes.map((outcome) => cellsOf(outcome)).filter((cells) => cells !== undefined);
  }
}

/** The whole file, in pieces. */
export async function* csvText(csv: OutcomeCsv, { batches }: FileOutcomes): AsyncIterable<string> {
  yield headerText(csv);
  for await (const outcomes of batches) yield rowsText(csv, outcomes);
}
