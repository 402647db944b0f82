// The counts of a large import with its corrections as they are now, from the index that report has written: the rows
// of the first file are not read.
import { type Outcome, sendableAgain } from '#shared/domain/imports/outcome.ts';
import { unpackLines } from '#shared/domain/imports/packed-lines.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { shownResult } from '#shared/results/answered-rows.ts';
import type { ImportProgress } from './answers.ts';
import { inOutcomeOrder } from './import-progress.ts';
import { openIndexedResults } from './row-page.ts';
import type { ResultSources } from './sources.ts';

type Outcomes = ImportProgress['outcomes'];
interface WithOutcome {
  readonly outcome: Outcome;
}

/**
 * Every row of the file once, with its latest outcome.
 * @param own the outcomes of the import itself
 * @param corrected the results of its corrections, by line
 * @throws ObjectGone when results.csv is replaced meanwhile: count again
 */
export async function countCorrected(
  sources: ResultSources,
  item: ImportItem,
  own: Outcomes,
  corrected: ReadonlyMap<number, WithOutcome>,
): Promise<Outcomes> {
  if (corrected.size === 0) return own;
  const tally = new Map(Object.entries(own) as [Outcome, number][]);
  const opened = await openIndexedResults(sources, item.importId);
  const listed = Object.entries(opened?.index.lines ?? {}) as [Outcome, string][];
  for (const [before, packed] of listed) {
    if (!sendableAgain.has(before)) continue;
    for (const line of unpackLines(packed)) {
      const { outcome } = shownResult<WithOutcome>({ outcome: before }, corrected.get(line));
      const rows = tally.get(before) ?? 0;
      // The file may be older than the outcomes: then the row waits for the next one. No row is sent twice.
      if (rows === 0) continue;
      tally.set(before, rows - 1);
      tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    }
  }
  return inOutcomeOrder(new Map([...tally].filter(([, rows]) => rows > 0)));
}
