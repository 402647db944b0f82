// Planning stops while there is time to clean up, and the next delivery of the event starts it again. An import for
// which the time is never enough is rejected: at once if much of the file was not read (decision 62), otherwise after
// some attempts.

import type { ImportItem } from '#shared/import/import.ts';
import type { Catalogue } from '#shared/operations/catalogue.ts';
import { errorAt, type Issue } from '#shared/row/issue.ts';
import { type Deadline, DeadlineExceeded, timeNeeded } from '#shared/runtime/clock.ts';
import type { ReadImport } from '#shared/store/object-keys.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { IngestPipeline } from '../ingest-pipeline.ts';
import type { Counts } from './plan-batch.ts';

/** Each delivery starts from the beginning, so another one would time out too. */
export const maxPlanningAttempts = 3;

/** Two attempts with the same file differ by less: one that read a smaller share will never read all of it. */
const sufficientShare = 0.8;

export class PlanningTimeout extends DeadlineExceeded {
  override readonly name = 'PlanningTimeout';
  readonly item: ReadImport;
  /** What to do if it happens on each delivery. */
  readonly advice: string;
  /** No further attempt can succeed. */
  readonly isFinal: boolean;

  /**
   * @param when how far planning came: `after 12 rows`
   * @param share of the file that was read, from 0 to 1
   */
  constructor(item: ReadImport, when: string, advice: string, share = 1) {
    super(`time ran out ${when}`);
    this.item = item;
    this.advice = advice;
    this.isFinal = share < sufficientShare;
  }
}

/** Of a file that is too long: how many rows an attempt reads, with a margin, to two digits. */
export function rowsOfPart(rows: number): number {
  const unit = 10 ** Math.max(0, Math.floor(Math.log10(rows * sufficientShare)) - 1);
  return Math.floor((rows * sufficientShare) / unit) * unit;
}

export const failPlanning = (
  { item, message, advice, isFinal }: PlanningTimeout,
  pipeline: IngestPipeline,
): Promise<ImportItem | undefined> => {
  const text = `${message}${isFinal ? '' : `, in each of ${maxPlanningAttempts} attempts`}: ${advice}`;
  return rejectImport(item, 'planning', { issues: [errorAt(0, 'FILE_TOO_LARGE', text)] }, pipeline);
};

/** The same catalogue, but it looks up a port, which needs a separate call, only while there is time. */
export const withPortDeadline = (
  catalogue: Catalogue,
  deadline: Deadline,
  item: ReadImport,
  advice: string,
): Catalogue => {
  const port: Catalogue['port'] = async (portId, freshness) => {
    if (deadline.hasTimeFor(timeNeeded.lookUpPort)) return catalogue.port(portId, freshness);
    throw new PlanningTimeout(item, 'while ports were looked up with one call each', advice);
  };
  return { ...catalogue, port, knownPort: port };
};

/** Rejects this reading of an import, unless another delivery has moved it on. Returns the import as it is then. */
export async function rejectImport(
  item: ReadImport,
  state: 'planning' | 'planned',
  { issues, ...counts }: Partial<Counts> & { readonly issues: readonly Issue[] },
  { imports, clocks }: IngestPipeline,
): Promise<ImportItem | undefined> {
  const changes: Partial<ImportItem> = {
    ...counts,
    issues: [...issues],
    state: 'rejected',
    changedAt: isoTime(clocks.wall()),
  };
  return (await imports.updateReading(item, changes, [state])) ?? imports.get(item.importId);
}
