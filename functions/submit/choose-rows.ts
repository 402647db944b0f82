// The rows that a request may send now: those of the plan, without rows that the service declined before, that another
// request has claimed, or that are not valid any more on the day of the call. A file may have waited past midnight.
import type { CalendarDate } from '#shared/domain/dates/calendar-date.ts';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { error, type Finding } from '#shared/domain/imports/issue.ts';
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import type { PlannedRequest, PlannedRow } from '#shared/domain/imports/plan.ts';
import { isSameRequest } from '#shared/domain/requests/identity.ts';
import { rowsLeftOut, skipRequest } from '#shared/domain/requests/request-state.ts';
import { partFilter } from '#shared/domain/requests/split-request.ts';
import { scheduleRequest } from '#shared/domain/requests/stopped-request.ts';
import type { NumberItem } from '#shared/items/number.ts';
import type { ExcludedRow, RequestItem } from '#shared/items/request.ts';
import { changeHead } from '#shared/operations/change-port/submission.ts';
import { todayOf } from '#shared/operations/kit/connection-date.ts';
import type { Revalidation, Submission } from '#shared/operations/kit/operation.ts';
import { isPortingFailure, type PortingFailure } from '#shared/porting/errors.ts';
import type { FindMove } from '#shared/store/tables/find-move.ts';
import type { SubmitDependencies } from './dependencies.ts';
import { declineUnsent, type Finished, finishMessage, planExpired, requeueMessage } from './end-message.ts';
import type { ClaimedRows, HeldClaim, RowsToClaim } from './held-claims.ts';

export interface ClaimedRequest {
  /** With the rows that may be sent. */
  readonly request: PlannedRequest;
  readonly excludedRows: readonly ExcludedRow[];
}

/** Reads the plan and claims its numbers. Makes no call, so it does not wait for other messages. */
export async function claimRows(
  item: RequestItem,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<ClaimedRequest | Finished> {
  const { plans, clocks } = dependencies;
  const planned = await plans.read(item);
  if (planned === undefined) {
    return declineUnsent(item, item, planExpired, submission, dependencies);
  }
  const declined = rowsLeftOut(item);
  const isInPart = partFilter(item);
  const rows = planned.rows.filter((row) => isInPart(row) && !declined.some(({ line }) => row.line === line));
  const claim = submission.claims ? claimNumbers : claimCorrectedRows;
  const claimed = await claim({ ...item, rows }, clocks.wall(), dependencies);
  const excludedRows = [...declined, ...claimed.excludedRows];
  if (claimed.rows.length > 0) return { request: { ...planned, rows: [...claimed.rows] }, excludedRows };
  return finishMessage(item, skipRequest(item, excludedRows, clocks.wall()), dependencies);
}

/**
 * Claims the number of every row at `now` (wall time, epoch ms). Excludes rows whose number another request holds, or
 * was ported before: validation does not see what was ported since, or in the rest of a large file.
 */
export const claimNumbers = (planned: RowsToClaim, now: number, dependencies: SubmitDependencies) =>
  claimNames(planned, ({ subject, correctedRow }) => [subject, correctedRow], now, dependencies);

/** The same for an operation that claims no numbers. */
export const claimCorrectedRows = (planned: RowsToClaim, now: number, dependencies: SubmitDependencies) =>
  claimNames(planned, ({ correctedRow }) => [correctedRow], now, dependencies);

async function claimNames(
  planned: RowsToClaim,
  namesOf: (row: PlannedRow) => readonly (string | undefined)[],
  now: number,
  dependencies: SubmitDependencies,
): Promise<ClaimedRows> {
  const { importId, request, rows, expiresAt } = planned;
  const about = { importId, request, claimedAt: isoTime(now), ...(expiresAt && { expiresAt }) };
  const claims = new Map<string, NumberItem>();
  for (const row of rows) {
    for (const number of namesOf(row)) if (number) claims.set(number, { ...about, number, line: row.line });
  }
  const held: HeldClaim[] = [];
  for (const seen of await dependencies.numbers.claim([...claims.values()])) {
    const claim = claims.get(seen.number);
    if (claim !== undefined && !isSameRequest(seen, claim)) held.push({ seen, claim });
  }
  if (held.length === 0) return { rows, excludedRows: [] };
  const { excludeHeld } = await import('./held-claims.ts');
  return excludeHeld(planned, held, dependencies);
}

export interface RevalidatedRequest {
  /** The claimed rows as planned. */
  readonly planned: PlannedRequest;
  readonly send: PlannedRequest;
  /** All rows that are not sent. */
  readonly excludedRows: readonly ExcludedRow[];
  readonly note: string | undefined;
  /** Holidays of the network right before the port's date. */
  readonly holidays: readonly CalendarDate[] | undefined;
  /** The account's day on which the rows were validated. */
  readonly day: CalendarDate;
}

/** What is sent once the write-ahead record is stored. */
export interface Attempt {
  /** The claimed rows as planned. */
  readonly planned: PlannedRequest;
  readonly send: PlannedRequest;
  /** The request as it is stored in the ledger. */
  readonly request: RequestItem;
  /** The account's day on which the rows were validated. */
  readonly day: CalendarDate;
}

/** Validates the claimed rows against a fresh catalogue. Makes lookups only. */
export async function revalidateRows(
  item: RequestItem,
  { request, excludedRows }: ClaimedRequest,
  submission: Submission,
  dependencies: SubmitDependencies,
): Promise<RevalidatedRequest | Finished> {
  const { clocks, validation } = dependencies;
  const day = todayOf(validation);
  const result = await revalidate(request, submission, dependencies);
  if (isPortingFailure(result)) return requeueMessage(item, result, dependencies);
  if ('rejection' in result) {
    const { code, message } = result.rejection;
    const lines = packLines(request.rows.map(({ line }) => line));
    if (result.sendOn !== undefined) {
      const schedule = { sendOn: result.sendOn, zone: validation.settings.zone, lines, excludedRows };
      return finishMessage(item, scheduleRequest(item, schedule, clocks.wall()), dependencies);
    }
    const seen = { ...item, excludedRows: excludedRows.length === 0 ? undefined : [...excludedRows] };
    return declineUnsent(item, { ...seen, lines }, { kind: code, message }, submission, dependencies);
  }
  const { send, note, holidays } = result;
  const all = [...excludedRows, ...(result.excludedRows ?? [])];
  if (send.rows.length > 0) return { planned: request, send, excludedRows: all, note, holidays, day };
  return finishMessage(item, skipRequest(item, all, clocks.wall()), dependencies);
}

async function revalidate(
  request: PlannedRequest,
  submission: Submission,
  { validation, findMove }: SubmitDependencies,
): Promise<Revalidation | PortingFailure> {
  const rejection = await checkMove(request, submission, findMove);
  if (rejection !== undefined) return { rejection };
  try {
    return await submission.revalidate(request, validation);
  } catch (error) {
    // Validation only makes lookups, so nothing was done, also where the service declines one.
    if (isPortingFailure(error)) return error;
    throw error;
  }
}

/** undefined: the request changes no port, or one that is not being moved. */
export async function checkMove(
  { head }: PlannedRequest,
  { makes }: Submission,
  findMove: FindMove,
): Promise<Finding | undefined> {
  if (makes !== 'change') return undefined;
  const move = await findMove(changeHead.parse(head).portId);
  if (move === undefined) return undefined;
  const message = `The import ${move} moves the port to another day: import the row again once it has done so`;
  return error('PORT_NOT_CHANGEABLE', message);
}
