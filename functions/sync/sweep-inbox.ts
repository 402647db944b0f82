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
  readonly leases: Pick<Leases, 'takeUp' | 'note'>;
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
/** A lease that is not given back: it marks the last sweep, and the key at which that one stopped. */
const marker = 'inbox-sweep';
const everyMs = 60 * minuteMs;
/** A younger upload may just be waiting for its turn. */
const youngestMs = 30 * minuteMs;
/** An older one was swept two dozen times already. */
const oldestMs = 24 * 60 * minuteMs;
/** 50 pages of the bucket. Uploads are kept for months: where there are more, the next sweep goes on behind the last key. */
const mostVersions = 50_000;
/** Of one day. */
const mostImports = 10_000;
const neededMs = 20_000;

/**
 * Answers how many uploads were announced again. An upload that is still in its queue as well becomes the same import by
 * both of its events.
 */
export async function sweepInbox(parts: SweepParts): Promise<number> {
  const now = parts.wall();
  if (parts.remainingMs() < neededMs) return 0;
  const next = iso(now + everyMs);
  const after = await parts.leases.takeUp(marker, parts.runId, iso(now), next);
  if (after === undefined) return 0;
  const { recent, stoppedAt } = await recentUploads(now, after, parts);
  const lost = await announceLost(recent, now, parts);
  // Only now: what this sweep found and could not announce is the next one's again.
  if (stoppedAt !== undefined) await parts.leases.note(marker, parts.runId, next, stoppedAt);
  return lost;
}

async function announceLost(recent: readonly ListedVersion[], now: number, parts: SweepParts): Promise<number> {
  if (recent.length === 0) return 0;
  const taken = await takenSince(now - oldestMs, parts);
  const lost = recent.filter((version) => !taken.has(placeOf(version)));
  for (const version of lost) await announce(version, parts);
  return lost.length;
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

interface Swept {
  readonly recent: readonly ListedVersion[];
  /** The last key that was looked at; undefined at the end of the bucket. */
  readonly stoppedAt?: string;
}

async function recentUploads(now: number, after: string, { files, inboxBucket, log }: SweepParts): Promise<Swept> {
  const recent: ListedVersion[] = [];
  let seen = 0;
  let last = '';
  for await (const version of files.versions(inboxBucket, after)) {
    const age = now - version.lastModified.getTime();
    // A key's versions come newest first, so behind one that is too old there are only older ones.
    if (seen >= mostVersions && (version.key !== last || age > oldestMs)) {
      log.info('the inbox holds more than one sweep looks at: the next goes on there', { versions: seen });
      return { recent, stoppedAt: last };
    }
    seen += 1;
    last = version.key;
    if (age >= youngestMs && age <= oldestMs && isUpload(version)) recent.push(version);
  }
  return { recent };
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
