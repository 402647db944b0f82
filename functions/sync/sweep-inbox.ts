// Uploads whose event got lost (fault 6): once an hour the inbox is held against the imports, and what nobody has taken is
// announced once more.
import type { Files, ListedObject } from '#shared/aws/files.ts';
import type { Imports } from '#shared/aws/imports.ts';
import type { Leases } from '#shared/aws/leases.ts';
import type { Queues } from '#shared/aws/queues.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';

export interface SweepParts {
  readonly leases: Pick<Leases, 'take'>;
  readonly files: Pick<Files, 'list' | 'head'>;
  readonly imports: Pick<Imports, 'list'>;
  readonly queues: Queues;
  readonly inboxBucket: string;
  readonly ingestQueueUrl: string;
  readonly account: number;
  readonly wall: Clock;
  readonly runId: string;
  readonly remainingMs: () => number;
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
const mostObjects = 50_000;
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
  const lost = recent.filter((object) => !taken(object));
  for (const object of lost) await announce(object, parts);
  return lost.length;
}

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

async function recentUploads(now: number, { files, inboxBucket, log }: SweepParts): Promise<ListedObject[]> {
  const recent: ListedObject[] = [];
  let seen = 0;
  for await (const object of files.list(inboxBucket, '')) {
    seen += 1;
    if (seen > mostObjects) {
      log.warn('the inbox holds more than one sweep looks at', { objects: mostObjects });
      break;
    }
    const age = now - object.lastModified.getTime();
    // A folder's marker is no upload.
    if (age >= youngestMs && age <= oldestMs && !object.key.endsWith('/')) recent.push(object);
  }
  return recent;
}

/** Whether an import was begun from the object as it is now: with its content, and not before it was uploaded. */
async function takenSince(
  oldest: number,
  { imports, account }: SweepParts,
): Promise<(object: ListedObject) => boolean> {
  const latest = new Map<string, number>();
  for (const { key, etag, receivedAt } of await imports.list(account, { limit: mostImports, since: iso(oldest) })) {
    const place = `${etag} ${key}`;
    latest.set(place, Math.max(latest.get(place) ?? 0, Date.parse(receivedAt)));
  }
  // Objects tell their time in whole seconds.
  return ({ key, etag, lastModified }) => (latest.get(`${etag} ${key}`) ?? 0) >= lastModified.getTime() - 1_000;
}

/** As S3 would have told of it: with the version, so that it is the same import whichever event comes first. */
async function announce({ bucket, key, etag }: ListedObject, parts: SweepParts): Promise<void> {
  const head = await parts.files.head({ bucket, key, etag });
  if (head === undefined) return;
  const object = { key: encodeURIComponent(key), eTag: etag, versionId: head.versionId };
  await parts.queues.send(parts.ingestQueueUrl, [{ Records: [{ s3: { bucket: { name: bucket }, object } }] }]);
  parts.log.warn('an upload that nobody took was announced again', { bucket, key });
}
