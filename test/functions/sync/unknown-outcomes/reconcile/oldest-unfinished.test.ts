// The age of the oldest unfinished request, which an alarm reads.
import { expect, test } from 'vitest';
import { RateLimited } from '#shared/service/errors.ts';
import { minute } from '../../../../support/service/simulator.ts';
import { rig, useFreshRig } from '../../../../support/steps/fresh-services.ts';
import { reconciled } from '../../../../support/steps/reconciling.ts';
import { plannedRowOf } from '../../../../support/steps/submit-and-sync.ts';

useFreshRig();

const lostMs = 16 * minute;
const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

test('the age of the oldest unfinished request is measured in seconds, whether it is due in this run or not', async () => {
  await rig.planOne('import-a', rows);
  rig.pass(10 * minute);
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(10 * 60);
  await rig.planOne('import-b', rows);
  rig.pass(lostMs);
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(26 * 60);
  rig.pass(minute);
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(27 * 60);
});

test('no attempt begins the age of a request anew, and its end removes it', async () => {
  const message = await rig.planOne('import-a', rows);
  const { client } = rig.submitParts();
  const limited: typeof client.createPort = async () => {
    throw new RateLimited(1_000, { call: 'POST', status: 429 });
  };
  for (let attempt = 0; attempt < 4; attempt += 1) {
    rig.pass(20 * minute);
    await rig.submit(message, { client: { ...client, createPort: limited } });
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned' });
  }
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(80 * 60);
  await rig.submit(message);
  await rig.sync();
  expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
  await rig.sync();
  expect(rig.counts.oldestUnfinished).toBe(0);
});
