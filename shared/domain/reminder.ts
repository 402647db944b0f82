// When report is to be told of an import once more, though nobody said that anything changed.
import type { ImportItem } from './ledger.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** While something changes, every run of sync may remind. */
const leastWait = minute;
/** An import that goes on is never behind for longer. */
const mostWait = hour;
/** The services of completed ports are compared for a week; a day later there is nothing left that could change. */
const endedFor = 8 * day;

/** Of an import that is released now. */
export const firstReminder = (now: number): number => now + leastWait;

/** Of an import whose item cannot be read: so often is it named to people. */
export const unreadableReminder = (now: number): number => now + mostWait;

/**
 * Wall time, in epoch milliseconds, of the next reminder: in as long as nothing has changed by now, so that they become
 * fewer. undefined: the import ended so long ago that nothing can follow.
 */
export function nextReminder({ state, changedAt }: Pick<ImportItem, 'state' | 'changedAt'>, now: number) {
  const quiet = Math.max(now - Date.parse(changedAt), leastWait);
  if (state !== 'completed' && state !== 'refused') return now + Math.min(quiet, mostWait);
  return quiet > endedFor ? undefined : now + quiet;
}
