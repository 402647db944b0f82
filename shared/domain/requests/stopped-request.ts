// The steps of a request that waits without a message: its import is stopped, or its date cannot be booked yet.

import { endUnsentParts } from '#shared/request/lines.ts';
import type { ExcludedRow, RequestItem } from '#shared/request/request.ts';
import { ended, planAgain, waitsForCancellation } from '#shared/request/request-state.ts';
import { type CalendarDate, instantOf } from '#shared/row/calendar-date.ts';
import { isoTime } from '../dates/iso-time.ts';
import { isStopped, stoppedError } from '../imports/stop.ts';

/**
 * A person stopped the import: the request waits without a message. It is checked again, because the reading of
 * the stop may be older than a command that followed it; each later command finds the request as it is then.
 */
export const stopRequest = (item: RequestItem, now: number): RequestItem => ({
  ...planAgain(item, now),
  error: stoppedError,
  ...(isStopped(item) && { dueAt: undefined }),
});

/** The import goes on, or its requests are to be ended: a message for the request is being sent. */
export const continueStopped = (item: RequestItem, now: number): RequestItem => ({
  ...planAgain(item, now),
  error: undefined,
  ...(waitsForCancellation(item) && { dueAt: isoTime(now) }),
});

/** The import was stopped for good: the request is never sent. @param lines of its rows, packed by `packLines` */
export function endStopped(item: RequestItem, lines: string, now: number): RequestItem {
  const { split } = item;
  if (split === undefined || split.accepted.length === 0)
    return ended({ ...item, state: 'skipped', lines, error: stoppedError }, now);
  return ended({ ...endUnsentParts(item, split), state: 'accepted', error: stoppedError }, now);
}

export interface Schedule {
  /** The first day on which the date of its port can be booked. */
  readonly sendOn: CalendarDate;
  /** The account's. */
  readonly zone: string;
  /** Of the rows that are sent then, packed by `packLines`. */
  readonly lines: string;
  readonly excludedRows: readonly ExcludedRow[];
}

/** A quarter past midnight: the clock of the service may be behind. */
const sendingHour = 0.25;

/** On this day also for a service that counts its days in UTC. */
const sendingTime = (day: CalendarDate, zone: string): number =>
  Math.max(instantOf(day, sendingHour, zone), instantOf(day, sendingHour, 'UTC'));

/** Due in calendar time. */
export const scheduleRequest = (
  item: RequestItem,
  { sendOn, zone, lines, excludedRows }: Schedule,
  now: number,
): RequestItem => ({
  ...planAgain(item, now),
  state: 'scheduled',
  error: undefined,
  sendOn,
  lines,
  excludedRows: excludedRows.length === 0 ? undefined : [...excludedRows],
  dueAt: isoTime(sendingTime(sendOn, zone)),
});
