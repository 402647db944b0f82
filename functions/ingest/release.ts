// Phase 2 of an import: writes the planned requests to the ledger and sends one message per request to submit. Each
// step can be repeated: requests that exist stay as they are, and submit does nothing twice.

import type { ImportItem } from '#shared/import/import.ts';
import { findAccountProblem, firstNotification, listedAgain, stopOf, takesStop } from '#shared/import/import-state.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import type { ReplacedPort, RequestError, RequestItem } from '#shared/request/request.ts';
import { maySend } from '#shared/request/request-state.ts';
import { errorAt, type Issue } from '#shared/row/issue.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/clock.ts';
import { isObjectGone, planIndexKey } from '#shared/store/object-keys.ts';
import { createPlanHash, type IndexedRequest, readPlanIndex } from '#shared/store/plans.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';
import { rejectImport } from './plan/reject-import.ts';

/** Requests that are written or sent together. */
const batchSize = 100;

/** The release stopped between two batches and stored how far it came: the next delivery continues there. */
export class ReleaseHalted extends Error {
  override readonly name = 'ReleaseHalted';
}

/** The files of the plan are not those that were planned, and perhaps approved. */
export class PlanChanged extends Error {
  override readonly name = 'PlanChanged';
}

/**
 * Releases an import, or rejects it where no repetition would: its plan expired, or is another one. Returns the import
 * as it is then.
 * @param requests the first of its requests, where this invocation has planned them
 * @throws ReleaseHalted, and what the table, the bucket and the queue throw: repeat the message
 */
export async function releaseOrReject(
  item: ImportItem,
  deadline: Deadline,
  pipeline: IngestPipeline,
  requests?: readonly IndexedRequest[],
): Promise<ImportItem | undefined> {
  if (isHeld(item, pipeline)) return item;
  try {
    return await release(item, deadline, pipeline, requests);
  } catch (error) {
    const problem = problemOf(error);
    if (problem === undefined || (await hasRequests(item, pipeline))) throw error;
    // An index that was overwritten meanwhile is verified by the repetition.
    if (isObjectGone(error) && (await headOfIndex(item, pipeline)) !== undefined) throw error;
    return rejectImport(item, 'planned', { issues: [problem, ...item.issues] }, pipeline);
  }
}

/** Of another account: sync announces its upload again once the environment works for that account. */
export function isHeld(item: ImportItem, { settings, log }: IngestPipeline): boolean {
  const problem = findAccountProblem(item, settings.account);
  if (problem !== undefined) log.warn('an import was left as it is', { importId: item.importId, because: problem });
  return problem !== undefined;
}

/** undefined: a repetition may succeed. */
function problemOf(error: unknown): Issue | undefined {
  // A plan contains porting codes, so it expires.
  if (isObjectGone(error)) {
    return errorAt(0, 'FILE_GONE', 'the plan expired before it was released: import the file again');
  }
  if (!(error instanceof PlanChanged)) return undefined;
  return errorAt(0, 'PLAN_CHANGED', 'the plan changed after it was made: nothing was sent. Import the file again');
}

const headOfIndex = (item: ImportItem, { files, resources }: IngestPipeline) =>
  files.head({ bucket: resources.workBucket, key: planIndexKey(item) });

/** Sync sends all requests that are in the ledger. */
async function hasRequests({ importId }: ImportItem, { requests }: IngestPipeline): Promise<boolean> {
  for await (const _ of requests.ofImport(importId)) return true;
  return false;
}

/**
 * Releases an import in state `planned`, or continues with one in `submitting`. Returns the import as it is then.
 * @throws PlanChanged; ReleaseHalted when time is short, after at least one batch, so that repeated deliveries reach
 * the end
 */
export async function release(
  item: ImportItem,
  deadline: Deadline,
  pipeline: IngestPipeline,
  planned: readonly IndexedRequest[] = [],
): Promise<ImportItem> {
  const { imports, notifications, clocks } = pipeline;
  if (item.state === 'submitting') {
    await sendPlanned(item, deadline, pipeline);
    return item;
  }
  const index = isPlanOf(item, planned) ? planned : await openPlan(item, pipeline);
  const [ledger] = await Promise.all([
    writeLedger(item, index, deadline, pipeline),
    // Set before the first message is sent: from then on report may miss a change of this import.
    notifications.set(item.importId, firstNotification(clocks.wall())),
  ]);
  await followFirst(item, pipeline);
  const requests = { planned: item.requestCount };
  const changes = { state: 'submitting', requests, releasedTo: 0, changedAt: isoTime(clocks.wall()) } as const;
  const submitting = await imports.update(item.importId, changes, ['planned']);
  await sendPlanned(submitting ?? { ...item, ...changes }, deadline, pipeline, ledger);
  return submitting ?? item;
}

/**
 * A part waits while its first import is stopped; an end for good was of what existed then. Lists show the part in the
 * entry of its first import, so one that was archived before is listed again.
 */
async function followFirst(item: ImportItem, { imports }: IngestPipeline): Promise<void> {
  const first = item.partOf && (await imports.get(item.partOf.importId));
  if (first === undefined) return;
  const isWaiting = takesStop(item, 'until-resumed') && stopOf(item) === undefined;
  if (isWaiting && stopOf(first) === 'until-resumed')
    await imports.update(item.importId, { stop: first.stop }, ['planned']);
  const changes = listedAgain(first);
  if (changes !== undefined) await imports.update(first.importId, changes);
}

/** Returns all requests of the import where they are new, and one batch. */
async function writeLedger(
  item: ImportItem,
  index: Iterable<IndexedRequest> | AsyncIterable<IndexedRequest>,
  deadline: Deadline,
  pipeline: IngestPipeline,
): Promise<readonly RequestItem[] | undefined> {
  const { requests, clocks } = pipeline;
  const { importId, operation, requestCount, releasedTo = 0 } = item;
  if (operation === null) throw new Error(`import ${importId} has a plan but no operation`);
  let written: readonly RequestItem[] = [];
  for await (const batch of inBatches(afterRequest(index, releasedTo))) {
    written = await requests.plan(batch.map((one) => plannedItem(item, operation, one, isoTime(clocks.wall()))));
    await haltWhenShort(item, 'planned', batch, deadline, pipeline);
  }
  return written.length === requestCount ? written : undefined;
}

/** Whether these are all requests of the plan: then the index, which another delivery may overwrite, is not read. */
function isPlanOf(item: ImportItem, requests: readonly IndexedRequest[]): boolean {
  const hash = createPlanHash(item);
  for (const planned of requests) hash.add(planned);
  return hash.value() === item.planHash;
}

/** The requests in the index, which is that of the plan. @throws PlanChanged, ObjectGone */
async function openPlan(item: ImportItem, pipeline: IngestPipeline) {
  const { files, resources } = pipeline;
  // A slow delivery of the same event may write its own index between the two readings of a large one.
  const isSmall = item.requestCount < batchSize;
  const etag = isSmall ? undefined : (await headOfIndex(item, pipeline))?.etag;
  const first = await verifyPlan(item, etag, pipeline);
  return isSmall ? first : readPlanIndex(files, resources.workBucket, item, etag);
}

/**
 * Before a request is in the ledger, because sync sends all requests there. Returns the first requests of the plan, at
 * most a batch: a small plan is not read again. @throws PlanChanged, ObjectGone
 */
async function verifyPlan(
  item: ImportItem,
  etag: string | undefined,
  { files, resources }: IngestPipeline,
): Promise<readonly IndexedRequest[]> {
  const { importId, planHash } = item;
  const hash = createPlanHash(item);
  const first: IndexedRequest[] = [];
  for await (const planned of readPlanIndex(files, resources.workBucket, item, etag)) {
    hash.add(planned);
    if (first.length < batchSize) first.push(planned);
  }
  if (hash.value() !== planHash) throw new PlanChanged(`the plan of import ${importId} changed after it was made`);
  return first;
}

/** Skips the requests that an earlier delivery has written. */
async function* afterRequest(
  planned: Iterable<IndexedRequest> | AsyncIterable<IndexedRequest>,
  last: number,
): AsyncIterable<IndexedRequest> {
  for await (const each of planned) if (each.request > last) yield each;
}

const plannedItem = (
  { account, importId, expiresAt }: ImportItem,
  operation: OperationName,
  { request, token, label, rowCount, plan, replaces, lines }: IndexedRequest,
  changedAt: string,
): RequestItem => ({
  account,
  importId,
  request,
  operation,
  state: 'planned',
  label,
  token,
  rowCount,
  plan,
  attempt: 0,
  revision: 0,
  changedAt,
  expiresAt,
  ...(replaces && { replaces, lines, error: waitsFor(replaces), dueAt: changedAt }),
});

const waitsFor = ({ portId }: ReplacedPort): RequestError => ({
  kind: 'held',
  message: `waits until the service has cancelled port ${portId}`,
});

/**
 * Reads the ledger and not the index: a request that is already submitted needs no message.
 * @param ledger its requests, where this invocation has just written all of them
 */
async function sendPlanned(
  item: ImportItem,
  deadline: Deadline,
  pipeline: IngestPipeline,
  ledger?: readonly RequestItem[],
): Promise<void> {
  const { requests, queues, resources } = pipeline;
  const { importId, releasedTo } = item;
  for await (const batch of inBatches(ledger ?? requests.ofImport(importId, releasedTo))) {
    const messages: SubmitMessage[] = batch.filter(maySend).map(({ request, plan }) => ({ importId, request, plan }));
    await queues.send(resources.submitQueueUrl, messages);
    await haltWhenShort(item, 'submitting', batch, deadline, pipeline);
  }
}

/** Stores the progress only while the import is still in this state: another delivery may be further. */
async function haltWhenShort(
  { importId, requestCount }: ImportItem,
  state: 'planned' | 'submitting',
  batch: readonly { readonly request: number }[],
  deadline: Deadline,
  { imports }: IngestPipeline,
): Promise<void> {
  const releasedTo = batch.at(-1)?.request ?? 0;
  if (deadline.hasTimeFor(timeNeeded.cleanUp) || releasedTo >= requestCount) return;
  await imports.update(importId, { releasedTo }, [state]);
  const done = state === 'planned' ? 'written to the ledger' : 'sent';
  throw new ReleaseHalted(
    `${releasedTo} of ${requestCount} requests of import ${importId} were ${done} when time ran out`,
  );
}

export async function* inBatches<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncIterable<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < batchSize) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
