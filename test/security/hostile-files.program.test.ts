// Small files that are made to use up memory or time: long lists, chosen numbers, texts that are slow to match, many
// columns, and a file that ends every invocation.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { displayWidth, plain } from '#cli/output/text.ts';
import { DuplicateIndex } from '#functions/ingest/validate/duplicate-index.ts';
import { csvRow } from '#shared/files/csv/csv-row.ts';
import { readAllowances } from '#shared/operations/bundles.ts';
import { CellReader } from '#shared/operations/columns/cell-reader.ts';
import { redact, redactText } from '#shared/row/redact.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { validCells } from '../support/ingest/catalogue.ts';
import { handle, inbox, ingestBench, notification } from '../support/ingest/ingest.ts';
import { longLists } from '../support/ingest/list-upload.ts';
import { csvOf, goodRows, numberAt, simAt } from '../support/ingest/valid-rows.ts';

describe('a file of eight rows with 126,000 entries in a list', () => {
  test.each(['boltOns', 'services'])('of %s is rejected with one finding for each row', async (column) => {
    const bench = ingestBench();
    const body = longLists(column);
    expect(body.length).toBeGreaterThan(2_000_000);
    const spent = await cpuMs(() => bench.upload(body));
    expect(spent).toBeLessThan(10_000);
    const [item] = [...bench.ledger.items.values()];
    expect(item).toMatchObject({ state: 'rejected', rejected: 8 });
    expect(bench.issues(item)).toHaveLength(9);
  });

  test.each(['boltOns', 'services'])('of %s needs less than 64 MB of heap', async (column) => {
    const program = fileURLToPath(new URL('../support/ingest/list-upload.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, ['--max-old-space-size=64', program, column]);
    expect(stdout).toBe('rejected\n');
  });
});

test('a row has at most 50 findings, and still the error that rejects it', async () => {
  const bench = ingestBench();
  const header = [...Object.keys(validCells), 'boltOns'];
  const list = [...Array.from({ length: 100 }, (_, index) => `9${index}9`)].join(';');
  const item = await bench.upload(csvRow(header) + csvRow([...Object.values(validCells), list]));
  const issues = bench.issues(item).filter(({ line }) => line === 2);
  expect(issues).toHaveLength(50);
  expect(issues.at(-1)?.message).toMatch(/and 5\d more findings about this row/);
  expect(item).toMatchObject({ accepted: 0, rejected: 1 });
});

test('distinct shapes with long cells do not fill the memory', async () => {
  const header = [...Object.keys(validCells), 'boltOns'];
  const long = 'x'.repeat(200_000);
  const rows = Array.from({ length: 200 }, (_, index) => {
    const cells = { ...validCells, msisdn: numberAt(index), serialNo: simAt(index) };
    return csvRow([...Object.values(cells), `${index}${long}`]);
  });
  const bench = ingestBench({ limits: { ...ingestBench().dependencies.limits, maxFileBytes: 100_000_000 } });
  const item = await bench.upload(csvRow(header) + rows.join(''));
  expect(item).toMatchObject({ rejected: 200 });
  // 40 MB of cells; each finding is short.
  expect(bench.issues(item).every(({ message }) => message.length <= 600)).toBe(true);
});

/** Numbers that a hash without a seed puts into neighbouring slots of one table. */
function chosenNumbers(count: number): number[] {
  const inverse = (factor: number): number => {
    let found = factor;
    for (let round = 0; round < 5; round += 1) found = Math.imul(found, 2 - Math.imul(factor, found));
    return found;
  };
  const unshift = (value: number, bits: number): number => {
    let found = value;
    for (let round = 0; round < 32 / bits; round += 1) found = value ^ (found >>> bits);
    return found >>> 0;
  };
  const lows: number[] = [];
  for (let slot = 0; lows.length < count; slot += 1) {
    const mixed = Math.imul(unshift(Math.imul(unshift(slot, 16), inverse(0xc2b2ae35)), 13), inverse(0x85ebca6b));
    const low = (mixed ^ Math.imul(447, 0x9e3779b1)) >>> 0;
    if (low < 1_000_000_000) lows.push(low);
  }
  return lows;
}

test('chosen numbers are as fast to compare as any others', async () => {
  const lows = chosenNumbers(100_000);
  expect(new Set(lows).size).toBe(lows.length);
  const index = new DuplicateIndex();
  const spent = await cpuMs(() => {
    for (const [line, low] of lows.entries()) index.addOrGet(447, low, line + 1);
  });
  expect(index.size).toBe(lows.length);
  expect(spent).toBeLessThan(2_000);
});

describe('a text that is slow to match', () => {
  const spaces = ' '.repeat(250_000);
  const slow: readonly (readonly [string, () => unknown])[] = [
    ['an allowance', () => readAllowances(new CellReader(() => `a${spaces}b`))],
    ['an allowance with many signs', () => readAllowances(new CellReader(() => `${'='.repeat(250_000)}x`))],
    ['a line for the terminal', () => plain(`a${spaces}b`)],
    ['line breaks for the terminal', () => plain(`a${' \n '.repeat(80_000)}b`)],
    ['escapes for the terminal', () => plain('\u001b['.repeat(100_000))],
    ['the width of a line', () => displayWidth(plain(`a${'\u0301'.repeat(20_000)}`))],
    ['a message', () => redactText(`pac${spaces}`)],
    ['a message of keys', () => redactText('token '.repeat(50_000))],
    ['a message of half codes', () => redactText('a1-'.repeat(100_000))],
    ['a log of half tokens', () => redact({ body: 'eyJ-'.repeat(100_000), numbers: '0 '.repeat(100_000) })],
  ];

  test.each(slow)('%s', async (_what, work) => {
    expect(await cpuMs(work)).toBeLessThan(1_500);
  });
});

test('a header of 20,000 columns is read in seconds', async () => {
  const bench = ingestBench();
  const names = [...Object.keys(validCells), ...Array.from({ length: 20_000 }, (_, index) => `colum${index}`)];
  const spent = await cpuMs(() => bench.upload(csvRow(names) + csvRow(Object.values(validCells))));
  expect(spent).toBeLessThan(20_000);
});

describe('the key of a file', () => {
  const hostile = [
    '\u001b]0;owned\u0007',
    '\u0000',
    '\r\nset-cookie: a',
    '\u009b31m',
    '\u202egnp.exe',
    'a'.repeat(900),
  ];

  test.each(hostile.map((text) => [encodeURIComponent(text).slice(0, 40), text]))(
    'with %s is imported under its own name, and nothing of it reaches a terminal',
    async (_, text) => {
      const bench = ingestBench();
      const key = `create-port/${text}.csv`;
      bench.files.put(inbox, key, csvOf(goodRows(1)));
      expect(await handle(bench, [notification(key)], 1)).toEqual({ batchItemFailures: [] });
      const [item] = [...bench.ledger.items.values()];
      expect(item).toMatchObject({ key, state: 'submitting', accepted: 1 });
      const shown = plain(item?.key ?? '');
      expect(shown).not.toMatch(/[\p{Cc}\u200e-\u202e]/u);
    },
  );

  test.each(['../../create-port/a.csv', '__proto__/a.csv', 'constructor/a.csv', '/create-port/a.csv'])(
    '%s names no operation',
    async (key) => {
      const bench = ingestBench();
      bench.files.put(inbox, key, csvOf(goodRows(1)));
      await handle(bench, [notification(key)], 1);
      expect([...bench.ledger.items.values()].filter(({ state }) => state !== 'rejected')).toEqual([]);
      expect(bench.messages).toEqual([]);
    },
  );
});

test('a file that ends the invocation three times is rejected with the reason', async () => {
  const bench = ingestBench();
  const { read } = bench.files;
  const body = notification('create-port/file.csv');
  bench.files.put(inbox, 'create-port/file.csv', csvOf(goodRows(1)));
  bench.files.read = () => new Promise(() => {});
  for (let attempt = 1; attempt <= 3; attempt += 1) {
    // The invocation never ends: Lambda kills it.
    void handle(bench, [body], attempt);
    await expect.poll(() => [...bench.ledger.items.values()][0]?.planningStarts).toBe(attempt);
  }
  bench.files.read = read;
  expect(await handle(bench, [body], 4)).toEqual({ batchItemFailures: [] });
  expect([...bench.ledger.items.values()]).toMatchObject([
    { state: 'rejected', issues: [{ code: 'FILE_TOO_LARGE', message: expect.stringContaining('cut off 3 times') }] },
  ]);
  expect(bench.messages).toEqual([]);
});

test('an outage does not count as such an end', async () => {
  const bench = ingestBench();
  const { read } = bench.files;
  bench.files.put(inbox, 'create-port/file.csv', csvOf(goodRows(1)));
  bench.files.read = () => Promise.reject(new Error('down'));
  for (let attempt = 1; attempt <= 5; attempt += 1) {
    expect((await handle(bench, [notification('create-port/file.csv')], 1)).batchItemFailures).toHaveLength(1);
  }
  bench.files.read = read;
  await handle(bench, [notification('create-port/file.csv')], 1);
  expect([...bench.ledger.items.values()]).toMatchObject([{ state: 'submitting' }]);
});
