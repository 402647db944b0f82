// How far an import is with the corrections of its rows: every row of the first file is counted once.

import { unpackLines } from '#shared/domain/imports/packed-lines.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { type Outcome, sendableAgain } from '#shared/outcome/row-result.ts';
import { countedRequests, inOutcomeOrder, readImportProgress } from '#shared/read-models/import-progress.ts';
import type { ResultSources } from '#shared/read-models/sources.ts';
import { readAgainIfReplaced } from '#shared/store/files/object-gone.ts';
import type { ImportProgress } from './answers.ts';
import { readCorrectedRows, readCorrections, shownResult } from './corrected-rows.ts';
import { openResults, readRoot } from './results.ts';
import { openIndexedResults } from './row-page.ts';

export interface RootProgress {
  /** The first import of the chain; the import itself where it corrects nothing. */
  readonly root: ImportItem;
  readonly progress: ImportProgress;
}

/**
 * Without corrections it reads the requests only; with corrections also the rows of the file, or of a large one only
 * those of the corrections.
 */
export async function readRootProgress(sources: ResultSources, item: ImportItem): Promise<RootProgress> {
  const root = await readRoot(sources, item);
  const own = await readImportProgress(sources, root);
  if (!root.hasCorrections) return { root, progress: own };
  const { expectedDate } = root === item ? own : await readImportProgress(sources, item);
  const isIndexed =
    root.requestCount > countedRequests &&
    (await openIndexedResults(sources, root.importId))?.index.lines !== undefined;
  const outcomes = isIndexed
    ? await readAgainIfReplaced(() => countLive(sources, root, own.outcomes))
    : await countRows(sources, root);
  return { root, progress: { outcomes, ...(expectedDate === undefined ? {} : { expectedDate }) } };
}

/** What report has written of the first import, with its corrections as they are now: a person has just sent one. */
async function countLive(
  sources: ResultSources,
  root: ImportItem,
  own: ImportProgress['outcomes'],
): Promise<ImportProgress['outcomes']> {
  const { resultsBucket } = sources.resources;
  const corrections = await readCorrections(root, sources.imports);
  const corrected = await readCorrectedRows(corrections, { ...sources, resultsBucket });
  const results = new Map([...corrected].map(([line, { result }]) => [line, result]));
  return countCorrected(sources, root, own, results);
}

async function countRows(sources: ResultSources, root: ImportItem): Promise<ImportProgress['outcomes']> {
  const tally = new Map<Outcome, number>();
  const { batches } = await openResults(sources, root);
  for await (const rows of batches) {
    for (const { result } of rows) tally.set(result.outcome, (tally.get(result.outcome) ?? 0) + 1);
  }
  return inOutcomeOrder(tally);
}

type Outcomes = ImportProgress['outcomes'];
interface WithOutcome {
  readonly outcome: Outcome;
}

/**
 * Every row of the file once, with its latest outcome, from the index that report has written: the rows of the file are
 * not read.
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
