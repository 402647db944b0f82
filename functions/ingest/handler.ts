// Decodes the messages of two queues: S3 notifications of uploads, and the commands of people, which never wait behind
// files.
import type { SQSRecord } from 'aws-lambda';
import * as z from 'zod/mini';
import { type ActorOptions, principalOf, requestedByOf } from '#shared/import/approval.ts';
import type { ImportItem, StopKind } from '#shared/import/import.ts';
import {
  type AdoptMessage,
  adoptMessage,
  approvalMessage,
  archiveMessage,
  type CommandMessage,
  type ReportMessage,
  readMessage as readAgainMessage,
  rescheduleMessage,
  resumeMessage,
  stopMessage,
} from '#shared/request/messages.ts';
import type { Deadline } from '#shared/runtime/clock.ts';
import { createQueueHandler, type Delivery, deliveriesOf } from '#shared/runtime/step.ts';
import { isDecline, isPortingFailure, type PortingFailure } from '#shared/service/errors.ts';
import { simListId } from '#shared/store/object-keys.ts';
import { ingest, type UploadedObject } from './ingest.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';
import { FirstIsRead } from './plan/plan-upload.ts';
import { failPlanning, maxPlanningAttempts, PlanningTimeout } from './plan/reject-import.ts';
import { ReleaseHalted } from './release.ts';
import { answerSimList } from './sim-list.ts';

/** Used only in logs and for display, so an unexpected shape does not prevent the import. */
const optionalText = z.catch(z.optional(z.string()), undefined);

const uploadRecord = z.object({
  userIdentity: z.catch(z.optional(z.object({ principalId: optionalText })), undefined),
  requestParameters: z.catch(z.optional(z.object({ sourceIPAddress: optionalText })), undefined),
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
const anyMessage = z.union([
  approvalMessage,
  rescheduleMessage,
  stopMessage,
  resumeMessage,
  adoptMessage,
  archiveMessage,
  readAgainMessage,
  z.object({ Records: z.array(uploadRecord) }),
  /** S3 sends it once, when the notification is configured. */
  z.object({ Event: z.literal('s3:TestEvent') }),
]);

export interface IngestMessage {
  readonly uploads: readonly UploadedObject[];
  readonly command?: CommandMessage;
}

export interface IngestStep extends IngestPipeline {
  /** Returns the import that follows the port. */
  readonly adopt: (message: AdoptMessage & ActorOptions) => Promise<ImportItem | undefined>;
  readonly retryLater: (queueUrl: string, records: readonly SQSRecord[]) => Promise<void>;
}

/** Handles messages one after the other. */
export const createIngestHandler = (step: IngestStep) =>
  createQueueHandler<IngestMessage>({
    ...step,
    decode: readMessage,
    retryLater: async (records) => {
      const [first] = records;
      if (first !== undefined) await step.retryLater(queueOf(first, step), records);
    },
    handle: async (deliveries, { deadline }) => {
      const failed: Delivery<IngestMessage>[] = [];
      for (const delivery of deliveries) {
        if (!(await handleDelivery(delivery, deadline, step))) failed.push(delivery);
      }
      return failed;
    },
  });

/** Returns whether the message is done; if not, it must be delivered again. */
async function handleDelivery(
  { message, record }: Delivery<IngestMessage>,
  deadline: Deadline,
  step: IngestStep,
): Promise<boolean> {
  try {
    await handleMessage(message, record, deadline, step);
    return true;
  } catch (error) {
    return handleFailure(record, error, step);
  }
}

async function handleMessage(
  message: IngestMessage,
  record: SQSRecord,
  deadline: Deadline,
  step: IngestStep,
): Promise<void> {
  if (message.command !== undefined) {
    const asked = { ...message.command, principal: principalOf(record.attributes.SenderId) };
    await handleCommand(asked, deadline, step);
  }
  for (const object of message.uploads) {
    const simList = simListId(object.key);
    if (simList !== undefined) {
      await answerSimList(simList, object, step);
      continue;
    }
    // People may send to the other queue, so its events could name another uploader.
    const isOfQueue = queueOf(record, step) === step.resources.ingestQueueUrl;
    const uploadedBy = isOfQueue ? object.uploadedBy : undefined;
    const item = await ingest({ ...object, uploadedBy }, deadline, step);
    if (item === undefined) step.log.info('nothing to import', { bucket: object.bucket, key: object.key });
    else await finishUpload(item, step);
  }
}

/** The only place that distinguishes commands: by the member that names their import or port, in every version. */
async function handleCommand(
  asked: CommandMessage & ActorOptions,
  deadline: Deadline,
  step: IngestStep,
): Promise<void> {
  const end = async (message: string, importId: string, item: ImportItem | undefined): Promise<void> => {
    if (item === undefined) step.log.warn('there is no import for the command', { importId });
    else await finish(message, item, step);
  };
  // Most instances only read files, so the modules of commands are loaded for them.
  if ('read' in asked) {
    const { readAgain } = await import('./commands/read-again.ts');
    return end('import read again', asked.read, await readAgain(asked, step));
  }
  if ('adopt' in asked) return end('port adopted', asked.adopt, await step.adopt(asked));
  if ('reschedule' in asked) {
    const loaded = await import('./commands/reschedule.ts');
    return end('rescheduling planned', asked.reschedule, await loaded.reschedule(asked, deadline, step));
  }
  const { approve, archiveImport, stopImport } = await import('./commands/approve-and-stop.ts');
  if ('approve' in asked) return end('import approved', asked.approve, await approve(asked, deadline, step));
  if ('archive' in asked) {
    return end('import or rows put away', asked.archive, await archiveImport(asked, step));
  }
  const [importId, kind]: [string, StopKind] =
    'resume' in asked ? [asked.resume, 'none'] : [asked.stop, asked.end ? 'for-good' : 'until-resumed'];
  const stop = { ...requestedByOf(asked), at: asked.at, kind };
  return end('import stopped or resumed', importId, await stopImport(importId, stop, deadline, step));
}

/** A message stays in its queue: one that is requeued must not gain the trust of the other queue. */
function queueOf({ eventSourceARN }: SQSRecord, { resources }: IngestPipeline): string {
  const { ingestQueueUrl, commandQueueUrl } = resources;
  return eventSourceARN.split(':').at(-1) === ingestQueueUrl.split('/').at(-1) ? ingestQueueUrl : commandQueueUrl;
}

async function finishUpload(item: ImportItem, step: IngestStep): Promise<void> {
  const { metrics } = step;
  metrics.count('imports', 1, { state: item.state });
  metrics.count('rows', item.rows);
  metrics.count('rowsRejected', item.rejected);
  // Submit notifies report when it has handled the messages that were just sent.
  if (item.state === 'submitting') logImport('import ingested', item, step);
  else await finish('import ingested', item, step);
}

/** Report must see the import: a rejected or planned one causes no other message. A repeated message does no harm. */
async function finish(message: string, item: ImportItem, step: IngestStep): Promise<void> {
  const { queues, resources } = step;
  logImport(message, item, step);
  const notification: ReportMessage = { importId: item.importId };
  await queues.send(resources.reportQueueUrl, [notification]);
}

function logImport(message: string, item: ImportItem, { log }: IngestStep): void {
  const { importId, state, rows, accepted, rejected, requestCount, reschedules } = item;
  log.info(message, { importId, state, rows, accepted, rejected, requestCount, ...(reschedules && { reschedules }) });
}

/** Returns whether the message can be deleted despite the failure. */
async function handleFailure(record: SQSRecord, error: unknown, step: IngestStep): Promise<boolean> {
  if (isPortingFailure(error) && !isDecline(error)) return requeue(record, error, delayMs(error), step);
  if (error instanceof ReleaseHalted) return requeue(record, error, 0, step);
  if (error instanceof FirstIsRead) return requeue(record, error, firstIsReadMs, step);
  if (error instanceof PlanningTimeout && (error.isFinal || deliveriesOf(record) >= maxPlanningAttempts)) {
    return rejectTimedOut(record, error, step);
  }
  step.log.error('ingest failed, the message is repeated', { messageId: record.messageId, error });
  return false;
}

const defaultDelayMs = 60_000;
/** A file is read within seconds, or minutes if it is large. */
const firstIsReadMs = 5_000;

const delayMs = (failure: PortingFailure): number =>
  Math.max(defaultDelayMs, 'retryAfterMs' in failure ? failure.retryAfterMs : 0);

/**
 * Sends the message again as a new one, which has all its deliveries before it: an outage or a release may need more.
 */
async function requeue(record: SQSRecord, reason: Error, delay: number, step: IngestStep): Promise<boolean> {
  const { messageId, body } = record;
  const { queues, log } = step;
  try {
    const delayed = { delaySeconds: delay / 1000 };
    await queues.send(queueOf(record, step), [JSON.parse(body)], delayed);
    const level = reason instanceof ReleaseHalted ? 'info' : 'warn';
    log[level]('message requeued', { messageId, because: reason.message, delayMs: delay });
    return true;
  } catch (error) {
    log.error('message not requeued, it is repeated', { messageId, error });
    return false;
  }
}

async function rejectTimedOut({ messageId }: SQSRecord, timeout: PlanningTimeout, step: IngestStep): Promise<boolean> {
  const { log, metrics } = step;
  try {
    const item = await failPlanning(timeout, step);
    if (item === undefined) return true;
    log.error('planning failed', { importId: item.importId, because: timeout.message });
    metrics.count('imports', 1, { state: item.state });
    await finish('import rejected', item, step);
    return true;
  } catch (error) {
    log.error('import not rejected, the message is repeated', { messageId, error });
    return false;
  }
}

/** @throws for a body that is not a message of this queue */
export function readMessage(body: string): IngestMessage {
  const parsed = anyMessage.parse(JSON.parse(body));
  if ('Event' in parsed) return { uploads: [] };
  if (!('Records' in parsed)) return { uploads: [], command: parsed };
  const uploads = parsed.Records.map(({ s3: { bucket, object }, userIdentity, requestParameters }) => ({
    bucket: bucket.name,
    key: decodeKey(object.key),
    etag: object.eTag?.replaceAll('"', '') || undefined,
    versionId: object.versionId,
    sequencer: object.sequencer,
    uploadedBy: uploaderOf(userIdentity?.principalId, requestParameters?.sourceIPAddress),
  }));
  return { uploads };
}

function uploaderOf(principalId: string | undefined, sourceIp: string | undefined): UploadedObject['uploadedBy'] {
  const principal = principalOf(principalId);
  return principal === undefined ? undefined : { principal, ...(sourceIp && { sourceIp: sourceIp.slice(0, 60) }) };
}

/** S3 encodes keys in its events like form data: `+` is a space. They are decoded here and nowhere else (fault 4). */
const decodeKey = (key: string): string => decodeURIComponent(key.replaceAll('+', ' '));
