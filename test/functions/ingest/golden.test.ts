// What ingest writes, to the byte, for a handful of files: whatever is done for speed must leave these hashes alone.
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { planImport } from '#functions/ingest/plan.ts';
import type { OperationName } from '#shared/domain/operation-name.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operations } from '#shared/operations/registry.ts';
import { generatedHeader, generateRows } from '../../../bench/generate-rows.ts';
import { offered } from '../../../bench/offered.ts';
import { accountSettings, monday } from '../../support/rows-catalogue.ts';
import { memoryFiles } from '../../support/rows-memory.ts';

interface Planning {
  readonly chunkBytes?: number;
  readonly operation?: OperationName;
  readonly maxWaitingRows?: number;
  readonly msisdnFormat?: 'national' | 'e164' | 'e164plus';
}

/** The first 16 hex digits of the SHA-256 of everything that planning the file leaves behind. */
async function hashOf(body: string | Buffer, planning: Planning = {}): Promise<string> {
  const files = memoryFiles();
  files.chunkBytes = planning.chunkBytes ?? 65_536;
  files.put('inbox', 'file.csv', body);
  const nothing = async () => {};
  const { msisdnFormat = 'national' } = planning;
  const planned = await planImport(files, {
    importId: 'golden',
    object: { bucket: 'inbox', key: 'file.csv' },
    operation: operations.get(planning.operation ?? 'create-port') as Operation,
    defaults: {},
    limits: {
      maxFileRows: 1_000_000,
      toleratedFailurePercentage: 100,
      maxWaitingRows: planning.maxWaitingRows ?? 20_000,
    },
    context: {
      catalogue: createCatalogue(offered),
      settings: { ...accountSettings, msisdnFormat },
      calendar: () => monday,
    },
    buckets: { work: 'work', results: 'results' },
    onProgress: nothing,
    onRead: nothing,
  });
  const hash = createHash('sha256').update(JSON.stringify(planned));
  for (const key of files.keys()) {
    const [bucket = '', ...rest] = key.split('/');
    hash.update(`${key}\n${files.text(bucket, rest.join('/'))}`);
  }
  return hash.digest('hex').slice(0, 16);
}

const generated = (wanted: Omit<Parameters<typeof generateRows>[0], 'seed'>) =>
  [...generateRows({ seed: 20, ...wanted })].join('');

const usual = { rows: 3000, combinations: 120, quoted: 0.05, broken: 0.03, duplicates: 0.01 };

/** One good record, with these cells in their places. */
const record = (cells: Record<number, string>): string =>
  [
    '07700900001',
    '8944110000000000003',
    'ABC123456',
    'Port',
    'UK Mobile A',
    '1',
    'auto',
    '2001',
    '101',
    '',
    'false',
    '5001',
    '',
    'x',
  ]
    .map((cell, index) => cells[index] ?? cell)
    .join(',');

/** Everything that people and programs do to a CSV, a line or more each. */
const oddRecords = [
  record({ 13: '"said ""hello"", left"' }),
  record({ 0: '07700900002', 1: '', 13: '"two\r\nlines, ""quoted"""' }),
  '',
  record({ 0: ' 07700 900003 ', 1: '8944 1100 0000 0000 011' }),
  record({ 0: "'+447700900004", 2: ' abc-123-456 ', 13: "'=1+1" }),
  record({ 0: '+44 (0)7700 900005', 13: 'Zoë 😀 naïve' }),
  record({ 0: '447700900006', 13: '"Zoë, ""😀"""' }),
  record({ 0: '7700900007', 4: '"UK Mobile A"' }),
  ',,,,,,,,,,,,,',
  record({ 0: '00447700900008' }),
  record({ 0: '07700900009', 13: 'a "quote" inside' }),
  record({ 0: '07700900010', 13: '"closed" and on' }),
  `${record({ 0: '07700900011' })},one,too many`,
  '07700900012,too few',
  record({ 0: '0770090001O', 1: '894411000000000000', 2: '' }),
  record({ 0: '4.47E+11', 1: '8.94411E+18', 2: '123456ABC' }),
  record({ 0: '07700900013', 6: '2026-07-04', 8: '101;999', 9: 'Nothing=on' }),
  record({ 0: '07700900014', 8: '"104; 101"', 9: 'Roaming=on;Premium Rate Calls=block' }),
  record({ 0: '07700900001', 13: 'first number again' }),
  record({ 0: '+1 202 555 0123' }),
  record({ 0: '+33612345678', 2: '03P123456559' }),
  record({ 0: '٠٧٧٠٠٩٠٠٠١٤', 2: 'ABC12345\u0001' }),
  record({ 0: '', 1: '"8944110000000000037"', 2: '"def123456"' }),
];
const odd = (lineEnd: string): string => `${[generatedHeader, ...oddRecords].join(lineEnd)}${lineEnd}`;

const cases: readonly [string, string, () => string | Buffer, Planning?][] = [
  ['a usual file', 'a5f50b3c07abcaf5', () => generated(usual)],
  ['a usual file in small chunks', 'a5f50b3c07abcaf5', () => generated(usual), { chunkBytes: 997 }],
  ['a fully quoted file', 'abee3b912ab6206f', () => generated({ ...usual, quoted: 1 })],
  [
    'a file of distinct combinations',
    'f554c2edbbd6c991',
    () => generated({ ...usual, combinations: 2500 }),
    { maxWaitingRows: 200 },
  ],
  ['numbers in the form e164plus', '4edf3670103a08e4', () => generated(usual), { msisdnFormat: 'e164plus' }],
  ['odd records', '4114e48d3a6fd845', () => odd('\r\n')],
  ['odd records, LF', '53a8d854323d911d', () => odd('\n'), { chunkBytes: 7 }],
  ['odd records, CR', 'e05014954387a98a', () => odd('\r')],
  ['odd records, UTF-16', 'c72543c1bba74b82', () => Buffer.from(`\uFEFF${odd('\r\n')}`, 'utf16le')],
  ['an open quote', 'd6ca631bd890538f', () => `${odd('\n')}${record({ 13: '"open' })}\n${generated(usual)}`],
  [
    'another operation',
    '4a0be3b427d995dd',
    () => `serialNumber,admin,gprs\n8944110000000000003,true,no\n'8944110000000000011,,yes\n8944110000000000003,1,\n`,
    { operation: 'bar' },
  ],
];

test.each(cases)('%s gives the same plan, rejects and issues as ever', async (_name, golden, body, planning) => {
  expect(await hashOf(body(), planning)).toBe(golden);
});
