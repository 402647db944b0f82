// What a decline means. A gateway that repeats a call answers the second decline although the first call was executed,
// and an earlier attempt of unknown outcome may be executed late: then the service declines what it has done already.
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import { msisdnKey } from '#shared/domain/numbers/msisdn.ts';
import type { Answer, Declined } from '#shared/domain/requests/answer.ts';
import { rowsDeclinedByService } from '#shared/domain/requests/request-state.ts';
import { maySplit } from '#shared/domain/requests/split-request.ts';
import type { ExcludedRow, RequestError } from '#shared/items/request.ts';
import type { Submission } from '#shared/operations/kit/operation.ts';
import { Conflict, type Decline, type DeclineDetails, isPortingFailure } from '#shared/porting/errors.ts';
import type { Attempt } from './choose-rows.ts';
import type { SubmitDependencies } from './dependencies.ts';
import { errorOf } from './end-message.ts';

export async function checkDecline(
  decline: Decline,
  attempt: Attempt,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<Answer> {
  const { settings } = dependencies;
  const { send, request } = attempt;
  const lineOf = lineFinder(send, settings.callingCode);
  const rows = declinedRowsOf(decline.decline, send, lineOf);
  const error = withLines(decline, rows);
  if (submission.makes === 'change') return checkChange(error, attempt, submission, dependencies);
  const isPartial = rows.length > 0 && rows.length < send.rows.length;
  const isConflict = decline instanceof Conflict;
  // A ticket cannot be searched for. A repeated call is declined for all of its SIMs.
  const isTicket = submission.makes === 'ticket';
  const isRepeat = isTicket
    ? submission.conflictsWithItself === true && isConflict && !isPartial
    : isConflict || decline.decline.msisdns.some((msisdn) => lineOf(msisdn) !== undefined);
  const isDoubtful = request.hasUnknownAttempt === true || isRepeat;
  if (isTicket && isDoubtful) return { kind: 'ambiguous', error };
  const again = repeatOf(attempt, rows, settings, submission);
  return { kind: 'declined', error, isDoubtful, ...again, part: request.split && rowsOfPart(send, rows, error) };
}

/** Rows are sent again without the named ones: once for a whole request, more often as long as it may be split. */
function repeatOf(
  { send, request }: Attempt,
  rows: readonly ExcludedRow[],
  { retryWithoutDeclined }: SubmitDependencies['settings'],
  { splitsWhenDeclined }: Submission,
): Pick<Declined, 'named' | 'parts'> {
  const splits = splitsWhenDeclined && maySplit(request, send.rows.length);
  if (rows.length === 0) return splits ? { parts: 2 } : {};
  if (!retryWithoutDeclined || rows.length === send.rows.length) return {};
  if (request.split === undefined && rowsDeclinedByService(request).length === 0) return { named: rows };
  return splits ? { named: rows, parts: 1 } : {};
}

/** Every row of a declined part ends with its own reason, or else with that of the call. */
const rowsOfPart = (
  { rows }: PlannedRequest,
  named: readonly ExcludedRow[],
  { message }: RequestError,
): ExcludedRow[] =>
  rows.map(
    ({ line, subject }) => named.find((row) => row.line === line) ?? { line, subject, code: 'ROW_REFUSED', message },
  );

/** A change that was made already is declined when it is requested again: the port shows it. */
async function checkChange(
  error: RequestError,
  { planned, send }: Attempt,
  submission: Submission,
  { validation }: SubmitDependencies,
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
    return message === undefined ? [] : [{ line, subject, code: 'ROW_REFUSED', message }];
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
