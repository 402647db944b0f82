// Validates the rows again on the day of the call: a file may have waited past midnight.
import type { CalendarDate } from '#shared/domain/dates/calendar-date.ts';
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import type { ExcludedRow, RequestItem } from '#shared/domain/requests/ledger.ts';
import { skipRequest } from '#shared/domain/requests/request-state.ts';
import { todayOf } from '#shared/operations/kit/connection-date.ts';
import type { Revalidation, Submission } from '#shared/operations/kit/operation.ts';
import { isDecline, isPortingFailure, type PortingFailure } from '#shared/porting/errors.ts';
import { checkMove } from './check-move.ts';
import type { ClaimedRequest } from './claim-rows.ts';
import type { SubmitDependencies } from './dependencies.ts';
import { declineUnsent, type Finished, finishMessage } from './finish-message.ts';
import { requeueMessage } from './requeue-message.ts';

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
    // Validation only makes lookups, so nothing was done.
    if (isPortingFailure(error) && !isDecline(error)) return error;
    throw error;
  }
}
