// Which days of a plan can no longer be booked, by the list of networks that sync has written.
import { expect, test } from 'vitest';
import type { PlanGroup } from '#shared/results/answers.ts';
import { readPassedDays } from '#shared/results/passed-days.ts';
import { referenceDataKey } from '#shared/store/object-keys.ts';
import { double } from '../../support/double.ts';

const planOf = (...days: readonly string[]): PlanGroup[] =>
  days.map((connectionDate, index) => {
    const values = Object.entries({ connectionDate, targetNetwork: '11', portType: 'Port' });
    const rows = [{ line: index + 2, subject: '447700900001' }];
    const samples = [{ values: values.map(([name, value]) => ({ name, value })), rows }];
    return { group: 'Port to A', dateReason: null, rows: 1, requestRows: [1], samples };
  });

const networks = 'portType,targetNetworkId,earliestDate\nMigrateIn,11,2026-12-08\nPort,11,2026-12-03\n';
const readerOf = (csv: string | undefined) =>
  double<Parameters<typeof readPassedDays>[1]>({
    resources: { resultsBucket: 'results' },
    files: {
      head: async ({ key }) => (csv !== undefined && key === referenceDataKey('networks') ? double({}) : undefined),
      read: async () => [Buffer.from(csv ?? '')] as unknown as AsyncIterable<Buffer>,
    },
  });

test('are those before the earliest day of their network and kind of port, each once', async () => {
  const plan = planOf('2026-12-03', '2026-12-02', '2026-11-30', '2026-12-02');
  expect(await readPassedDays(plan, readerOf(networks))).toEqual(['2026-11-30', '2026-12-02']);
});

test('are none where the network is in no list, or there is no list yet', async () => {
  const plan = planOf('2026-12-02');
  expect(await readPassedDays(plan, readerOf(networks.replaceAll(',11,', ',12,')))).toEqual([]);
  expect(await readPassedDays(plan, readerOf(undefined))).toEqual([]);
});
