import { expect, test } from 'vitest';
import { type ReferenceTable, referenceTables } from '#functions/sync/reference-data.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { referenceTableNames } from '#shared/results/reference-data.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import { Conflict, NotFound } from '#shared/service/errors.ts';
import { startTestSimulator } from '../../support/service/simulator.ts';

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
