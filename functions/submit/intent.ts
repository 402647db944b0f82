// Written down before the socket opens: what is sent, and until when the attempt owns the request.
import type { CalendarDate } from '#shared/domain/calendar-date.ts';
import type { RequestItem } from '#shared/domain/ledger.ts';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import { intended, withNextRevision } from '#shared/domain/request-state.ts';
import { countStep } from './count-step.ts';
import { heldBack } from './held-back.ts';
import type { Left } from './leave.ts';
import { linesOf } from './lines-of.ts';
import { OutOfTime, recordingMs } from './out-of-time.ts';
import type { SubmitParts } from './parts.ts';
import { postpone } from './postpone.ts';
import type { Judged } from './recheck.ts';

export interface Intended {
  readonly send: PlannedRequest;
  /** As it stands in the ledger. */
  readonly intent: RequestItem;
  /** The account's day on which the request was judged. */
  readonly day: CalendarDate;
}

/**
 * Writes the intent, so that the one call may be made next.
 * @throws OutOfTime when too little time is left to make the call and to record it
 */
export async function writeIntent(item: RequestItem, judged: Judged, parts: SubmitParts): Promise<Intended | Left> {
  const { clocks, requests, settings } = parts;
  const { send, withdrawn, note, holidays, day } = judged;
  // In line before the intent, so that the lease is not spent on waiting.
  const closed = await heldBack(parts);
  if (closed !== undefined) return postpone(item, closed, parts);
  if (parts.remainingMs() < settings.callTimeoutMs + recordingMs)
    throw new OutOfTime('too little time for one more call');
  const intent = intended(item, {
    lines: linesOf(send),
    withdrawn,
    note,
    holidays,
    now: clocks.wall(),
    leaseMs: settings.leaseMs,
    quietMs: settings.quietMs,
  });
  // Whoever loses this race has not called, and must not: the winner is about to (fault 28).
  if (!(await requests.replace(item, intent))) return { left: 'not-mine' };
  countStep(item, intent, parts.metrics);
  return { send, day, intent: withNextRevision(item, intent) };
}
