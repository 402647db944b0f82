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

/** Releases an import in state `planned`, or goes on with one in `submitting`. Answers the import as it stands then. */
export async function release(item: ImportItem, dependencies: ReleaseDependencies): Promise<ImportItem> {
  const { imports, reminders, now } = dependencies;
  if (item.state === 'submitting') {
    await sendWaiting(item, dependencies);
    return item;
  }
  await writeLedger(item, dependencies);
  // Before it is on its way: from here on report may miss something of it.
  await reminders.set(item.importId, firstReminder(Date.parse(now())));
  const changes = { state: 'submitting', requests: { planned: item.requestCount }, changedAt: now() } as const;
  const submitting = await imports.update(item.importId, changes, ['planned']);
  await sendWaiting(item, dependencies);
  return submitting ?? item;
}

async function writeLedger(item: ImportItem, { files, requests, workBucket, now }: ReleaseDependencies): Promise<void> {
  const { importId, operation } = item;
  if (operation === null) throw new Error(`import ${importId} has a plan but no operation`);
  const index = await files.read({ bucket: workBucket, key: planIndexKey(importId) });
  for await (const batch of batched(readPlanIndex(index), batchSize)) {
    await requests.plan(batch.map((planned) => plannedItem(importId, operation, planned, now())));
  }
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
async function sendWaiting({ importId }: ImportItem, dependencies: ReleaseDependencies): Promise<void> {
  const { requests, queues, submitQueueUrl } = dependencies;
  for await (const batch of batched(requests.ofImport(importId), batchSize)) {
    const messages: SubmitMessage[] = batch.filter(maySend).map(({ request, plan }) => ({ importId, request, plan }));
    if (messages.length > 0) await queues.send(submitQueueUrl, messages);
  }
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
