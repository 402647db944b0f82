// The rows of a request, by their lines: packed, sent in parts, accepted and read back.

import { isoTime } from '#shared/text/wording.ts';
import type { ExcludedRow, ReadBack, RequestItem, Split } from './request.ts';

// Line numbers in a short, readable form: `2-5,8,11-40`.

/** Packs line numbers in their order; only consecutive numbers are joined. */
export function packLines(lines: readonly number[]): string {
  const runs: string[] = [];
  let first = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as number;
    if (lines[index + 1] === line + 1) continue;
    const start = lines[first] as number;
    runs.push(start === line ? String(line) : `${start}-${line}`);
    first = index + 1;
  }
  return runs.join(',');
}

/**
 * The line numbers that `packLines` packed, in their order.
 * @throws Error for any other text
 */
export function unpackLines(packed: string): number[] {
  if (packed === '') return [];
  return packed.split(',').flatMap((run) => {
    const [, start, end = start] = /^(\d+)(?:-(\d+))?$/.exec(run) ?? [];
    if (start === undefined) throw new Error(`expected line numbers such as 2-5,8, got ${JSON.stringify(run)}`);
    return Array.from({ length: Number(end) - Number(start) + 1 }, (_, step) => Number(start) + step);
  });
}

// A declined request that is sent again in halves, because the service named no row (docs/decisions/0037). Its parts
// are sent one after the other, so that the write-ahead record of the request always covers the one call in flight.

/**
 * Whether a part with this many rows may be sent again in smaller parts: a request takes at most four times log2 of its
 * rows such steps (28 for 100 rows), which find about four declined rows. Each makes at most two more calls.
 */
export const maySplit = ({ split, rowCount }: RequestItem, rows: number): boolean =>
  rows > 1 && (split?.steps ?? 0) < 4 * Math.ceil(Math.log2(rowCount));

/** Whether the row may be sent now; all rows of a request that was not split. */
export function partFilter({ split }: RequestItem): (row: { readonly line: number }) => boolean {
  const lines = split && new Set(unpackLines(split.current));
  return ({ line }) => lines === undefined || lines.has(line);
}

/** Counts the step. The rows of the last call are sent again: in halves, the first one next, or as one part. */
export function sendAgain(item: RequestItem, parts: 1 | 2): RequestItem {
  const { steps = 0, waiting = [], accepted = [] } = item.split ?? {};
  const sent = unpackLines(item.lines ?? '');
  const size = Math.ceil(sent.length / parts);
  const others = parts === 1 ? waiting : [packLines(sent.slice(size)), ...waiting];
  return { ...item, split: { steps: steps + 1, current: packLines(sent.slice(0, size)), waiting: others, accepted } };
}

export const excludeRows = (item: RequestItem, rows: readonly ExcludedRow[]): RequestItem => ({
  ...item,
  excludedRows: [...(item.excludedRows ?? []), ...rows],
});

/**
 * The part that was sent has ended, and the next one is sent. After the last one the request has the lines and the
 * ticket of the last accepted part, if any part was accepted.
 * @param ticket absent where the part was declined
 */
export function endPart(item: RequestItem, split: Split, ticket?: string): RequestItem {
  const [current, ...waiting] = split.waiting;
  const accepted = ticket === undefined ? split.accepted : [...split.accepted, { lines: item.lines ?? '', ticket }];
  if (current === undefined)
    return { ...item, ...accepted.at(-1), split: { ...split, accepted: accepted.slice(0, -1) } };
  // An attempt of unknown outcome was of the part that ended: every call with rows of the next one was declined.
  return { ...item, hasUnknownAttempt: undefined, split: { ...split, current, waiting, accepted } };
}

/** Its parts that were not sent never will be. The lines and the ticket are those of the last accepted part. */
export function endUnsentParts(item: RequestItem, split: Split): RequestItem {
  const waiting = [split.current, ...split.waiting];
  return {
    ...item,
    ...split.accepted.at(-1),
    split: { ...split, current: '', waiting, accepted: split.accepted.slice(0, -1) },
  };
}

/** Rows that an action is about: without those of accepted parts. */
export const openRows = (item: RequestItem): number => item.rowCount - countParts(item).accepted;

/** How many rows are in accepted parts, and in parts that were not sent yet, beside those of the last call. */
export function countParts({ split }: RequestItem): { readonly accepted: number; readonly waiting: number } {
  const rowsOf = (parts: readonly string[] = []) => parts.reduce((sum, lines) => sum + unpackLines(lines).length, 0);
  return { accepted: rowsOf(split?.accepted.map(({ lines }) => lines)), waiting: rowsOf(split?.waiting) };
}

// Accepted settings of SIMs that are read back: a row is complete once its SIM shows what the row requested.

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
