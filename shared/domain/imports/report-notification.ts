// When report is notified about an import again although no change was reported.
import type { ImportItem } from '#shared/import/import.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** While an import changes, every sync run may notify. */
const leastWait = minute;
/** The results of an import in progress are never older than this. */
const mostWait = hour;
/** The services of completed ports are compared for a week: a day later nothing can change any more. */
const endedFor = 8 * day;

/** For an import that is released now. */
export const firstNotification = (now: number): number => now + leastWait;

/** For an import whose item cannot be read: report is notified at this interval. */
export const unreadableNotification = (now: number): number => now + mostWait;

/**
 * Wall time of the next notification, in epoch milliseconds: the wait equals the time without changes, so
 * notifications become rarer. undefined: the import ended so long ago that nothing can change.
 */
export function nextNotification({ state, changedAt }: Pick<ImportItem, 'state' | 'changedAt'>, now: number) {
  const quiet = Math.max(now - Date.parse(changedAt), leastWait);
  if (state !== 'finished' && state !== 'rejected') return now + Math.min(quiet, mostWait);
  return quiet > endedFor ? undefined : now + quiet;
}
