// How far an import is with the corrections of its rows: every row of the first file is counted once.
import type { Outcome } from '#shared/domain/imports/outcome.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import type { ImportProgress } from './answers.ts';
import { readCorrectedOutcomes } from './corrected-outcomes.ts';
import { countedRequests, inOutcomeOrder, readImportProgress } from './import-progress.ts';
import { openResults, type ResultSources, readRoot } from './results.ts';
import type { ReadSources } from './sources.ts';

export interface RootProgress {
  /** The first import of the chain; the import itself where it corrects nothing. */
  readonly root: ImportItem;
  readonly progress: ImportProgress;
}

type ProgressSources = ResultSources & Pick<ReadSources, 'requests' | 'ports'>;

/**
 * Without corrections it reads the requests only; with corrections also the rows of the file, or what report has
 * written of a large one.
 */
export async function readRootProgress(sources: ProgressSources, item: ImportItem): Promise<RootProgress> {
  const root = await readRoot(sources, item);
  const own = await readImportProgress(sources, root);
  if (!root.hasCorrections) return { root, progress: own };
  const { expectedDate } = root === item ? own : await readImportProgress(sources, item);
  const outcomes =
    root.requestCount > countedRequests
      ? await readCorrectedOutcomes(sources, root, own.outcomes)
      : await countRows(sources, root);
  return { root, progress: { outcomes, ...(expectedDate === undefined ? {} : { expectedDate }) } };
}

async function countRows(sources: ResultSources, root: ImportItem): Promise<ImportProgress['outcomes']> {
  const tally = new Map<Outcome, number>();
  const { batches } = await openResults(sources, root);
  for await (const rows of batches) {
    for (const { result } of rows) tally.set(result.outcome, (tally.get(result.outcome) ?? 0) + 1);
  }
  return inOutcomeOrder(tally);
}
