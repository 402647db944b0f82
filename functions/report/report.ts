// Updates the totals and the files of an import from its requests. It reads all requests each time, so the order and
// the repetition of messages make no difference. The files of a first import contain what its parts did
// (docs/decisions/0027), so after a part its first import is reported on.
import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import type { ImportItem } from '#shared/import/import.ts';
import { longestDelayMs } from '#shared/import/import-state.ts';
import { rollUp } from '#shared/outcome/rows-of-requests.ts';
import type { ComparisonItem } from '#shared/outcome/service-comparison.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import type { ReportMessage } from '#shared/request/messages.ts';
import type { ImportProgress } from '#shared/results/answers.ts';
import { readRowParts } from '#shared/results/parts.ts';
import { countWithParts, latestExpectedDate, progressOf } from '#shared/results/progress.ts';
import { describeFiles } from '#shared/results/results.ts';
import { type Deadline, DeadlineExceeded, timeNeeded } from '#shared/runtime/clock.ts';
import type { Imports } from '#shared/store/imports.ts';
import { writeFiles } from './write-files.ts';

/** One report on an import. */
export interface ReportRun extends Pipeline {
  readonly deadline: Deadline;
}

/** Whether the refresh throttle allows to read the import now. */
export type MayRefresh = (item: ImportItem) => Promise<boolean>;
const always: MayRefresh = async () => true;

/**
 * Reading and counting one request takes about 0.1 ms of a core, so 0.3 ms of the third
 * that 512 MB buy: a tenth of this.
 */
const waitPerRequestMs = 3;
/** A shorter wait would take more messages and writes than it saves refreshes. */
const minWaitMs = 1_000;

/** In milliseconds: 0 up to 333 requests, half a minute for 10,000. */
export function throttleWait(requestCount: number): number {
  const wait = requestCount * waitPerRequestMs;
  return wait < minWaitMs ? 0 : Math.min(wait, longestDelayMs);
}

/**
 * Up to this many rows results.csv follows every change. For more rows it is written when outcomes are final, and so it
 * is while an import that is throttled sends its requests: writing it takes several times as long as counting. The
 * counts of an import follow every change, whatever its size.
 */
const smallImport = 20_000;

const followsChanges = ({ state, rows, requestCount }: ImportItem): boolean =>
  state === 'finished' || (rows <= smallImport && (state !== 'submitting' || throttleWait(requestCount) === 0));

/**
 * Updates the totals, and writes the files if they would show something new. Returns the import as it is then.
 * @throws DeadlineExceeded, and what the table and the buckets throw; then the files are as they were
 */
export async function report(
  importId: string,
  run: ReportRun,
  mayRefresh: MayRefresh = always,
): Promise<ImportItem | undefined> {
  const { imports } = run;
  const first = await imports.get(importId);
  // Before its release an import has no requests to read.
  if (first !== undefined && !isUnreleased(first) && !(await mayRefresh(first))) return first;
  const item = first && (await refresh(first, run));
  const root = first?.partOf?.importId;
  // Sent after the files are written, and again when this message is redelivered, so the results of the first import
  // include every correction even after a crash.
  if (root !== undefined && first?.state !== 'planning') await notifyReport(root, run);
  return item;
}

async function refresh(first: ImportItem, run: ReportRun): Promise<ImportItem | undefined> {
  const { imports } = run;
  const { importId } = first;
  let item = first;
  let isOverwritten = false;
  for (;;) {
    const counted = await countAgain(item, run);
    if (counted === undefined || counted.updated.state === 'planning') return counted?.updated;
    const { updated, reading } = counted;
    const parts = await readRowParts(updated, imports);
    const reported = summaryOf(updated, parts);
    if (updated.reported === reported && !isOverwritten) return updated;
    const written = await writeFiles(updated, parts, () => checkTime(importId, run), reading);
    const changes = { reported, ...written };
    const marked = await imports.updateReading(updated, changes, []);
    if (await isCurrent(marked, updated, reported, imports)) return marked;
    // Another run stored newer totals while this one wrote, or the file was read again: this run may have overwritten
    // the files of another.
    isOverwritten = marked === undefined;
    const now = marked ?? (await imports.get(importId));
    if (now === undefined) return undefined;
    item = now;
  }
}

/** Whether the files of these totals still show all that the import is. */
const isCurrent = async (
  marked: ImportItem | undefined,
  { ledgerRevision }: ImportItem,
  reported: string,
  imports: Imports,
): Promise<boolean> =>
  marked !== undefined &&
  marked.ledgerRevision === ledgerRevision &&
  summaryOf(marked, await readRowParts(marked, imports)) === reported;

async function notifyReport(importId: string, { queues, resources }: ReportRun): Promise<void> {
  const message: ReportMessage = { importId };
  await queues.send(resources.reportQueueUrl, [message]);
}

/** More requests of an import are read again for its files: they would fill the memory. */
const keptItems = 200;

/** The requests and comparisons of the import as they are when they are first read: its files agree with its totals. */
function readOnce(importId: string, run: ReportRun): ReportRun {
  const keep = <Item>(read: (id: string) => AsyncIterable<Item>) => {
    const ofImport = keepFew(() => read(importId));
    return (id: string) => inTime(id === importId ? ofImport() : read(id), importId, run);
  };
  const { requests, comparisons } = run;
  return {
    ...run,
    requests: { ...requests, ofImport: keep(requests.ofImport) },
    comparisons: { ...comparisons, ofImport: keep(comparisons.ofImport) },
  };
}

/** Reads once what has few items. */
function keepFew<Item>(read: () => AsyncIterable<Item>): () => AsyncIterable<Item> {
  let all: readonly Item[] | undefined;
  return async function* () {
    if (all !== undefined) {
      yield* all;
      return;
    }
    const items: Item[] = [];
    for await (const item of read()) {
      if (items.length <= keptItems) items.push(item);
      yield item;
    }
    if (items.length <= keptItems) all = items;
  };
}

async function* inTime<Item>(items: AsyncIterable<Item>, importId: string, run: ReportRun): AsyncIterable<Item> {
  for await (const item of items) {
    checkTime(importId, run);
    yield item;
  }
}

export function checkTime(importId: string, { deadline }: { readonly deadline: Deadline }): void {
  if (deadline.hasTimeFor(timeNeeded.cleanUp)) return;
  throw new DeadlineExceeded(`time ran out while import ${importId} was reported on`);
}

const isUnreleased = ({ state }: ImportItem): boolean =>
  state === 'planning' || state === 'planned' || state === 'rejected';

/**
 * What the files contain: the state, and the revisions of what they are made from, which grow with every reading that
 * differs. They are written again when this differs from what it was after the last writing.
 */
function summaryOf(item: ImportItem, parts: readonly ImportItem[] = []): string {
  const { ledgerRevision, mismatches } = item;
  const readings = followsChanges(item) ? ledgerRevision : finalRowsOf(item);
  const merged = parts.length === 0 ? [] : [digestOf(parts)];
  return describeFiles(item, readings, mismatches?.revision, ...merged);
}

/** Rows of a large import that a person can do something about, or that have ended without success. */
function finalRowsOf({ state, actionRequired, progress, finalRevision = 0 }: ImportItem): readonly number[] {
  const { declined = 0, skipped = 0, cancelled = 0 } = progress?.outcomes ?? {};
  // The numbers of rows alone would not show that one row took the place of another.
  return state === 'submitting' || state === 'stopped'
    ? [actionRequired, 0, cancelled]
    : [actionRequired, declined + skipped, cancelled, finalRevision];
}

/** There may be many parts, and their summaries would fill the item. */
function digestOf(parts: readonly ImportItem[]): string {
  const hash = createHash('sha256');
  for (const item of parts) hash.update(`${item.importId} ${summaryOf(item)}\n`);
  return hash.digest('base64url');
}

interface Counted {
  readonly updated: ImportItem;
  /** From which its files are written. */
  readonly reading: ReportRun;
}

/** Repeated where a person stopped the import meanwhile, or another run wrote its files. */
async function countAgain(first: ImportItem, run: ReportRun): Promise<Counted | undefined> {
  for (let item = first; ; ) {
    const reading = readOnce(item.importId, run);
    const updated = isUnreleased(item) ? item : await updateTotals(item, reading);
    if (updated !== undefined) return { updated, reading };
    const now = await run.imports.get(item.importId);
    if (now === undefined || isDeepStrictEqual([now.stop, now.reported], [item.stop, item.reported])) return undefined;
    item = now;
  }
}

/** undefined as for `Imports.rollUp`. */
async function updateTotals(item: ImportItem, run: ReportRun): Promise<ImportItem | undefined> {
  const { imports, comparisons, clocks } = run;
  const { importId, requestCount } = item;
  const read = run.requests.ofImport(importId);
  const { ledgerRevision, requested, ...totals } = await rollUp(read, requestCount, item.stop?.kind);
  const mismatches = await countMismatches(comparisons.ofImport(importId));
  const isNews = ledgerRevision !== item.ledgerRevision || mismatches?.revision !== item.mismatches?.revision;
  const changedAt = isNews ? new Date(clocks.wall()).toISOString() : item.changedAt;
  const progress = progressOf(item, requested);
  const withCorrections = await countMerged(item, progress, imports);
  const changes: Partial<ImportItem> = { ...totals, progress, ...withCorrections, mismatches, changedAt };
  return isIn(item, { ...changes, ledgerRevision }) ? item : imports.rollUp(item, changes, ledgerRevision);
}

/** Most messages are about changes that an earlier one has reported. What is undefined would not be written. */
const isIn = (item: ImportItem, changes: Partial<ImportItem>): boolean =>
  Object.entries(changes).every(
    ([name, value]) => value === undefined || isDeepStrictEqual(item[name as keyof ImportItem], value),
  );

/** undefined: they are counted when the files are written, which is next. */
async function countMerged(
  item: ImportItem,
  own: ImportProgress,
  imports: Imports,
): Promise<Pick<ImportItem, 'outcomes' | 'merged'> | undefined> {
  const { merged } = item;
  if (merged === undefined) return undefined;
  const parts = await readRowParts(item, imports);
  if (parts.length !== merged.parts) return undefined;
  const expectedDate = latestExpectedDate(parts.map(({ progress }) => progress?.expectedDate));
  return { outcomes: countWithParts(own, parts, merged.hidden), merged: { ...merged, expectedDate } };
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
