// The write units that DynamoDB charges for a write, computed from the item before and after it: one per started KB,
// two in a transaction, and one per started KB for each index entry that is added, changed or removed.
import { isDeepStrictEqual } from 'node:util';
import type { Item } from '../in-memory/expression.ts';
import { shownOfPorts } from './table.ts';

interface Index {
  readonly keys: readonly [string, string];
  /** Attributes of its entries beside the keys. @default all */
  readonly shown?: readonly string[];
}

const indexes: readonly Index[] = [
  { keys: ['dueQueue', 'dueAt'] },
  { keys: ['listed', 'listedAt'] },
  { keys: ['account', 'portDay'], shown: shownOfPorts },
];

/** Index entries cost the same in a transaction as alone. */
export function unitsOf(before: Item | undefined, after: Item | undefined, write: 'alone' | 'in-transaction'): number {
  const item = Math.max(kilobytes(before), kilobytes(after)) * (write === 'in-transaction' ? 2 : 1);
  return indexes.reduce((units, index) => units + unitsOfIndex(before, after, index), item);
}

function unitsOfIndex(before: Item | undefined, after: Item | undefined, { keys, shown }: Index): number {
  const entryOf = (item: Item | undefined): Item | undefined => {
    if (item === undefined || keys.some((key) => item[key] === undefined)) return undefined;
    if (shown === undefined) return item;
    return Object.fromEntries(['pk', 'sk', ...keys, ...shown].map((name) => [name, item[name]]));
  };
  const [was, is] = [entryOf(before), entryOf(after)];
  if (was === undefined || is === undefined) return kilobytes(was) + kilobytes(is);
  if (keys.some((key) => was[key] !== is[key])) return kilobytes(was) + kilobytes(is);
  // An entry of which nothing changed is not written.
  return shown !== undefined && isDeepStrictEqual(was, is) ? 0 : Math.max(kilobytes(was), kilobytes(is));
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
