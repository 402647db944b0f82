// How far an import is: its rows by outcome, and when the ports in progress are expected to complete.

import type { ImportItem } from '#shared/import/import.ts';
import type { Tally } from '#shared/items/fields.ts';
import { type Outcome, outcomeOrder } from '#shared/outcome/row-result.ts';
import { type RequestedRows, rollUp } from '#shared/outcome/rows-of-requests.ts';
import type { ImportProgress } from '#shared/results/answers.ts';
import type { RequestReader } from '#shared/store/requests.ts';

/** An import with more requests is shown as report has counted it: to read them takes a second or more. */
export const countedRequests = 200;

/** Reads the requests only: each has the counts of its port (decision 60). */
export async function readImportProgress(
  { requests }: { readonly requests: RequestReader },
  item: ImportItem,
): Promise<ImportProgress> {
  const { requested } = await rollUp(requests.ofImport(item.importId), item.requestCount);
  return progressOf(item, requested);
}

/** @param requested @default - nothing is submitted yet */
export function progressOf(
  { state, accepted, rejected, duplicates = 0 }: ImportItem,
  { rows, outcomes, ...dates }: RequestedRows = { rows: 0, outcomes: new Map() },
): ImportProgress {
  const tally = new Map(outcomes);
  const add = (outcome: Outcome, count: number): void => {
    if (count > 0) tally.set(outcome, (tally.get(outcome) ?? 0) + count);
  };
  add('duplicate', duplicates);
  add('rejected', rejected - duplicates);
  add(state === 'rejected' ? 'not-sent' : 'waiting', accepted - rows);
  return { outcomes: inOutcomeOrder(tally), ...dates };
}

/**
 * Every row of a first file once, as it is now. A row that is hidden behind another has ended, so it never changes.
 * @param corrections those that were merged when `hidden` was counted
 */
export function countWithCorrections(
  { outcomes }: ImportProgress,
  corrections: readonly ImportItem[],
  hidden: Tally,
): ImportProgress['outcomes'] {
  const tallies = corrections.map((item) => item.progress?.outcomes ?? progressOf(item).outcomes);
  const sum = new Map<Outcome, number>();
  for (const outcome of outcomeOrder) {
    const rows = [outcomes, ...tallies].reduce((total, tally: Tally) => total + (tally[outcome] ?? 0), 0);
    const shown = rows - (hidden[outcome] ?? 0);
    if (shown > 0) sum.set(outcome, shown);
  }
  return inOutcomeOrder(sum);
}

export const inOutcomeOrder = (tally: ReadonlyMap<Outcome, number>): ImportProgress['outcomes'] =>
  Object.fromEntries(outcomeOrder.flatMap((outcome) => (tally.has(outcome) ? [[outcome, tally.get(outcome)]] : [])));
