import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packLines, unpackLines } from '#shared/request/packed-lines.ts';

test('joins consecutive lines and keeps the order', () => {
  expect(packLines([2, 3, 4, 5, 8, 11, 12, 7])).toBe('2-5,8,11-12,7');
  expect(packLines([])).toBe('');
});

test('ranges are unpacked to each of their lines', () => {
  expect(unpackLines('2-5,8,11-12,7')).toEqual([2, 3, 4, 5, 8, 11, 12, 7]);
});

test('packed lines are unpacked unchanged', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 2000 })), (lines) => {
      expect(unpackLines(packLines(lines))).toEqual(lines);
    }),
  );
});

test.each(['2..5', '', 'x', '2-', '-2', 'a2-5', '2-5b'])('rejects %j, which it did not pack', (run) => {
  expect(() => unpackLines(`1,${run}`)).toThrow(`such as 2-5,8, got ${JSON.stringify(run)}`);
});
