import { expect, test } from 'vitest';
import { createDeadline } from '#shared/runtime/clock.ts';

test('there is time for work that takes at most the remaining time', () => {
  const deadline = createDeadline(() => 5_000);
  expect([4_999, 5_000, 5_001].map((milliseconds) => deadline.hasTimeFor(milliseconds))).toEqual([true, true, false]);
});

test('a reserved share is a share of the time that remains when it is reserved', () => {
  let remainingMs = 90_000;
  const earlier = createDeadline(() => remainingMs).reserving(1 / 3);
  expect(earlier.remainingMs()).toBe(60_000);
  remainingMs = 30_000;
  expect(earlier.remainingMs()).toBe(0);
  expect(earlier.hasTimeFor(0)).toBe(true);
  remainingMs = 29_999;
  expect(earlier.hasTimeFor(0)).toBe(false);
});
