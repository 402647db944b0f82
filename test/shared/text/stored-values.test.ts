// A text that may contain a PAC or a secret is never quoted.
import { expect, test } from 'vitest';
import { parseJson } from '#shared/text/stored-values.ts';

test('a text that is not JSON has no value, and no error that quotes it', () => {
  expect(parseJson('{"pac":"ABC123456"')).toBeUndefined();
  expect(parseJson('')).toBeUndefined();
});

test('JSON has its value', () => {
  expect([parseJson('{"a":[1]}'), parseJson('null')]).toEqual([{ a: [1] }, null]);
});
