// A file with a number that a person cancelled before waits for approval, whatever else its row contains.

import { expect, test } from 'vitest';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { double } from '../../support/double.ts';
import { validCells } from '../../support/ingest/catalogue.ts';
import { csvOf, type IngestBench, ingestBench, numberAt } from '../../support/ingest/ingest.ts';

type Cells = Record<string, string>;
const columns = [...Object.keys(validCells), 'pacExpiry'];

/** Another import has ported the number of line 3, and a person cancelled it. */
function benchWithCancelled(): IngestBench {
  const latest = { portId: 'p', status: 'Cancelled', readAt: '2026-06-03T08:00:00.000Z', ended: true };
  const claim: NumberItem = {
    importId: 'earlier',
    request: 1,
    claimedAt: '2026-06-02T08:00:00.000Z',
    number: `44${numberAt(1).slice(1)}`,
    line: 3,
    latest,
  };
  const getMany = async (numbers: readonly string[]) => (numbers.includes(claim.number) ? [claim] : []);
  return ingestBench({ numbers: double({ getMany }) });
}

const upload = (bench: IngestBench, row: Cells) =>
  bench.upload(csvOf([{ connectionDate: 'auto' }, row], columns), { key: 'create-port/again.csv' });

test.each<[string, Cells]>([
  ['another date', { connectionDate: '2026-07-09' }],
  ['the date auto', { connectionDate: 'auto' }],
  ['another PAC', { pac: 'XYZ654321' }],
  ['another SIM', { serialNo: '8944110068123456787' }],
  ['an expiry of the PAC', { pacExpiry: '2026-07-20' }],
])('a row with %s waits for approval', async (_, row) => {
  const bench = benchWithCancelled();
  const item = await upload(bench, row);
  expect(item).toMatchObject({ state: 'planned', planOnly: true, accepted: 2, warnings: 1 });
  expect(bench.issues(item)[0]).toMatchObject({ line: 3, code: 'MSISDN_CANCELLED_BEFORE', severity: 'warning' });
  expect(item?.issues[0]?.message).toContain('(line 3 of import earlier): approve the plan to port it');
  expect(bench.messages).toEqual([]);
});

test('an invalid row asks nothing: it is not sent', async () => {
  const bench = benchWithCancelled();
  const item = await upload(bench, { serialNo: '' });
  expect(item).toMatchObject({ state: 'submitting', accepted: 1, rejected: 1 });
  expect(bench.issues(item).map(({ code }) => code)).toEqual(['CELL_REQUIRED']);
});
