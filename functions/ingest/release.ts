// Phase 2 of an import: its plan stands, so its requests are written to the ledger and then sent to be submitted. Every
// step can be repeated: requests that are there stay as they are, and submit does nothing twice.
import type { Files } from '#shared/aws/files.ts';
import type { Imports } from '#shared/aws/imports.ts';
import type { Queues } from '#shared/aws/queues.ts';
import type { Reminders } from '#shared/aws/reminders.ts';
import type { Requests } from '#shared/aws/requests.ts';
import type { ImportItem, ReplacedPort, RequestError, RequestItem } from '#shared/domain/ledger.ts';
import type { OperationName } from '#shared/domain/operation-name.ts';
import type { SubmitMessage } from '#shared/domain/plan.ts';
import { firstReminder } from '#shared/domain/reminder.ts';
import { maySend } from '#shared/domain/request-state.ts';
import { ReleaseHalted, reserveMs } from './out-of-time.ts';
import { type IndexedRequest, planIndexKey, readPlanIndex } from './plan-writer.ts';

/** Requests written, and then messages sent, at a time. */
const batchSize = 100;

export interface ReleaseDependencies {
  readonly files: Pick<Files, 'read'>;
  readonly imports: Pick<Imports, 'update'>;
  readonly requests: Pick<Requests, 'plan' | 'ofImport'>;
  readonly reminders: Pick<Reminders, 'set'>;
  readonly queues: Queues;
  readonly workBucket: string;
  readonly submitQueueUrl: string;
  /** The present instant, ISO 8601. */
  readonly now: () => string;
}

/**
 * Releases an import in state `planned`, or goes on with one in `submitting`. Answers the import as it stands then.
 * @throws ReleaseHalted when time is short, after a batch at least: however many requests, so many deliveries end it
 */
export async function release(
  item: ImportItem,
  remainingMs: () => number,
  dependencies: ReleaseDependencies,
): Promise<ImportItem> {
  const { imports, reminders, now } = dependencies;
  if (item.state === 'submitting') {
    await sendWaiting(item, remainingMs, dependencies);
    return item;
  }
  await writeLedger(item, remainingMs, dependencies);
  // Before it is on its way: from here on report may miss something of it.
  await reminders.set(item.importId, firstReminder(Date.parse(now())));
  const requests = { planned: item.requestCount };
  const changes = { state: 'submitting', requests, releasedTo: 0, changedAt: now() } as const;
  const submitting = await imports.update(item.importId, changes, ['planned']);
  await sendWaiting({ ...item, ...changes }, remainingMs, dependencies);
  return submitting ?? item;
}

async function writeLedger(
  item: ImportItem,
  remainingMs: () => number,
  dependencies: ReleaseDependencies,
): Promise<void> {
  const { files, requests, workBucket, now } = dependencies;
  const { importId, operation, releasedTo = 0 } = item;
  if (operation === null) throw new Error(`import ${importId} has a plan but no operation`);
  const index = await files.read({ bucket: workBucket, key: planIndexKey(importId) });
  for await (const batch of batched(behind(readPlanIndex(index), releasedTo), batchSize)) {
    await requests.plan(batch.map((planned) => plannedItem(importId, operation, planned, now())));
    await haltWhenShort(item, 'planned', batch, remainingMs, dependencies);
  }
}

/** Those that an earlier delivery wrote are passed over. */
async function* behind(planned: AsyncIterable<IndexedRequest>, last: number): AsyncIterable<IndexedRequest> {
  for await (const each of planned) if (each.request > last) yield each;
}

const plannedItem = (
  importId: string,
  operation: OperationName,
  { request, token, label, rowCount, plan, replaces, lines }: IndexedRequest,
  changedAt: string,
): RequestItem => ({
  importId,
  request,
  operation,
  state: 'planned',
  label,
  token,
  rowCount,
  plan,
  attempt: 0,
  changedAt,
  ...(replaces && { replaces, lines, error: waitsFor(replaces), dueAt: changedAt }),
});

const waitsFor = ({ portId }: ReplacedPort): RequestError => ({
  kind: 'held',
  message: `waits until the service has cancelled port ${portId}`,
});

/** Read from the ledger and not from the index: what has been submitted meanwhile needs no message. */
async function sendWaiting(
  item: ImportItem,
  remainingMs: () => number,
  dependencies: ReleaseDependencies,
): Promise<void> {
  const { requests, queues, submitQueueUrl } = dependencies;
  const { importId, releasedTo } = item;
  for await (const batch of batched(requests.ofImport(importId, releasedTo), batchSize)) {
    const messages: SubmitMessage[] = batch.filter(maySend).map(({ request, plan }) => ({ importId, request, plan }));
    if (messages.length > 0) await queues.send(submitQueueUrl, messages);
    await haltWhenShort(item, 'submitting', batch, remainingMs, dependencies);
  }
}

/** Noted only while the import is in the step that it was about: another delivery may be further. */
async function haltWhenShort(
  { importId, requestCount }: ImportItem,
  step: 'planned' | 'submitting',
  batch: readonly { readonly request: number }[],
  remainingMs: () => number,
  { imports }: ReleaseDependencies,
): Promise<void> {
  const releasedTo = batch.at(-1)?.request ?? 0;
  if (remainingMs() >= reserveMs || releasedTo >= requestCount) return;
  await imports.update(importId, { releasedTo }, [step]);
  const done = step === 'planned' ? 'written to the ledger' : 'sent';
  throw new ReleaseHalted(
    `${releasedTo} of ${requestCount} requests of import ${importId} were ${done} when time ran out`,
  );
}

async function* batched<Item>(items: AsyncIterable<Item>, size: number): AsyncIterable<Item[]> {
  let batch: Item[] = [];
  for await (const item of items) {
    batch.push(item);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
