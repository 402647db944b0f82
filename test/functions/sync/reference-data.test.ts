import { randomUUID } from 'node:crypto';
import { CreateTableCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type ReferenceTable, referenceTables, writeReferenceData } from '#functions/sync/reference-data.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { readReferenceTables, referenceTableNames } from '#shared/results/reference-data.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import { Conflict, NotFound, Unavailable } from '#shared/service/errors.ts';
import { createLeases } from '#shared/store/leases.ts';
import { referenceDataKey } from '#shared/store/object-keys.ts';
import type { ResultsServices } from '../../support/embedded/services.ts';
import { tableDefinition } from '../../support/embedded/table.ts';
import { startTwinServices } from '../../support/in-memory/services.ts';
import { hour, minute, startTestSimulator } from '../../support/service/simulator.ts';
import { type Rig, startRig } from '../../support/steps/submit-and-sync.ts';

const today = '2026-07-06' as CalendarDate;

async function readTables() {
  const service = await startTestSimulator();
  const [given] = service.clients;
  const client = createPortingClient({
    ...service,
    credentials: async () => ({ clientId: given?.clientId ?? '', clientSecret: given?.clientSecret ?? '' }),
  });
  const calls: string[] = [];
  const counted = Object.fromEntries(
    Object.entries(client).map(([name, method]) => [
      name,
      (...words: unknown[]) => {
        calls.push([name, ...words].join(' '));
        return (method as (...words: unknown[]) => unknown)(...words);
      },
    ]),
  ) as unknown as typeof client;
  const tables = new Map<string, ReferenceTable>();
  for await (const table of referenceTables(createCatalogue(counted), today)) tables.set(table.name, table);
  const recordsOf = (name: (typeof referenceTableNames)[number]) => {
    const { columns = [], rows = [] } = tables.get(name) ?? {};
    return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  };
  return { tables, recordsOf, calls };
}

test('every table name has its table, and every row is as wide as its header', async () => {
  const { tables } = await readTables();
  expect([...tables.keys()]).toEqual([...referenceTableNames]);
  for (const { name, columns, rows } of tables.values()) {
    expect([name, rows.length > 0]).toEqual([name, true]);
    for (const row of rows) expect(row).toHaveLength(columns.length);
  }
});

test('a network is listed with the booking window of each of its port types', async () => {
  const { recordsOf } = await readTables();
  const windows = recordsOf('networks')
    .filter(({ targetNetwork }) => targetNetwork === 'UK Mobile A')
    .map(({ portType, earliestDate, latestDate }) => [portType, earliestDate, latestDate]);
  expect(windows).toEqual([
    ['Port', '2026-07-07', '2026-08-05'],
    ['MigrateIn', '2026-07-07', '2026-09-04'],
    ['MigrateInKeep', '2026-07-13', '2026-09-04'],
  ]);
});

test('Type-B networks have neither bolt-ons nor provisioning orders', async () => {
  const { recordsOf } = await readTables();
  const typeB = new Set(
    recordsOf('networks')
      .filter(({ family }) => family === 'B')
      .map(({ networkNumber }) => networkNumber),
  );
  expect(typeB.size).toBeGreaterThan(0);
  for (const name of ['bolt-ons', 'provisioning-orders'] as const) {
    expect(recordsOf(name).some(({ networkNumber }) => typeB.has(networkNumber))).toBe(false);
  }
});

test('a service has the values that can be written for it, a read-only one has none', async () => {
  const { recordsOf } = await readTables();
  const services = recordsOf('services').filter(({ network }) => network === 'UK Mobile A');
  expect(services).toContainEqual(
    expect.objectContaining({
      service: 'Premium Rate Calls',
      write: 'Premium Rate Calls=allow or Premium Rate Calls=block',
    }),
  );
  const fixed = services.filter(({ readOnly }) => readOnly === 'yes');
  expect(fixed.length).toBeGreaterThan(0);
  for (const { write } of fixed) expect(write).toBe('');
});

test('IP groups, bundle sizes and companies have the numbers that a file names', async () => {
  const { recordsOf } = await readTables();
  expect(recordsOf('ip-groups').map(({ kind }) => kind)).toEqual(expect.arrayContaining(['public', 'static']));
  expect(recordsOf('bundle-sizes')[0]).toMatchObject({ bundleSizeMb: expect.stringMatching(/^\d+$/) });
  expect(recordsOf('companies')[0]).toMatchObject({ companyId: expect.stringMatching(/^\d+$/) });
});

test('networks to which no number can be ported have their lists, too', async () => {
  const { recordsOf } = await readTables();
  expect(recordsOf('provisioning-templates').map(({ network }) => network)).toEqual(
    expect.arrayContaining(['UK Mobile A', 'French M2M', 'eSIM', 'GDSP']),
  );
  const numbers = new Set(recordsOf('tariffs').map(({ networkNumber }) => networkNumber));
  expect([...numbers]).toEqual(expect.arrayContaining(['101', '218', '225', '232', '233', '240']));
});

test('no lookup is made twice', async () => {
  const { calls } = await readTables();
  expect(new Set(calls).size).toBe(calls.length);
  expect(calls.length).toBeLessThan(120);
});

test('a network without a limit and with a holiday that does not exist has its row', async () => {
  const network = {
    id: 11,
    name: 'Open',
    maxPortDays: 2_147_483_647,
    minPortDays: 1,
    allowEsim: true,
    networkNumber: 101,
    sourceNetworks: [],
    upcomingHolidays: ['2026-02-30T00:00:00', '2026-07-07T00:00:00'],
  };
  const catalogue = createCatalogue({
    networks: async () => [{ portType: 1, portTypeName: 'Port', targetNetworks: [network] }],
    tariffs: async () => ({ tariffs: [], hasAttributes: false }),
    provisioningOrders: async () => 'not-available',
    networkServices: async () => [],
    bundleSizes: () =>
      Promise.reject(new NotFound({ message: 'none', fieldErrors: [], msisdns: [] }, { call: 'GET', status: 404 })),
    provisioningTemplates: async () => [
      { id: 7, templateName: 't', friendlyName: 'Basic', visible: true, premium: false },
    ],
    companies: () =>
      Promise.reject(new Conflict({ message: 'none', fieldErrors: [], msisdns: [] }, { call: 'GET', status: 409 })),
  } as unknown as PortingClient);
  const tables = new Map<string, ReferenceTable['rows']>();
  for await (const { name, rows } of referenceTables(catalogue, today)) tables.set(name, rows);
  expect(tables.get('networks')).toMatchObject([{ 8: '2026-07-08', 9: '2036-07-13' }]);
  expect(tables.get('holidays')).toEqual([['Port', 'Open', '2026-07-07']]);
  expect([tables.get('bundle-sizes'), tables.get('companies')]).toEqual([[], []]);
  expect(tables.get('provisioning-templates')).toEqual([['101', 'Open', 'Basic', 't', '7', 'yes', 'no']]);
});

describe('as it is written', () => {
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

  test('a first writing that is cut off is not read: the tables of a template agree', async () => {
    const { files, resources } = pipelineWith();
    let left = 4;
    const open: typeof files.open = (...given) => {
      if (left === 0) throw new Error('killed');
      left -= 1;
      return files.open(...given);
    };
    await expect(writeReferenceData(pipelineWith({ files: { ...files, open } }))).rejects.toThrow('killed');
    expect(await readReferenceTables({ files, resources })).toBeUndefined();
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

  test.each([
    'tariffs',
    'boltOns',
    'networkServices',
    'provisioningOrders',
    'publicIpGroups',
    'staticIpGroups',
    'bundleSizes',
    'provisioningTemplates',
    'companies',
  ] as const)(
    'a declined lookup of a network leaves its own list empty, and every table is written: %s',
    async (lookup) => {
      const none = { message: 'not for this network', fieldErrors: [], msisdns: [] };
      const declined = () => Promise.reject(new Conflict(none, { call: 'GET /api/simSubmission/list', status: 409 }));
      const openCatalogue = () => createCatalogue({ ...rig.porting, [lookup]: declined });
      expect(await writeReferenceData(pipelineWith({ openCatalogue }))).toBe(true);
      expect(await readReferenceTables(pipelineWith())).toBeDefined();
      expect(await fileOf('networks')).toContain('Port,UK Mobile A,11,101,');
    },
  );

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
});
