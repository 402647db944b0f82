// The rule of each HTTP status, and the retry decision: which calls are repeated, after which wait, and how often.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestDelayMs } from '#shared/import/import-state.ts';
import {
  Ambiguous,
  CallDeferred,
  ContractBroken,
  NotSent,
  type PortingFailure,
  RateLimited,
  Unavailable,
} from '#shared/service/errors.ts';
import {
  createRepeat,
  decideRetry,
  defaultRetryPolicy,
  retryAfterMs,
  statusRule,
} from '#shared/service/retry-policy.ts';

const details = { call: 'GET /api/company' };
const unavailable = new Unavailable('answered 503', details);
const question = { method: 'GET', error: unavailable, attempt: 1, elapsedMs: 0, random: 0.5 } as const;

describe('the meaning of an HTTP status', () => {
  test.each([
    [200, 'ok', 'ok'],
    [202, 'ok', 'ok'],
    [302, 'contract-broken', 'ambiguous'],
    [400, 'declined', 'declined'],
    [404, 'declined', 'declined'],
    [408, 'unavailable', 'ambiguous'],
    [409, 'declined', 'declined'],
    [429, 'rate-limited', 'rate-limited'],
    [499, 'unavailable', 'ambiguous'],
    [500, 'unavailable', 'ambiguous'],
    [503, 'unavailable', 'ambiguous'],
    [100, 'unavailable', 'ambiguous'],
    [999, 'unavailable', 'ambiguous'],
  ])('%d: a read is %s, a change is %s', (status, read, change) => {
    expect(statusRule(status)).toEqual({ read, change });
  });
});

describe('a call is repeated', () => {
  test('after an exponential wait with full jitter', () => {
    const waits = [1, 2, 3].map((attempt) => decideRetry({ ...question, attempt, random: 0.999_999 }));

    expect(waits).toEqual([200, 400, 800].map((waitMs) => ({ again: true, waitMs })));
    expect(decideRetry({ ...question, random: 0 })).toEqual({ again: true, waitMs: 0 });
  });

  test('after the wait that the service asked for, plus jitter', () => {
    const limited = new RateLimited(5_000, details);

    expect(decideRetry({ ...question, error: limited })).toEqual({ again: true, waitMs: 5_100 });
    expect(decideRetry({ ...question, error: new Unavailable('answered 503', details, 1_000) })).toEqual({
      again: true,
      waitMs: 1_100,
    });
  });

  test('when it never reached the service', () => {
    expect(decideRetry({ ...question, error: new NotSent('declined', details) }).again).toBe(true);
  });
});

describe('a call is not repeated', () => {
  test.each(['POST', 'PATCH', 'DELETE'])('when it is a %s, whatever happened', (method) => {
    expect(decideRetry({ ...question, method })).toEqual({ again: false, because: 'not-a-read' });
  });

  test.each([new Ambiguous('reset', details), new ContractBroken('no rows', details)])('after $name', (error) => {
    expect(decideRetry({ ...question, error })).toEqual({ again: false, because: 'not-retryable' });
  });

  test('after the last attempt', () => {
    expect(decideRetry({ ...question, attempt: 4 })).toEqual({ again: false, because: 'attempts' });
  });

  test('when the wait would end past the budget', () => {
    expect(decideRetry({ ...question, elapsedMs: 29_950 })).toEqual({ again: false, because: 'budget' });
  });
});

test('a wait is never shorter than requested and never ends after the budget', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 50 }),
      fc.integer({ min: 0, max: 40_000 }),
      fc.integer({ min: 0, max: 20_000 }),
      fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      (attempt, elapsedMs, asked, random) => {
        const policy = { ...defaultRetryPolicy, attempts: 100 };
        const error = new RateLimited(asked, details);
        const decision = decideRetry({ method: 'GET', error, attempt, elapsedMs, random }, policy);
        if (!decision.again) return;
        expect(decision.waitMs).toBeGreaterThanOrEqual(asked);
        expect(decision.waitMs).toBeLessThanOrEqual(asked + policy.capMs);
        expect(elapsedMs + decision.waitMs).toBeLessThanOrEqual(policy.budgetMs);
      },
    ),
  );
});

describe('Retry-After', () => {
  const now = Date.parse('2026-07-01T12:00:00Z');

  test.each([
    ['7', 7_000],
    [' 7 ', 7_000],
    ['0', 0],
    ['Wed, 01 Jul 2026 12:00:30 GMT', 30_000],
    ['Wed, 01 Jul 2026 11:00:00 GMT', 0],
    ['Fri, 01 Jan 2100 00:00:00 GMT', longestDelayMs],
    ['99999999999999999999999', longestDelayMs],
    ['-1', 0],
    ['1.5', 0],
    ['1e9', 0],
    ['2026', longestDelayMs],
    ['soon', 0],
    ['Monday', 0],
    ['', 0],
    [null, 0],
  ])('%j is %d ms', (header, expected) => {
    expect(retryAfterMs(header, now)).toBe(expected);
  });

  test('is within its limits for any text', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const wait = retryAfterMs(text, now);
        expect(wait).toBeGreaterThanOrEqual(0);
        expect(wait).toBeLessThanOrEqual(longestDelayMs);
      }),
    );
  });
});

// The error of a repeated read whose last attempt was deferred.
describe('a repeated read', () => {
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
});
