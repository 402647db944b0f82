// When sync reads a port again.

import { portStatus } from '#shared/port/port-status.ts';
import { type CalendarDate, dateInZone, daysBetween, instantOf } from '#shared/row/calendar-date.ts';
import { cancellationDeadline } from '../dates/cancellation-deadline.ts';
import { longestPollDays, overdueInterval, waitMs } from './poll-intervals.ts';

export interface PolledPort {
  readonly statusName: string;
  readonly connectionDate: CalendarDate;
  /** Calendar time now, epoch milliseconds. */
  readonly now: number;
  /** When the port last changed, or when we last changed it; epoch milliseconds. */
  readonly lastChange: number;
  /** The account's. */
  readonly zone: string;
  /** The hour of the account's day from which the service locks the ports of the next working day. @default 16 */
  readonly lockingHour?: number | undefined;
}

const minute = 60_000;
const hour = 60 * minute;

/** Two hours after the locking hour, the service has locked every port. */
const lockingTakes = 2 * hour;
/** Numbers move from this hour of the port date on. */
const portingHour = 8;
/** Days from a lock to its port date at most: Friday to Monday. */
const longestLockDays = 3;

/**
 * Calendar time of the next read in epoch milliseconds, from one minute to four days from now; null for a port that has
 * ended. docs/contributing/pipeline.md lists the reads in the life of a port.
 */
export function nextPoll(port: PolledPort): number | null {
  const { poll } = portStatus(port.statusName);
  if (poll === null) return null;
  const daysLeft = daysBetween(dateInZone(port.now, port.zone), port.connectionDate);
  const ofDate = daysLeft > 0 ? poll.beforePortDate : poll.fromPortDate;
  const wait = waitMs(daysLeft < -1 ? overdueInterval : ofDate, port.now - port.lastChange);
  return Math.min(port.now + wait, nextLandmark(port, daysLeft));
}

/** The next time at which a change is expected, whatever the interval: the lock, and the morning of the port date. */
function nextLandmark({ now, connectionDate, zone, lockingHour }: PolledPort, daysLeft: number): number {
  // Both landmarks are past, or further away than the longest interval.
  if (daysLeft > longestLockDays + longestPollDays || daysLeft < 0) return Number.POSITIVE_INFINITY;
  const landmarks = [
    cancellationDeadline(connectionDate, zone, lockingHour) + lockingTakes,
    instantOf(connectionDate, portingHour, zone),
  ];
  return landmarks.find((landmark) => landmark >= now + minute) ?? Number.POSITIVE_INFINITY;
}
