// Announces uploads again whose message is lost, or hidden after a crash of ingest: without it an import would stay in
// `planning` for up to 90 minutes, or for ever.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { isStuck } from '#shared/domain/imports/ingest-attempt.ts';
import type { ImportItem } from '#shared/items/import.ts';
import { importRescue, runLease } from '../intervals.ts';
import { announce, type SweepDependencies } from './sweep-inbox.ts';

export type RescueDependencies = Omit<SweepDependencies, 'files' | 'inboxBucket' | 'deadline'>;

export async function rescueImports(dependencies: RescueDependencies): Promise<number> {
  const { imports, account, wall, onUnreadable } = dependencies;
  const now = wall();
  const since = isoTime(now - importRescue.oldestMs);
  const items = await imports.list(account, { limit: importRescue.imports, since, onUnreadable });
  let rescued = 0;
  for (const item of items.filter((each) => isStuck(each, now))) if (await rescue(item, dependencies)) rescued += 1;
  return rescued;
}

/** A file that ends every attempt is not announced for ever: its message is dead-lettered, which raises an alarm. */
async function rescue(item: ImportItem, dependencies: RescueDependencies): Promise<boolean> {
  const { leases, runId, wall, log } = dependencies;
  const now = wall();
  const until = now + importRescue.everyMs;
  const name = `rescue-${item.importId}`;
  const lease = { name, holder: runId, now, until, latest: until + runLease.furthestMs };
  const times = await leases.takeUp(lease);
  if (times === undefined) return false;
  await leases.note(lease, String(Number(times) + 1));
  if (Number(times) >= importRescue.most) return false;
  const { bucket, key, etag, versionId } = item;
  await announce({ bucket, key, etag, versionId }, dependencies);
  log.warn('an import without a message was announced again', { importId: item.importId, state: item.state });
  return true;
}
