// One message, one request: claim its numbers, write down what is about to be done, make ONE call, record its answer.
// Create Port can neither be repeated nor found by a key, so every step leaves a state from which sync can continue.

import { longestDelayMs } from '#shared/import/import-state.ts';
import type { Submission } from '#shared/operations/operation.ts';
import type { KnownPort } from '#shared/outcome/port-snapshot.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import {
  findKnownPort,
  isPortOf,
  type Observation,
  readPort,
  recordObservation,
  unreadRow,
} from '#shared/pipeline/observe-port.ts';
import { type SubmitMessage, submitMessageOf } from '#shared/request/messages.ts';
import { packLines, partsOf } from '#shared/request/packed-lines.ts';
import type { Answer, PlannedRequest, RequestItem } from '#shared/request/request.ts';
import { discardPortId, isUndecided, maySend, wrongPort } from '#shared/request/request-state.ts';
import { DeadlineExceeded, timeNeeded } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import {
  type Attempt,
  type End,
  notMine,
  planExpired,
  type Step,
  type SubmitOutcome,
  type SubmitPipeline,
} from './attempt.ts';
import { claimRows, revalidateRows } from './choose-rows.ts';
import { delayAfter, requestAfter, requeueIfRejected } from './end-message.ts';
import { endUnlessMade, excludeUnlessMade, sendRequest, waitForSlot, writeAheadRecord } from './send-request.ts';

/**
 * Processes one message. Safe for any number of deliveries, at the same time or later.
 * @throws when nothing was sent and the message must be delivered again: storage fails, or too little time is left
 */
export async function submit(message: SubmitMessage, pipeline: SubmitPipeline): Promise<SubmitOutcome> {
  const { client, requests, queues, resources, random, operationNamed, readStop } = pipeline;
  // Every call needs all of them, so none waits for another.
  const [item, deferred] = await Promise.all([
    requests.get(message.importId, message.request),
    requeueIfRejected(client.throwIfDeferred()),
    readStop(message.importId),
  ]);
  if (item === undefined)
    throw new Error(`request ${message.request} of import ${message.importId} is not in the ledger`);
  // A person may end the import while the request is being scheduled: this message is then of that command.
  if (!maySend(item) && item.state !== 'scheduled') return 'not-mine';
  const submission = operationNamed(item.operation)?.submission;
  if (submission === undefined) throw new Error(`there is no operation ${item.operation}`);

  const attempted = await attemptRequest(item, submission, deferred, pipeline);
  const { request, end } = attempted;
  if (end.how === 'left') return end.outcome;
  const delayMs = end.how === 'requeued' ? delayAfter(end.failure, Math.max(1, request.attempt), random()) : 0;
  const waiting = isWait(end) ? await withLines(attempted, pipeline) : request;
  const recorded = await recordEnd(waiting, submission, end, delayMs, pipeline);
  if (recorded === undefined) return 'not-mine';
  const again = requestsToSend(recorded);
  // New messages, so that the receive count of the present one does not grow (fault 40). If lost, sync sends them.
  if (again.length > 0 && end.how !== 'stopped') {
    const waitMs = isUndecided(recorded) ? waitForOthers(recorded, pipeline) : delayMs;
    // Sync sends what waits longer, as it sends a request whose message was lost.
    if (waitMs > longestDelayMs) return recorded.state;
    await queues.send(resources.submitQueueUrl, again.map(submitMessageOf), { delaySeconds: waitMs / 1000 });
  } else if (end.how === 'sent') await readBack({ ...end.attempt, request: recorded }, end.answer, pipeline);
  return recorded.state;
}

const isWait = (end: End): boolean => end.how === 'requeued' || (end.how === 'stopped' && end.lines === undefined);

/** So that each of its rows says why it waits. */
async function withLines({ request, planned: read }: Attempted, { plans }: SubmitPipeline): Promise<RequestItem> {
  if (request.lines !== undefined) return request;
  const planned = read ?? (await plans.read(request));
  return planned === undefined ? request : { ...request, lines: packLines(planned.rows.map(({ line }) => line)) };
}

/**
 * How long a declined part waits until it looks again for the answers to the others, in milliseconds: as long as it has
 * waited. One of them may need hours, where the rate limit is used up, or sync has to find out what became of it.
 */
function waitForOthers({ submittedAt, changedAt }: RequestItem, { clocks }: SubmitPipeline): number {
  return Math.max(5_000, clocks.wall() - Date.parse(submittedAt ?? changedAt));
}

/** The request itself, or the parts into which it was divided. */
const requestsToSend = (request: RequestItem): RequestItem[] =>
  request.state === 'planned' ? [request] : partsOf(request);

/** The steps before the call, in their order. */
const steps = [claimRows, excludeUnlessMade, revalidateRows, waitForSlot, writeAheadRecord] as const;

/** Few requests are parts of a declined one, and the module is loaded for them. */
async function endPart(request: RequestItem, pipeline: SubmitPipeline): Promise<End | undefined> {
  return (await import('./declined-parts.ts')).endPart(request, pipeline);
}

interface Attempted {
  /** As it is stored at the end of the attempt. */
  readonly request: RequestItem;
  readonly end: End;
  /** @default - the attempt ended before its plan was read */
  readonly planned?: PlannedRequest;
}

async function attemptRequest(
  request: RequestItem,
  submission: Submission,
  deferred: End | undefined,
  pipeline: SubmitPipeline,
): Promise<Attempted> {
  const { plans } = pipeline;
  const unsent =
    (await endUnlessMade(request, submission, pipeline)) ??
    (isOfOtherAccount(request, pipeline) ? notMine : undefined) ??
    (request.state === 'scheduled' ? notMine : undefined) ??
    (request.part === undefined ? undefined : await endPart(request, pipeline)) ??
    // Nothing is claimed or written for a call that cannot be made.
    deferred;
  if (unsent !== undefined) return { request, end: unsent };
  const planned = await plans.read(request);
  if (planned === undefined) return { request, end: planExpired };
  let attempt: Attempt = { request, submission, planned, send: planned, excludedRows: [] };
  for (const step of steps) {
    const next: Step = await step(attempt, pipeline);
    if ('how' in next) return { request: attempt.request, end: next, planned };
    attempt = next;
  }
  return { request: attempt.request, end: await sendRequest(attempt, pipeline) };
}

/** It stays in the queues of its account, and is sent again from there once the environment works for it. */
function isOfOtherAccount({ account, importId, request }: RequestItem, { settings, log }: SubmitPipeline): boolean {
  const isOther = account !== settings.account;
  if (isOther) log.warn('a request of another account was left as it is', { importId, request, account });
  return isOther;
}

/**
 * Returns the request as it is stored; undefined where it changed in the meantime, or nothing changes. The answer of
 * the service is applied to the request as it is by now: an id is recorded in any case (fault 46).
 */
async function recordEnd(
  request: RequestItem,
  submission: Submission,
  end: End,
  delayMs: number,
  pipeline: SubmitPipeline,
): Promise<RequestItem | undefined> {
  const { requests, clocks, settings, log } = pipeline;
  const times = { now: clocks.wall(), quietMs: settings.quietMs, delayMs };
  let seen: RequestItem | undefined = request;
  while (seen !== undefined) {
    const next = requestAfter(seen, submission, end, times);
    const stored = next && (await moveRequest(seen, next, pipeline));
    if (stored !== undefined) logEnd(stored, end, delayMs, log);
    if (stored !== undefined || next === undefined || end.how !== 'sent') return stored;
    seen = await requests.get(request.importId, request.request);
  }
  return undefined;
}

function logEnd(stored: RequestItem, end: End, delayMs: number, log: Log): void {
  const { importId, request, state, changedPortId, portId = changedPortId } = stored;
  if (end.how === 'requeued') {
    const because = end.failure.kind;
    log.warn('a request was requeued', { importId, request, because, delayMs: Math.round(delayMs) });
  }
  if (end.how === 'sent') {
    const { attempt } = end.attempt.request;
    const about = { rows: end.attempt.send.rows.length, outcome: end.answer.kind, state, portId };
    log.info('called', { importId, request, attempt, ...about });
  }
}

/** Sync may record the same port at the same time: then the port is read again. */
const reads = 3;

/**
 * Reads a port that was changed at once: others wait for it. Sync reads a new port, which stays due until then, where
 * the rate limit is used up, or this fails.
 */
async function readBack(attempt: Attempt, answer: Answer, pipeline: SubmitPipeline): Promise<void> {
  const { request } = attempt;
  if (!('portId' in answer) || (answer.kind === 'created' && !pipeline.readsBack())) return;
  try {
    for (let read = 0; read < reads; read += 1) {
      const isNew = request.portId === answer.portId;
      const known = isNew ? newPort(attempt) : await findKnownPort(answer.portId, pipeline);
      if (known === undefined || (await isRecorded(answer.portId, known, pipeline))) return;
    }
  } catch (error) {
    const { importId, request: number } = request;
    pipeline.log.warn('a port could not be read back yet', { importId, request: number, error });
  }
}

const newPort = ({ request, send }: Attempt): KnownPort => ({
  request,
  rows: send.rows.map(unreadRow),
});

async function isRecorded(portId: string, known: KnownPort, pipeline: SubmitPipeline): Promise<boolean> {
  if (!pipeline.deadline.hasTimeFor(timeNeeded.recordAnswer))
    throw new DeadlineExceeded('no time to read the port back');
  const observation = await readPort(portId, pipeline);
  if (known.port === undefined && !isOwn(known, observation, pipeline)) {
    await discard(known.request, observation, pipeline);
    return true;
  }
  const recorded = await recordObservation(known, observation, pipeline);
  if (typeof recorded === 'object') pipeline.onImportChanged(recorded.next.importId);
  return recorded !== 'conflict';
}

const isOwn = ({ request, rows }: KnownPort, { detail }: Observation, { settings }: SubmitPipeline): boolean =>
  isPortOf(
    request.token,
    detail,
    rows.map(({ msisdn }) => msisdn),
    settings.callingCode,
  );

/** The service answered with the id of another port: sync searches for the request's own. */
async function discard(request: RequestItem, { detail }: Observation, pipeline: SubmitPipeline) {
  const { clocks, settings, log } = pipeline;
  const { id, name } = detail;
  log.error('the service answered with the id of another port', { importId: request.importId, portId: id });
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  await moveRequest(request, discardPortId(request, wrongPort(id, name), times), pipeline);
}
