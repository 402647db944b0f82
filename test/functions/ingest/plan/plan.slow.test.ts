// Properties of planning for any file: no row is lost, plans are reproducible, memory bounds change only where requests
// are split.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { PlannedRequest } from '#shared/request/request.ts';
import { validCells } from '../../../support/ingest/catalogue.ts';
import { generateRows } from '../../../support/ingest/generate-rows.ts';
import { ingestBench } from '../../../support/ingest/ingest.ts';
import { csvOf, numberAt, simAt } from '../../../support/ingest/valid-rows.ts';

/** Rows of few combinations, a third of them with an invalid cell. */
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

describe('for any file', () => {
  test('every row is either accepted or rejected, exactly once (invariant I1)', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, fc.integer({ min: 1, max: 7 }), async (rows, maxRows) => {
        const bench = ingestBench({ settings: settings(maxRows) });
        const item = await bench.upload(fileOf(rows));
        const sent = bench.plan(item).flatMap((request) => request.rows.map(({ line }) => line));
        const rejected = new Set(
          bench.issues(item).flatMap(({ line, severity }) => (severity === 'error' && line > 0 ? [line] : [])),
        );
        const isRefused = item?.state === 'rejected';
        expect(item?.rows).toBe(rows.length);
        expect(item?.rejected).toBe(rejected.size);
        expect(sent.length).toBe(isRefused ? 0 : item?.accepted);
        expect(new Set([...sent, ...rejected]).size).toBe(isRefused ? rejected.size : rows.length);
        expect(bench.plan(item).every((request) => request.rows.length <= maxRows)).toBe(true);
      }),
      { numRuns: 60 },
    );
  });

  test('the same file leads to the same plan, byte by byte, for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, fc.integer({ min: 1, max: 50 }), async (rows, chunkBytes) => {
        const [one, other] = [ingestBench(), ingestBench()];
        other.files.chunkBytes = chunkBytes;
        const item = await one.upload(fileOf(rows));
        await other.upload(fileOf(rows));
        for (const key of one.files.keys()) {
          const [bucket = '', ...rest] = key.split('/');
          expect(other.files.text(bucket, rest.join('/'))).toBe(one.files.text(bucket, rest.join('/')));
        }
        expect(item).toBeDefined();
      }),
      { numRuns: 30 },
    );
  });

  test('the groups do not depend on the order of the rows', async () => {
    await fc.assert(
      fc.asyncProperty(someRows, fc.infiniteStream(fc.nat()), async (rows, keys) => {
        const numbered = rows.map((row, index) => ({ ...row, msisdn: numberAt(index), serialNo: simAt(index) }));
        const shuffled = numbered
          .map((row) => ({ row, key: keys.next().value }))
          .sort((one, other) => one.key - other.key)
          .map(({ row }) => row);
        expect(await membership(numbered)).toEqual(await membership(shuffled));
      }),
      { numRuns: 30 },
    );
  });

  test('bounds on open groups and waiting rows change only where requests are split', async () => {
    const bounds = fc.record({
      maxOpenGroups: fc.integer({ min: 1, max: 10 }),
      maxWaitingBytes: fc.integer({ min: 1, max: 10_000 }),
    });
    await fc.assert(
      fc.asyncProperty(someRows, bounds, async (rows, bound) => {
        const numbered = rows.map((row, index) => ({ ...row, msisdn: numberAt(index), serialNo: simAt(index) }));
        expect(await membership(numbered, bound)).toEqual(await membership(numbered));
      }),
      { numRuns: 30 },
    );
  });
});

describe('a file with more combinations than may wait', () => {
  const rows = Array.from({ length: 6 }, (_, index) => ({
    msisdn: numberAt(index),
    serialNo: simAt(index),
    boltOns: ['', '101', '102'][index % 3] as string,
  }));
  const importWith = async (maxOpenGroups: number) => {
    const limits = { maxFileBytes: 1e9, maxFileRows: 1e6, toleratedFailurePercentage: 0, maxWaitingBytes: 1e6 };
    return ingestBench({ limits: { ...limits, maxOpenGroups } }).upload(csvOf(rows));
  };

  test('has a notice with the number of requests that are not full', async () => {
    expect(await importWith(2)).toMatchObject({
      state: 'submitting',
      requestCount: 6,
      issues: [
        { line: 0, code: 'FILE_MANY_COMBINATIONS', message: expect.stringMatching(/^4 requests may have fewer/) },
      ],
    });
  });

  test('has no notice within the bound', async () => {
    expect(await importWith(3)).toMatchObject({ requestCount: 3, issues: [] });
  });
});

test('the requests at the end of a file are written one after another: together they may exceed the memory', async () => {
  const bench = ingestBench();
  const written: number[] = [];
  const { open } = bench.files;
  bench.files.open = (bucket, key, contentType) => {
    const writer = open(bucket, key, contentType);
    return {
      ...writer,
      write: (chunk) => {
        written.push(chunk.length);
        return writer.write(chunk);
      },
    };
  };
  const rows = Array.from({ length: 1_500 }, (_, index) => ({
    provisioningOrder: '',
    provisioningOrderName: `Depot ${index}`,
  }));
  const item = await bench.upload(csvOf(rows, [...Object.keys(validCells), 'provisioningOrderName']));
  expect(item).toMatchObject({ requestCount: 1_500, rejected: 0 });
  const planBytes = bench.planText(item).length;
  expect(planBytes).toBeGreaterThan(10 * 64 * 1024);
  expect(Math.max(...written)).toBeLessThan(2 * 64 * 1024);
});

/** The head of the request of each number. */
async function membership(
  rows: readonly Record<string, string>[],
  bounds = { maxOpenGroups: 1000, maxWaitingBytes: 1e6 },
): Promise<unknown> {
  const limits = { maxFileBytes: 1e9, maxFileRows: 1e6, toleratedFailurePercentage: 100, ...bounds };
  const bench = ingestBench({ limits });
  const item = await bench.upload(csvOf(rows));
  const pairs = bench
    .plan(item)
    .flatMap(({ head, rows: planned }: PlannedRequest) => planned.map(({ subject }) => [subject, head] as const));
  return Object.fromEntries(pairs);
}

describe('a file with an invalid header', () => {
  test('closes its download at once', async () => {
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
    expect(await bench.upload('nonsense\n')).toMatchObject({ state: 'rejected' });
    expect(closed).toBe(true);
  });
});

describe('the generator of benchmark files', () => {
  test('writes the same rows for the same seed, in the requested number', () => {
    const wanted = { rows: 500, seed: 7, quoted: 0.1, broken: 0.1, duplicates: 0.1, badPacs: 0.1 };
    const [one, other] = [[...generateRows(wanted)], [...generateRows(wanted)]];
    expect(one).toEqual(other);
    expect(one).toHaveLength(501);
    expect([...generateRows({ ...wanted, seed: 8 })]).not.toEqual(one);
  });
});
