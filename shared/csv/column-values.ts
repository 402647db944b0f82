// What the cells of a column look like, for messages about its header.
import { truncate } from '#shared/domain/text/truncate.ts';

export type ValueKind = 'msisdn' | 'iccid' | 'pac' | 'date';

export const valueKinds: Readonly<Record<ValueKind, RegExp>> = {
  msisdn: /^'?(?:\+|00|0|44|33|7)[\d ().-]{8,16}$/,
  iccid: /^'?89[\d -]{16,24}F?$/i,
  pac: /^[A-Za-z]{3}[ -]?\d{3}[ -]?\d{3}$/,
  date: /^(?:\d{1,4}[/. -]\d{1,2}[/. -]\d{1,4}|auto)$/i,
};
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
  { canonicalFormat, isDate }: { readonly canonicalFormat?: ValueKind; readonly isDate?: boolean },
  samples: readonly (readonly string[])[],
  index: number,
): boolean {
  const kind = canonicalFormat ?? (isDate ? 'date' : undefined);
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
