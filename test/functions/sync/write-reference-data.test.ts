import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { writeReferenceData } from '#functions/sync/reference-data.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { referenceTableNames } from '#shared/results/reference-data.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { Unavailable } from '#shared/service/errors.ts';
import { createLeases } from '#shared/store/leases.ts';
import { referenceDataKey } from '#shared/store/object-keys.ts';
import type { ResultsServices } from '../../support/embedded/services.ts';
import { tableDefinition } from '../../support/embedded/table.ts';
import { startTwinServices } from '../../support/in-memory/services.ts';
import { hour, minute } from '../../support/service/simulator.ts';
import { type Rig, startRig } from '../../support/steps/submit-and-sync.ts';

let services: ResultsServices;
let rig: Rig;
let table: string;

beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  table = `pack-${randomUUID()}`;
  await services.table.send(new CreateTableCommand(tableDefinition(table)));
});

const pipelineWith = (changes: Partial<SyncPipeline> = {}): SyncPipeline =>
  rig.syncParts({ leases: createLeases(services.table, table), ...changes });
const fileOf = (name: (typeof referenceTableNames)[number]): Promise<string> =>
  rig.files.readText({ bucket: services.buckets.results, key: referenceDataKey(name) });

test('every table is a separate file below catalogue/', async () => {
  expect(await writeReferenceData(pipelineWith())).toBe(true);
  for (const name of referenceTableNames) expect((await fileOf(name)).split('\r\n').length).toBeGreaterThan(1);
  expect(await fileOf('networks')).toContain('Port,UK Mobile A,11,101,A,yes,1,30,2026-07-07,2026-08-05\r\n');
});

test('the data is written once on each calendar day of the account, whichever run comes first', async () => {
  expect(await writeReferenceData(pipelineWith())).toBe(true);
  rig.service.moveTo('2026-07-06T22:59:00Z'); // one minute before midnight in London
  expect(await writeReferenceData(pipelineWith())).toBe(false);
  rig.pass(minute);
  expect(await writeReferenceData(pipelineWith())).toBe(true);
  expect(await fileOf('networks')).toContain(',2026-07-08,2026-08-06\r\n');
});

test('while a calendar day takes seconds, the data is written once a minute', async () => {
  let wallMs = 0;
  const wall = () => Date.parse('2026-07-06T09:00:00Z') + wallMs;
  const fast = { clocks: { wall, calendar: rig.service.now } };
  expect(await writeReferenceData(pipelineWith(fast))).toBe(true);
  for (wallMs = 1_000; wallMs < minute; wallMs += 1_000) {
    rig.pass(24 * hour);
    expect(await writeReferenceData(pipelineWith(fast))).toBe(false);
  }
  rig.pass(24 * hour);
  expect(await writeReferenceData(pipelineWith(fast))).toBe(true);
  expect(await fileOf('networks')).toContain(',2026-09-07,2026-10-04\r\n');
});

test('a failed lookup is repeated a quarter of an hour later, and not before', async () => {
  const broken = pipelineWith();
  const down = () => {
    const call = 'GET /api/porting/1001/networks';
    return createCatalogue({
      ...rig.porting,
      boltOns: () => Promise.reject(new Unavailable('down', { call })),
    });
  };
  await expect(writeReferenceData({ ...broken, openCatalogue: down })).rejects.toThrow(Unavailable);
  rig.pass(14 * minute);
  expect(await writeReferenceData(pipelineWith())).toBe(false);
  rig.pass(minute);
  expect(await writeReferenceData(pipelineWith())).toBe(true);
});

test('a failed lookup leaves the files of the day before as they are', async () => {
  await writeReferenceData(pipelineWith());
  const before = await fileOf('networks');
  rig.pass(24 * hour);
  const openCatalogue = () =>
    createCatalogue({ ...rig.porting, networkServices: () => Promise.reject(new Error('reset')) });
  await expect(writeReferenceData(pipelineWith({ openCatalogue }))).rejects.toThrow('reset');
  expect(await fileOf('networks')).toBe(before);
});

test('a run with too little time leaves it to another run, without a call', async () => {
  rig.calls.length = 0;
  expect(await writeReferenceData(pipelineWith({ deadline: createDeadline(() => 10_000) }))).toBe(false);
  expect(rig.calls).toEqual([]);
  expect(await writeReferenceData(pipelineWith())).toBe(true);
});
