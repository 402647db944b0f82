// The files of a plan are written in an order in which a crash leaves nothing that misleads the release.

import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { planImport } from '#functions/ingest/plan/plan.ts';
import { PlanWriter } from '#functions/ingest/plan/plan-files.ts';
import { defaultSettings } from '#shared/files/upload-settings.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import type { Operation } from '#shared/operations/operation.ts';
import { operations } from '#shared/operations/registry.ts';
import type { Files } from '#shared/store/files.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { double } from '../../../support/double.ts';
import { memoryFiles } from '../../../support/in-memory/files.ts';
import { accountSettings, monday } from '../../../support/ingest/catalogue.ts';
import { generatedHeader, generateRows } from '../../../support/ingest/generate-rows.ts';
import { sampleCatalogue } from '../../../support/ingest/sample-catalogue.ts';

test('the index names a plan only once the plan is there, so a killed delivery cannot replace the index of another', async () => {
  const closed: string[] = [];
  const files = double<Files>({
    open: (_bucket: string, key: string) => ({
      write: async () => undefined,
      abort: async () => undefined,
      close: async () => {
        if (key.endsWith('-plan.ndjson')) throw new Error('the delivery was killed');
        closed.push(key);
      },
    }),
  });
  const plan = new PlanWriter(files, 'work', { importId: 'import-a', operation: 'create-port', attemptId: 'second' });
  await expect(plan.close()).rejects.toThrow('killed');
  expect(closed).toEqual([]);
});

// What ingest writes for a few files, byte by byte. The hash of the plan must never change, because it is what submit
// sends; the digests in the index follow from it. The hash of the findings also covers their messages, so it changes
// when a message is reworded.
describe('byte by byte', () => {
  interface Planning {
    readonly chunkBytes?: number;
    readonly operation?: OperationName;
    readonly maxOpenGroups?: number;
    readonly msisdnFormat?: 'national' | 'e164' | 'e164plus';
  }

  /** The first 16 hex digits of the SHA-256 of the plan, and of the counts, rejected rows and issues. */
  async function hashesOf(body: string | Buffer, planning: Planning = {}): Promise<{ plan: string; findings: string }> {
    const files = memoryFiles();
    files.chunkBytes = planning.chunkBytes ?? 65_536;
    files.put('inbox', 'file.csv', body);
    const nothing = async () => {};
    const { msisdnFormat = 'national' } = planning;
    const planned = await planImport(files, {
      importId: 'golden',
      object: { bucket: 'inbox', key: 'file.csv' },
      operation: operations.get(planning.operation ?? 'create-port') as Operation,
      settings: defaultSettings,
      limits: {
        maxFileRows: 1_000_000,
        toleratedFailurePercentage: 100,
        maxOpenGroups: planning.maxOpenGroups ?? 25_000,
        maxWaitingBytes: 1e8,
      },
      context: {
        catalogue: createCatalogue(sampleCatalogue),
        settings: { ...accountSettings, msisdnFormat },
        calendar: () => monday,
      },
      buckets: { work: 'work', results: 'results' },
      openCorrection: async () => undefined,
      onHeader: nothing,
      onProgress: nothing,
      onRead: nothing,
    });
    const texts = (isPlan: boolean) =>
      files
        .keys()
        .filter((key) => key.startsWith('work/') === isPlan && !key.startsWith('inbox/'))
        .map((key) => `${key}\n${files.text(key.split('/')[0] ?? '', key.slice(key.indexOf('/') + 1))}`);
    return {
      // What a person is shown of a request is no part of what is sent.
      plan: hashOf(
        texts(true).map((text) =>
          text
            .replaceAll(/,"digest":"[0-9a-f]{64}"|,"day":"[-0-9]+"|,"lines":"[-,0-9]+"/g, '')
            .replaceAll(/,"sample":.*\}(?=\}$)/gm, ''),
        ),
      ),
      findings: hashOf([
        JSON.stringify({ ...planned, requests: undefined, planHash: undefined, contentHash: undefined }),
        ...texts(false),
      ]),
    };
  }

  const hashOf = (texts: readonly string[]): string =>
    createHash('sha256').update(texts.join('')).digest('hex').slice(0, 16);

  const generated = (wanted: Omit<Parameters<typeof generateRows>[0], 'seed'>) =>
    [...generateRows({ seed: 20, ...wanted })].join('');

  const usual = { rows: 3000, combinations: 120, quoted: 0.05, broken: 0.03, duplicates: 0.01 };

  /** One valid record with some other cells, by index. */
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

  /** The notations, mistakes and program quirks of real CSV files. */
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

  const cases: readonly [string, { plan: string; findings: string }, () => string | Buffer, Planning?][] = [
    ['a usual file', { plan: '0e304d7128573400', findings: '6eb3e3f744589ce8' }, () => generated(usual)],
    [
      'a usual file in small chunks',
      { plan: '0e304d7128573400', findings: '6eb3e3f744589ce8' },
      () => generated(usual),
      { chunkBytes: 997 },
    ],
    [
      'a fully quoted file',
      { plan: '0e304d7128573400', findings: '6eb3e3f744589ce8' },
      () => generated({ ...usual, quoted: 1 }),
    ],
    [
      'a file of distinct combinations',
      { plan: 'f14fa6e5c315b3ad', findings: '45d14e4cf292c2c1' },
      () => generated({ ...usual, combinations: 2500 }),
      { maxOpenGroups: 200 },
    ],
    [
      'numbers in the format e164plus',
      { plan: '8e81a19c34414d62', findings: '6eb3e3f744589ce8' },
      () => generated(usual),
      { msisdnFormat: 'e164plus' },
    ],
    ['odd records', { plan: '90648a12a216df3d', findings: '40031f16fc107526' }, () => odd('\r\n')],
    ['odd records, LF', { plan: '90648a12a216df3d', findings: '40031f16fc107526' }, () => odd('\n'), { chunkBytes: 7 }],
    ['odd records, CR', { plan: '90648a12a216df3d', findings: '40031f16fc107526' }, () => odd('\r')],
    [
      'odd records, UTF-16',
      { plan: '90648a12a216df3d', findings: '40031f16fc107526' },
      () => Buffer.from(`\uFEFF${odd('\r\n')}`, 'utf16le'),
    ],
    [
      'an open quote',
      { plan: '2dd55b0fa68a7054', findings: 'fa9895752519cc66' },
      () => `${odd('\n')}${record({ 13: '"open' })}\n${generated(usual)}`,
    ],
    [
      'another operation',
      { plan: '12ab70736f3e3ec2', findings: '413244a87e575c6f' },
      () => `serialNumber,admin,gprs\n8944110000000000003,true,no\n'8944110000000000011,,yes\n8944110000000000003,1,\n`,
      { operation: 'bar' },
    ],
  ];

  test.each(cases)('%s has the same plan and the same findings', async (_name, golden, body, planning) => {
    expect(await hashesOf(body(), planning)).toEqual(golden);
  });
});
