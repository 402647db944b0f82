// What a read that is made again rejects with, where the last try was not made at all.
import { expect, test } from 'vitest';
import { HeldBack, type PortingFailure, Unavailable } from '#shared/porting/errors.ts';
import { createRepeat } from '#shared/porting/repeat.ts';

const call = 'GET /port';
const broke = new Unavailable('answered 500', { call, status: 500 });

/** Rejects with one failure after the other. */
const failing = (...failures: PortingFailure[]) => {
  const repeat = createRepeat({ wait: async () => {}, clock: () => 0 });
  return repeat(() => Promise.reject(failures.shift())).catch((error: unknown) => error);
};

test('held back after it had failed, it tells of that failure', async () => {
  const held = new HeldBack('the service is down', 1_000, { call });
  expect(await failing(broke, held)).toBe(held);
  expect(held.cause).toBe(broke);
});

test('held back at once, or for a reason of its own, it tells of nothing else', async () => {
  const held = new HeldBack('the service is down', 1_000, { call });
  expect(await failing(held)).toBe(held);
  expect(held.cause).toBeUndefined();
  const cause = new Error('no table');
  expect(await failing(broke, new HeldBack('no pace', 1_000, { call, cause }))).toMatchObject({ cause });
});
