import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { readEach, readItem } from '#shared/aws/read-item.ts';
import { UnreadableItem } from '#shared/domain/unreadable-item.ts';

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

test('an item is what its schema says, without its keys', () => {
  expect(readItem(schema, good)).toEqual({ line: 2, rows: [] });
});

test('one of another shape is named by its key and by what is wrong with it, not by what stands there', () => {
  const error = thrownBy({ ...key, line: '447700900001', rows: [{ status: 'Created' }, {}] });
  expect(error).toBeInstanceOf(UnreadableItem);
  const problem = 'line: Invalid input; rows.1.status: Invalid input';
  expect(error).toMatchObject({
    name: 'UnreadableItem',
    place: 'import#import-a request#0000001',
    message: `import#import-a request#0000001: ${problem}`,
  });
});

test('no more than three things are told of it', () => {
  const error = thrownBy({ ...key, line: 2, rows: [{}, {}, {}, {}] });
  expect(String(error)).toContain('rows.2.status');
  expect(String(error)).not.toContain('rows.3.status');
});

test('no phone number of a key is told', () => {
  expect(thrownBy({ pk: 'number#447700900001', sk: 'current' })).toMatchObject({ place: 'number#… current' });
  expect(thrownBy({ pk: 'port#number#1', sk: 'port' })).toMatchObject({ place: 'port#number#1 port' });
});

test('of many, those that can be read are answered in their order, and each other one is told of', () => {
  const told: string[] = [];
  const items = [good, { pk: 'port#p', sk: 'port' }, { ...good, line: 3 }, { pk: 'port#q', sk: 'rows' }];
  const read = readEach(schema, items, ({ place }) => void told.push(place));
  expect(read.map(({ line }) => line)).toEqual([2, 3]);
  expect(told).toEqual(['port#p port', 'port#q rows']);
});

test('where nobody is told, the first is thrown', () => {
  expect(() => readEach(schema, [good, { pk: 'port#p', sk: 'port' }])).toThrow(UnreadableItem);
});
