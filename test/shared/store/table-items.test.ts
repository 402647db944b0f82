// Single items, the items of a partition and listed items, over the in-memory table.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import type { UnreadableItem } from '#shared/row/issue.ts';
import {
  deleteItem,
  getItem,
  ifNew,
  ifRevision,
  type Listing,
  putItem,
  readAllListed,
  readChildren,
  readListed,
  type Table,
} from '#shared/store/table.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { iso, noon } from '../../support/steps/ledger-items.ts';

const schema = z.object({ rows: z.int() });
const key = { pk: 'import#a', sk: 'import' };
let table: Table;
let inputs: { readonly ConsistentRead?: boolean }[];

beforeEach(() => {
  inputs = [];
  const twin = createTableTwin({ now: () => noon, pageSize: 2 });
  const send = (command: { readonly input: { readonly ConsistentRead?: boolean } }) => {
    inputs.push(command.input);
    return twin.send(command);
  };
  table = { client: { send } as unknown as DynamoDBDocumentClient, name: 'results' };
});

const rows = (count: number, changes: object = {}) => ({ ...key, rows: count, ...changes });
const collect = async (items: AsyncIterable<{ readonly rows: number }>): Promise<number[]> => {
  const found: number[] = [];
  for await (const item of items) found.push(item.rows);
  return found;
};

describe('an item', () => {
  test('is read as it was just written, without its keys', async () => {
    expect(await getItem(table, schema, key)).toBeUndefined();
    expect(await putItem(table, rows(2))).toBe(true);
    expect(await getItem(table, schema, key)).toEqual({ rows: 2 });
    expect(await getItem(table, schema, { ...key, sk: 'other' })).toBeUndefined();
    expect(inputs.at(-1)?.ConsistentRead).toBe(true);
  });

  test('is new only once', async () => {
    expect([await putItem(table, rows(2), ifNew), await putItem(table, rows(3), ifNew)]).toEqual([true, false]);
    expect(await getItem(table, schema, key)).toEqual({ rows: 2 });
  });

  test('is replaced at the revision that was read, and at no other', async () => {
    await putItem(table, rows(1));
    expect(await putItem(table, rows(2), ifRevision(1))).toBe(false);
    expect(await putItem(table, rows(3, { revision: 1 }), ifRevision(undefined))).toBe(true);
    expect(await putItem(table, rows(4), ifRevision(undefined))).toBe(false);
    expect(await putItem(table, rows(5), ifRevision(2))).toBe(false);
    expect(await putItem(table, rows(6, { revision: 2 }), ifRevision(1))).toBe(true);
    expect(await getItem(table, schema, key)).toEqual({ rows: 6, revision: 2 });
  });

  test('is deleted, unless the condition fails', async () => {
    await putItem(table, rows(1, { revision: 1 }));
    expect(await deleteItem(table, key, ifRevision(2))).toBe(false);
    expect(await getItem(table, schema, key)).toEqual({ rows: 1, revision: 1 });
    expect(await deleteItem(table, key)).toBe(true);
    expect(await getItem(table, schema, key)).toBeUndefined();
  });
});

test('the items of a partition are read as they were just written, in order, from any of them on', async () => {
  for (const [sk, count] of [
    ['port#3', 3],
    ['port#1', 1],
    ['port#2', 2],
    ['other', 9],
  ] as const)
    await putItem(table, { ...rows(count), sk });
  await putItem(table, { pk: 'import#b', sk: 'port#1', rows: 8 });
  const children = { pk: key.pk, prefix: 'port#' };
  expect(await collect(readChildren(table, schema, children))).toEqual([1, 2, 3]);
  expect(inputs.at(-1)?.ConsistentRead).toBe(true);
  const after = { pk: key.pk, sk: 'port#1' };
  expect(await collect(readChildren(table, schema, { ...children, after }))).toEqual([2, 3]);
});

describe('listed items', () => {
  const listed = (minutes: number, changes: object = {}) => ({
    pk: `import#${minutes}`,
    sk: 'import',
    rows: minutes,
    listed: 'imports',
    listedAt: iso(noon + minutes * 60_000),
    ...changes,
  });
  const listing: Listing = { partition: 'imports', order: 'oldest first' };
  const read = async (changes: Partial<Listing> = {}, limit = 10) =>
    (await readListed(table, schema, { ...listing, ...changes }, limit)).map(({ rows: minutes }) => minutes);
  beforeEach(async () => {
    for (const minutes of [3, 1, 2]) await putItem(table, listed(minutes));
    await putItem(table, listed(4, { listed: 'others' }));
  });

  test('are read in both orders, up to the limit', async () => {
    expect(await read()).toEqual([1, 2, 3]);
    expect(await read({ order: 'newest first' }, 2)).toEqual([3, 2]);
    expect(await collect(readAllListed(table, schema, listing, () => {}))).toEqual([1, 2, 3]);
  });

  test.each<['<' | '<=' | '>=' | '>', number[]]>([
    ['<', [1]],
    ['<=', [1, 2]],
    ['>=', [2, 3]],
    ['>', [3]],
  ])('are limited by their time: %s', async (operator, expected) => {
    expect(await read({ range: [operator, iso(noon + 120_000)] })).toEqual(expected);
  });

  test('that cannot be read are reported, and the others are read', async () => {
    await putItem(table, listed(2, { rows: 'two' }));
    await expect(read()).rejects.toThrow('import#2');
    const unreadable: string[] = [];
    const report = ({ place }: UnreadableItem) => void unreadable.push(place);
    expect(await readListed(table, schema, listing, 10, report)).toEqual([{ rows: 1 }, { rows: 3 }]);
    expect(await collect(readAllListed(table, schema, listing, report))).toEqual([1, 3]);
    expect(unreadable).toEqual(['import#2 import', 'import#2 import']);
  });
});
