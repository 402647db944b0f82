// Schedules: their periods, and that their runs never overlap.
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, type TestContext, test } from 'vitest';
import type { Outcome } from '#local/lambda/environment.ts';
import { periodOf, type ScheduleOptions, startSchedule } from '#local/lambda/schedules.ts';

describe('the period', () => {
  test.each([
    ['rate(5 minutes)', 300_000],
    ['rate(1 hour)', 3_600_000],
    ['rate(2 days)', 172_800_000],
  ])('of %s', (expression, expected) => {
    expect(periodOf(expression)).toBe(expected);
  });

  test.each(['every day', 'rate(5 weeks)', 'cron(0 6 * * ? *)'])('of %s is unknown', (expression) => {
    expect(() => periodOf(expression)).toThrow(expression);
  });
});

/** Until the end of the test. At this speed it runs once a second of wall time, the most that is possible. */
const start = (
  { onTestFinished }: TestContext,
  invoke: (sinceStartMs: number) => Promise<Outcome>,
  more: Partial<Pick<ScheduleOptions, 'speed' | 'retries' | 'sendToDeadLetters'>> = {},
): void => {
  const startedAt = performance.now();
  const schedule = startSchedule({
    name: 'Sync',
    expression: 'rate(5 minutes)',
    retries: 0,
    speed: () => 1_000_000,
    invoke: () => invoke(performance.now() - startedAt),
    sendToDeadLetters: async () => undefined,
    log: () => undefined,
    ...more,
  });
  onTestFinished(schedule.stop);
};

const fine: Outcome = { ok: true, payload: null };
const failed: Outcome = { ok: false, reason: 'error', error: { name: 'Error', message: 'no' } };

// They mostly wait, so they run at the same time.
describe.concurrent('a schedule', () => {
  test('runs periodically, scaled to the speed, but not more often than once a second', async (context) => {
    const times: number[] = [];
    start(context, async (time) => {
      times.push(time);
      return fine;
    });

    await context.expect.poll(() => times.length).toBe(3);
    context.expect(times[0]).toBeGreaterThan(490);
    context.expect((times[2] ?? 0) - (times[0] ?? 0)).toBeGreaterThan(980);
  });

  test('runs when it starts, and not only after its period', async (context) => {
    let runs = 0;
    const invoke = async () => {
      runs += 1;
      return fine;
    };
    start(context, invoke, { speed: () => 1 });

    await context.expect.poll(() => runs).toBe(1);
  });

  test('never starts a run before the previous one has ended', async (context) => {
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

    await context.expect.poll(() => runs).toBe(2);
    context.expect(most).toBe(1);
  });

  test('retries a failed run and then dead-letters it', async (context) => {
    let attempts = 0;
    let deadLettered = 0;
    const sendToDeadLetters = async () => {
      deadLettered += 1;
    };
    const failing = async () => {
      attempts += 1;
      return failed;
    };
    start(context, failing, { retries: 1, sendToDeadLetters });

    await context.expect.poll(() => deadLettered).toBe(1);
    context.expect(attempts).toBe(2);
  });

  test('goes on after a run whose message could not be dead-lettered', async (context) => {
    let runs = 0;
    const failing = async () => {
      runs += 1;
      return failed;
    };
    const sendToDeadLetters = async () => {
      throw new Error('no queue');
    };
    start(context, failing, { sendToDeadLetters });

    await context.expect.poll(() => runs).toBeGreaterThan(2);
  });
});
