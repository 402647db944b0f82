// The envelope of ingest: SQS messages that carry S3's notifications of uploads, a person's approval of a plan, or their wish
// to move ports to another date.
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import type { GiveBack } from '#shared/aws/give-back.ts';
import type { ImportItem } from '#shared/domain/ledger.ts';
import {
  type ApprovalMessage,
  approvalMessage,
  type ReportMessage,
  type RescheduleMessage,
  rescheduleMessage,
} from '#shared/domain/plan.ts';
import { isPortingFailure, type PortingFailure } from '#shared/porting/errors.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import { approve } from './approve.ts';
import { giveUp, mostTries } from './give-up.ts';
import { ingest, type UploadedObject } from './ingest.ts';
import { OutOfTime, ReleaseHalted } from './out-of-time.ts';
import { type RescheduleDependencies, reschedule } from './reschedule.ts';

const uploadRecord = z.object({
  s3: z.object({
    bucket: z.object({ name: z.string().check(z.minLength(1)) }),
    object: z.object({
      key: z.string().check(z.minLength(1)),
      eTag: z.optional(z.string()),
      versionId: z.optional(z.string()),
      sequencer: z.optional(z.string()),
    }),
  }),
});
const message = z.union([
  approvalMessage,
  rescheduleMessage,
  z.object({ Records: z.array(uploadRecord) }),
  /** S3 sends it once, when the notification is set up. */
  z.object({ Event: z.literal('s3:TestEvent') }),
]);

export interface HandlerDependencies extends RescheduleDependencies {
  readonly ingestQueueUrl: string;
  readonly reportQueueUrl: string;
  readonly giveBack: GiveBack;
  readonly log: Log;
  readonly metrics: Metrics;
}

export type IngestHandler = (
  event: SQSEvent,
  context: Pick<Context, 'getRemainingTimeInMillis'>,
) => Promise<SQSBatchResponse>;

/** Messages are taken one after the other; those that could not be finished are answered for another delivery. */
export function createHandler(dependencies: HandlerDependencies): IngestHandler {
  return async (event, context) => {
    const failed: SQSRecord[] = [];
    for (const record of event.Records) {
      const done = await take(record, () => context.getRemainingTimeInMillis(), dependencies);
      if (!done) failed.push(record);
    }
    await dependencies.giveBack(failed);
    dependencies.metrics.flush();
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  };
}

async function take(record: SQSRecord, remainingMs: () => number, dependencies: HandlerDependencies): Promise<boolean> {
  try {
    const { approved, moved, uploaded } = readMessage(record.body);
    if (approved !== undefined) await takeApproval(approved, remainingMs, dependencies);
    if (moved !== undefined) await takeMove(moved, remainingMs, dependencies);
    for (const object of uploaded) await takeUpload(object, remainingMs, dependencies);
    return true;
  } catch (error) {
    if (isPortingFailure(error) && mendsItself(error)) return postpone(record, error, dependencies);
    if (error instanceof ReleaseHalted) return goOn(record, error, dependencies);
    if (error instanceof OutOfTime && deliveriesOf(record) >= mostTries) return takeLeave(record, error, dependencies);
    dependencies.log.error('import not taken, to be repeated', { messageId: record.messageId, error });
    return false;
  }
}

/** Failures of the service that are no fault of the file; planning makes look-ups only, so none of them did anything. */
const mendsItself = ({ kind }: PortingFailure): boolean =>
  ['not-sent', 'held-back', 'rate-limited', 'credentials-refused', 'unavailable', 'contract-broken'].includes(kind);

/** Where the service does not say how long it will be. */
const usualWaitMs = 60_000;

/** The file waits for the service by a message of its own: however long that lasts, no delivery of this one is used up. */
async function postpone(
  record: SQSRecord,
  failure: PortingFailure,
  dependencies: HandlerDependencies,
): Promise<boolean> {
  const { messageId } = record;
  const waitMs = Math.max(usualWaitMs, 'retryAfterMs' in failure ? failure.retryAfterMs : 0);
  if (!(await sendAgain(record, waitMs, dependencies))) return false;
  dependencies.log.warn('import waits for the service', { messageId, because: failure.message, waitMs });
  return true;
}

/** So does a release, for its next stretch: it may need more of them than a message has deliveries. */
async function goOn(record: SQSRecord, halt: ReleaseHalted, dependencies: HandlerDependencies): Promise<boolean> {
  if (!(await sendAgain(record, 0, dependencies))) return false;
  dependencies.log.info('release goes on', { messageId: record.messageId, because: halt.message });
  return true;
}

const deliveriesOf = ({ attributes }: SQSRecord): number => Number(attributes.ApproximateReceiveCount);

async function takeLeave(record: SQSRecord, stop: OutOfTime, dependencies: HandlerDependencies): Promise<boolean> {
  const { log, metrics } = dependencies;
  try {
    const item = await giveUp(stop, dependencies);
    if (item === undefined) return true;
    log.error('import given up', { ...gistOf(item), because: stop.message });
    metrics.count('imports', 1, { state: item.state });
    await tellReport(item, dependencies);
    return true;
  } catch (error) {
    log.error('import not given up, to be repeated', { messageId: record.messageId, error });
    return false;
  }
}

/** false: the queue did not take it, so that this very message must come back. */
async function sendAgain(
  { body, messageId }: SQSRecord,
  waitMs: number,
  { queues, ingestQueueUrl, log }: HandlerDependencies,
): Promise<boolean> {
  try {
    await queues.send(ingestQueueUrl, [JSON.parse(body)], { delaySeconds: waitMs / 1000 });
    return true;
  } catch (error) {
    log.error('import not postponed, to be repeated', { messageId, error });
    return false;
  }
}

async function takeUpload(
  object: UploadedObject,
  remainingMs: () => number,
  dependencies: HandlerDependencies,
): Promise<void> {
  const { log, metrics } = dependencies;
  const item = await ingest(object, remainingMs, dependencies);
  if (item === undefined) {
    log.info('nothing to import', { bucket: object.bucket, key: object.key });
    return;
  }
  log.info('import taken', gistOf(item));
  metrics.count('imports', 1, { state: item.state });
  metrics.count('rows', item.rows);
  metrics.count('rowsRejected', item.rejected);
  await tellReport(item, dependencies);
}

async function takeApproval(
  approval: ApprovalMessage,
  remainingMs: () => number,
  dependencies: HandlerDependencies,
): Promise<void> {
  const item = await approve(approval, remainingMs, dependencies);
  if (item === undefined) {
    dependencies.log.warn('there is no such import to approve', { importId: approval.approve });
    return;
  }
  dependencies.log.info('import approved', gistOf(item));
  await tellReport(item, dependencies);
}

async function takeMove(
  wish: RescheduleMessage,
  remainingMs: () => number,
  dependencies: HandlerDependencies,
): Promise<void> {
  const item = await reschedule(wish, remainingMs, dependencies);
  if (item === undefined) {
    dependencies.log.warn('there is no such import to move', { importId: wish.reschedule });
    return;
  }
  dependencies.log.info('ports are to be moved', { from: wish.reschedule, date: wish.date, ...gistOf(item) });
  await tellReport(item, dependencies);
}

/** Of a file that is refused or only planned nobody else would tell. When it fails the message comes again: harmless. */
async function tellReport({ importId }: ImportItem, { queues, reportQueueUrl }: HandlerDependencies): Promise<void> {
  const message: ReportMessage = { importId };
  await queues.send(reportQueueUrl, [message]);
}

const gistOf = ({ importId, state, rows, accepted, rejected, requestCount }: ImportItem) => ({
  importId,
  state,
  rows,
  accepted,
  rejected,
  requestCount,
});

export interface IngestMessage {
  /** Uploads that S3 tells of. */
  readonly uploaded: readonly UploadedObject[];
  /** The plan that a person approves. */
  readonly approved?: ApprovalMessage;
  /** The import whose ports a person wants on another date. */
  readonly moved?: RescheduleMessage;
}

/** @throws for a body that is neither a notification of S3 nor a person's wish */
export function readMessage(body: string): IngestMessage {
  const parsed = message.parse(JSON.parse(body));
  if ('approve' in parsed) return { uploaded: [], approved: parsed };
  if ('reschedule' in parsed) return { uploaded: [], moved: parsed };
  if (!('Records' in parsed)) return { uploaded: [] };
  const uploaded = parsed.Records.map(({ s3: { bucket, object } }) => ({
    bucket: bucket.name,
    key: decodeKey(object.key),
    etag: object.eTag?.replaceAll('"', '') || undefined,
    versionId: object.versionId,
    sequencer: object.sequencer,
  }));
  return { uploaded };
}

/** S3 encodes keys in its events as a form does: `+` is a space. Once, here, and nowhere else (fault 4). */
const decodeKey = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));
