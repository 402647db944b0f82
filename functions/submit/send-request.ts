// One attempt: writes down what is sent, makes the one call, and judges its answer.

import { todayOf } from '#shared/operations/columns/connection-date.ts';
import type { Submission } from '#shared/operations/operation.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import { packLines, unpackLines } from '#shared/request/packed-lines.ts';
import type {
  Answer,
  DeclinedRows,
  ExcludedRow,
  PlannedRequest,
  RequestError,
  RequestItem,
} from '#shared/request/request.ts';
import { rowsDeclinedByService, rowsLeftOut, startAttempt } from '#shared/request/request-state.ts';
import { slotPatienceMs } from '#shared/request/shared-rate-limit.ts';
import { msisdnKey } from '#shared/row/msisdn.ts';
import { DeadlineExceeded, timeNeeded } from '#shared/runtime/clock.ts';
import {
  Conflict,
  type Decline,
  type DeclineDetails,
  isDecline,
  isPortingFailure,
  type PortingFailure,
} from '#shared/service/errors.ts';
import { mostParts, portName } from '#shared/text/identity.ts';
import { longestRowMessage, truncate } from '#shared/text/wording.ts';
import { type Attempt, type End, notMine, planExpired, type Step, type SubmitPipeline } from './attempt.ts';
import { errorOf, requeueIfRejected } from './end-message.ts';
import { excludeMoved, findOvertakenRows } from './moved-numbers.ts';
import { endIfStopped } from './stopped-imports.ts';

/**
 * Waits until the rate limiter allows the call, before the lease starts.
 * @throws DeadlineExceeded when too little time is left to make the call and to record its answer
 */
export async function waitForSlot(attempt: Attempt, pipeline: SubmitPipeline): Promise<Step> {
  const { client, deadline, settings } = pipeline;
  const { request, submission } = attempt;
  const end = (await requeueIfRejected(client.ready())) ?? (await endUnlessMade(request, submission, pipeline));
  if (end !== undefined) return end;
  if (!deadline.hasTimeFor(slotPatienceMs + settings.callTimeoutMs + timeNeeded.recordAnswer))
    throw new DeadlineExceeded('too little time for one more call');
  return attempt;
}

/** Writes down what is sent, so that the one call may be made next. */
export async function writeAheadRecord(attempt: Attempt, pipeline: SubmitPipeline): Promise<Step> {
  const { clocks, settings } = pipeline;
  const { send, excludedRows, note, holidays } = attempt;
  const next = startAttempt(attempt.request, {
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
  const request = await moveRequest(attempt.request, next, pipeline);
  return request === undefined ? notMine : { ...attempt, request };
}

/** Every answer of the service, also an error, becomes a result. */
export async function sendRequest(attempt: Attempt, pipeline: SubmitPipeline): Promise<End> {
  const { send, request, submission } = attempt;
  const { client, validation } = pipeline;
  const name = portName(request.label, request.token);
  const result = await callService(
    submission.makes,
    () => submission.call(client, send, name),
    (decline) => checkDecline(decline, attempt, pipeline),
  );
  if (isPortingFailure(result)) return { how: 'requeued', failure: result };
  // A call that was made after midnight can be declined for a date that was valid the day before: validate again.
  const isOutdated = result.kind === 'declined' && attempt.day !== todayOf(validation);
  const answer = isOutdated ? { kind: 'not-sent' as const, error: result.error } : complete(result, send, submission);
  return { how: 'sent', attempt, answer: await checkOvertaken(answer, attempt, pipeline) };
}

/** A move may have taken the numbers along while their change was being made: then nobody reads that it was. */
async function checkOvertaken(answer: Answer, attempt: Attempt, pipeline: SubmitPipeline): Promise<Answer> {
  if (answer.kind !== 'changed') return answer;
  const [row] = await findOvertakenRows(attempt, pipeline);
  return row === undefined ? answer : { kind: 'declined', error: { kind: 'port-moved', message: row.message } };
}

/**
 * A ticket does not end the request if the service later shows whether the SIMs have the requested services. Where a
 * call that was delivered twice is declined for its own SIMs, rows that were declined by name before are believed only
 * if the service takes the others (fault 51).
 */
function complete(answer: Answer, send: PlannedRequest, submission: Submission): Answer {
  if (answer.kind === 'ambiguous') return { ...answer, isOfAllRows: submission.conflictsWithItself };
  return answer.kind === 'accepted' && submission.requestedServices?.(send) !== undefined
    ? { ...answer, isReadBack: true }
    : answer;
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

export async function checkDecline(decline: Decline, attempt: Attempt, pipeline: SubmitPipeline): Promise<Answer> {
  const { settings } = pipeline;
  const { send, request, submission } = attempt;
  const lineOf = lineFinder(send, settings.callingCode);
  const rows = declinedRowsOf(decline.decline, send, lineOf);
  const error = withDeclinedLines(decline, rows);
  if (submission.makes === 'change') return checkChange(error, attempt, pipeline);
  const isPartial = rows.length > 0 && rows.length < send.rows.length;
  const isConflict = decline instanceof Conflict;
  // A ticket cannot be searched for. A repeated call is declined for all of its SIMs.
  const isTicket = submission.makes === 'ticket';
  const isRepeat = isTicket
    ? submission.conflictsWithItself === true && isConflict && !isPartial
    : isConflict || decline.decline.msisdns.some((msisdn) => lineOf(msisdn) !== undefined);
  const isDoubtful = request.hasUnknownAttempt === true || isRepeat;
  // A conflict that names some rows is believed if the service then takes the others. A call that was delivered twice
  // has put all of them on hire.
  const isSecond = isConflict && submission.conflictsWithItself === true && rowsDeclinedByService(request).length > 0;
  if (isTicket && (isDoubtful || isSecond)) return { kind: 'ambiguous', error };
  const again = await repeatOf(attempt, rows, error, pipeline);
  return { kind: 'declined', error, isDoubtful, ...again };
}

/**
 * Rows are sent again without the named ones: once, or while fewer than ten were named where the rest may be divided.
 * Rows that no answer names are divided.
 */
async function repeatOf(
  { send, request, submission }: Attempt,
  rows: readonly ExcludedRow[],
  error: RequestError,
  pipeline: SubmitPipeline,
): Promise<DeclinedRows> {
  const others = send.rows.length - rows.length;
  const isDivisible = submission.splitsWhenDeclined && others > 1;
  if (rows.length === 0) {
    if (!isDivisible) return {};
    const { judgeRows } = await import('./declined-parts.ts');
    return { others: await judgeRows(request, error, pipeline) };
  }
  if (!pipeline.settings.retryWithoutDeclined || others === 0) return {};
  const before = rowsDeclinedByService(request).length;
  if (before === 0 || (submission.splitsWhenDeclined && before + rows.length < mostParts)) return { named: rows };
  if (!submission.splitsWhenDeclined) return {};
  return isDivisible ? { named: rows, others: 'in-parts' } : { named: rows };
}

/** With the lines of the rows that the service names, so that they differ from the other rows (spec gap 25). */
function withDeclinedLines(decline: Decline, rows: readonly ExcludedRow[]): RequestError {
  const error = errorOf(decline);
  return rows.length === 0 ? error : { ...error, lines: rows.map(({ line }) => line) };
}

// Which rows of a call the service names when it declines the call.

/** The line of a number, or of a SIM, as the service writes it. */
export function lineFinder(sent: PlannedRequest, callingCode: string): (subject: string) => number | undefined {
  const lines = new Map(sent.rows.map(({ line, subject }) => [subject, line]));
  return (subject) => lines.get(subject) ?? lines.get(msisdnKey(subject, callingCode));
}

/**
 * A row is named by its number or its SIM in a message, or by its place in the `field` of an error: `rows[3].msisdn`,
 * `stock[0].serialNumber`, `serialNumbers[2]`.
 * @param lineOf finds the line of a number or a SIM as the service writes it
 */
export function declinedRowsOf(
  details: DeclineDetails,
  sent: PlannedRequest,
  lineOf: (subject: string) => number | undefined,
): ExcludedRow[] {
  const reasons = new Map<number, string>();
  const name = (line: number | undefined, reason: string): void => {
    if (line !== undefined && !reasons.has(line)) reasons.set(line, reason);
  };
  for (const subject of [...details.msisdns, ...(details.serialNumbers ?? [])])
    name(lineOf(subject), reasonFor(subject, details));
  for (const { field, message } of details.fieldErrors) name(sent.rows[placeIn(field)]?.line, message);
  return sent.rows.flatMap(({ line, subject }) => {
    const message = reasons.get(line);
    if (message === undefined) return [];
    return [{ line, subject, code: 'ROW_REFUSED', message: truncate(message, longestRowMessage(sent.rows.length)) }];
  });
}

/** The index of a row in the body of the call, which has the rows in their order; -1 where the field has none. */
const placeIn = (field: string): number =>
  Number(/(?:^|\.)(?:rows|stock|serialNumbers)\[(\d+)\]/i.exec(field)?.[1] ?? -1);

/** The field errors that contain the number or SIM, or else the message of the whole answer. */
function reasonFor(subject: string, { message, fieldErrors }: DeclineDetails): string {
  const about = fieldErrors.map((error) => error.message).filter((text) => text.includes(subject));
  return about.length === 0 ? message : about.join('; ');
}

// A change of unknown outcome may have been made: its port shows whether it was.

/** A change that was made already is declined when it is requested again: the port shows it. */
export async function checkChange(error: RequestError, attempt: Attempt, pipeline: SubmitPipeline): Promise<Answer> {
  const portId = await readMade(attempt, pipeline);
  if (isPortingFailure(portId)) return { kind: 'ambiguous', error };
  return portId === undefined ? { kind: 'declined', error } : { kind: 'changed', portId };
}

/** The port that has the change of these rows by now; undefined where something is left to change. */
async function readMade(
  { planned, send, submission }: Attempt,
  { validation }: SubmitPipeline,
): Promise<string | undefined | PortingFailure> {
  const sent = new Set(send.rows.map(({ line }) => line));
  const request = { ...planned, rows: planned.rows.filter(({ line }) => sent.has(line)) };
  try {
    return await submission.madeAlready?.(request, validation);
  } catch (failure) {
    if (isPortingFailure(failure)) return failure;
    throw failure;
  }
}

/**
 * As `endIfStopped`. Before a change of unknown outcome waits or ends as not sent, its port is read: an earlier call
 * may have made it. What is made later is shown by its port only.
 */
export async function endUnlessMade(
  request: RequestItem,
  submission: Submission,
  pipeline: SubmitPipeline,
): Promise<End | undefined> {
  const stopped = await endIfStopped(request, pipeline);
  if (stopped?.how !== 'stopped' || submission.makes !== 'change' || !request.hasUnknownAttempt) return stopped;
  const planned = await pipeline.plans.read(request);
  // Nobody can find out any more whether it was made.
  if (planned === undefined) return planExpired;
  const left = new Set(rowsLeftOut(request).map(({ line }) => line));
  const rows = planned.rows.filter(({ line }) => !left.has(line));
  return (
    (await endIfMade({ request, submission, planned, send: { ...planned, rows }, excludedRows: [] }, pipeline)) ??
    stopped
  );
}

/**
 * As `excludeMoved`. Before rows of unknown outcome are left to the move of their port, the port is read: an earlier
 * call may have changed it, and the move takes the change along.
 */
export async function excludeUnlessMade(attempt: Attempt, pipeline: SubmitPipeline): Promise<Step> {
  const next = await excludeMoved(attempt, pipeline);
  if (next === attempt || !attempt.request.hasUnknownAttempt) return next;
  return (await endIfMade(attempt, pipeline)) ?? next;
}

/** The end of a change of unknown outcome whose port shows that it was made; undefined where something is left. */
async function endIfMade(attempt: Attempt, pipeline: SubmitPipeline): Promise<End | undefined> {
  const { request, send } = attempt;
  const sent = request.lines === undefined ? undefined : new Set(unpackLines(request.lines));
  const rows = send.rows.filter(({ line }) => sent?.has(line) !== false);
  const own = { ...attempt, send: { ...send, rows } };
  const portId = await readMade(own, pipeline);
  if (isPortingFailure(portId)) return { how: 'requeued', failure: portId };
  if (portId === undefined) return undefined;
  // A move that cancelled the port took the numbers along. The other rows are those that the earlier call left out.
  const overtaken = await findOvertakenRows(own, pipeline);
  if (overtaken.length > 0) return { how: 'skipped', excludedRows: [...(request.excludedRows ?? []), ...overtaken] };
  return { how: 'sent', attempt: own, answer: { kind: 'changed', portId } };
}
