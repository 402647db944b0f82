// The delay of a request of which nothing was sent.
import { describe, expect, test } from 'vitest';
import { delayAfter } from '#functions/submit/end-message.ts';
import {
  CallDeferred,
  CredentialsRejected,
  NotSent,
  type PortingFailure,
  RateLimited,
} from '#shared/service/errors.ts';

const call = 'POST /api/porting/1001';

const details = { call, status: 422 };

describe('the delay of a message that is sent again', () => {
  const notSent = new NotSent('no connection', { call });
  const waits = (failure: PortingFailure, random: number) =>
    [1, 2, 3, 8, 9, 99].map((attempt) => delayAfter(failure, attempt, random) / 1_000);

  test('doubles from five seconds up to forty', () => {
    expect(waits(notSent, 1)).toEqual([5, 10, 20, 40, 40, 40]);
  });

  test('has jitter in its upper half', () => {
    expect(waits(notSent, 0)).toEqual([2.5, 5, 10, 20, 20, 20]);
  });

  test('is never shorter than the service requires, and has jitter above that', () => {
    const limited = new RateLimited(60_000, details);
    expect(delayAfter(limited, 1, 0)).toBe(60_000);
    expect(delayAfter(limited, 1, 0.5)).toBe(63_000);
    expect(delayAfter(new RateLimited(3_600_000, details), 1, 0.5)).toBe(900_000);
  });

  test('does not grow for a call that the rate limiter deferred', () => {
    expect(waits(new CallDeferred('the service is down', 1_000, { call }), 1)).toEqual(Array(6).fill(5));
  });

  test('is five minutes for rejected credentials: a person has to replace them', () => {
    expect(waits(new CredentialsRejected('declined', { call }), 0.5)).toEqual(Array(6).fill(300));
  });
});
