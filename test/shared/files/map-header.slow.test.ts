// Reading a header of n columns costs at most c times n (one long cell is a text of test/security/growth.slow.test.ts).
// Operations are counted: the executions of each block of the product's code, and the elements that functions of arrays
// pass over.
import { Session } from 'node:inspector/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { headerNotices } from '#functions/ingest/plan/file-notices.ts';
import { distinctNames, ownColumns } from '#shared/files/added-columns.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { createHeaderTest, distinctNamesForMap } from '#shared/files/header-words.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { readHeader } from '#shared/operations/columns/option-columns.ts';
import { createPort } from '#shared/operations/create-port/create-port.ts';
import { sampleCatalogue } from '../../support/ingest/sample-catalogue.ts';

const passing = ['includes', 'indexOf', 'lastIndexOf', 'slice', 'join'] as const;

// Counting is started once: each start looks through everything that the process has loaded, and misses part of the
// functions that are optimised already.
const session = new Session();
beforeAll(async () => {
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
});
afterAll(async () => {
  await session.post('Profiler.stopPreciseCoverage');
  session.disconnect();
});

interface Operations {
  readonly blocks: number;
  /** Elements that functions of arrays passed over. */
  readonly passed: number;
}

async function countOperations(run: () => Promise<void>): Promise<Operations> {
  let passed = 0;
  const originals = passing.map((name) => [name, Array.prototype[name]] as const);
  await session.post('Profiler.takePreciseCoverage');
  for (const [name, original] of originals) {
    Reflect.set(Array.prototype, name, function (this: unknown[], ...given: unknown[]) {
      passed += this.length;
      return Reflect.apply(original, this, given);
    });
  }
  try {
    await run();
  } finally {
    for (const [name, original] of originals) Reflect.set(Array.prototype, name, original);
  }
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const ranges = result
    .filter(
      ({ url }) => /\/(?:shared|functions)\//.test(url) && !url.includes('/test/') && !url.includes('node_modules'),
    )
    .flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
  return { blocks: ranges.reduce((sum, { count }) => sum + count, 0), passed };
}

async function readAll(header: readonly string[], mapping: Record<string, string> = {}): Promise<void> {
  const samples = [header.map(() => 'Y')];
  const catalogue = createCatalogue(sampleCatalogue);
  createHeaderTest(createPort.columns, mapping)(header);
  const read = await readHeader(header, createPort.columns, { samples, mapping }, catalogue);
  headerNotices(read, createPort.columns, { line: 1, header, samples });
  distinctNames(header);
  distinctNamesForMap(header);
  ownColumns(header);
}

const names = (make: (index: number) => string, count: number) =>
  Array.from({ length: count }, (_, index) => make(index));

/** Four times as many columns, and a sort. */
const limit = 5.2;

describe('reading a header of n columns costs at most c times n', () => {
  test.each<[string, (index: number) => string, ((index: number) => string)?]>([
    ['of different names', (index) => `name ${index}x`],
    ['of one name', () => 'note'],
    ['of one column of the operation', () => 'msisdn'],
    ['without names', () => ''],
    ['of numbered bolt-ons', (index) => `Bolt-on ${index % 100}`],
    ['that are services', (index) => `Roaming ${index}x`],
    ['with an answer for each', (index) => `name ${index}x`, () => 'services:Roaming'],
    ['with a list for each', (index) => `name ${index}x`, () => 'boltOns'],
    ['with an own column for each', (index) => `name ${index}x`, () => ''],
    ['that take the numbers of others', (index) => (index % 2 === 0 ? '' : `column ${index * 2}`)],
  ])(
    '%s',
    async (_, make, answer) => {
      const cost = (count: number) => {
        const header = names(make, count);
        const mapping = answer && Object.fromEntries(header.map((name, index) => [name, answer(index)]));
        return countOperations(() => readAll(header, mapping));
      };
      await cost(10);
      // Each by itself: the blocks would hide that arrays are searched again and again.
      const tooMuch = async () => {
        const [less, more] = [await cost(50), await cost(200)];
        return [more.blocks > limit * less.blocks && 'blocks', more.passed > limit * less.passed && 'passed'];
      };
      // V8 counts too little where it optimises a function meanwhile. What is quadratic costs too much each time.
      let found = await tooMuch();
      for (let again = 0; again < 2 && found.some(Boolean); again++) found = await tooMuch();
      expect(found).toEqual([false, false]);
    },
    60_000,
  );
});

test('a header with more columns than a workbook may have is declined', async () => {
  async function* source(count: number) {
    const row = `${names((index) => `c${index}`, count).join(',')}\n`;
    yield Buffer.from(row + row);
  }
  const opened = await readCsv(source(501));
  expect(opened).toMatchObject({ ok: false, issue: { line: 1, code: 'FILE_TOO_LARGE' } });
  expect((await readCsv(source(500))).ok).toBe(true);
});
