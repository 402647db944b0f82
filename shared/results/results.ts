// The results of an import at this moment: every row of the file with its outcome so far.
import type { ImportItem } from '#shared/import/import.ts';
import { type Outcome, outcomeOrder } from '#shared/outcome/outcome.ts';
import type { RowResult } from '#shared/outcome/row-result.ts';
import { redactName } from '#shared/row/redact.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import type { ResultRow } from './answers.ts';
import type { FileOutcomes } from './file-rows.ts';
import { openFoldedOutcomes, readFirst, readRowParts } from './parts.ts';
import { csvText, resultsCsv } from './results-csv.ts';

/** The rows of the first import, each folded over the parts, as report writes them. */
export async function openResults(reader: ResultsReader, item: ImportItem): Promise<FileOutcomes> {
  const first = await readFirst(reader.imports, item);
  return openFoldedOutcomes(first, await readRowParts(first, reader.imports), reader);
}

/** The text of results.csv, in pieces. */
export async function* streamResultsCsv(reader: ResultsReader, item: ImportItem): AsyncIterable<string> {
  const outcomes = await openResults(reader, item);
  yield* csvText(resultsCsv(outcomes), outcomes);
}

export async function* readResults(reader: ResultsReader, item: ImportItem): AsyncIterable<ResultRow> {
  const outcomes = await openResults(reader, item);
  const csv = resultsCsv(outcomes);
  for await (const rows of outcomes.batches) {
    for (const row of rows) {
      const columns = toColumns(csv.header.slice(0, csv.ownCount), csv.cellsOf(row));
      const { isRemoved: _, ...result } = row.result;
      yield { line: row.line, ...result, columns };
    }
  }
}

/** Cells by the name of their column. */
export const toColumns = (header: readonly string[], cells: readonly string[] = []): Record<string, string> =>
  Object.fromEntries(header.map((name, index) => [name, cells[index] ?? '']));

export interface OutcomeCount {
  readonly outcome: Outcome;
  readonly status: string;
  rows: number;
}

export interface OutcomeTally {
  add(result: RowResult): void;
  /** In an order that does not depend on the counts. */
  counts(): readonly Readonly<OutcomeCount>[];
}

const rank = ({ outcome }: OutcomeCount): number => outcomeOrder.indexOf(outcome);
const compare = (one: string, other: string): number => (one < other ? -1 : 1);

/** Counts rows by outcome and status. */
export function createOutcomeTally(): OutcomeTally {
  const tally = new Map<string, OutcomeCount>();
  return {
    add({ outcome, status }) {
      const key = JSON.stringify([outcome, status]);
      const known = tally.get(key);
      if (known === undefined) tally.set(key, { outcome, status, rows: 1 });
      else known.rows += 1;
    },
    counts: () =>
      [...tally.values()].sort((one, other) => rank(one) - rank(other) || compare(one.status, other.status)),
  };
}

// Which state of an import its files show. Report stores a new state first, and then writes the files.

/** What the files show, as text to compare, with the state as its first member. */
export const describeFiles = (item: Pick<ImportItem, 'state' | 'reading'>, ...others: readonly unknown[]): string =>
  JSON.stringify([stateInFiles(item), ...others]);

/** The state, and from the second reading of a draft on which reading it was. */
const stateInFiles = ({ state, reading }: Pick<ImportItem, 'state' | 'reading'>): string =>
  reading === undefined ? state : `${state} ${reading.count}`;

/** Whether the files show that the import is in its state. Until then report may be writing them. */
export function showsItsState(item: ImportItem): boolean {
  const shown = parseJson(item.reported ?? '');
  return Array.isArray(shown) && shown[0] === stateInFiles(item);
}

/** The name of the user's file for people: the last part of its key in the inbox, without codes and numbers. */
export const fileNameOf = (key: string): string => redactName(key.slice(key.lastIndexOf('/') + 1));
