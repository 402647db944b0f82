import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { UnreadableItem } from '#shared/row/issue.ts';
import { readEach, readItem } from '#shared/store/table.ts';

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
