// Uploads whose event got lost (fault 6): once an hour every version in the inbox is held against the imports, and what nobody
// has taken is announced once more, be it overwritten by now.
import type { Files } from '#shared/aws/files.ts';
import type { Imports } from '#shared/aws/imports.ts';
import type { Leases } from '#shared/aws/leases.ts';
import type { ListedVersion } from '#shared/aws/object-versions.ts';
import type { Queues } from '#shared/aws/queues.ts';
import type { OnUnreadable } from '#shared/domain/unreadable-item.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';

export interface SweepParts {
  readonly leases: Pick<Leases, 'take'>;
  readonly files: Pick<Files, 'versions'>;
  readonly imports: Pick<Imports, 'list'>;
  readonly queues: Queues;
  readonly inboxBucket: string;
  readonly ingestQueueUrl: string;
  readonly account: number;
  readonly wall: Clock;
  readonly runId: string;
  readonly remainingMs: () => number;
  readonly onUnreadable: OnUnreadable;
  readonly log: Log;
}

const minuteMs = 60_000;
/** A lease that is not given back: it marks the last sweep. */
const marker = 'inbox-sweep';
const everyMs = 60 * minuteMs;
/** A younger upload may just be waiting for its turn. */
const youngestMs = 30 * minuteMs;
/** An older one was swept two dozen times already. */
const oldestMs = 24 * 60 * minuteMs;
/** Uploads are kept for months: 50 pages of the bucket, and as many imports of one day, are more than any of them has. */
const mostVersions = 50_000;
const mostImports = 10_000;
const neededMs = 20_000;

/**
 * Answers how many uploads were announced again. An upload that is still in its queue as well becomes the same import by
 * both of its events.
 */
export async function sweepInbox(parts: SweepParts): Promise<number> {
  const now = parts.wall();
  if (parts.remainingMs() < neededMs) return 0;
  if (!(await parts.leases.take(marker, parts.runId, iso(now), iso(now + everyMs)))) return 0;
  const recent = await recentUploads(now, parts);
  if (recent.length === 0) return 0;
  const taken = await takenSince(now - oldestMs, parts);
  const lost = recent.filter((version) => !taken.has(placeOf(version)));
  for (const version of lost) await announce(version, parts);
  return lost.length;
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

async function recentUploads(now: number, { files, inboxBucket, log }: SweepParts): Promise<ListedVersion[]> {
  const recent: ListedVersion[] = [];
  let seen = 0;
  for await (const version of files.versions(inboxBucket)) {
    seen += 1;
    if (seen > mostVersions) {
      log.warn('the inbox holds more than one sweep looks at', { versions: mostVersions });
      break;
    }
    const age = now - version.lastModified.getTime();
    if (age >= youngestMs && age <= oldestMs && isUpload(version)) recent.push(version);
  }
  return recent;
}

/** A folder's marker is none; neither is what S3 names `null`, whose event named no version: it would be another import. */
const isUpload = ({ key, versionId }: ListedVersion): boolean => !key.endsWith('/') && versionId !== 'null';

const placeOf = ({ key, versionId }: { readonly key: string; readonly versionId?: string | undefined }): string =>
  `${versionId} ${key}`;

/** The versions from which an import was begun. */
async function takenSince(oldest: number, { imports, account, onUnreadable }: SweepParts): Promise<Set<string>> {
  const items = await imports.list(account, { limit: mostImports, since: iso(oldest), onUnreadable });
  return new Set(items.map(placeOf));
}

/** As S3 would have told of it: with the version, so that it is the same import whichever event comes first. */
async function announce({ bucket, key, etag, versionId }: ListedVersion, parts: SweepParts): Promise<void> {
  const object = { key: encodeURIComponent(key), eTag: etag, versionId };
  await parts.queues.send(parts.ingestQueueUrl, [{ Records: [{ s3: { bucket: { name: bucket }, object } }] }]);
  parts.log.warn('an upload that nobody took was announced again', { bucket, key, versionId });
}
