// Which numbers were ported before, within a budget of reads and of time.
import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { PortedNumbers } from '#functions/ingest/ported-numbers.ts';
import { readCsv } from '#shared/csv/read-csv.ts';
import type { RecordBatch } from '#shared/csv/record-batch.ts';
import type { NumberItem } from '#shared/domain/requests/ledger.ts';
import { numberAt } from '../../support/rows-ingest.ts';

const at = '2026-06-02T08:00:00.000Z';
const complete = (number: string): NumberItem => ({
  ...{ number, importId: 'earlier', request: 1, line: 9, claimedAt: at },
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
  return { calls, source: { numbers: { getMany }, callingCode: '44', wall: () => time } };
}

test('the numbers of a batch are read a hundred at a time, however they are written', async () => {
  const { calls, source } = tableOf(1);
  const ported = new PortedNumbers(source, 1, budget);
  await ported.readBatch(
    await batchOf([...Array.from({ length: 150 }, (_, index) => numberAt(index)), '+447700900007', 'x']),
  );
  expect(calls).toEqual([100, 50]);
  expect(ported.get('447700900007')).toEqual({ importId: 'earlier', line: 9, at });
  expect(ported.get('447700900008')).toBeUndefined();
  expect([7, 150, 8, 151].map((index) => ported.hasRow(index))).toEqual([true, true, false, false]);
  expect(ported.notice).toBeUndefined();
});

test('each batch has its own rows', async () => {
  const ported = new PortedNumbers(tableOf(1).source, 1, budget);
  await ported.readBatch(await batchOf([numberAt(7)]));
  await ported.readBatch(await batchOf([numberAt(8)]));
  expect(ported.hasRow(0)).toBe(false);
  expect(ported.get('447700900007')).toBeUndefined();
});

test.each([
  ['numbers', 0],
  ['milliseconds', 600],
])('beyond the budget of %s rows are not checked, and a notice counts them', async (_, callMs) => {
  const { calls, source } = tableOf(callMs);
  const ported = new PortedNumbers(source, 1, budget);
  const batch = await batchOf(Array.from({ length: 100 }, (__, index) => numberAt(index)));
  for (let count = 0; count < 4; count += 1) await ported.readBatch(batch);
  expect(calls).toHaveLength(callMs === 0 ? 3 : 2);
  expect(ported.hasRow(7)).toBe(false);
  expect(ported.notice).toMatchObject({ line: 0, code: 'FILE_NUMBERS_NOT_CHECKED', severity: 'notice' });
  expect(ported.notice?.message).toContain(callMs === 0 ? '100 rows of' : '200 rows of');
});
