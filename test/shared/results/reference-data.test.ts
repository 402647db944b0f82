// The values of a template: one row for each family of networks, whatever families the service has. And the days of a
// plan that can no longer be booked, by the list of networks.
import { expect, test } from 'vitest';
import { operations } from '#shared/operations/registry.ts';
import type { PlanGroup } from '#shared/results/answers.ts';
import { type ReferenceTables, readPassedDays, templateValues } from '#shared/results/reference-data.ts';
import { referenceDataKey } from '#shared/store/object-keys.ts';
import { double } from '../../support/double.ts';

const network = (networkNumber: string, family: string) => ({
  portType: 'Port',
  targetNetwork: `Network ${networkNumber}`,
  networkNumber,
  family,
});
const tables = {
  networks: [network('201', 'B'), network('301', 'C'), network('101', 'A'), network('102', 'A')],
  tariffs: ['101', '102', '201', '301'].map((networkNumber) => ({ networkNumber, tariff: `Of ${networkNumber}` })),
  'source-networks': [],
  'bolt-ons': [],
  services: [],
  'provisioning-orders': [],
} as unknown as ReferenceTables;

test('a template has a row for each family of networks, Type-A first', () => {
  const columns = operations.get('create-port')?.columns ?? [];
  expect(templateValues(tables, columns).map(({ tariff }) => tariff)).toEqual(['Of 101', 'Of 201', 'Of 301']);
});

const planOf = (...days: readonly string[]): PlanGroup[] =>
  days.map((connectionDate, index) => {
    const values = Object.entries({ connectionDate, targetNetwork: '11', portType: 'Port' });
    const rows = [{ line: index + 2, subject: '447700900001' }];
    const samples = [{ values: values.map(([name, value]) => ({ name, value })), rows }];
    return { group: 'Port to A', dateReason: null, rows: 1, requestRows: [1], samples };
  });

const listOfNetworks = 'portType,targetNetworkId,earliestDate\nMigrateIn,11,2026-12-08\nPort,11,2026-12-03\n';
const readerOf = (csv: string | undefined) =>
  double<Parameters<typeof readPassedDays>[1]>({
    resources: { resultsBucket: 'results' },
    files: {
      head: async ({ key }) => (csv !== undefined && key === referenceDataKey('networks') ? double({}) : undefined),
      read: async () => [Buffer.from(csv ?? '')] as unknown as AsyncIterable<Buffer>,
    },
  });

test('the days of a plan that can no longer be booked are those before the earliest day of their network and kind of port, each once', async () => {
  const plan = planOf('2026-12-03', '2026-12-02', '2026-11-30', '2026-12-02');
  expect(await readPassedDays(plan, readerOf(listOfNetworks))).toEqual(['2026-11-30', '2026-12-02']);
});

test('no day of a plan is over where the network is in no list, or there is no list yet', async () => {
  const plan = planOf('2026-12-02');
  expect(await readPassedDays(plan, readerOf(listOfNetworks.replaceAll(',11,', ',12,')))).toEqual([]);
  expect(await readPassedDays(plan, readerOf(undefined))).toEqual([]);
});
