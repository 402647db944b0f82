import { expect, test } from 'vitest';
import { createDeadline, keepRenewing } from '#shared/runtime/clock.ts';

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

// What an invocation holds is renewed for as long as it works, and no longer.

/** Waits and renewals that the test ends. */
function start() {
  const waits: (() => void)[] = [];
  const renewals: (() => void)[] = [];
  const later = (list: (() => void)[]) => () => new Promise<void>((resolve) => list.push(resolve));
  const { end } = keepRenewing(later(renewals), 1_000, later(waits));
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { end, waits, renewals, settled };
}

test('it is renewed after each wait, one renewal after the other', async () => {
  const { waits, renewals, settled } = start();
  for (const times of [1, 2]) {
    expect([waits.length, renewals.length]).toEqual([times, times - 1]);
    waits.at(-1)?.();
    await settled();
    expect([waits.length, renewals.length]).toEqual([times, times]);
    renewals.at(-1)?.();
    await settled();
  }
});

test('it is not renewed after its end', async () => {
  const { end, waits, renewals, settled } = start();
  await end();
  waits[0]?.();
  await settled();
  expect(renewals).toEqual([]);
});

test('the end waits for a renewal in progress', async () => {
  const { end, waits, renewals, settled } = start();
  waits[0]?.();
  await settled();
  let isOver = false;
  const ended = end().then(() => {
    isOver = true;
  });
  await settled();
  expect(isOver).toBe(false);
  renewals[0]?.();
  await ended;
  expect(isOver).toBe(true);
});
