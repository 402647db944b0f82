// Written before the connection opens: what is sent, and until when the attempt owns the request.

import type { CalendarDate } from '#shared/domain/dates/calendar-date.ts';
import { packLines } from '#shared/domain/imports/packed-lines.ts';
import type { PlannedRequest } from '#shared/domain/imports/plan.ts';
import type { RequestItem } from '#shared/domain/requests/ledger.ts';
import { slotPatienceMs } from '#shared/domain/requests/rate-limit.ts';
import { startAttempt } from '#shared/domain/requests/request-state.ts';
import { moveRequest } from '#shared/ledger/move-request.ts';
import { DeadlineExceeded, timeNeeded } from '#shared/runtime/deadline.ts';
import type { SubmitDependencies } from './dependencies.ts';
import type { Finished } from './finish-message.ts';
import { checkRateLimit } from './rate-limit-gate.ts';
import { requeueMessage } from './requeue-message.ts';
import type { RevalidatedRequest } from './revalidate-rows.ts';

export interface Attempt {
  /** The claimed rows as planned. */
  readonly planned: PlannedRequest;
  readonly send: PlannedRequest;
  /** The request as it is stored in the ledger. */
  readonly request: RequestItem;
  /** The account's day on which the rows were validated. */
  readonly day: CalendarDate;
}

/**
 * Writes the record, so that the one call may be made next.
 * @throws DeadlineExceeded when too little time is left to make the call and to record its answer
 */
export async function writeAheadRecord(
  item: RequestItem,
  { planned, send, excludedRows, note, holidays, day }: RevalidatedRequest,
  dependencies: SubmitDependencies,
): Promise<Attempt | Finished> {
  const { clocks, deadline, settings } = dependencies;
  // Waits for the rate limiter before the lease starts; another request of the batch may still take the slot.
  const closed = await checkRateLimit(dependencies);
  if (closed !== undefined) return requeueMessage(item, closed, dependencies);
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
