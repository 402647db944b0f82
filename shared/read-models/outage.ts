// An outage of the service, as the rate limiter of all functions has recorded it.
import type { Outage } from '#shared/results/answers.ts';
import type { ReadSources } from './sources.ts';

/** undefined: the service is available. */
export async function readOutage({ rateLimiter }: ReadSources): Promise<Outage | undefined> {
  const item = await rateLimiter();
  if (item?.outage === undefined || item.failing === undefined) return undefined;
  return { since: item.failing.since, reason: item.failing.because, nextAttemptAt: item.outage.nextProbeAt };
}
