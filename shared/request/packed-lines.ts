// The rows of a request, by their lines: packed, and divided into parts.

import { mostParts, partNumber } from '#shared/text/identity.ts';
import type { ExcludedRow, RequestItem } from './request.ts';

// Line numbers in a short, readable form: `2-5,8,11-40`.

/** Packs line numbers in their order; only consecutive numbers are joined. */
export function packLines(lines: readonly number[]): string {
  let packed = '';
  let first = 0;
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] as number;
    if (lines[index + 1] === line + 1) continue;
    const start = lines[first] as number;
    if (first > 0) packed += ',';
    packed += start === line ? line : `${start}-${line}`;
    first = index + 1;
  }
  return packed;
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

/** A number for each line, which takes four bytes of memory; 0 where there is none. */
export class NumberOfLine {
  #numbers = new Uint32Array(1024);

  get(line: number): number {
    return this.#numbers[line] ?? 0;
  }

  set(line: number, number: number): void {
    if (line >= this.#numbers.length) {
      const larger = new Uint32Array(Math.max(line + 1, this.#numbers.length * 2));
      larger.set(this.#numbers);
      this.#numbers = larger;
    }
    this.#numbers[line] = number;
  }

  /** By line, also of lines without a number. */
  entries(): Iterable<readonly [line: number, number: number]> {
    return this.#numbers.entries();
  }
}

// A declined request is divided: it has ended, and its rows are sent again in parts (docs/decisions/0037). Each part is
// a request of its own, with its own attempts, answer and resolution.

/** At most `mostParts`, of nearly equal size. */
export function divideLines(lines: readonly number[]): string[] {
  const parts = Math.min(mostParts, lines.length);
  const startOf = (place: number) => Math.ceil((place * lines.length) / parts);
  return Array.from({ length: parts }, (_, place) => packLines(lines.slice(startOf(place), startOf(place + 1))));
}

/** The requests in which the rows of a divided one are sent again: the same whenever they are derived. */
export const partsOf = ({ parts = [], ...divided }: RequestItem): RequestItem[] =>
  parts.map((part, index) => ({
    account: divided.account,
    importId: divided.importId,
    request: partNumber(divided.request, index + 1),
    operation: divided.operation,
    state: 'planned',
    label: divided.label,
    token: divided.token,
    rowCount: unpackLines(part).length,
    plan: divided.plan,
    part,
    lines: part,
    attempt: 0,
    revision: 0,
    changedAt: divided.changedAt,
    expiresAt: divided.expiresAt,
  }));

/** The number of the part that has the line; undefined where the request was not divided, or had ended with the row. */
export function partWithLine({ request, parts = [] }: RequestItem, line: number): number | undefined {
  const index = parts.findIndex((part) => unpackLines(part).includes(line));
  return index < 0 ? undefined : partNumber(request, index + 1);
}

export const excludeRows = (item: RequestItem, rows: readonly ExcludedRow[]): RequestItem => ({
  ...item,
  excludedRows: [...(item.excludedRows ?? []), ...rows],
});

/** How many rows end with this request: those of a divided one end with its parts, except those that were named. */
export const ownRows = ({ parts, excludedRows = [], rowCount }: RequestItem): number =>
  parts === undefined ? rowCount : excludedRows.length;

/** Rows that an action is about. */
export const openRows = ({ rowCount, excludedRows = [] }: RequestItem): number => rowCount - excludedRows.length;
