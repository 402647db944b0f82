// The write units that DynamoDB would charge for what is written to the twin of the table: a unit for each KB begun of an
// item, twice that in a transaction, and the same again for each index in which it stands, or from which it moves.
import type { Item } from '../test/support/twin-expression.ts';

const indexKeys = [
  ['dueQueue', 'dueAt'],
  ['listed', 'listedAt'],
] as const;

/** @param transacts whether the write is part of a transaction, for which the indexes are charged no more than otherwise */
export function unitsOf(before: Item | undefined, after: Item | undefined, transacts: boolean): number {
  const item = Math.max(kilobytes(before), kilobytes(after)) * (transacts ? 2 : 1);
  return indexKeys.reduce((units, keys) => units + unitsOfIndex(before, after, keys), item);
}

function unitsOfIndex(before: Item | undefined, after: Item | undefined, keys: readonly string[]): number {
  const place = (item: Item | undefined): string | undefined => {
    const values = keys.map((key) => item?.[key]);
    return values.includes(undefined) ? undefined : values.join('\u0000');
  };
  const [was, is] = [place(before), place(after)];
  if (was === is) return is === undefined ? 0 : Math.max(kilobytes(before), kilobytes(after));
  return (was === undefined ? 0 : kilobytes(before)) + (is === undefined ? 0 : kilobytes(after));
}

const kilobytes = (item: Item | undefined): number => (item === undefined ? 0 : Math.ceil(bytesOf(item) / 1024));

/** As DynamoDB counts them: names and texts by their length, a number by half its digits, lists and maps by what they hold. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return 3 + value.reduce<number>((sum, one) => sum + 1 + bytesOf(one), 0);
  if (typeof value !== 'object' || value === null) return 1;
  return 3 + Object.entries(value).reduce((sum, [name, one]) => sum + name.length + 1 + bytesOf(one), 0);
}
