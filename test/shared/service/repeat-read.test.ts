// The error of a repeated read whose last attempt was deferred.
import { expect, test } from 'vitest';
import { CallDeferred, type PortingFailure, Unavailable } from '#shared/service/errors.ts';
import { createRepeat } from '#shared/service/retry-policy.ts';

const call = 'GET /port';
const broke = new Unavailable('answered 500', { call, status: 500 });

/** Rejects with one failure after another. */
const failing = (...failures: PortingFailure[]) => {
  const repeat = createRepeat({ wait: async () => {}, clock: () => 0 });
  return repeat(() => Promise.reject(failures.shift())).catch((error: unknown) => error);
};

test('a read that is deferred after a failure has that failure as its cause', async () => {
  const held = new CallDeferred('the service is down', 1_000, { call });
  expect(await failing(broke, held)).toBe(held);
  expect(held.cause).toBe(broke);
});

test('a read that is deferred at once keeps its own cause', async () => {
  const held = new CallDeferred('the service is down', 1_000, { call });
  expect(await failing(held)).toBe(held);
  expect(held.cause).toBeUndefined();
  const cause = new Error('no table');
  expect(await failing(broke, new CallDeferred('no pace', 1_000, { call, cause }))).toMatchObject({ cause });
});
