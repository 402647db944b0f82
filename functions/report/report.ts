// Updates the totals and the files of an import from its requests. It reads all requests each time, so the order and
// the repetition of messages make no difference.
import { rollUp } from '#shared/domain/imports/roll-up.ts';
import type { ComparisonItem } from '#shared/domain/ports/service-mismatch.ts';
import type { ImportItem, RequestItem, Tally } from '#shared/domain/requests/ledger.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { type Deadline, DeadlineExceeded, timeNeeded } from '#shared/runtime/deadline.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import type { Requests } from '#shared/store/tables/requests.ts';
import { type WriteFilesDependencies, writeFiles } from './write-files.ts';

export interface ReportDependencies extends WriteFilesDependencies {
  readonly imports: Pick<Imports, 'get' | 'rollUp' | 'update'>;
  readonly requests: Pick<Requests, 'ofImport'>;
  readonly wall: Clock;
  readonly deadline: Deadline;
}

/** Whether the refresh throttle allows to read the import now. */
export type MayRefresh = (item: ImportItem) => Promise<boolean>;
const always: MayRefresh = async () => true;

/** Up to this many rows results.csv follows every change. For more rows it is written when outcomes are final. */
const smallImport = 10_000;

/**
 * Updates the totals, and writes the files if they would show something new. Returns the import as it is then.
 * @throws DeadlineExceeded, and what the table and the buckets throw; then the files are as they were
 */
export async function report(
  importId: string,
  dependencies: ReportDependencies,
  mayRefresh: MayRefresh = always,
): Promise<ImportItem | undefined> {
  const { imports } = dependencies;
  const first = await imports.get(importId);
  // Before its release an import has no requests to read.
  if (first !== undefined && !isUnreleased(first) && !(await mayRefresh(first))) return first;
  let item = first;
  for (;;) {
    const updated = item === undefined || isUnreleased(item) ? item : await updateTotals(item, dependencies);
    if (updated === undefined || updated.state === 'planning' || updated.reported === summaryOf(updated))
      return updated;
    const requests = readInTime(updated, dependencies);
    const written = await writeFiles(updated, requests, () => checkTime(importId, dependencies), dependencies);
    const marked = await imports.update(importId, { reported: summaryOf(updated), ...written });
    if (marked === undefined || marked.ledgerRevision === updated.ledgerRevision) return marked;
    // Another run stored newer totals while this one wrote, and this run may have overwritten its files.
    item = marked;
  }
}

async function* readInTime({ importId }: ImportItem, dependencies: ReportDependencies): AsyncIterable<RequestItem> {
  for await (const request of dependencies.requests.ofImport(importId)) {
    checkTime(importId, dependencies);
    yield request;
  }
}

function checkTime(importId: string, { deadline }: ReportDependencies): void {
  if (deadline.hasTimeFor(timeNeeded.cleanUp)) return;
  throw new DeadlineExceeded(`time ran out while import ${importId} was reported on`);
}

const isUnreleased = ({ state }: ImportItem): boolean =>
  state === 'planning' || state === 'planned' || state === 'rejected';

/** What the files show. They are written again only when this differs from what it was after the last writing. */
function summaryOf(item: ImportItem): string {
  const {
    state,
    rows,
    actionRequired,
    skippedRows,
    freedPorts = 0,
    cancelledRows = 0,
    requests,
    ports,
    mismatches,
  } = item;
  const ended = skippedRows + (requests.declined ?? 0) + (requests.skipped ?? 0);
  const tallies = rows <= smallImport ? [sorted(requests), sorted(ports)] : [];
  const mismatched = mismatches === undefined ? [] : [mismatches.sims, mismatches.revision];
  const endedRows = state === 'submitting' ? 0 : ended;
  return JSON.stringify([state, actionRequired, endedRows, freedPorts, cancelledRows, ...mismatched, ...tallies]);
}

const sorted = (tally: Tally): [string, number][] =>
  Object.entries(tally).sort(([left], [right]) => (left < right ? -1 : 1));

async function updateTotals(item: ImportItem, dependencies: ReportDependencies): Promise<ImportItem | undefined> {
  const { imports, comparisons, wall } = dependencies;
  const { importId, requestCount } = item;
  const { ledgerRevision, ...totals } = await rollUp(readInTime(item, dependencies), requestCount);
  const mismatches = await countMismatches(comparisons.ofImport(importId));
  const isNews = ledgerRevision !== item.ledgerRevision || mismatches?.revision !== item.mismatches?.revision;
  const changedAt = isNews ? new Date(wall()).toISOString() : item.changedAt;
  return imports.rollUp(importId, { ...totals, mismatches, changedAt }, ledgerRevision);
}

/** undefined: no comparison has ever found a mismatch. */
async function countMismatches(items: AsyncIterable<ComparisonItem>): Promise<ImportItem['mismatches']> {
  const sum = { sims: 0, revision: 0 };
  for await (const { sims, everFound, revision } of items) {
    sum.sims += sims.length;
    if (everFound) sum.revision += revision;
  }
  return sum.revision === 0 ? undefined : sum;
}
