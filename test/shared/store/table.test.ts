// Several partitions of the due index as one list, over the in-memory table.

import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { UnreadableItem } from '#shared/row/issue.ts';
import {
  deleteItem,
  getItem,
  ifNew,
  ifRevision,
  isConditionFailure,
  isItemRefused,
  type Listing,
  putItem,
  readAllListed,
  readChildren,
  readDue,
  readEach,
  readItem,
  readListed,
  type Table,
  wasWritten,
} from '#shared/store/table.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { iso, noon } from '../../support/steps/ledger-items.ts';

/** A table with an item for each `queue/minutes after noon`. */
async function tableWith(...due: readonly string[]): Promise<DynamoDBDocumentClient> {
  const table = createTableTwin({ now: () => noon, pageSize: 2 }) as unknown as DynamoDBDocumentClient;
  for (const name of due) {
    const [queue, minutes] = name.split('/');
    const item = { pk: name, sk: 'item', dueQueue: queue, dueAt: iso(noon + Number(minutes) * 60_000) };
    await table.send(new PutCommand({ TableName: 'results', Item: item }));
  }
  return table;
}
const read = async (table: DynamoDBDocumentClient, queues: readonly string[], limit: number) =>
  (await readDue({ client: table, name: 'results' }, queues, iso(noon), limit)).map(({ pk }) => pk);

test('due items are returned in order, from all partitions, and without items that are not due yet', async () => {
  const table = await tableWith('b/-1', 'a/-2', 'b/-4', 'a/-3', 'a/0', 'b/1', 'c/-9');
  expect(await read(table, ['a', 'b'], 100)).toEqual(['b/-4', 'a/-3', 'a/-2', 'b/-1', 'a/0']);
  expect(await read(table, ['b', 'a'], 100)).toEqual(['b/-4', 'a/-3', 'a/-2', 'b/-1', 'a/0']);
});

test('the partitions share the limit, so that a full one does not starve the others', async () => {
  const table = await tableWith('a/-9', 'a/-8', 'a/-7', 'a/-6', 'b/-1');
  expect(await read(table, ['a', 'b'], 4)).toEqual(['a/-9', 'a/-8', 'b/-1']);
  expect(await read(table, ['a', 'b'], 3)).toEqual(['a/-9', 'a/-8', 'b/-1']);
  expect(await read(table, ['a'], 0)).toEqual([]);
});

describe('reading an item', () => {
  const schema = z.object({ line: z.int(), rows: z.array(z.object({ status: z.string() })) });
  const key = { pk: 'import#import-a', sk: 'request#0000001' };
  const good = { ...key, line: 2, rows: [] };

  const thrownBy = (raw: Record<string, unknown>): unknown => {
    try {
      return readItem(schema, raw);
    } catch (error) {
      return error;
    }
  };

  test('an item has the attributes of its schema, without its keys', () => {
    expect(readItem(schema, good)).toEqual({ line: 2, rows: [] });
  });

  test('an invalid item is named by its key and by what is wrong, without its values', () => {
    const error = thrownBy({ ...key, line: '447700900001', rows: [{ status: 'Created' }, {}] });
    expect(error).toBeInstanceOf(UnreadableItem);
    const problem =
      'line: Invalid input: expected number, received string; rows.1.status: Invalid input: expected string, received undefined';
    expect(error).toMatchObject({
      name: 'UnreadableItem',
      place: 'import#import-a request#0000001',
      message: `import#import-a request#0000001: ${problem}`,
    });
  });

  test('at most three problems are named', () => {
    const error = thrownBy({ ...key, line: 2, rows: [{}, {}, {}, {}] });
    expect(String(error)).toContain('rows.2.status');
    expect(String(error)).not.toContain('rows.3.status');
  });

  test('the phone number of a key is not named', () => {
    expect(thrownBy({ pk: 'number#447700900001', sk: 'current' })).toMatchObject({ place: 'number#… current' });
    expect(thrownBy({ pk: 'port#number#1', sk: 'port' })).toMatchObject({ place: 'port#number#1 port' });
  });

  test('of many items, the readable ones are returned in order, and the others are reported', () => {
    const told: string[] = [];
    const items = [good, { pk: 'port#p', sk: 'port' }, { ...good, line: 3 }, { pk: 'port#q', sk: 'rows' }];
    const read = readEach(schema, items, ({ place }) => void told.push(place));
    expect(read.map(({ line }) => line)).toEqual([2, 3]);
    expect(told).toEqual(['port#p port', 'port#q rows']);
  });

  test('without a callback, the first invalid item is thrown', () => {
    expect(() => readEach(schema, [good, { pk: 'port#p', sk: 'port' }])).toThrow(UnreadableItem);
  });
});

// Single items, the items of a partition and listed items, over the in-memory table.
describe('items', () => {
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
      await putItem(table, rows(1, { revision: 1 }));
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
});

describe('conditional writes', () => {
  const declined = new ConditionalCheckFailedException({ message: 'declined', $metadata: {} });
  const cancelled = (...codes: readonly (string | undefined)[]) =>
    new TransactionCanceledException({
      message: 'cancelled',
      $metadata: {},
      ...(codes.length === 0 ? {} : { CancellationReasons: codes.map((Code) => ({ Code })) }),
    });

  const met = new TransactionConflictException({ message: 'conflict', $metadata: {} });
  /** A write that fails with these errors, one after another, and then succeeds; and its attempts. */
  const failing = (...errors: readonly unknown[]) => {
    const left = [...errors];
    const tried = { times: 0, waits: [] as number[] };
    const write = async () => {
      tried.times += 1;
      if (left.length > 0) throw left.shift();
    };
    const backoff = { attempts: 3, pause: async (attempt: number) => void tried.waits.push(attempt) };
    return { tried, written: () => wasWritten(write, backoff) };
  };

  describe('a failed condition', () => {
    test.each([
      ['of a single write', declined],
      ['of one write of a transaction', cancelled('None', 'ConditionalCheckFailed')],
      ['of several', cancelled('ConditionalCheckFailed', 'ConditionalCheckFailed')],
      ['beside a write that met another', cancelled('TransactionConflict', 'ConditionalCheckFailed')],
    ])('%s is an answer', async (_, error) => {
      expect(isConditionFailure(error)).toBe(true);
      const { written, tried } = failing(error);
      expect(await written()).toBe(false);
      expect(tried).toEqual({ times: 1, waits: [] });
    });
  });

  describe('a write that failed for a temporary reason', () => {
    test.each([
      ['as its transaction met another', cancelled('None', 'TransactionConflict')],
      ['as there was no room for its transaction', cancelled('ProvisionedThroughputExceeded', 'ThrottlingError')],
      [
        'as its transaction met another, and nothing is said of its other writes',
        cancelled(undefined, 'TransactionConflict'),
      ],
      ['as it met a transaction', met],
    ])('%s is repeated', async (_, error) => {
      const { written, tried } = failing(error, error);
      expect(await written()).toBe(true);
      expect(tried).toEqual({ times: 3, waits: [1, 2] });
    });

    test('has the answer of its condition when it is repeated', async () => {
      expect(await failing(met, declined).written()).toBe(false);
    });

    test('throws the error after the last attempt', async () => {
      await expect(failing(met, met, met).written()).rejects.toBe(met);
    });
  });

  test.each([
    ['a transaction without a reason', cancelled()],
    ['a transaction with an item that is too large', cancelled('TransactionConflict', 'ValidationError')],
    ['a table that cannot be reached', new Error('down')],
    ['something that looks alike', { CancellationReasons: [{ Code: 'ConditionalCheckFailed' }] }],
  ])('%s is no answer: the error is thrown', async (_, error) => {
    expect(isConditionFailure(error)).toBe(false);
    const { written, tried } = failing(error);
    await expect(written()).rejects.toBe(error);
    expect(tried.times).toBe(1);
  });

  test.each([
    ['by itself', Object.assign(new Error('too large'), { name: 'ValidationException' }), true],
    ['in a transaction', cancelled('None', 'ValidationError'), true],
    ['that met another', cancelled('TransactionConflict'), false],
    ['to a table that cannot be reached', new Error('down'), false],
  ])('the error of an item that the table never takes is recognised: %s', (_, error, isRefused) => {
    expect(isItemRefused(error)).toBe(isRefused);
  });

  test('a successful write answers true', async () => {
    expect(await failing().written()).toBe(true);
  });
});
