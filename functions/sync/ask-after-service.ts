// While the service is down a run asks after it at once, whoever's turn it would be: so a mended secret, or a service that is
// back, is seen by the next run at the latest, and how long it has been down is measured.
import { describeOutage } from '#shared/domain/pace.ts';
import { isPortingFailure } from '#shared/porting/errors.ts';
import type { SyncParts } from './parts.ts';

/** Whether a person asked, and the service answers a call with a new token. @throws PortingFailure */
export async function isSecretTaken({
  checkSecret = false,
  pace,
  client,
}: Pick<SyncParts, 'checkSecret' | 'pace' | 'client'>): Promise<boolean> {
  if (!checkSecret) return false;
  await pace.probeNow();
  await client.networks();
  return true;
}

export async function askAfterService(
  parts: Pick<SyncParts, 'pace' | 'client' | 'clocks' | 'metrics' | 'log'>,
): Promise<void> {
  const { pace, client, clocks, metrics, log } = parts;
  if ((await pace.get())?.outage !== undefined) {
    await pace.probeNow();
    await client.ready().catch(unlessHeldBack);
  }
  const now = await pace.get();
  const since = now?.outage && now.failing?.since;
  metrics.gauge('serviceDown', since === undefined ? 0 : Math.round((clocks.wall() - Date.parse(since)) / 1000));
  if (now?.outage !== undefined)
    log.error('calls are held back, but for one probe at a time', { because: describeOutage(now) });
}

function unlessHeldBack(error: unknown): void {
  if (!isPortingFailure(error)) throw error;
}
