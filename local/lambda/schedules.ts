// Schedules: invoke a function again and again, in calendar time scaled to the speed of the engine.
import { setTimeout as delay } from 'node:timers/promises';
import { nextCron } from './cron.ts';
import type { Outcome } from './environment.ts';

export interface ScheduleOptions {
  readonly name: string;
  /** `rate(5 minutes)` or `cron(0 6 * * ? *)`, as EventBridge Scheduler writes them. */
  readonly expression: string;
  readonly timezone: string;
  /** How often a failed run is tried again. */
  readonly retries: number;
  /** How much faster than wall time the calendar runs. */
  readonly speed: number;
  readonly calendar: () => number;
  readonly invoke: () => Promise<Outcome>;
  /** Called when a run failed for the last time. */
  readonly gaveUp: () => Promise<void>;
  readonly log: (line: string) => void;
}

export interface RunningSchedule {
  /** Starts no more runs and waits for the one that is under way. */
  stop(): Promise<void>;
}

const units: Readonly<Record<string, number>> = { minute: 60_000, hour: 3_600_000, day: 86_400_000 };
/** However fast the calendar: a run more often than this would only heat the machine. */
const shortestPauseMs = 500;
const retryPauseMs = 1_000;

/**
 * The next time of an expression after `now`, in calendar milliseconds.
 *
 * @throws Error naming the expression, where it is neither a rate nor a cron expression.
 */
export const nextTime = (expression: string, timezone: string, now: number): number => {
  const [, amount, unit] = /^rate\((\d+) (minute|hour|day)s?\)$/.exec(expression) ?? [];
  if (amount !== undefined && unit !== undefined) return now + Number(amount) * (units[unit] ?? 0);
  const [, fields] = /^cron\((.+)\)$/.exec(expression) ?? [];
  if (fields !== undefined) return nextCron(fields, timezone, now);
  throw new Error(`Expected a schedule like rate(5 minutes) or cron(0 6 * * ? *), got "${expression}"`);
};

/** Runs never overlap: the next begins when it is due and the one before is over. */
export const startSchedule = (options: ScheduleOptions): RunningSchedule => {
  const { expression, timezone, speed, calendar } = options;
  const stopping = new AbortController();
  nextTime(expression, timezone, calendar());

  const run = async (): Promise<void> => {
    for (let attempt = 0; attempt <= options.retries && !stopping.signal.aborted; attempt += 1) {
      const outcome = await options.invoke();
      if (outcome.ok) return;
      if (attempt < options.retries) await delay(retryPauseMs, undefined, { signal: stopping.signal });
    }
    options.log(`schedule ${options.name}: gave up after ${options.retries + 1} attempts`);
    await options.gaveUp();
  };

  const loop = (async () => {
    let due = nextTime(expression, timezone, calendar());
    while (!stopping.signal.aborted) {
      const pause = Math.max(shortestPauseMs, (due - calendar()) / speed);
      // Timers hold at most 24.8 days; a longer pause is taken in pieces.
      await delay(Math.min(pause, 2_000_000_000), undefined, { signal: stopping.signal });
      if (calendar() < due && pause > 2_000_000_000) continue;
      const begun = calendar();
      await run();
      due = Math.max(nextTime(expression, timezone, begun), calendar());
    }
  })().catch((error: unknown) => {
    if (!stopping.signal.aborted) options.log(`schedule ${options.name}: ${String(error)}`);
  });

  return {
    stop: async () => {
      stopping.abort();
      await loop;
    },
  };
};
