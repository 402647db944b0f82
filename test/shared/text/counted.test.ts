import { expect, it, test } from 'vitest';
import { count, counted } from '#shared/text/wording.ts';

it('uses the singular for one, and separates thousands', () => {
  expect([counted(1, 'row'), counted(1234, 'row')]).toEqual(['1 row', '1,234 rows']);
});

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [-999, '-999'],
  [-1000, '-1,000'],
  [-12345, '-12,345'],
  [1.23456, '1.235'],
])('%d is written as %s', (value, text) => {
  expect(count(value)).toBe(text);
});
