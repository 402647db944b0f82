// Schedules: when they are due, and that their runs never overlap.
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, type TestContext, test } from 'vitest';
import type { Outcome } from '#local/lambda/environment.ts';
import { nextTime, startSchedule } from '#local/lambda/schedules.ts';

const now = Date.UTC(2026, 5, 1, 9, 30, 15);
const next = (expression: string, timezone = 'UTC', from = now) =>
  new Date(nextTime(expression, timezone, from)).toISOString();

describe('the next time', () => {
  test.each([
    ['rate(5 minutes)', '2026-06-01T09:35:15.000Z'],
    ['rate(1 hour)', '2026-06-01T10:30:15.000Z'],
    ['rate(2 days)', '2026-06-03T09:30:15.000Z'],
    ['cron(0 6 * * ? *)', '2026-06-02T06:00:00.000Z'],
    ['cron(45 9 * * ? *)', '2026-06-01T09:45:00.000Z'],
    ['cron(0/15 * * * ? *)', '2026-06-01T09:45:00.000Z'],
    ['cron(0 12 ? * SAT,SUN *)', '2026-06-06T12:00:00.000Z'],
    ['cron(0 12 ? * MON-FRI *)', '2026-06-01T12:00:00.000Z'],
    ['cron(0 0 1 JAN ? *)', '2027-01-01T00:00:00.000Z'],
  ])('of %s', (expression, expected) => {
    expect(next(expression)).toBe(expected);
  });

  test('of a cron expression is meant in its time zone, over the change of the clocks too', () => {
    expect(next('cron(0 6 * * ? *)', 'Europe/London')).toBe('2026-06-02T05:00:00.000Z');
    expect(next('cron(0 6 * * ? *)', 'Europe/London', Date.UTC(2026, 9, 24, 12))).toBe('2026-10-25T06:00:00.000Z');
  });

  test.each(['every day', 'rate(5 weeks)', 'cron(0 6)', 'cron(61 6 * * ? *)', 'cron(0 6 L * ? *)'])(
    'of %s is unknown',
    (expression) => {
      expect(() => next(expression)).toThrow();
    },
  );
});

/** Runs every half second of wall time, which is the most there is; `stop`ped at the end of the test. */
const start = (
  { onTestFinished }: TestContext,
  invoke: (sinceStartMs: number) => Promise<Outcome>,
  more: { readonly retries?: number; readonly gaveUp?: () => Promise<void> } = {},
): void => {
  const begun = performance.now();
  const speed = 1_000_000;
  const schedule = startSchedule({
    name: 'Sync',
    expression: 'rate(5 minutes)',
    timezone: 'UTC',
    retries: 0,
    speed,
    calendar: () => now + (performance.now() - begun) * speed,
    invoke: () => invoke(performance.now() - begun),
    gaveUp: async () => undefined,
    log: () => undefined,
    ...more,
  });
  onTestFinished(schedule.stop);
};

const fine: Outcome = { ok: true, payload: null };
const failed: Outcome = { ok: false, reason: 'error', error: { name: 'Error', message: 'no' } };

// They only wait, so they wait together.
describe.concurrent('a schedule', () => {
  test('runs again and again, scaled to the speed, but not more often than twice a second', async (context) => {
    const times: number[] = [];
    start(context, async (time) => {
      times.push(time);
      return fine;
    });

    await context.expect.poll(() => times.length, { timeout: 5_000 }).toBe(3);
    context.expect(times[0]).toBeGreaterThan(490);
    context.expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(980);
  });

  test('never starts a run while the one before is under way', async (context) => {
    let running = 0;
    let most = 0;
    let runs = 0;
    start(context, async () => {
      running += 1;
      most = Math.max(most, running);
      await delay(700);
      running -= 1;
      runs += 1;
      return fine;
    });

    await context.expect.poll(() => runs, { timeout: 5_000 }).toBe(2);
    context.expect(most).toBe(1);
  });

  test('tries a failed run again as often as it may, and then puts it aside', async (context) => {
    let attempts = 0;
    let aside = 0;
    const gaveUp = async () => {
      aside += 1;
    };
    const failing = async () => {
      attempts += 1;
      return failed;
    };
    start(context, failing, { retries: 1, gaveUp });

    await context.expect.poll(() => aside, { timeout: 5_000 }).toBe(1);
    context.expect(attempts).toBe(2);
  });
});
