// How long a request waits where nothing was sent.
import { describe, expect, test } from 'vitest';
import { waitAfter } from '#functions/submit/postpone.ts';
import { CredentialsRefused, NotSent, type PortingFailure, RateLimited } from '#shared/porting/errors.ts';

const call = 'POST /api/porting/1001';
const details = { call, status: 422 };

describe('the wait', () => {
  const notSent = new NotSent('no connection', { call });
  const waits = (failure: PortingFailure, random: number) =>
    [1, 2, 3, 8, 9, 99].map((attempt) => waitAfter(failure, attempt, random) / 1_000);

  test('doubles from five seconds up to fifteen minutes', () => {
    expect(waits(notSent, 1)).toEqual([5, 10, 20, 640, 900, 900]);
  });

  test('is drawn from the upper half', () => {
    expect(waits(notSent, 0)).toEqual([2.5, 5, 10, 320, 450, 450]);
  });

  test('is never before the service allows, and a little later for each', () => {
    const limited = new RateLimited(60_000, details);
    expect(waitAfter(limited, 1, 0)).toBe(60_000);
    expect(waitAfter(limited, 1, 0.5)).toBe(63_000);
    expect(waitAfter(limited, 6, 0.5)).toBe(120_000);
    expect(waitAfter(new RateLimited(3_600_000, details), 1, 0.5)).toBe(900_000);
  });

  test('of refused credentials is five minutes: a person has to mend them', () => {
    expect(waits(new CredentialsRefused('refused', { call }), 0.5)).toEqual(Array(6).fill(300));
  });
});
