// One attempt: writes down what is sent, makes the one call, and records its answer.
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import type { Answer } from '#shared/domain/requests/answer.ts';
import { portName } from '#shared/domain/requests/identity.ts';
import { slotPatienceMs } from '#shared/domain/requests/rate-limit.ts';
import { applyAnswer, startAttempt } from '#shared/domain/requests/request-state.ts';
import type { RequestItem } from '#shared/items/request.ts';
import { moveRequest } from '#shared/ledger/move-request.ts';
import { todayOf } from '#shared/operations/kit/connection-date.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import { type Decline, isDecline, isPortingFailure, type PortingFailure } from '#shared/porting/errors.ts';
import { DeadlineExceeded, timeNeeded } from '#shared/runtime/deadline.ts';
import { checkDecline } from './check-decline.ts';
import type { Attempt, RevalidatedRequest } from './choose-rows.ts';
import type { SubmitDependencies } from './dependencies.ts';
import { errorOf, type Finished, failureOf, requeueMessage } from './end-message.ts';
import { leaveIfStopped } from './stopped-import.ts';

/**
 * Writes the record, so that the one call may be made next.
 * @throws DeadlineExceeded when too little time is left to make the call and to record its answer
 */
export async function writeAheadRecord(
  item: RequestItem,
  { planned, send, excludedRows, note, holidays, day }: RevalidatedRequest,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<Attempt | Finished> {
  const { client, clocks, deadline, settings } = dependencies;
  // Waits for the rate limiter before the lease starts.
  const closed = await failureOf(client.ready());
  if (closed !== undefined) return requeueMessage(item, closed, dependencies);
  const stopped = await leaveIfStopped(item, submission, dependencies);
  if (stopped !== undefined) return stopped;
  if (!deadline.hasTimeFor(slotPatienceMs + settings.callTimeoutMs + timeNeeded.recordAnswer))
    throw new DeadlineExceeded('too little time for one more call');
  const next = startAttempt(item, {
    lines: packLines(send.rows.map(({ line }) => line)),
    excludedRows,
    note,
    holidays,
    submittedAt: clocks.calendar(),
    now: clocks.wall(),
    leaseMs: settings.leaseMs,
    quietMs: settings.quietMs,
  });
  // Two deliveries of one message can get here. Only the first to write may call the service (fault 28).
  const request = await moveRequest(item, next, dependencies);
  return request === undefined ? { finished: 'not-mine' } : { planned, send, day, request };
}

export interface SentRequest {
  readonly sent: PlannedRequest;
  readonly recorded: RequestItem;
  readonly answer: Answer;
}

/** Every answer of the service, also an error, becomes a result. */
export async function sendRequest(
  attempt: Attempt,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<SentRequest | Finished> {
  const { send, request } = attempt;
  const { client } = dependencies;
  const log = dependencies.log.with({ importId: request.importId, request: request.request, attempt: request.attempt });
  const name = portName(request.label, request.token);
  const result = await callService(
    submission.makes,
    () => submission.call(client, send, name),
    (decline) => checkDecline(decline, attempt, submission, dependencies),
  );
  if (isPortingFailure(result)) return requeueMessage(request, result, dependencies);
  // A call that was made after midnight can be declined for a date that was valid the day before: validate again.
  const isOutdated = result.kind === 'declined' && attempt.day !== todayOf(dependencies.validation);
  const answer = isOutdated
    ? { kind: 'not-sent' as const, error: result.error }
    : addReadBack(result, send, submission);
  const recorded = await recordAnswer(request, answer, dependencies);
  if (recorded === undefined) return { finished: 'not-mine' };
  const portId = recorded.portId ?? recorded.changedPortId;
  log.info('called', { rows: send.rows.length, outcome: answer.kind, state: recorded.state, portId });
  if (recorded.state === 'planned') return { finished: 'planned', resendAfterMs: 0 };
  return { sent: send, recorded, answer };
}

/** A ticket is no end where the service shows afterwards whether its SIMs have what was requested. */
const addReadBack = (answer: Answer, send: PlannedRequest, { requestedServices }: Submission): Answer =>
  answer.kind === 'accepted' && requestedServices?.(send) !== undefined ? { ...answer, isReadBack: true } : answer;

/** Applies the answer to the request as it is stored by now: an id is recorded in any case (fault 46). */
async function recordAnswer(
  request: RequestItem,
  answer: Answer,
  dependencies: SubmitDependencies,
): Promise<RequestItem | undefined> {
  const { requests, clocks, settings } = dependencies;
  const times = { now: clocks.wall(), quietMs: settings.quietMs };
  let seen: RequestItem | undefined = request;
  while (seen !== undefined) {
    const next = applyAnswer(seen, request.attempt, answer, times);
    if (next === undefined) return undefined;
    const recorded = await moveRequest(seen, next, dependencies);
    if (recorded !== undefined) return recorded;
    seen = await requests.get(request.importId, request.request);
  }
  return undefined;
}

const answerWith: Readonly<Record<Submission['makes'], (id: string) => Answer>> = {
  port: (portId) => ({ kind: 'created', portId }),
  ticket: (ticket) => ({ kind: 'accepted', ticket }),
  change: (portId) => ({ kind: 'changed', portId }),
};

/**
 * Makes the call and answers its result. Any error that is not known to be harmless is ambiguous: the service may have
 * done what was asked.
 * @param checkDecline what a decline of the service means for this attempt
 */
export async function callService(
  makes: Submission['makes'],
  call: () => Promise<string>,
  checkDecline: (decline: Decline) => Promise<Answer>,
): Promise<Answer | PortingFailure> {
  try {
    return answerWith[makes](await call());
  } catch (error) {
    if (isDecline(error)) return checkDecline(error);
    if (isPortingFailure(error) && error.nothingWasDone) return error;
    return { kind: 'ambiguous', error: errorOf(error) };
  }
}
