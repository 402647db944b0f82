// The object that keeps a search of the port list until the next run.
import { expect, test } from 'vitest';
import { createSearchStore } from '#functions/sync/unknown-outcomes/kept-search.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { newScan } from '#shared/service/scan-port-list.ts';
import { createFiles } from '#shared/store/files.ts';
import { double } from '../../../support/double.ts';
import { createBucketTwin } from '../../../support/in-memory/bucket.ts';

const minute = 60_000;
const bucket = { bucket: 'work', key: 'search/1' };

function storeAt(start: number) {
  let now = start;
  const files = createFiles(createBucketTwin({ now: () => now }) as never);
  const pipeline = double<Pipeline>({ files, resources: { workBucket: 'work' }, clocks: { wall: () => now } });
  return { store: createSearchStore('search/1', pipeline), files, pass: (ms: number) => (now += ms) };
}

const statuses = new Map([
  ['p1', 'Submitted'],
  ['p2', 'Cancelled'],
]);

const searchWith = (ids: readonly string[]) => {
  const scan = { ...newScan(50, 1), pages: 3, total: 99 };
  for (const id of ids) scan.seen.add(id);
  const stamps = new Map([['sim1-a', '1.2']]);
  return { pass: { scan, stamps, found: new Map([['sim1-a', statuses]]), missing: new Set(['p9']) } };
};

test('a search is loaded as it was saved', async () => {
  const { store } = storeAt(0);
  expect(await store.load()).toEqual({});
  await store.save(searchWith(['p1', 'p2', 'p3']));
  const { pass } = await store.load();
  expect(pass).toMatchObject({ scan: { pages: 3, total: 99, pageBase: 1 }, missing: new Set(['p9']) });
  expect(pass?.stamps).toEqual(new Map([['sim1-a', '1.2']]));
  expect(pass?.found).toEqual(new Map([['sim1-a', statuses]]));
  expect(['p1', 'p3', 'p4'].map((id) => pass?.scan.seen.has(id))).toEqual([true, true, false]);
});

test('ids take 8 bytes each', async () => {
  const { store, files } = storeAt(0);
  const bytesOf = async (ids: number) => {
    await store.save(searchWith(Array.from({ length: ids }, (_, index) => `p${index}`)));
    return (await files.head(bucket))?.bytes ?? 0;
  };
  expect((await bytesOf(1_000)) - (await bytesOf(0))).toBe(8_000);
});

test.each([
  [60 * minute, true],
  [60 * minute + 1, false],
  [-60 * minute - 1, false],
])('a search that was saved %i ms ago is continued: %s', async (pause, isContinued) => {
  const { store, pass } = storeAt(100 * minute);
  await store.save(searchWith([]));
  pass(pause);
  expect((await store.load()).pass !== undefined).toBe(isContinued);
});

test('an object that cannot be read is ignored', async () => {
  const { store, files } = storeAt(0);
  const writer = files.open(bucket.bucket, bucket.key, 'text/plain');
  await writer.write('{"savedAt":"yesterday"}\n');
  await writer.close();
  expect(await store.load()).toEqual({});
});
