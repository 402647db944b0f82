// What would happen to the numbers of a file, within a budget of reads and of time.
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { IngestPipeline } from '#functions/ingest/ingest-pipeline.ts';
import { NumberPredictions } from '#functions/ingest/plan/plan-batch.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import type { RecordBatch } from '#shared/files/csv/record-batch.ts';
import type { NumberItem } from '#shared/request/number-claim.ts';
import { double } from '../../../support/double.ts';
import { validCells } from '../../../support/ingest/catalogue.ts';
import { type IngestBench, ingestBench } from '../../../support/ingest/ingest.ts';
import { csvOf, numberAt } from '../../../support/ingest/valid-rows.ts';

const at = '2026-06-02T08:00:00.000Z';
const complete = (number: string): NumberItem => ({
  number,
  importId: 'earlier',
  request: 1,
  line: 9,
  claimedAt: at,
  expiresAt: 1_850_000_000,
  latest: { portId: 'p', status: 'Complete', readAt: at, ended: true },
});
const batchOf = async (numbers: readonly string[]): Promise<RecordBatch> => {
  const rows = numbers.map((number) => `x,${number}\n`).join('');
  const opened = await readCsv(Readable.from([Buffer.from(`reference,msisdn\n${rows}`)]));
  if (!opened.ok) throw new Error(opened.issue.message);
  for await (const batch of opened.value.batches) return batch;
  throw new Error('the file has no batch');
};
const budget = { numbers: 250, milliseconds: 1_000 };

/** A table in which each number ending in 7 was ported, and a call takes some time. */
function tableOf(callMs: number) {
  let time = 0;
  const calls: number[] = [];
  const getMany = async (numbers: readonly string[]) => {
    calls.push(numbers.length);
    time += callMs;
    return numbers.filter((number) => number.endsWith('7')).map(complete);
  };
  const holders: string[] = [];
  const get = async (importId: string, request: number) => {
    holders.push(`${importId}/${request}`);
    return undefined;
  };
  return {
    calls,
    holders,
    source: double<IngestPipeline>({
      numbers: { getMany },
      requests: { get },
      plans: { read: async () => undefined },
      settings: { callingCode: '44' },
      clocks: { wall: () => time },
    }),
  };
}

test('the numbers of a batch are read together, however they are written', async () => {
  const { calls, holders, source } = tableOf(1);
  const predictions = new NumberPredictions(source, 1, budget);
  await predictions.readBatch(
    await batchOf([...Array.from({ length: 150 }, (_, index) => numberAt(index)), '+447700900007', 'x']),
  );
  expect(calls).toEqual([150]);
  expect(holders).toEqual(['earlier/1']);
  expect(predictions.get('447700900007')).toEqual({ kind: 'ported', ported: { importId: 'earlier', line: 9, at } });
  expect(predictions.get('447700900008')).toBeUndefined();
  expect([7, 150, 8, 151].map((index) => predictions.hasRow(index))).toEqual([true, true, false, false]);
  expect(predictions.notice).toBeUndefined();
});

test('each batch has its own rows', async () => {
  const predictions = new NumberPredictions(tableOf(1).source, 1, budget);
  await predictions.readBatch(await batchOf([numberAt(7)]));
  await predictions.readBatch(await batchOf([numberAt(8)]));
  expect(predictions.hasRow(0)).toBe(false);
  expect(predictions.get('447700900007')).toBeUndefined();
});

test.each([
  ['numbers', 0],
  ['milliseconds', 600],
])('beyond the budget of %s rows are not checked, and a notice counts them', async (_, callMs) => {
  const { calls, source } = tableOf(callMs);
  const predictions = new NumberPredictions(source, 1, budget);
  const batch = await batchOf(Array.from({ length: 100 }, (__, index) => numberAt(index)));
  for (let count = 0; count < 4; count += 1) await predictions.readBatch(batch);
  expect(calls).toHaveLength(callMs === 0 ? 3 : 2);
  expect(predictions.hasRow(7)).toBe(false);
  expect(predictions.notice).toMatchObject({ line: 0, code: 'FILE_NUMBERS_NOT_CHECKED', severity: 'notice' });
  expect(predictions.notice?.message).toContain(callMs === 0 ? '100 rows of' : '200 rows of');
});

// A file with a number that a person cancelled before waits for approval, whatever else its row contains.
describe('a number that a person cancelled before', () => {
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
      expiresAt: 1_850_000_000,
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
});
