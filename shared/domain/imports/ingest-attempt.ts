// Until when ingest works on an import. It renews this time while it works: the message of a function that crashed is
// hidden for up to 90 minutes, and sync announces the upload again long before.
import type { ImportItem } from '#shared/import/import.ts';
import { isoTime } from '../dates/iso-time.ts';
import { longestDelayMs } from '../longest-delay.ts';
import { mayBeSent } from './may-be-sent.ts';

/** How long an attempt that is not renewed may still be under way. A repeated attempt does nothing twice. */
const leaseMs = 5 * 60_000;
export const renewalMs = 60_000;
/** Fewer renewals can be missed while the attempt goes on. */
const missedRenewals = 2;

/** @param end wall time up to which it is certain that ingest works on the import, in epoch milliseconds */
export const attemptUntil = (end: number): string => isoTime(end + leaseMs);

/** The attempt ended, and its message is delivered again after a delay. */
export const nextAttemptUntil = (now: number): string => attemptUntil(now + longestDelayMs);

/** Whether an import may be planned, or its plan released. */
const isUnfinished = (item: ImportItem): boolean =>
  item.state === 'planning' || (item.state === 'planned' && mayBeSent(item));

/** An import that reschedules or adopts ports is announced by a command, not by its upload. */
const untilOf = (item: ImportItem): number | undefined =>
  isUnfinished(item) && item.reschedules === undefined && item.adoptedPort === undefined
    ? Date.parse(item.attemptUntil ?? item.receivedAt)
    : undefined;

/** Whether no message works on the import any more. */
export const isStuck = (item: ImportItem, now: number): boolean => now > (untilOf(item) ?? now);

/** When the next run of sync announces the upload of an interrupted attempt again; undefined where none is. */
export function redeliveryAfter(item: ImportItem, now: number): string | undefined {
  const until = untilOf(item);
  const isInterrupted = until !== undefined && until - now < leaseMs - missedRenewals * renewalMs;
  return isInterrupted ? isoTime(until) : undefined;
}
