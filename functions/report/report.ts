// Updates the totals and the files of an import from its requests. It reads all requests each time, so the order and
// the repetition of messages make no difference. The files of a first import contain what its corrections did
// (docs/decisions/0040), so after a correction its first import is reported on.
import { createHash } from 'node:crypto';
import { rollUp } from '#shared/domain/imports/roll-up.ts';
import type { ComparisonItem } from '#shared/domain/ports/service-mismatch.ts';
import type { Tally } from '#shared/items/fields.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { RequestItem } from '#shared/items/request.ts';
import type { ReportMessage } from '#shared/messages.ts';
import { progressOf } from '#shared/read-models/import-progress.ts';
import { readCorrections } from '#shared/results/answered-rows.ts';
import { describeFiles } from '#shared/results/state-of-files.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { type Deadline, DeadlineExceeded, timeNeeded } from '#shared/runtime/deadline.ts';
import type { Queues } from '#shared/store/queues/queues.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import { type WriteFilesDependencies, writeFiles } from './write-files.ts';

export interface ReportDependencies extends WriteFilesDependencies {
  readonly imports: Imports;
  readonly queues: Queues;
  readonly reportQueueUrl: string;
  readonly wall: Clock;
  readonly deadline: Deadline;
}

/** Whether the refresh throttle allows to read the import now. */
export type MayRefresh = (item: ImportItem) => Promise<boolean>;
const always: MayRefresh = async () => true;

/**
 * Up to this many rows results.csv follows every change. For more rows it is written when outcomes are final. The
 * counts of an import follow every change, whatever its size.
 */
const smallImport = 20_000;

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
  const item = first && (await refresh(first, dependencies));
  const root = first?.rootImportId;
  // Sent after the files are written, and again when this message is redelivered, so the results of the first import
  // include every correction even after a crash.
  if (root !== undefined && first?.state !== 'planning') await notifyReport(root, dependencies);
  return item;
}

async function refresh(first: ImportItem, dependencies: ReportDependencies): Promise<ImportItem | undefined> {
  const { imports } = dependencies;
  const { importId } = first;
  const requests = { ofImport: (importId: string) => readInTime(importId, dependencies) };
  let item = first;
  for (;;) {
    const updated = isUnreleased(item) ? item : await updateTotals(item, dependencies);
    if (updated === undefined || updated.state === 'planning') return updated;
    const corrections = await readCorrections(updated, imports);
    const reported = summaryOf(updated, corrections);
    if (updated.reported === reported) return updated;
    const checkTimeNow = () => checkTime(importId, dependencies);
    const written = await writeFiles(updated, corrections, checkTimeNow, { ...dependencies, requests });
    const marked = await imports.update(importId, { reported, ...written });
    if (marked === undefined) return undefined;
    const isCurrent = summaryOf(marked, await readCorrections(marked, imports)) === reported;
    if (isCurrent && marked.ledgerRevision === updated.ledgerRevision) return marked;
    // Another run stored newer totals while this one wrote, and this run may have overwritten its files.
    item = marked;
  }
}

async function notifyReport(importId: string, { queues, reportQueueUrl }: ReportDependencies): Promise<void> {
  const message: ReportMessage = { importId };
  await queues.send(reportQueueUrl, [message]);
}

async function* readInTime(importId: string, dependencies: ReportDependencies): AsyncIterable<RequestItem> {
  for await (const request of dependencies.requests.ofImport(importId)) {
    checkTime(importId, dependencies);
    yield request;
  }
}

export function checkTime(importId: string, { deadline }: { readonly deadline: Deadline }): void {
  if (deadline.hasTimeFor(timeNeeded.cleanUp)) return;
  throw new DeadlineExceeded(`time ran out while import ${importId} was reported on`);
}

const isUnreleased = ({ state }: ImportItem): boolean =>
  state === 'planning' || state === 'planned' || state === 'rejected';

/** What the files show. They are written again only when this differs from what it was after the last writing. */
function summaryOf(item: ImportItem, corrections: readonly ImportItem[] = []): string {
  const {
    state,
    rows,
    actionRequired,
    skippedRows,
    freedPorts = 0,
    cancelledRows = 0,
    unconfirmedRows = 0,
    requests,
    ports,
    mismatches,
  } = item;
  const ended = skippedRows + (requests.declined ?? 0) + (requests.skipped ?? 0);
  const tallies = rows <= smallImport ? [sorted(requests), sorted(ports), unconfirmedRows] : [];
  const mismatched = mismatches === undefined ? [] : [mismatches.sims, mismatches.revision];
  const endedRows = state === 'submitting' || state === 'stopped' ? 0 : ended;
  const merged = corrections.length === 0 ? [] : [digestOf(corrections)];
  return describeFiles(
    state,
    actionRequired,
    endedRows,
    freedPorts,
    cancelledRows,
    ...mismatched,
    ...tallies,
    ...merged,
  );
}

/** There may be many corrections, and their summaries would fill the item. */
function digestOf(corrections: readonly ImportItem[]): string {
  const hash = createHash('sha256');
  for (const item of corrections) hash.update(`${item.importId} ${summaryOf(item)}\n`);
  return hash.digest('base64url');
}

const sorted = (tally: Tally): [string, number][] =>
  Object.entries(tally).sort(([left], [right]) => (left < right ? -1 : 1));

async function updateTotals(item: ImportItem, dependencies: ReportDependencies): Promise<ImportItem | undefined> {
  const { imports, comparisons, wall } = dependencies;
  const { importId, requestCount } = item;
  const read = readInTime(importId, dependencies);
  const { ledgerRevision, requested, ...totals } = await rollUp(read, requestCount, item.stop?.kind);
  const mismatches = await countMismatches(comparisons.ofImport(importId));
  const isNews = ledgerRevision !== item.ledgerRevision || mismatches?.revision !== item.mismatches?.revision;
  const changedAt = isNews ? new Date(wall()).toISOString() : item.changedAt;
  const progress = progressOf(item, requested);
  return imports.rollUp(importId, { ...totals, progress, mismatches, changedAt }, ledgerRevision);
}

/** undefined: no comparison found a mismatch. */
async function countMismatches(items: AsyncIterable<ComparisonItem>): Promise<ImportItem['mismatches']> {
  const sum = { sims: 0, revision: 0 };
  for await (const { sims, everFound, revision } of items) {
    sum.sims += sims.length;
    if (everFound) sum.revision += revision;
  }
  return sum.revision === 0 ? undefined : sum;
}
