import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type LookupPackParts, lookupKey, writeLookupPack } from '#functions/sync/lookup-pack.ts';
import { createFiles } from '#shared/aws/files.ts';
import { createLeases } from '#shared/aws/leases.ts';
import { tableDefinition } from '#shared/aws/table-definition.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { lookupNames } from '#shared/operations/lookup-pack.ts';
import { Unavailable } from '#shared/porting/errors.ts';
import { hour, minute } from '../../support/porting-service.ts';
import { type Rig, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;
let table: string;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  table = `pack-${randomUUID()}`;
  await services.table.send(new CreateTableCommand(tableDefinition(table)));
});

const partsOf = (changes: Partial<LookupPackParts> = {}): LookupPackParts => {
  const { client } = rig.syncParts();
  return {
    leases: createLeases(services.table, table),
    files: createFiles(services.s3),
    openCatalogue: () => createCatalogue({ ...rig.porting, ...client }),
    resultsBucket: services.buckets.results,
    zone: 'Europe/London',
    calendar: rig.service.now,
    runId: randomUUID(),
    remainingMs: () => 60_000,
    ...changes,
  };
};
const fileOf = (name: (typeof lookupNames)[number]): Promise<string> =>
  rig.files.readText({ bucket: services.buckets.results, key: lookupKey(name) });

test('every table is a file of its own under catalogue/', async () => {
  expect(await writeLookupPack(partsOf())).toBe(true);
  for (const name of lookupNames) expect((await fileOf(name)).split('\r\n').length).toBeGreaterThan(2);
  expect(await fileOf('networks')).toContain('Port,UK Mobile A,11,101,A,yes,1,30,2026-07-07,2026-08-05\r\n');
});

test('it is written once on a calendar day of the account, whichever run asks', async () => {
  expect(await writeLookupPack(partsOf())).toBe(true);
  rig.service.moveTo('2026-07-06T22:59:00Z'); // one minute before midnight in London
  expect(await writeLookupPack(partsOf())).toBe(false);
  rig.pass(minute);
  expect(await writeLookupPack(partsOf())).toBe(true);
  expect(await fileOf('networks')).toContain(',2026-07-08,2026-08-06\r\n');
});

test('what could not be looked up is tried again a quarter of an hour later, and not before', async () => {
  const broken = partsOf();
  const down = () => {
    const call = 'GET /api/porting/1001/networks';
    return createCatalogue({
      ...rig.porting,
      boltOns: () => Promise.reject(new Unavailable('down', { call })),
    });
  };
  await expect(writeLookupPack({ ...broken, openCatalogue: down })).rejects.toThrow(Unavailable);
  rig.pass(14 * minute);
  expect(await writeLookupPack(partsOf())).toBe(false);
  rig.pass(minute);
  expect(await writeLookupPack(partsOf())).toBe(true);
});

test('a failed reading leaves the files of the day before as they are', async () => {
  await writeLookupPack(partsOf());
  const before = await fileOf('networks');
  rig.pass(24 * hour);
  const openCatalogue = () =>
    createCatalogue({ ...rig.porting, networkServices: () => Promise.reject(new Error('reset')) });
  await expect(writeLookupPack(partsOf({ openCatalogue }))).rejects.toThrow('reset');
  expect(await fileOf('networks')).toBe(before);
});

test('a run with little time left leaves it to another one, without a call', async () => {
  rig.calls.length = 0;
  expect(await writeLookupPack(partsOf({ remainingMs: () => 10_000 }))).toBe(false);
  expect(rig.calls).toEqual([]);
  expect(await writeLookupPack(partsOf())).toBe(true);
});

test('a failing pack does not fail the run of sync, nor what it tells', async () => {
  const result = await rig.sync({ writeLookupPack: () => Promise.reject(new Error('no bucket')) });
  expect(result).toMatchObject({ skipped: false, looked: 0 });
});
