// A file with a number that a person cancelled before: an unchanged row waits for approval, a changed one is sent.

import { expect, test } from 'vitest';
import { UnreadableItem } from '#shared/domain/requests/unreadable-item.ts';
import type { ImportItem } from '#shared/items/import.ts';
import type { NumberItem } from '#shared/items/number.ts';
import type { Plans } from '#shared/store/files/plans.ts';
import { double } from '../../support/double.ts';
import { validCells } from '../../support/rows-catalogue.ts';
import { csvOf, type IngestBench, ingestBench, numberAt } from '../../support/rows-ingest.ts';

type Cells = Record<string, string>;
const columns = [...Object.keys(validCells), 'pacExpiry'];
const claimedAt = '2026-06-02T08:00:00.000Z';
const cancelled = { portId: 'p', status: 'Cancelled', readAt: '2026-06-03T08:00:00.000Z', ended: true };

/** An import has ported a number and this row, which a person cancelled. */
async function benchWithCancelled(row: Cells): Promise<IngestBench> {
  const claims: NumberItem[] = [];
  const bench = ingestBench({
    numbers: double({
      getMany: async (numbers: readonly string[]) => claims.filter(({ number }) => numbers.includes(number)),
    }),
    plans: double({
      read: async ({ importId, request }) => planOf(bench, importId).find((one) => one.request === request),
    }),
  });
  const { requests } = bench.ledger;
  const endedAt = '2026-06-03T09:00:00.000Z';
  const get: typeof requests.get = async (importId, request) => {
    const item = bench.ledger.planned.get(`${importId}/${request}`);
    return item && { ...item, state: 'created', endedAt };
  };
  bench.dependencies = { ...bench.dependencies, requests: { ...requests, get } };
  const first = await bench.upload(csvOf([{ connectionDate: 'auto' }, row], columns), { key: 'create-port/first.csv' });
  const importId = first?.importId ?? '';
  const request = planOf(bench, importId).find(({ rows }) => rows.some(({ line }) => line === 3))?.request ?? 0;
  claims.push({ importId, request, claimedAt, number: `44${numberAt(1).slice(1)}`, line: 3, latest: cancelled });
  return bench;
}

const planOf = (bench: IngestBench, importId: string) => bench.plan({ importId } as ImportItem);
const importAgain = (bench: IngestBench, row: Cells) =>
  bench.upload(csvOf([{ connectionDate: 'auto' }, row], columns), { key: 'create-port/again.csv' });

test.each([
  ['a given date', { connectionDate: '2026-07-09' }],
  ['the date auto, which is another day by then', { connectionDate: 'auto' }],
  ['a PAC that expires', { connectionDate: '2026-07-09', pacExpiry: '2026-07-20' }],
])('an unchanged row with %s makes the file wait for approval', async (_, row) => {
  const bench = await benchWithCancelled(row);
  bench.time += 2 * 86_400_000;
  const item = await importAgain(bench, row);
  expect(item).toMatchObject({ state: 'planned', planOnly: true, accepted: 2, warnings: 1 });
  expect(bench.issues(item)).toMatchObject([{ line: 3, code: 'MSISDN_CANCELLED_BEFORE', severity: 'warning' }]);
  expect(item?.issues[0]?.message).toContain('and the row is unchanged: approve the plan to port it');
  expect(bench.messages.some(({ importId }) => importId === item?.importId)).toBe(false);
});

test.each([
  ['date', {}, { connectionDate: '2026-07-01' }],
  ['date instead of auto', { connectionDate: 'auto' }, { connectionDate: '2026-07-01' }],
  ['PAC', {}, { pac: 'XYZ654321' }],
  ['SIM', {}, { serialNo: '8944110068123456787' }],
  ['expiry of the PAC', {}, { pacExpiry: '2026-07-20' }],
])('a row with another %s is sent with a notice', async (_, before, after) => {
  const bench = await benchWithCancelled(before);
  const item = await importAgain(bench, after);
  expect(item).toMatchObject({ state: 'submitting', accepted: 2 });
  expect(bench.issues(item)[0]).toMatchObject({ line: 3, code: 'MSISDN_CANCELLED_BEFORE', severity: 'notice' });
});

test.each<[string, Plans['read']]>([
  ['has expired', async () => undefined],
  ['cannot be read', () => Promise.reject(new UnreadableItem('plan.ndjson', 'changed'))],
])('the file waits for approval where the earlier plan %s', async (_, read) => {
  const bench = await benchWithCancelled({});
  bench.dependencies = { ...bench.dependencies, plans: double({ read }) };
  expect(await importAgain(bench, { connectionDate: '2026-07-01' })).toMatchObject({
    state: 'planned',
    planOnly: true,
  });
});

test('a failure to read the earlier plan is not taken for an expired one', async () => {
  const bench = await benchWithCancelled({});
  bench.dependencies = { ...bench.dependencies, plans: double({ read: () => Promise.reject(new Error('timeout')) }) };
  await expect(importAgain(bench, {})).rejects.toThrow('timeout');
});

test('an invalid row asks nothing: it is not sent', async () => {
  const bench = await benchWithCancelled({});
  const item = await importAgain(bench, { serialNo: '' });
  expect(item).toMatchObject({ state: 'submitting', accepted: 1, rejected: 1 });
  expect(bench.issues(item).map(({ code }) => code)).toEqual(['CELL_REQUIRED']);
});
