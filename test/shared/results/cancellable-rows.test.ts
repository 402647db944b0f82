// What a cancellation of an import names: every number that is in a port, or that some are not known yet.
import { expect, test } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { readCancellableRows } from '#shared/results/numbers.ts';
import { minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { importItemOf, msisdnOf, plannedRowOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const sources = () => ({ ...rig, resources: { resultsBucket: services.buckets.results } });
const cancellable = (item: ImportItem) => readCancellableRows(sources(), item);

/** Three requests of two rows each. Submit leaves the reading of their ports to sync. */
const sendThree = async (): Promise<ImportItem> => {
  const { item } = await rig.imports.begin(importItemOf('import-a', { requestCount: 3 }));
  const groups = [1, 11, 21].map((first) => [plannedRowOf(first, first + 1), plannedRowOf(first + 1, first + 2)]);
  for (const message of await rig.plan('import-a', groups)) await rig.submit(message, { readsBack: () => false });
  return item;
};

test('ports that sync has not read yet are counted, and named once it has', async () => {
  const item = await sendThree();
  expect(await cancellable(item)).toEqual({ rows: [], unread: 3, unknown: 0 });
  rig.pass(minute);
  await rig.sync();
  const { rows, unread } = await cancellable(item);
  expect(unread).toBe(0);
  expect(rows.map(({ msisdn }) => msisdn).sort()).toEqual([1, 2, 11, 12, 21, 22].map((index) => `+${msisdnOf(index)}`));
});

test('a request of unknown outcome is counted: it may have a port', async () => {
  const item = await sendThree();
  const request = await rig.request('import-a');
  const { portId: _, ...unknown } = { ...request, state: 'unknown' as const };
  await rig.requests.replace(request, unknown);
  expect(await cancellable(item)).toMatchObject({ unread: 2, unknown: 1 });
});
