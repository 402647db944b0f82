// During an outage every run probes the service at once: a replaced secret, or a service that is back, is noticed by
// the next run at the latest, and the duration of the outage is measured.
import { describeOutage } from '#shared/domain/requests/rate-limit.ts';
import { isPortingFailure } from '#shared/porting/errors.ts';
import type { SyncDependencies } from '../dependencies.ts';

/** Whether the service answers a call with a new token. @throws PortingFailure */
export async function isSecretAccepted({ rateLimiter, client }: SyncDependencies): Promise<true> {
  await rateLimiter.probeNow();
  await client.networks();
  return true;
}

export async function probeService({ rateLimiter, client, clocks, metrics, log }: SyncDependencies): Promise<void> {
  if ((await rateLimiter.get())?.outage !== undefined) {
    await rateLimiter.probeNow();
    await client.ready().catch(ignorePortingFailure);
  }
  const now = await rateLimiter.get();
  const since = now?.outage && now.failing?.since;
  metrics.gauge('serviceDown', since === undefined ? 0 : Math.round((clocks.wall() - Date.parse(since)) / 1000));
  if (now?.outage !== undefined)
    log.error('the service is down: calls are deferred, except for one probe at a time', {
      because: describeOutage(now),
    });
}

function ignorePortingFailure(error: unknown): void {
  if (!isPortingFailure(error)) throw error;
}
