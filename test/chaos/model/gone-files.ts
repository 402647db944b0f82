// Files that are gone: S3 removes uploads and plans while the ports of their imports go on, and people approve, correct
// and move them.
import { HeadObjectCommand } from '@aws-sdk/client-s3';
import fc from 'fast-check';
import type { ImportItem } from '#shared/import/import.ts';
import { isReleased } from '#shared/import/import-state.ts';
import { importFileKey } from '#shared/store/object-keys.ts';
import { isoTime } from '#shared/text/wording.ts';
import { correctedNumbers } from '../invariants.ts';
import { buckets, queueUrl } from '../pipeline.ts';
import { ledgerOf } from '../true-rows.ts';
import type { World } from '../world.ts';
import { command } from './happening.ts';

function importAt(place: number, world: World, isWanted: (item: ImportItem) => boolean): ImportItem | undefined {
  const wanted = ledgerOf(world).imports.filter(isWanted);
  return wanted[place % Math.max(1, wanted.length)];
}

/** With every version of it: one that no import has read would never be read. */
export const expire = fc.nat(9).map((place) =>
  command({
    name: `the upload of import ${place} expires`,
    does: (_, { world }) => {
      const { bucket, heard } = world;
      const key = importAt(place, world, (item) => item.bucket === buckets.inbox)?.key ?? '';
      const imports = ledgerOf(world).imports.filter((item) => item.key === key && item.reschedules === undefined);
      const versions = bucket.written(buckets.inbox).filter((each) => each.key === key);
      const isRead = versions.every(({ versionId }) => imports.some((item) => item.versionId === versionId));
      if (!isRead || !imports.every(isReleased)) return;
      for (const number of correctedNumbers(imports, bucket)) heard.corrected.add(number);
      bucket.expire(buckets.inbox, key);
    },
  }),
);

/** A request that needs its plan longer waits for a person, or for its day. */
const keptMs = 60 * 60_000;

const isWaiting = ({ state }: ImportItem): boolean => ['planned', 'scheduled', 'stopped'].includes(state);

/** Of one that waits, if there is any; then a person approves or resumes it. */
export const expirePlan = fc.record({ place: fc.nat(9), isAnswered: fc.boolean() }).map(({ place, isAnswered }) =>
  command({
    name: `an hour later, the plan of import ${place} expires${isAnswered ? ', and is answered' : ''}`,
    does: async ({ files }, { world, pass }) => {
      await pass(keptMs);
      const has = ({ planHash }: ImportItem) => planHash !== undefined;
      const item = importAt(place, world, (each) => has(each) && isWaiting(each)) ?? importAt(place, world, has);
      if (item === undefined) return;
      await expireOld(`${buckets.work}/${importFileKey(item.importId, '')}`, world);
      const { importId, planHash: plan = '', versionId } = item;
      if (!isAnswered) return;
      files.find(({ dropped }) => dropped?.version === versionId)?.approved.add(plan);
      world.queue.add(queueUrl('command'), { approve: importId, plan });
      world.queue.add(queueUrl('command'), { resume: importId, at: isoTime(world.timeline.now()), by: 'Sam' });
    },
  }),
);

async function expireOld(folder: string, { bucket, timeline }: World): Promise<void> {
  for (const file of bucket.places().filter((each) => each.startsWith(folder))) {
    const Key = file.slice(buckets.work.length + 1);
    const head = (await bucket.send(new HeadObjectCommand({ Bucket: buckets.work, Key }))) as { LastModified: Date };
    if (timeline.now() - head.LastModified.getTime() >= keptMs) bucket.expire(buckets.work, Key);
  }
}
