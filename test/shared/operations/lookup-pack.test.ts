import { expect, test } from 'vitest';
import type { CalendarDate } from '#shared/domain/calendar-date.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { type LookupTable, lookupNames, lookupTables } from '#shared/operations/lookup-pack.ts';
import { createPortingClient, type PortingClient } from '#shared/porting/client.ts';
import { startTestService } from '../../support/porting-service.ts';

const today = '2026-07-06' as CalendarDate;

async function readTables() {
  const service = await startTestService();
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
  const tables = new Map<string, LookupTable>();
  for await (const table of lookupTables(createCatalogue(counted), today)) tables.set(table.name, table);
  const recordsOf = (name: (typeof lookupNames)[number]) => {
    const { columns = [], rows = [] } = tables.get(name) ?? {};
    return rows.map((row) => Object.fromEntries(columns.map((column, index) => [column, row[index]])));
  };
  return { tables, recordsOf, calls };
}

test('there is a table for every lookup name, and every row is as wide as its header', async () => {
  const { tables } = await readTables();
  expect([...tables.keys()]).toEqual([...lookupNames]);
  for (const { columns, rows } of tables.values()) {
    expect(rows.length).toBeGreaterThan(0);
    for (const row of rows) expect(row).toHaveLength(columns.length);
  }
});

test('a network stands under every port type with the window it has there', async () => {
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

test('a service says what can be written for it, one that the network sets says nothing', async () => {
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

test('no lookup is made twice', async () => {
  const { calls } = await readTables();
  expect(new Set(calls).size).toBe(calls.length);
  expect(calls.length).toBeLessThan(40);
});

test('a network without any limit, with a holiday on no day of the calendar, has its row all the same', async () => {
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
    tariffs: async () => ({ tariffs: [], typeB: true }),
    provisioningOrders: async () => 'not-available',
    networkServices: async () => [],
  } as unknown as PortingClient);
  const tables = new Map<string, LookupTable['rows']>();
  for await (const { name, rows } of lookupTables(catalogue, today)) tables.set(name, rows);
  expect(tables.get('networks')).toMatchObject([{ 8: '2026-07-08', 9: '2036-07-13' }]);
  expect(tables.get('holidays')).toEqual([['Port', 'Open', '2026-07-07']]);
});
