// Until when ingest works on an import. A message of a function that crashed is hidden for up to 90 minutes: sync
// announces the upload again before.
import { isoTime } from '../dates/iso-time.ts';
import type { ImportItem } from '../requests/ledger.ts';

/** A message that is sent again is delayed for a minute. With a longer delay there are two, which is harmless. */
const redeliveryMs = 5 * 60_000;

/** @param end wall time at which the invocation ends, in epoch milliseconds */
export const attemptUntil = (end: number): string => isoTime(end + redeliveryMs);

/** Whether an import may be planned, or its plan released. */
const isUnfinished = ({ state, planOnly, approvedAt }: ImportItem): boolean =>
  state === 'planning' || (state === 'planned' && (!planOnly || approvedAt !== undefined));

/**
 * Whether no message works on the import any more. An import that reschedules ports is announced by a command, not by
 * its upload.
 */
export function isStuck(item: ImportItem, now: number): boolean {
  if (!isUnfinished(item) || item.reschedules !== undefined) return false;
  return now > Date.parse(item.attemptUntil ?? item.receivedAt);
}
