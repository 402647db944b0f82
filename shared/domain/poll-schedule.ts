// When a port is worth another look. Asking costs a call, not asking costs the customer's patience.
import { type CalendarDate, dateInZone, daysBetween, instantOf } from './calendar-date.ts';
import { cutOff } from './cut-off.ts';
import { portStatus } from './lifecycle.ts';
import { asTimeZone, type TimeZone } from './time-zone.ts';

export interface PortToWatch {
  readonly statusName: string;
  readonly connectionDate: CalendarDate;
  /** Calendar time now, epoch milliseconds. */
  readonly now: number;
  /** When the port last changed, or when we last did something to it; epoch milliseconds. */
  readonly lastChange: number;
  /** The account's; a name will do for one look, a `TimeZone` saves its preparation for many. */
  readonly zone: TimeZone | string;
  /** The hour of the account's day from which on the service locks the ports of the next working day. @default 16 */
  readonly lockingHour?: number | undefined;
}

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** From the hour at which the service begins to lock ports: by then it will have locked them all. */
const lockingTakes = 2 * hour;
/** The hour of the port date from which on numbers move; one that moves earlier is seen then. */
const portingHour = 8;
/** Days from the evening of the lock to the port date at most: Friday to Monday. */
const farthestLock = 3;
/** In days, the longest time without a look. */
const longestWait = 4;

/**
 * Calendar time, in epoch milliseconds, of the next look: at least a minute and at most four days from now; null where the
 * port is at its end. Dense after a change and on the port date, sparse while it waits: docs/data.md lists the looks of a
 * port's life.
 */
export function nextLook(watched: PortToWatch): number | null {
  const status = portStatus(watched.statusName);
  if (status.terminal) return null;
  const port = { ...watched, zone: asTimeZone(watched.zone) };
  const daysLeft = daysBetween(dateInZone(port.now, port.zone), port.connectionDate);
  const wait = Math.min(Math.max(waitFor(status.key, port, daysLeft), minute), longestWait * day);
  return Math.min(port.now + wait, nextLandmark(port, daysLeft));
}

function waitFor(key: string, port: PortToWatch, daysLeft: number): number {
  // Everything has a day to happen in (spec); what has not ended by then waits for somebody.
  if (daysLeft < -1) return inProportion(port, 1, hour, 12 * hour);
  switch (key) {
    case 'created':
    case 'networkvalidating':
      return inProportion(port, 1, minute, hour);
    case 'paccheckfailed':
    case 'networkrejected':
      return inProportion(port, 1, 2 * minute, 6 * hour);
    case 'submitted':
      return daysLeft > 0 ? inProportion(port, 7, 15 * minute, day) : hour;
    case 'locked':
      return daysLeft > 0 ? longestWait * day : hour;
    case 'ported':
    case 'createra':
    case 'awaitingra':
    case 'createconfiguration':
    case 'awaitingconfiguration':
      return hour;
    default:
      return inProportion(port, 1, 10 * minute, 6 * hour);
  }
}

/** So many times as long as since the last change: soon after it news is likely, later less and less. */
const inProportion = ({ now, lastChange }: PortToWatch, times: number, least: number, most: number): number =>
  Math.min(Math.max((now - lastChange) * times, least), most);

/** The next moment at which something is due to happen, however sparse the looks are: the lock, the move of the numbers. */
function nextLandmark({ now, connectionDate, zone, lockingHour }: PortToWatch, daysLeft: number): number {
  // None can come within the time that a look is away at most.
  if (daysLeft > farthestLock + longestWait || daysLeft < 0) return Number.POSITIVE_INFINITY;
  const landmarks = [
    cutOff(connectionDate, zone, lockingHour) + lockingTakes,
    instantOf(connectionDate, portingHour, zone),
  ];
  return landmarks.find((landmark) => landmark >= now + minute) ?? Number.POSITIVE_INFINITY;
}
