// Reads the first records of a file, and what the cells of its columns look like.

import { withFirst } from '#shared/text/first-bytes.ts';
import { truncate } from '#shared/text/wording.ts';
import { unguardFormula, writtenText } from './csv/csv-row.ts';
import type { RecordBatch } from './csv/record-batch.ts';

/** A column that is asked about once a cell of it has such a value, in whatever row. */
export interface WatchedColumn {
  readonly index: number;
  /** @param value not empty, and no placeholder */
  readonly asks: (value: string) => boolean;
}

// What the cells of a column look like, for messages about its header.

export type ValueKind = 'msisdn' | 'iccid' | 'pac' | 'date';

export const valueKinds: Readonly<Record<ValueKind, RegExp>> = {
  msisdn: /^'?(?:\+|00|0|44|33|7)[\d ().-]{8,16}$/,
  iccid: /^'?89[\d -]{16,24}F?$/i,
  pac: /^[A-Za-z]{3}[ -]?\d{3}[ -]?\d{3}$/,
  date: /^(?:\d{1,4}[/. -]\d{1,2}[/. -]\d{1,4}|auto)$/i,
};
/** An id of the service, or a number without words. */
const idOrNumber = /^'?(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\d ().+-]{6,})$/i;

/** Whether a cell of the header is a value, and no name: such a file has no header. Columns may be named by dates. */
export function isValue(cell: string): boolean {
  const text = cell.trim();
  const { iccid, pac, date } = valueKinds;
  return [idOrNumber, iccid, pac].some((kind) => kind.test(text)) && !date.test(text);
}

/** Most of the values, because a column may have a few errors. */
const enough = 0.8;

/** ` (values like 99/99/9999)`; empty where no sample has a value. */
export function describeValues(samples: readonly (readonly string[])[], index: number): string {
  const values = valuesOf(samples, index);
  if (values.length === 0) return samples.length === 0 ? '' : ' (no values)';
  const counts = new Map<string, number>();
  for (const value of values) counts.set(shapeOf(value), (counts.get(shapeOf(value)) ?? 0) + 1);
  const [usual] = [...counts].reduce((most, next) => (next[1] > most[1] ? next : most));
  return ` (values like ${usual})`;
}

/** Whether most values of a column are of the kind that a column of the operation has. */
export function hasValuesOf(
  { valueKind, isDate }: { readonly valueKind?: ValueKind; readonly isDate?: boolean },
  samples: readonly (readonly string[])[],
  index: number,
): boolean {
  const kind = valueKind ?? (isDate ? 'date' : undefined);
  const values = valuesOf(samples, index);
  if (kind === undefined || values.length === 0) return false;
  return values.filter((value) => valueKinds[kind].test(value)).length >= enough * values.length;
}

/** Without empty cells and placeholders. */
export const valuesOf = (samples: readonly (readonly string[])[], index: number): string[] =>
  samples.map((cells) => (cells[index] ?? '').trim()).filter((value) => value !== '' && !isPlaceholder(value));

/** `N/A`, `-`, `–` and `—`. */
const placeholder = /^(?:n\/a|[-\u2013\u2014]+)$/i;
const longestPlaceholder = 4;

/** A text for an empty cell. */
export const isPlaceholder = (text: string): boolean => text.length <= longestPlaceholder && placeholder.test(text);

const shapeOf = (value: string): string =>
  truncate(
    value
      .replace(/\d/g, '9')
      .replace(/\p{Lu}/gu, 'A')
      .replace(/\p{L}/gu, (letter) => (letter === 'A' ? 'A' : 'a')),
    24,
  );

// Reads the first batch of a file before the others, without losing it.

/** Rows that decide what the columns of a file are. */
export const sampledRows = 50;

/** The first records of a batch without the apostrophe that guards a formula. @param most @default all */
export const recordsOf = (batch: RecordBatch | undefined, most?: number): readonly (readonly string[])[] =>
  batch?.lines.slice(0, most).map((_, record) => batch.cellsOf(record).map(unguardFormula)) ?? [];

/** The rows that show what the columns of a file are: those that have as many cells as the header. */
export const samplesOf = (batch: RecordBatch | undefined): readonly (readonly string[])[] =>
  batch?.lines
    .flatMap((_, record) => (batch.rejected.has(record) ? [] : [record]))
    .slice(0, sampledRows)
    .map((record) => batch.cellsOf(record).map(writtenText)) ?? [];

export async function peekBatch(batches: AsyncIterable<RecordBatch>) {
  const iterator = batches[Symbol.asyncIterator]();
  const next = await iterator.next();
  const first: RecordBatch | undefined = next.done ? undefined : next.value;
  return { first, batches: withFirst(first, iterator) };
}

/** The first record that asks about one of these columns. Their cells are read alone: most have nothing to ask. */
export function findRecordThatAsks(
  { lines, rejected, cellAt, cellsOf }: RecordBatch,
  watched: readonly WatchedColumn[],
): readonly string[] | undefined {
  if (watched.length === 0) return undefined;
  const asksIn = (record: number) =>
    watched.some(({ index, asks }) => {
      const cell = cellAt(record, index);
      const value = cell === '' ? '' : writtenText(cell);
      return value !== '' && !isPlaceholder(value) && asks(value);
    });
  const found = lines.findIndex((_, record) => !rejected.has(record) && asksIn(record));
  return found < 0 ? undefined : cellsOf(found).map(writtenText);
}
