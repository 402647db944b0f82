// The write units that DynamoDB charges for a write, computed from the item before and after it: one per started KB,
// two in a transaction, and one per started KB for each index entry that is added, changed or removed.
import type { Item } from '../in-memory/expression.ts';

const indexKeys = [
  ['dueQueue', 'dueAt'],
  ['listed', 'listedAt'],
] as const;

/** Index entries cost the same in a transaction as alone. */
export function unitsOf(before: Item | undefined, after: Item | undefined, write: 'alone' | 'in-transaction'): number {
  const item = Math.max(kilobytes(before), kilobytes(after)) * (write === 'in-transaction' ? 2 : 1);
  return indexKeys.reduce((units, keys) => units + unitsOfIndex(before, after, keys), item);
}

function unitsOfIndex(before: Item | undefined, after: Item | undefined, keys: readonly string[]): number {
  const entryKey = (item: Item | undefined): string | undefined => {
    const values = keys.map((key) => item?.[key]);
    return values.includes(undefined) ? undefined : values.join('\u0000');
  };
  const [was, is] = [entryKey(before), entryKey(after)];
  if (was === is) return is === undefined ? 0 : Math.max(kilobytes(before), kilobytes(after));
  return (was === undefined ? 0 : kilobytes(before)) + (is === undefined ? 0 : kilobytes(after));
}

const kilobytes = (item: Item | undefined): number => (item === undefined ? 0 : Math.ceil(bytesOf(item) / 1024));

/** As DynamoDB counts: names and strings by length, numbers by half their digits, lists and maps by their contents. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(value).length / 2) + 1;
  if (Array.isArray(value)) return 3 + value.reduce<number>((sum, one) => sum + 1 + bytesOf(one), 0);
  if (typeof value !== 'object' || value === null) return 1;
  return 3 + Object.entries(value).reduce((sum, [name, one]) => sum + name.length + 1 + bytesOf(one), 0);
}
