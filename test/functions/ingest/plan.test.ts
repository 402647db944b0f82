// Properties of planning, whatever the file: nothing is lost, nothing depends on chance, memory bounds change only the cuts.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlannedRequest } from '#shared/domain/plan.ts';
import { generateRows } from '../../../bench/generate-rows.ts';
import { csvOf, ingestBench, numberAt, simAt } from '../../support/rows-ingest.ts';

/** Rows of few combinations, a third of them broken somewhere. */
const someRows = fc.array(
  fc.record({
    boltOns: fc.constantFrom('', '101', '102', '101;102', '999'),
    tariff: fc.constantFrom('2001', '2003', 'Unlimited'),
    msisdn: fc.constantFrom('good', 'good', 'good', '4.47E+11', ''),
    reference: fc.constantFrom('', '=1+1', 'a,b', 'line\nbreak', '"'),
  }),
  { minLength: 1, maxLength: 60 },
);

const fileOf = (rows: readonly Record<string, string>[]): string =>
  csvOf(
    rows.map((row, index) => ({
      ...row,
      serialNo: simAt(index),
      msisdn: row.msisdn === 'good' ? numberAt(index) : (row.msisdn ?? ''),
    })),
  );

const settings = (maxRowsPerRequest: number) => ({
  zone: 'Europe/London',
  callingCode: '44',
  msisdnFormat: 'national' as const,
  maxRowsPerRequest,
});

describe('whatever the file', () => {
  test('rows in are rows accepted and rows rejected, each line exactly once (invariant I1)', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, fc.integer({ min: 1, max: 7 }), async (rows, maxRows) => {
        const bench = ingestBench({ settings: settings(maxRows) });
        const item = await bench.drop(fileOf(rows));
        const sent = bench.plan(item).flatMap((request) => request.rows.map(({ line }) => line));
        const rejected = new Set(
          bench.issues(item).flatMap(({ line, severity }) => (severity === 'error' && line > 0 ? [line] : [])),
        );
        const isRefused = item?.state === 'refused';
        expect(item?.rows).toBe(rows.length);
        expect(item?.rejected).toBe(rejected.size);
        expect(sent.length).toBe(isRefused ? 0 : item?.accepted);
        expect(new Set([...sent, ...rejected]).size).toBe(isRefused ? rejected.size : rows.length);
        expect(bench.plan(item).every((request) => request.rows.length <= maxRows)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('the same file gives the same plan, byte by byte, however its bytes arrive', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, fc.integer({ min: 1, max: 50 }), async (rows, chunkBytes) => {
        const [one, other] = [ingestBench(), ingestBench()];
        other.files.chunkBytes = chunkBytes;
        const item = await one.drop(fileOf(rows));
        await other.drop(fileOf(rows));
        for (const key of one.files.keys()) {
          const [bucket = '', ...rest] = key.split('/');
          expect(other.files.text(bucket, rest.join('/'))).toBe(one.files.text(bucket, rest.join('/')));
        }
        expect(item).toBeDefined();
      }),
      { numRuns: 30 },
    );
  });

  test('which rows travel together does not depend on their order', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, fc.infiniteStream(fc.nat()), async (rows, keys) => {
        const numbered = rows.map((row, index) => ({ ...row, msisdn: numberAt(index), serialNo: simAt(index) }));
        const shuffled = numbered
          .map((row) => ({ row, key: keys.next().value }))
          .sort((one, other) => one.key - other.key)
          .map(({ row }) => row);
        expect(await membership(numbered, 20_000)).toEqual(await membership(shuffled, 20_000));
      }),
      { numRuns: 30 },
    );
  });

  test('a bound on waiting rows changes only where requests are cut', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, fc.integer({ min: 1, max: 10 }), async (rows, maxWaitingRows) => {
        const numbered = rows.map((row, index) => ({ ...row, msisdn: numberAt(index), serialNo: simAt(index) }));
        expect(await membership(numbered, maxWaitingRows)).toEqual(await membership(numbered, 20_000));
      }),
      { numRuns: 30 },
    );
  });
});

/** What each number travels with: the head of its request. */
async function membership(rows: readonly Record<string, string>[], maxWaitingRows: number): Promise<unknown> {
  const limits = { maxFileBytes: 1e9, maxFileRows: 1e6, toleratedFailurePercentage: 100, maxWaitingRows };
  const bench = ingestBench({ limits });
  const item = await bench.drop(csvOf(rows));
  const pairs = bench
    .plan(item)
    .flatMap(({ head, rows: planned }: PlannedRequest) => planned.map(({ subject }) => [subject, head] as const));
  return Object.fromEntries(pairs);
}

describe('a file whose header is wrong', () => {
  test('is let go of at once: its download does not stay open', async () => {
    const bench = ingestBench();
    let closed = false;
    bench.files.read = async () =>
      (async function* () {
        try {
          for (;;) yield Buffer.from(`nonsense\n${'x\n'.repeat(40_000)}`);
        } finally {
          closed = true;
        }
      })();
    expect(await bench.drop('nonsense\n')).toMatchObject({ state: 'refused' });
    expect(closed).toBe(true);
  });
});

describe('the generator of bench files', () => {
  test('gives the same rows for the same seed, of the wanted count', () => {
    const wanted = { rows: 500, seed: 7, quoted: 0.1, broken: 0.1, duplicates: 0.1, badPacs: 0.1 };
    const [one, other] = [[...generateRows(wanted)], [...generateRows(wanted)]];
    expect(one).toEqual(other);
    expect(one).toHaveLength(501);
    expect([...generateRows({ ...wanted, seed: 8 })]).not.toEqual(one);
  });
});
