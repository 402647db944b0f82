// When sync reads a port again.
import { cancellationDeadline } from '#shared/row/booking-window.ts';
import { type CalendarDate, dateInZone, daysBetween, instantOf } from '#shared/row/calendar-date.ts';
import { longestPollDays, overdueInterval, portStatus, waitMs } from './port-status.ts';

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

// Which calls a sync run makes: a page of the port list shows 50 ports in one call, a direct read shows one port.

/** List Ports returns at most 50 ports a page (spec, Limits). */
export const pageSize = 50;

/** Up to this many ports are read directly, without finding out how long the list is. */
const fewPorts = 2;

/** Pages that are read to estimate how many due ports a page has, if not all due ports are known. */
const sampledPages = 20;

export interface ListProgress {
  /** Ports that are known to be due, and not read yet. */
  readonly remaining: number;
  /** Pages that are not read yet; undefined before the first page has shown how many there are. */
  readonly pagesLeft: number | undefined;
  /** Pages that were read, and the due ports that they showed. @default - all ports that are due are known */
  readonly sample?: { readonly pages: number; readonly ports: number } | undefined;
}

/**
 * Whether to read another page, or each remaining port by itself: whichever shows more due ports in a call. At most
 * `min(pages left, ports remaining)` calls follow, so a run makes at most min(pages, due) + changed + 2 calls,
 * and 20 more where not all due ports are known.
 */
export function nextCall({ remaining, pagesLeft, sample }: ListProgress): 'page' | 'direct' | 'done' {
  if (pagesLeft === undefined && remaining > fewPorts) return 'page';
  if (pagesLeft !== undefined && pagesLeft > 0 && pagesLeft < dueOn(pagesLeft, remaining, sample)) return 'page';
  return remaining === 0 ? 'done' : 'direct';
}

/** How many due ports these pages are expected to show. */
function dueOn(pages: number, known: number, sample: ListProgress['sample']): number {
  if (sample === undefined) return known;
  return sample.pages < sampledPages
    ? Number.POSITIVE_INFINITY
    : Math.max(known, (pages * sample.ports) / sample.pages);
}

/** How often sync runs (infra/derived-settings.ts): each run starts at another page. */
const stepMs = 5 * 60_000;
const goldenRatio = (Math.sqrt(5) - 1) / 2;

/**
 * The page to read after the first one; reading goes on from there to the last page, and then from page 2. A run that
 * ends early leaves pages unread: if every run started at page 2, it would never read the same ports. Multiples of
 * the golden ratio always fall into the largest gap (fault 49).
 */
export function secondPage(totalPages: number, wallMs: number): number {
  const fraction = (Math.floor(wallMs / stepMs) * goldenRatio) % 1;
  return 2 + Math.floor(fraction * (totalPages - 1));
}

/** The page after `page`, starting over at the end of the list; the first page is never read twice. */
export const pageAfter = (page: number, totalPages: number): number => (page >= totalPages ? 2 : page + 1);

/** The numbers of this many pages, beginning with `page`. */
export function pagesFrom(page: number, count: number, totalPages: number): number[] {
  const pages = [page];
  for (let next = page; pages.length < count; pages.push(next)) next = pageAfter(next, totalPages);
  return pages;
}
