// One message, one request: claim its numbers, write down what is about to be done, make ONE call, record its answer.
// Create Port can neither be repeated nor found by a key, so every step leaves a state from which sync can continue.
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import { isPortOf } from '#shared/domain/ports/port-ownership.ts';
import type { KnownPort } from '#shared/domain/ports/port-snapshot.ts';
import { discardPortId, maySend, wrongPort } from '#shared/domain/requests/request-state.ts';
import type { RequestItem } from '#shared/items/request.ts';
import { moveRequest } from '#shared/ledger/move-request.ts';
import { findKnownPort, type Observation, readPort, recordObservation } from '#shared/ledger/observe-port.ts';
import type { SubmitMessage } from '#shared/messages.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import { DeadlineExceeded, timeNeeded } from '#shared/runtime/deadline.ts';
import { type ClaimedRequest, claimRows, revalidateRows } from './choose-rows.ts';
import type { SubmitDependencies } from './dependencies.ts';
import { type Finished, failureOf, requeueMessage, type SubmitOutcome } from './end-message.ts';
import { type SentRequest, sendRequest, writeAheadRecord } from './send-request.ts';
import { leaveIfStopped } from './stopped-import.ts';

/**
 * Processes one message. Safe for any number of deliveries, at the same time or later.
 * @throws when nothing was sent and the message must be delivered again: storage fails, or too little time is left
 */
export async function submit(message: SubmitMessage, dependencies: SubmitDependencies): Promise<SubmitOutcome> {
  const { queues, settings } = dependencies;
  const { finished, resendAfterMs } = await handle(message, dependencies);
  // A new message, so that the receive count of the present one does not grow (fault 40). If lost, sync sends one.
  if (resendAfterMs !== undefined) {
    await queues.send(settings.submitQueueUrl, [message], { delaySeconds: resendAfterMs / 1000 });
  }
  return finished;
}

async function handle(message: SubmitMessage, dependencies: SubmitDependencies): Promise<Finished> {
  const { requests, client, operationNamed, readStop } = dependencies;
  // Also read for each call: both are known to be needed, so neither waits for the other.
  const [item] = await Promise.all([requests.get(message.importId, message.request), readStop(message.importId)]);
  if (item === undefined)
    throw new Error(`request ${message.request} of import ${message.importId} is not in the ledger`);
  // A person may end the import while the request is being scheduled: this message is then of that command.
  if (!maySend(item) && item.state !== 'scheduled') return { finished: 'not-mine' };
  const submission = operationNamed(item.operation)?.submission;
  if (submission === undefined) throw new Error(`there is no operation ${item.operation}`);
  const stopped = await leaveIfStopped(item, submission, dependencies);
  if (stopped !== undefined) return stopped;
  if (item.state === 'scheduled') return { finished: 'not-mine' };
  // Asked first, so that nothing is read, claimed or written for a call that cannot be made.
  const closed = await failureOf(client.throwIfDeferred());
  if (closed !== undefined) return requeueMessage(item, closed, dependencies);
  const claimed = await claimRows(item, submission, dependencies);
  if ('finished' in claimed) return claimed;
  const sent = await validateAndSend(item, claimed, submission, dependencies);
  if ('finished' in sent) return sent;
  const end = { finished: sent.recorded.state };
  // Sync reads a new port, which stays due until then. A port that was changed is read at once: others wait for it.
  if (sent.answer.kind === 'created' && !dependencies.readsBack()) return end;
  await readBack(sent, dependencies);
  return end;
}

async function validateAndSend(
  item: RequestItem,
  claimed: ClaimedRequest,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<SentRequest | Finished> {
  const validated = await revalidateRows(item, claimed, submission, dependencies);
  if ('finished' in validated) return validated;
  const attempt = await writeAheadRecord(item, validated, submission, dependencies);
  return 'finished' in attempt ? attempt : sendRequest(attempt, submission, dependencies);
}

/** Sync may record the same port at the same time: then the port is read again. */
const attempts = 3;

/**
 * If this fails, sync reads the port: the request stays due until its new port was read, and a port until it has ended.
 */
export async function readBack(
  { recorded: request, answer, sent }: SentRequest,
  dependencies: SubmitDependencies,
): Promise<void> {
  if (!('portId' in answer)) return;
  try {
    for (let attempt = 0; attempt < attempts; attempt += 1) {
      const isNew = request.portId === answer.portId;
      const known = isNew ? newPort({ request, sent }) : await findKnownPort(answer.portId, dependencies);
      if (known === undefined || (await isRecorded(answer.portId, known, dependencies))) return;
    }
  } catch (error) {
    const { importId, request: number } = request;
    dependencies.log.warn('a port could not be read back yet', { importId, request: number, error });
  }
}

const newPort = ({ request, sent }: { readonly request: RequestItem; readonly sent: PlannedRequest }): KnownPort => ({
  request,
  rows: sent.rows.map(({ line, subject }) => ({ line, msisdn: subject, status: '' })),
});

async function isRecorded(portId: string, known: KnownPort, dependencies: SubmitDependencies): Promise<boolean> {
  if (!dependencies.deadline.hasTimeFor(timeNeeded.recordAnswer))
    throw new DeadlineExceeded('no time to read the port back');
  const observation = await readPort(portId, dependencies);
  if (known.port === undefined && !isOwn(known, observation, dependencies)) {
    await discard(known.request, observation, dependencies);
    return true;
  }
  const recorded = await recordObservation(known, observation, dependencies);
  if (typeof recorded === 'object') dependencies.onImportChanged(recorded.next.importId);
  return recorded !== 'conflict';
}

const isOwn = ({ request, rows }: KnownPort, { detail }: Observation, { settings }: SubmitDependencies): boolean =>
  isPortOf(
    request.token,
    detail,
    rows.map(({ msisdn }) => msisdn),
    settings.callingCode,
  );

/** The service answered with the id of another port: sync searches for the request's own. */
async function discard(request: RequestItem, { detail }: Observation, dependencies: SubmitDependencies) {
  const { clocks, settings, log } = dependencies;
  const { id, name } = detail;
  log.error('the service answered with the id of another port', { importId: request.importId, portId: id });
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  await moveRequest(request, discardPortId(request, wrongPort(id, name), times), dependencies);
}
