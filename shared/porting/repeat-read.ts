// Repeats a read as retry-policy.ts decides.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { CallDeferred, isPortingFailure, type PortingFailure } from '#shared/service/errors.ts';
import { decideRetry, type RetryPolicy } from '#shared/service/retry-policy.ts';

export interface RepeatSettings {
  readonly retry?: RetryPolicy;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Runs `read` until it succeeds or retry-policy.ts ends it; rejects with the last failure. If a repeated call is
 * deferred, the failure before it is the cause.
 */
export type Repeat = <Value>(read: () => Promise<Value>) => Promise<Value>;

export function createRepeat(settings: RepeatSettings): Repeat {
  const { retry, clock = wallClock, random = Math.random, wait = (milliseconds) => sleep(milliseconds) } = settings;
  return async (read) => {
    const start = clock();
    let failed: PortingFailure | undefined;
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await read();
      } catch (error) {
        if (!isPortingFailure(error)) throw error;
        keepCause(error, failed);
        failed = error;
        const elapsedMs = clock() - start;
        const decision = decideRetry({ method: 'GET', error, attempt, elapsedMs, random: random() }, retry);
        if (!decision.again) throw error;
        await wait(decision.waitMs);
      }
    }
  };
}

/** The failure that was repeated is more useful than the deferral of the repetition. */
function keepCause(error: PortingFailure, earlier: PortingFailure | undefined): void {
  if (error instanceof CallDeferred) error.cause ??= earlier;
}
