// Makes a read again while retry.ts says so: the one place of the client that waits.
import { setTimeout as sleep } from 'node:timers/promises';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { HeldBack, isPortingFailure, type PortingFailure } from './errors.ts';
import { decideRetry, type RetryPolicy } from './retry.ts';

export interface RepeatSettings {
  readonly retry?: RetryPolicy;
  readonly clock?: Clock;
  readonly random?: () => number;
  readonly wait?: (milliseconds: number) => Promise<void>;
}

/**
 * Runs `read` until it succeeds or retry.ts gives up; rejects with the last failure. One that was held back after it had
 * failed has that failure as its cause.
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
        noteFormer(error, failed);
        failed = error;
        const elapsedMs = clock() - start;
        const decision = decideRetry({ method: 'GET', error, attempt, elapsedMs, random: random() }, retry);
        if (!decision.again) throw error;
        await wait(decision.waitMs);
      }
    }
  };
}

/** Why a read was made again that was then held back tells more of it than the holding back does. */
function noteFormer(error: PortingFailure, former: PortingFailure | undefined): void {
  if (error instanceof HeldBack) error.cause ??= former;
}
