// Schedules: invoke a function periodically, in calendar time.
import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from './environment.ts';

export interface ScheduleOptions {
  readonly name: string;
  /** Such as `rate(5 minutes)`. */
  readonly expression: string;
  /** How often a failed run is retried. */
  readonly retries: number;
  /** How much faster than wall time the calendar runs now. While it is paused, runs are as in real time. */
  readonly speed: () => number;
  readonly invoke: () => Promise<Outcome>;
  /** Called when the last retry of a run failed. */
  readonly sendToDeadLetters: () => Promise<void>;
  readonly log: (line: string) => void;
}

const units: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** The shortest wall time between runs, so that a fast calendar does not overload the machine. */
const shortestPauseMs = 1_000;
/** Node's timers take at most 24.8 days. */
const longestPauseMs = 2_000_000_000;
const retryPauseMs = 1_000;

/**
 * The period of a rate expression, in calendar milliseconds.
 * @throws Error that names the expression, where it is no rate
 */
export const periodOf = (expression: string): number => {
  const [, amount, unit = ''] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (amount === undefined) throw new Error(`The emulator runs schedules such as rate(5 minutes), not "${expression}"`);
  return Number(amount) * (units[unit] ?? 0);
};

/**
 * The first run starts after a second: on AWS, too, a rate without a start date begins when the schedule is created.
 * Runs never overlap: the next one starts when its time has come and the previous one has ended.
 */
export const startSchedule = (options: ScheduleOptions) => {
  const calendarPeriodMs = periodOf(options.expression);
  const periodMs = (): number => Math.min(longestPauseMs, calendarPeriodMs / (options.speed() || 1));
  const stopping = new AbortController();
  const { signal } = stopping;
  let waking = new AbortController();
  const pause = async (milliseconds: number): Promise<void> => {
    const ended = AbortSignal.any([signal, waking.signal]);
    await delay(milliseconds, undefined, { signal: ended }).catch((error: unknown) => {
      if (signal.aborted) throw error;
    });
    waking = new AbortController();
  };

  const run = async (): Promise<void> => {
    for (let attempt = 0; attempt <= options.retries && !signal.aborted; attempt += 1) {
      const outcome = await options.invoke();
      if (outcome.ok) return;
      if (attempt < options.retries) await delay(retryPauseMs, undefined, { signal });
    }
    options.log(`schedule ${options.name}: dead-lettered after ${options.retries + 1} attempts`);
    await options.sendToDeadLetters();
  };

  const logError = (error: unknown): void => {
    if (!signal.aborted) options.log(`schedule ${options.name}: ${String(error)}`);
  };
  const loop = (async () => {
    await pause(shortestPauseMs);
    while (!signal.aborted) {
      const startedAt = performance.now();
      await run().catch(logError);
      await pause(Math.max(shortestPauseMs, periodMs() - (performance.now() - startedAt)));
    }
  })().catch(logError);

  return {
    /** Ends the pause before the next run, because the calendar was changed. */
    wake: (): void => waking.abort(),
    /** Starts no more runs and waits for the one that is under way. */
    stop: async (): Promise<void> => {
      stopping.abort();
      await loop;
    },
  };
};
