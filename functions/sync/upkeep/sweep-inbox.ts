// Finds uploads whose event was lost (fault 6): once an hour every version in the inbox is compared with the imports,
// and an upload without an import is announced to ingest again, even if it was overwritten since.
// An import without a message, because it is lost or hidden after a crash of ingest, is announced again, too: it would
// stay in `planning` for up to 90 minutes, or for ever.
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { isStuck } from '#shared/domain/imports/ingest-attempt.ts';
import type { OnUnreadable } from '#shared/domain/requests/unreadable-item.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { type Deadline, timeNeeded } from '#shared/runtime/deadline.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Files } from '#shared/store/files/files.ts';
import type { ListedVersion } from '#shared/store/files/object-versions.ts';
import type { Queues } from '#shared/store/queues/queues.ts';
import type { Imports } from '#shared/store/tables/imports.ts';
import type { Leases } from '#shared/store/tables/leases.ts';
import { importRescue, inboxSweep } from '../intervals.ts';

export interface SweepDependencies {
  readonly leases: Leases;
  readonly files: Files;
  readonly imports: Imports;
  readonly queues: Queues;
  readonly inboxBucket: string;
  readonly ingestQueueUrl: string;
  readonly account: number;
  readonly wall: Clock;
  readonly runId: string;
  readonly deadline: Deadline;
  readonly onUnreadable: OnUnreadable;
  readonly log: Log;
}

/** A lease that is never released: it marks the last sweep, and notes the key at which that sweep stopped. */
const leaseName = 'inbox-sweep';

/**
 * Returns how many uploads were announced again. An upload whose first event is only late becomes the same import by
 * both events.
 */
export async function sweepInbox(dependencies: SweepDependencies): Promise<number> {
  const { wall, deadline, leases, runId } = dependencies;
  if (!deadline.hasTimeFor(timeNeeded.upkeep)) return 0;
  const now = wall();
  const next = now + inboxSweep.everyMs;
  const lease = { name: leaseName, holder: runId, now, until: next };
  const after = await leases.takeUp(lease);
  if (after === undefined) return 0;
  const { recent, stoppedAt } = await recentUploads(now, after, dependencies);
  const lost = await announceLost(recent, now, dependencies);
  // Noted last: if an upload could not be announced, the next sweep finds it again.
  if (stoppedAt !== undefined) await leases.note(lease, stoppedAt);
  return lost;
}

async function announceLost(
  recent: readonly ListedVersion[],
  now: number,
  dependencies: SweepDependencies,
): Promise<number> {
  if (recent.length === 0) return 0;
  const imported = await importedSince(now - inboxSweep.oldestMs, dependencies);
  const lost = recent.filter((version) => !imported.has(idOf(version)));
  for (const version of lost) await announce(version, dependencies);
  return lost.length;
}

async function recentUploads(now: number, after: string, { files, inboxBucket, log }: SweepDependencies) {
  const recent: ListedVersion[] = [];
  let listed = 0;
  let last = '';
  for await (const version of files.versions(inboxBucket, after)) {
    const age = now - version.lastModified.getTime();
    // The versions of a key are listed newest first, so after one that is too old all others are too old.
    if (listed >= inboxSweep.versions && (version.key !== last || age > inboxSweep.oldestMs)) {
      log.info('the inbox is too large for one sweep: the next one continues', { versions: listed });
      return { recent, stoppedAt: last };
    }
    listed += 1;
    last = version.key;
    if (age >= inboxSweep.youngestMs && age <= inboxSweep.oldestMs && isUpload(version)) recent.push(version);
  }
  return { recent };
}

/**
 * Not the marker of a folder, and not the version `null`: its event names no version, so this event would be another
 * import.
 */
const isUpload = ({ key, versionId }: ListedVersion): boolean => !key.endsWith('/') && versionId !== 'null';

const idOf = ({ key, versionId }: { readonly key: string; readonly versionId?: string | undefined }): string =>
  `${versionId} ${key}`;

async function importedSince(
  oldest: number,
  { imports, account, onUnreadable }: SweepDependencies,
): Promise<Set<string>> {
  const items = await imports.list(account, { limit: inboxSweep.imports, since: isoTime(oldest), onUnreadable });
  return new Set(items.map(idOf));
}

/** The same event as S3 sends: with the version, so that both events are the same import. */
export async function announce(
  { bucket, key, etag, versionId }: Pick<ImportItem, 'bucket' | 'key' | 'etag' | 'versionId'>,
  { queues, ingestQueueUrl, log }: Pick<SweepDependencies, 'queues' | 'ingestQueueUrl' | 'log'>,
): Promise<void> {
  const object = { key: encodeURIComponent(key), eTag: etag, versionId };
  await queues.send(ingestQueueUrl, [{ Records: [{ s3: { bucket: { name: bucket }, object } }] }]);
  log.warn('an upload was announced again', { bucket, key, versionId });
}

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
  const lease = { name, holder: runId, now, until };
  const times = await leases.takeUp(lease);
  if (times === undefined) return false;
  await leases.note(lease, String(Number(times) + 1));
  if (Number(times) >= importRescue.most) return false;
  const { bucket, key, etag, versionId } = item;
  await announce({ bucket, key, etag, versionId }, dependencies);
  log.warn('an import without a message was announced again', { importId: item.importId, state: item.state });
  return true;
}
