// A CSV file made from the outcomes of rows: results.csv and the correction files.
import { csvRow } from '#shared/csv/csv-row.ts';
import type { FileOutcomes, RowOutcome } from './row-outcomes.ts';

export interface OutcomeCsv {
  readonly header: readonly string[];
  /** undefined: the row does not belong in this file. */
  readonly cellsOf: (outcome: RowOutcome) => readonly string[] | undefined;
}

export function rowsText({ cellsOf }: OutcomeCsv, outcomes: readonly RowOutcome[]): string {
  let text = '';
  for (const outcome of outcomes) {
    const cells = cellsOf(outcome);
    if (cells !== undefined) text += csvRow(cells);
  }
  return text;
}

/** The whole file, in pieces. */
export async function* csvText(csv: OutcomeCsv, { batches }: Pick<FileOutcomes, 'batches'>): AsyncIterable<string> {
  yield csvRow(csv.header);
  for await (const outcomes of batches) yield rowsText(csv, outcomes);
}
