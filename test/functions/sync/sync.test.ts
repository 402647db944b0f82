// Runs beside one another, and after one that died.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { hour, minute } from '../../support/porting-service.ts';
import { plannedRowOf, type Rig, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
});

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

test('fault 47: of two runs at once one works and the other leaves', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  rig.pass(hour);
  const results = await Promise.all([rig.sync(), rig.sync()]);
  expect(results.filter(({ skipped }) => skipped)).toHaveLength(1);
});

test('fault 47: a run that died lets its lease lapse', async () => {
  const now = rig.service.now();
  await rig.leases.take('sync', 'dead', new Date(now).toISOString(), new Date(now + minute).toISOString());
  expect((await rig.sync()).skipped).toBe(true);
  rig.pass(minute);
  expect((await rig.sync()).skipped).toBe(false);
  expect((await rig.sync()).skipped).toBe(false);
});
