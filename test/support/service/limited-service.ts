// A service that answers 429 to calls beyond what it offers, and many callers behind the real rate limiter, in virtual
// time: how much of the offer they use.
import { setImmediate as settled } from 'node:timers/promises';
import type { RateLimitItem } from '#shared/request/shared-rate-limit.ts';
import { CallDeferred, RateLimited } from '#shared/service/errors.ts';
import { createRateLimiter, type RateLimiter } from '#shared/service/rate-limiter.ts';
import { createDice } from '../../chaos/dice.ts';
import { createTimeline, type Timeline } from '../../chaos/timeline.ts';

export interface LimitedRun {
  readonly callers: number;
  /** What the service offers in each minute of the clock. */
  readonly callsPerMinute: number;
  /** Whether a 429 names the seconds to the next minute. */
  readonly namesWait: boolean;
  /** Of a call, there and back. */
  readonly latencyMs: number;
  readonly minutes: number;
  /** @default 1 */
  readonly seed?: number;
}

export interface LimitedFigures {
  readonly answered: number;
  readonly limited: number;
  /** What was offered and could be used at our own rate limit. */
  readonly offered: number;
  readonly share: number;
}

const callsPerSecond = 10;
/** As in the functions: this many messages share one instance. */
const callersPerInstance = 5;
const minuteMs = 60_000;

export async function callLimitedService(run: LimitedRun): Promise<LimitedFigures> {
  const start = Date.parse('2026-07-06T09:00:00Z');
  const timeline = createTimeline(start);
  const dice = createDice(run.seed ?? 1);
  const store = memoryStore();
  const counts = { answered: 0, limited: 0 };
  const service = createService(run, timeline, counts);
  const limiters = Array.from({ length: Math.ceil(run.callers / callersPerInstance) }, () =>
    createRateLimiter({
      store,
      callsPerSecond,
      clock: timeline.now,
      random: dice.next,
      wait: timeline.wait,
      notify: () => {},
      onFailure: (error) => {
        throw error;
      },
    }),
  );
  for (let caller = 0; caller < run.callers; caller += 1) {
    void callForEver(limiters[caller % limiters.length] as RateLimiter, timeline, service);
  }
  const end = start + run.minutes * minuteMs;
  await settled();
  while (await timeline.step(end));
  const usable = Math.min(60 * callsPerSecond, (run.callers * minuteMs) / run.latencyMs);
  const offered = Math.min(run.callsPerMinute, usable) * run.minutes;
  return { ...counts, offered, share: Math.round((counts.answered / offered) * 1_000) / 1_000 };
}

function createService(
  { callsPerMinute, namesWait, latencyMs }: LimitedRun,
  { now, wait }: Timeline,
  counts: { answered: number; limited: number },
) {
  let minute = 0;
  let used = 0;
  return async (): Promise<void> => {
    await wait(latencyMs / 2);
    const current = Math.floor(now() / minuteMs);
    if (current !== minute) {
      minute = current;
      used = 0;
    }
    used += 1;
    const isOver = used > callsPerMinute;
    const askedMs = namesWait ? Math.ceil((minuteMs - (now() % minuteMs)) / 1_000) * 1_000 : 0;
    await wait(latencyMs / 2);
    if (!isOver) counts.answered += 1;
    else {
      counts.limited += 1;
      throw new RateLimited(askedMs, { call: 'POST /', status: 429 });
    }
  };
}

/** A deferred call is made again when its message returns to the queue. */
async function callForEver(limiter: RateLimiter, { wait }: Timeline, service: () => Promise<void>) {
  for (;;) {
    try {
      const begunAt = await limiter.acquire('POST /', async () => {});
      const failure = await service().catch((error: unknown) => error);
      await limiter.recordOutcome(failure ?? undefined, begunAt);
    } catch (error) {
      if (!(error instanceof CallDeferred)) throw error;
      await wait(Math.max(1_000, error.retryAfterMs));
    }
  }
}

function memoryStore() {
  let stored: RateLimitItem | undefined;
  return {
    get: async () => stored,
    replace: async (seen: RateLimitItem | undefined, next: RateLimitItem) => {
      if (seen?.revision !== stored?.revision) return undefined;
      stored = { ...next, revision: (seen?.revision ?? 0) + 1 };
      return stored;
    },
  };
}
