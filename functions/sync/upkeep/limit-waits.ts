// Once an hour, and soon after the clock stepped back: nothing waits longer than the longest wait of its kind. What was
// written before the step has a due time so much later.
import type { Clocks } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Leases } from '#shared/store/tables/leases.ts';
import type { LimitWait } from '#shared/store/tables/wait-limits.ts';
import { longestWaits, runLease } from '../intervals.ts';

export interface LimitWaitsDependencies {
  readonly leases: Leases;
  readonly limitWait: LimitWait;
  readonly clocks: Clocks;
  readonly runId: string;
  /** How long a request of unknown outcome waits at least. */
  readonly quietMs: number;
  readonly log: Log;
}

/** A lease that is never released: it marks the last time. */
const leaseName = 'wait-limits';

/** Returns how many waits were shortened. */
export async function limitWaits(dependencies: LimitWaitsDependencies): Promise<number> {
  const { leases, limitWait, clocks, runId, quietMs, log } = dependencies;
  const [now, today] = [clocks.wall(), clocks.calendar()];
  const { everyMs, hourlyMs, portsMs } = longestWaits;
  const next = now + everyMs;
  const lease = { name: leaseName, holder: runId, now, until: next, latest: next + runLease.furthestMs };
  if (!(await leases.take(lease))) return 0;
  const shortened =
    // A request whose outcome is unknown waits for its quiet period again: nobody knows how long it has waited.
    (await limitWait('requests', now + hourlyMs + quietMs, now + quietMs)) +
    (await limitWait('notifications', now + hourlyMs, now)) +
    (await limitWait('ports', today + portsMs, today));
  if (shortened > 0) log.warn('the clock stepped back: waits were shortened', { items: shortened });
  return shortened;
}
