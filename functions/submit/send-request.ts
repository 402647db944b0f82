// One attempt: writes down what is sent, makes the one call, and records its answer.

import { todayOf } from '#shared/operations/columns/connection-date.ts';
import type { Submission } from '#shared/operations/operation.ts';
import { moveRequest } from '#shared/pipeline/move-request.ts';
import type { PipelineSettings } from '#shared/pipeline/pipeline.ts';
import { maySplit, packLines } from '#shared/request/lines.ts';
import { slotPatienceMs } from '#shared/request/rate-limit.ts';
import type { Answer, Declined, ExcludedRow, PlannedRequest, RequestError } from '#shared/request/request.ts';
import { rowsDeclinedByService, startAttempt } from '#shared/request/request-state.ts';
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
import { portName } from '#shared/text/identity.ts';
import { longestRowMessage, truncate } from '#shared/text/wording.ts';
import {
  type Attempt,
  type End,
  endIfStopped,
  errorOf,
  notMine,
  requeueIfRejected,
  type Step,
  type SubmitPipeline,
} from './end-message.ts';

/**
 * Waits until the rate limiter allows the call, before the lease starts.
 * @throws DeadlineExceeded when too little time is left to make the call and to record its answer
 */
export async function waitForSlot(attempt: Attempt, pipeline: SubmitPipeline): Promise<Step> {
  const { client, deadline, settings } = pipeline;
  const end = (await requeueIfRejected(client.ready())) ?? (await endIfStopped(attempt.request, pipeline));
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
  const answer = isOutdated
    ? { kind: 'not-sent' as const, error: result.error }
    : addReadBack(result, send, submission);
  return { how: 'sent', attempt, answer };
}

/** A ticket does not end the request if the service later shows whether the SIMs have the requested services. */
const addReadBack = (answer: Answer, send: PlannedRequest, { requestedServices }: Submission): Answer =>
  answer.kind === 'accepted' && requestedServices?.(send) !== undefined ? { ...answer, isReadBack: true } : answer;

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
  const error = withLines(decline, rows);
  if (submission.makes === 'change') return checkChange(error, attempt, pipeline);
  const isPartial = rows.length > 0 && rows.length < send.rows.length;
  const isConflict = decline instanceof Conflict;
  // A ticket cannot be searched for. A repeated call is declined for all of its SIMs.
  const isTicket = submission.makes === 'ticket';
  const isRepeat = isTicket
    ? submission.conflictsWithItself === true && isConflict && !isPartial
    : isConflict || decline.decline.msisdns.some((msisdn) => lineOf(msisdn) !== undefined);
  const isDoubtful = request.hasUnknownAttempt === true || isRepeat;
  if (isTicket && isDoubtful) return { kind: 'ambiguous', error };
  const again = repeatOf(attempt, rows, settings);
  return { kind: 'declined', error, isDoubtful, ...again, part: request.split && rowsOfPart(send, rows, error) };
}

/** Rows are sent again without the named ones: once for a whole request, more often as long as it may be split. */
function repeatOf(
  { send, request, submission }: Attempt,
  rows: readonly ExcludedRow[],
  { retryWithoutDeclined }: PipelineSettings,
): Pick<Declined, 'named' | 'parts'> {
  const splits = submission.splitsWhenDeclined && maySplit(request, send.rows.length);
  if (rows.length === 0) return splits ? { parts: 2 } : {};
  if (!retryWithoutDeclined || rows.length === send.rows.length) return {};
  if (request.split === undefined && rowsDeclinedByService(request).length === 0) return { named: rows };
  return splits ? { named: rows, parts: 1 } : {};
}

/** Every row of a declined part ends with its own reason, or else with that of the call. */
function rowsOfPart({ rows }: PlannedRequest, named: readonly ExcludedRow[], error: RequestError): ExcludedRow[] {
  const message = truncate(error.message, longestRowMessage(rows.length));
  return rows.map(
    ({ line, subject }) => named.find((row) => row.line === line) ?? { line, subject, code: 'ROW_REFUSED', message },
  );
}

/** A change that was made already is declined when it is requested again: the port shows it. */
async function checkChange(
  error: RequestError,
  { planned, send, submission }: Attempt,
  { validation }: SubmitPipeline,
): Promise<Answer> {
  const sent = new Set(send.rows.map(({ line }) => line));
  const request = { ...planned, rows: planned.rows.filter(({ line }) => sent.has(line)) };
  try {
    const portId = await submission.madeAlready?.(request, validation);
    return portId === undefined ? { kind: 'declined', error } : { kind: 'changed', portId };
  } catch (failure) {
    if (!isPortingFailure(failure)) throw failure;
    return { kind: 'ambiguous', error };
  }
}

/** With the lines of the rows that the service names, so that they differ from the other rows (spec gap 25). */
function withLines(decline: Decline, rows: readonly ExcludedRow[]): RequestError {
  const error = errorOf(decline);
  return rows.length === 0 ? error : { ...error, lines: rows.map(({ line }) => line) };
}

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
