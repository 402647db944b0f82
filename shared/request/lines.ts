// A declined request that is sent again in halves, because the service named no row (docs/decisions/0037). Its parts
// are sent one after the other, so that the write-ahead record of the request always covers the one call in flight.

import { packLines, unpackLines } from '#shared/domain/imports/packed-lines.ts';
import type { ExcludedRow, RequestItem, Split } from './request.ts';

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
