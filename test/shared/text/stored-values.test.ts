// How values are stored. A text that may contain a PAC or a secret is never quoted.
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { isWellFormed, padded, parseJson, shardOf, shardsOf, withoutKeys } from '#shared/text/stored-values.ts';

test('a text that is not JSON has no value, and no error that quotes it', () => {
  expect(parseJson('{"pac":"ABC123456"')).toBeUndefined();
  expect(parseJson('')).toBeUndefined();
});

test('JSON has its value', () => {
  expect([parseJson('{"a":[1]}'), parseJson('null')]).toEqual([{ a: [1] }, null]);
});

test('an item is what it has beside the keys of the table and its indexes', () => {
  const keys = { pk: 'p', sk: 's', dueQueue: 'q', listed: 'l', listedAt: 'a', portDay: 'd' };
  expect(withoutKeys({ ...keys, importId: 'july', dueAt: 'later' })).toEqual({ importId: 'july', dueAt: 'later' });
});

test('requests are in the order of their numbers', () => {
  const numbers = [1, 2, 10, 999, 9_999_999];
  expect(numbers.map(padded).toSorted()).toEqual(numbers.map(padded));
});

test('a due queue has four partitions, and an id is always in the same one', () => {
  expect(shardsOf((shard) => `due#${shard}`)).toEqual(['due#0', 'due#1', 'due#2', 'due#3']);
  const found = Array.from({ length: 100 }, (_, index) => shardOf(`id-${index}`));
  expect(new Set(found)).toEqual(new Set([0, 1, 2, 3]));
  expect([shardOf(''), shardOf('a')]).toEqual([0, 1]);
});

test('half of an emoji is not stored', () => {
  const field = z.string().check(isWellFormed);
  expect([field.safeParse('😀').success, field.safeParse('😀'.slice(0, 1)).success]).toEqual([true, false]);
});
