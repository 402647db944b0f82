// Accepted settings of SIMs that are read back: a row is complete once its SIM shows what the row requested.
import type { ReadBack, RequestItem } from '#shared/request/request.ts';
import { isoTime } from '../dates/iso-time.ts';
import { packLines, unpackLines } from '../imports/packed-lines.ts';

/** How long after the call, in calendar time, a SIM with other services counts as not set yet. */
export const quietPeriodMs = 60 * 60_000;

/** The rows that one run of sync read, by what their SIMs showed. */
export interface Readings {
  readonly equal: readonly number[];
  readonly differing: readonly number[];
  readonly unread: readonly number[];
}

/** The lines that the service accepted, in all parts of the request. */
export const acceptedLines = ({ lines = '', state, split }: RequestItem): number[] =>
  [...(split?.accepted.map((part) => part.lines) ?? []), ...(state === 'accepted' ? [lines] : [])]
    .flatMap(unpackLines)
    .sort((one, other) => one - other);

export const waitForReadBack = (lines: readonly number[]): ReadBack => ({
  waiting: packLines(lines),
  differing: '',
  unread: '',
});

/** A difference counts only after the quiet period: the service describes no time by which it has set a service. */
export const isQuiet = ({ submittedAt }: RequestItem, calendarNow: number): boolean =>
  submittedAt !== undefined && calendarNow < Date.parse(submittedAt) + quietPeriodMs;

/** The request after some of its SIMs were read. It ends with the last row that waits. */
export function recordReadings(
  item: RequestItem,
  readBack: ReadBack,
  { equal, differing, unread }: Readings,
  times: { readonly wall: number; readonly calendar: number },
): RequestItem {
  const waiting = new Set(unpackLines(readBack.waiting));
  // A row keeps what is known of it while its SIM cannot be read.
  const stillUnread = unread.filter((line) => waiting.has(line));
  const read = new Set([...equal, ...differing, ...stillUnread]);
  const withLines = (packed: string, added: readonly number[]) =>
    packLines([...unpackLines(packed).filter((line) => !read.has(line)), ...added].sort((one, other) => one - other));
  const next = {
    waiting: withLines(readBack.waiting, []),
    differing: withLines(readBack.differing, differing),
    unread: withLines(readBack.unread, stillUnread),
  };
  const endedAt = next.waiting === '' ? (item.endedAt ?? isoTime(times.calendar)) : undefined;
  return { ...item, readBack: next, endedAt, changedAt: isoTime(times.wall) };
}
