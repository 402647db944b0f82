// After `simporter forget`, no byte that the pipeline keeps names the number: every item and every version of every
// file is searched.

import { existsSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectVersionsCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { ListQueuesCommand, ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { databasesIn } from '#local/data-folder.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { openArchive } from '#shared/files/workbook/open-archive.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { readRowPage } from '#shared/results/row-page.ts';
import { documentClient } from '#shared/store/clients.ts';
import { createFiles } from '#shared/store/files.ts';
import { createImports } from '#shared/store/imports.ts';
import { containsNumber, createRecordFilter, mentionsOf, withoutMentions } from '#shared/store/search-number.ts';
import { type CliEmulator, startCliEmulator } from '../support/cli/emulator.ts';
import { createPortFile } from '../support/cli/files.ts';
import { forgetJson } from '../support/cli/json-shapes.ts';
import { type TestCell, workbookFile } from '../support/files/workbook-file.ts';

describe('a mention', () => {
  const mentions = mentionsOf('447700900123', '44');

  test.each([
    '447700900123',
    '+44 7700 900123',
    '+44 (0)7700 900-123',
    '07700 900123',
    '0044 7700900123',
    '7700900123',
  ])('is %s', (text) => expect(mentions.removeFrom(`a ${text}, b`)).toBe('a [number], b'));

  test.each(['4477009001234', '17700900123', '8944770090012312345'])('is not %s', (text) => {
    expect(mentions.isIn(text)).toBe(false);
  });

  test('takes entries out of lists, and itself out of texts', () => {
    const item = {
      rows: [{ msisdn: '447700900123', line: 2 }, { msisdn: '447700900124' }],
      concern: 'lacks 07700900123',
    };
    expect(withoutMentions(item, mentions)).toEqual({ rows: [{ msisdn: '447700900124' }], concern: 'lacks [number]' });
  });

  const filtered = (text: string, format: 'csv' | 'lines', pieceLength: number): string => {
    const filter = createRecordFilter(mentions, format);
    const pieces = text.match(new RegExp(`[^]{1,${pieceLength}}`, 'g')) ?? [];
    return [...pieces.map((piece) => filter.add(piece)), filter.end()].join('');
  };

  test.each([1, 2, 3, 1_000])(
    'takes whole records out of a CSV, also those with line breaks, %i characters at a time',
    (length) => {
      const csv = 'a,b\r\n07700900123,"x\r\ny"\r\n07700900124,"say ""hi"""\r\n';
      expect(filtered(csv, 'csv', length)).toBe('a,b\r\n07700900124,"say ""hi"""\r\n');
      const path = 'a,"C:\\"\r\n07700900123,"x"\r\nb,"D:\\"\r\n';
      expect(filtered(path, 'csv', length)).toBe('a,"C:\\"\r\nb,"D:\\"\r\n');
      const lines = '{"a":"\\"447700900123"}\n{"a":"\\""}\n{"b":1}';
      expect(filtered(lines, 'lines', length)).toBe('{"a":"\\""}\n{"b":1}');
    },
  );
});

describe('an object', () => {
  const mentions = mentionsOf('447700900123', '44');
  const inPieces = async function* (bytes: Buffer, length: number) {
    for (let start = 0; start < bytes.length; start += length) yield bytes.subarray(start, start + length);
  };
  const isIn = (content: string | Buffer, length = 65_536) =>
    containsNumber(inPieces(Buffer.from(content), length), mentions, openArchive);
  const filler = '0'.repeat(9_000);

  test.each([1, 7, 4_096])('contains a number that its pieces of %i bytes divide', async (length) => {
    expect(await isIn(`${filler},07700 900123,${filler}`, length)).toBe(true);
    expect(await isIn(`${filler},07700 900123`, length)).toBe(true);
    expect(await isIn('07700 900123', length)).toBe(true);
    expect(await isIn(`${filler}447700900123${filler}`, length)).toBe(false);
    expect(await isIn(`${filler},4477009001234,${filler}`, length)).toBe(false);
    expect(await isIn(Buffer.from('\ufeffa,07700900123', 'utf16le'), length)).toBe(true);
  });

  const bookOf = (...cells: TestCell[]) => workbookFile([{ name: 'a', rows: [cells] }]);
  const run = '<si><r><t>07700</t></r><r><rPr><b/></rPr><t xml:space="preserve"> 900123</t></r></si>';
  const sharedStrings = { name: 'xl/sharedStrings.xml', content: `<sst>${run}</sst>` };
  const hidden = { name: 'b', state: 'hidden', rows: [['07700900123']] } as const;
  test.each<[string, boolean, Buffer]>([
    ['a text', true, bookOf('+44 7700 900123')],
    ['a number', true, bookOf({ number: '447700900123' })],
    ['a number without its zero', true, bookOf({ number: '7700900123' })],
    ['a formula', true, bookOf({ formula: 'A1', cached: '07700900123' })],
    ['a hidden sheet', true, workbookFile([{ name: 'a', rows: [['x']] }, hidden])],
    ['a text with two formats', true, workbookFile([{ name: 'a', rows: [['x']] }], { parts: [sharedStrings] })],
    ['no such number', false, bookOf('07700900124', { number: '4477009001230' })],
    ['a damaged archive', true, bookOf('07700900124').subarray(0, 200)],
  ])('that is a workbook with %s is searched: %s', async (_what, isFound, bytes) => {
    expect(bytes.includes('07700900123')).toBe(false);
    expect(await isIn(bytes)).toBe(isFound);
  });

  test('of 400 MB is searched without being kept in memory', async () => {
    const { heapUsed, arrayBuffers } = process.memoryUsage();
    let most = 0;
    const large = async function* () {
      for (let part = 0; part < 400; part += 1) {
        yield Buffer.alloc(1_048_576, 'no number here, ');
        const now = process.memoryUsage();
        most = Math.max(most, now.heapUsed + now.arrayBuffers - heapUsed - arrayBuffers);
      }
      yield Buffer.from('07700 900123');
    };
    expect(await containsNumber(large(), mentions, openArchive)).toBe(true);
    expect(most).toBeLessThan(200_000_000);
  });
});

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };
const tableOf = ({ environment }: CliEmulator) =>
  new DynamoDBClient({ credentials, endpoint: environment.AWS_ENDPOINT_URL_DYNAMODB ?? '' });

describe('after forget', () => {
  let emulator: CliEmulator;
  const national = '7700900701';
  /** The simulator of the service keeps the number itself. */
  const begun = `began-0${national}`;
  /** Those that take numbers, and one with free text. */
  const otherOperations = {
    'update-port': `msisdn,pac,reference\n0${national},ABC104700,again\n07700900702,ABC104701,another\n`,
    'cancel-port': `msisdn,reference\n0${national},again\n07700900702,another\n`,
    provision: readFileSync(new URL('../../examples/provision.csv', import.meta.url), 'utf8').replace(
      '07700 900600',
      `+44 ${national}`,
    ),
    'send-sms': readFileSync(new URL('../../examples/send-sms.csv', import.meta.url), 'utf8').replaceAll(
      'STATUS?',
      `Call 0${national}`,
    ),
  };

  const french = '33612345678';
  /** Files in which a search for digits does not find the number, but ingest reads it. */
  const drafts: Readonly<Record<string, string | Buffer>> = {
    'spaces.csv': createPortFile([{ msisdn: '07700      900701' }]),
    'utf-16.csv': Buffer.from(createPortFile([{ msisdn: `0${national}` }]), 'utf16le'),
    'french.csv': 'msisdn,note\n+33 (0)6 12 34 56 78,a\n',
    'formulas.xlsx': workbookFile([
      { name: 'July', rows: [['msisdn'], ['x']] },
      { name: 'notes', rows: [['a'], [{ type: 'inlineStr', xml: '<is><t>07700&#160;900701</t></is>' }]] },
    ]),
    // What a workbook with a password begins with.
    'password.xlsx': Buffer.concat([Buffer.from([0xd0, 0xcf, 0x11, 0xe0]), Buffer.alloc(2_000, 7)]),
  };

  beforeAll(async () => {
    emulator = await startCliEmulator(86_400, { memory: false });
    await emulator.write(
      'two.csv',
      createPortFile([
        { msisdn: `0${national}` },
        { msisdn: '07700900702' },
        { msisdn: `0${national}`, reference: 'again' },
      ]),
    );
    await emulator.run('import', 'two.csv', '--watch');
    await emulator.run('ports');
    const rows = createPortFile([{ msisdn: `0${national}` }, { msisdn: '07700900703' }])
      .trim()
      .split('\r\n');
    const cells = rows.map((row) => row.split(','));
    await writeFile(join(emulator.folder, 'book.xlsx'), workbookFile([{ name: 'July', rows: cells }]));
    for (const [operation, text] of Object.entries(otherOperations)) {
      await emulator.write(`0${national}-${operation}.csv`, text);
    }
    // A person began to upload a file with the number in its name, and got the answer of another write.
    const documents = documentClient(tableOf(emulator));
    const items = [
      { pk: 'upload#1', sk: 'upload', key: `plan/create-port/1/${begun}.csv` },
      { pk: 'idempotency#1', sk: 'idempotency', answer: JSON.stringify({ fileName: `0${national}.csv` }) },
      {
        pk: 'saved#1001',
        sk: 'header#1',
        name: 'July',
        settings: { columnValues: { 'Contact number': `0${national}` } },
      },
      { pk: 'audit#of-saved-settings', sk: 'audit#1', details: { name: `Only 0${national}` } },
    ];
    for (const Item of items) await documents.send(new PutCommand({ TableName: emulator.outputs.ResultsTable, Item }));
    for (const [name, content] of Object.entries(drafts)) await writeFile(join(emulator.folder, name), content);
    await emulator.write('sims.csv', `msisdn\n0${national}\n07700900702\n`);
    await Promise.all([
      emulator.run('sim-services', 'sims.csv'),
      emulator.run('import', 'book.xlsx', '--watch'),
      ...Object.keys(drafts).map((name) =>
        emulator.run('import', name, '--plan-only', ...(name === 'utf-16.csv' ? ['--encoding', 'utf-16le'] : [])),
      ),
      ...Object.keys(otherOperations).map((operation) =>
        emulator.run('import', `0${national}-${operation}.csv`, '--operation', operation, '--watch'),
      ),
    ]);
  });
  afterAll(() => emulator.stop());

  const bucket = () =>
    new S3Client({ credentials, endpoint: emulator.environment.AWS_ENDPOINT_URL_S3 ?? '', forcePathStyle: true });

  async function bytes(): Promise<{ place: string; text: string }[]> {
    const { outputs, environment } = emulator;
    const s3 = bucket();
    const table = tableOf(emulator);
    const sqs = new SQSClient({ credentials, endpoint: environment.AWS_ENDPOINT_URL_SQS ?? '' });
    const found: { place: string; text: string }[] = [];
    for (const Bucket of [outputs.InboxBucket, outputs.WorkBucket, outputs.ResultsBucket]) {
      const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
      for (const { Key = '', VersionId } of Versions) {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, VersionId }));
        found.push({ place: `${Bucket}/${Key}`, text: `${Key} ${await Body?.transformToString()}` });
      }
    }
    const { Items = [] } = await table.send(new ScanCommand({ TableName: outputs.ResultsTable }));
    const { QueueUrls = [] } = await sqs.send(new ListQueuesCommand({}));
    expect(QueueUrls.length).toBeGreaterThan(5);
    for (const QueueUrl of QueueUrls) {
      const { Messages = [] } = await sqs.send(
        new ReceiveMessageCommand({ QueueUrl, VisibilityTimeout: 0, WaitTimeSeconds: 0 }),
      );
      for (const { Body = '' } of Messages) found.push({ place: QueueUrl, text: Body });
    }
    for (const item of Items) found.push({ place: `${item.pk?.S} ${item.sk?.S}`, text: JSON.stringify(item) });
    return found;
  }
  /** The cells of every workbook that is left. */
  async function workbookTexts(): Promise<string[]> {
    const s3 = bucket();
    const texts: string[] = [];
    for (const Bucket of [emulator.outputs.InboxBucket, emulator.outputs.ResultsBucket]) {
      const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket }));
      for (const { Key = '', VersionId } of Versions.filter((one) => one.Key?.endsWith('.xlsx'))) {
        const { Body } = await s3.send(new GetObjectCommand({ Bucket, Key, VersionId }));
        const opened = await openUpload(Body as unknown as AsyncIterable<Uint8Array>);
        if (!opened.ok) throw new Error(`${Key}: ${opened.issue.message}`);
        for await (const { lines, cellsOf } of opened.value.batches) {
          texts.push(...lines.keys().map((row) => `${Key} ${cellsOf(row).join()}`));
        }
      }
    }
    return texts;
  }
  const databasesWith = (text: string) =>
    databasesIn(join(emulator.folder, '.local'))
      .flatMap((file) => [file, `${file}-wal`])
      .filter((file) => existsSync(file) && readFileSync(file).includes(text));
  const holding = async (number: string) => {
    const mentions = mentionsOf(number === french ? number : `44${number}`, '44');
    const stored = await bytes();
    // Nothing else of the number is left either: a search for other notations cannot hide it.
    return stored.filter(({ text }) => text.includes(number) || mentions.isIn(text)).map(({ place }) => place);
  };

  test('no byte names the number, and the other rows are still there', async () => {
    const before = await holding(national);
    expect(before.length).toBeGreaterThan(20);
    expect(databasesWith(begun)).not.toEqual([]);
    for (const operation of ['create-port', ...Object.keys(otherOperations)]) {
      expect(before.some((place) => place.startsWith(`${emulator.outputs.InboxBucket}/${operation}/`))).toBe(true);
    }
    const lists = /sim-services/;
    expect(before.filter((place) => lists.test(place)).map((place) => place.split('/')[0])).toEqual([
      emulator.outputs.InboxBucket,
      emulator.outputs.ResultsBucket,
    ]);
    const trial = forgetJson.parse(
      JSON.parse((await emulator.run('forget', `0${national}`, '--dry-run', '--json')).stdout),
    );
    expect(trial.erased.length).toBeGreaterThan(5);
    expect(new Set(trial.erased.map((erased) => JSON.stringify(erased))).size).toBe(trial.erased.length);
    expect((await holding(national)).length).toBeGreaterThan(5);
    // The rows for queries are compressed, and an answer of Athena may have the number, too.
    const counted = async () => {
      const sql = `SELECT count_if(number = '44${national}') AS erased, count_if(number = '447700900702') AS others FROM results`;
      const { exitCode, stdout } = await emulator.run('query', sql, '--json');
      expect(exitCode).toBe(0);
      const { erased, others } = JSON.parse(stdout);
      return { erased: erased > 0, others: others > 0 };
    };
    await expect.poll(counted).toEqual({ erased: true, others: true });
    await bucket().send(
      new PutObjectCommand({
        Bucket: emulator.outputs.ResultsBucket,
        Key: 'query-results/1.csv',
        Body: `"44${national}"`,
      }),
    );
    // It changes nothing while report still writes files of an import.
    const forget = async () => (await emulator.run('forget', `0${national}`)).exitCode;
    await expect.poll(forget).toBe(0);
    expect(await holding(national)).toEqual([]);
    expect(await counted()).toEqual({ erased: false, others: true });
    // The bytes of deleted rows stay in the pages of a database and in its log.
    expect(databasesWith(begun)).toEqual([]);
    // The texts of a workbook are compressed: no byte of it shows the number.
    expect((await workbookTexts()).filter((text) => text.includes(national))).toEqual([]);
    expect((await holding('7700900702')).some((place) => place.endsWith('results.csv'))).toBe(true);
    expect(trial.erased.filter(({ isUnread }) => isUnread).map(({ place }) => basename(place))).toEqual([
      'password.xlsx',
    ]);
  });

  test('the rows of its imports can be read, and the numbers of other countries are found as ingest reads them', async () => {
    const imports = createImports(documentClient(tableOf(emulator)), emulator.outputs.ResultsTable ?? '');
    const item = (await imports.list({ limit: 100 })).find(({ key }) => key.endsWith('/two.csv')) as ImportItem;
    const reader = { files: createFiles(bucket()), resources: { resultsBucket: emulator.outputs.ResultsBucket ?? '' } };
    const page = await readRowPage(reader, item, { limit: 10 });
    expect(page?.rows.map(({ line, cells }) => [line, cells[0]])).toEqual([[3, '07700900702']]);
    expect((await holding(french)).length).toBeGreaterThan(0);
    expect((await emulator.run('forget', `+${french}`)).exitCode).toBe(0);
    expect(await holding(french)).toEqual([]);
  });
});
