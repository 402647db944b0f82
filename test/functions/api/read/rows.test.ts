// Lists of the rows of an import, and what a person does with them while their files are replaced or gone.
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { outcomeColumns } from '#shared/files/added-columns.ts';
import type { RowOutcome } from '#shared/results/file-rows.ts';
import { createResultsIndex } from '#shared/results/results-csv.ts';
import { issuesKey, resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { buckets, table } from '../../../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../../chaos/scenario.ts';
import { type ApiWorld, startApiWorld } from '../../../support/api/simulated-api.ts';
import { announceUploads, two, uploadFile } from '../../../support/api/uploads.ts';

const linesOf = (rows: readonly { readonly line: number }[]): number[] => rows.map(({ line }) => line);

const putResult = ({ world }: ApiWorld, Key: string, Body: string) =>
  world.bucket.send(new PutObjectCommand({ Bucket: buckets.results, Key, Body }));

/** Blocks of 40 rows and 4 MB; the first row of every second one has a finding. Answers its line. */
async function writeLargeResults(api: ApiWorld, importId: string): Promise<number[]> {
  const header = `msisdn,${outcomeColumns.join(',')}\n`;
  const index = createResultsIndex(header.length);
  const lines: number[] = [];
  let text = header;
  for (let line = 2; line < 200; line += 40) {
    const rows = Array.from({ length: 40 }, (_, row): number => line + row);
    const written = rows.map((one) => `${'x'.repeat(100_000)},${importId},${one},rejected,,,,,,,\n`).join('');
    index.add(
      rows.map((rootLine) => ({ rootLine, result: { outcome: 'rejected' } }) as RowOutcome),
      written.length,
    );
    text += written;
    if ((line - 2) % 80 === 0) lines.push(line);
  }
  const issueOf = (line: number) => ({ line, column: 'pac', code: 'PAC_SHAPE', message: 'no PAC', severity: 'error' });
  await putResult(api, resultsKey(importId), text);
  await putResult(api, resultsIndexKey(importId), JSON.stringify(index.build()));
  await putResult(api, issuesKey({ importId }), lines.map((line) => `${JSON.stringify(issueOf(line))}\n`).join(''));
  return lines;
}

test('every row with a finding is listed, however much of the file lies between them', async () => {
  const api = startApiWorld();
  const importId = await api.plan('july.csv', rowsFrom(0, ['ABC123456']));
  const lines = await writeLargeResults(api, importId);
  const found: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const from = cursor && `&cursor=${cursor}`;
    const { body } = await api.call('GET', `/imports/${importId}/rows?column=pac&limit=2${from}`);
    found.push(...linesOf(body.rows));
    cursor = body.nextCursor;
  }
  expect(found).toEqual(lines);
});

test('the message of a repeated number names the column as the page does, before and after the first report', async () => {
  const api = startApiWorld();
  const [number] = rowsFrom(0, ['ABC123456']).map(({ msisdn }) => msisdn);
  const repeated = rowsFrom(0, ['ABC123456', 'ABC123457']).map((row) => ({ ...row, msisdn: number ?? '' }));
  const importId = await api.plan('july.csv', repeated);
  const read = async () => (await api.call('GET', `/imports/${importId}/rows?outcome=duplicate`)).body.rows;
  const shown = [{ line: 3, message: expect.stringMatching(/^"Number": \d+ is already on line 2$/) }];
  expect(await read()).toMatchObject(shown);
  await api.approve(importId);
  await api.pass(3_600_000);
  expect(await read()).toMatchObject(shown);
});

test.each([1, 30_000_007, 1_010_000_007, 10_110_000_007])(
  'rows are listed by any number that a request can have, also that of a part of a part: %i',
  async (request) => {
    const api = startApiWorld();
    const importId = await api.plan('july.csv', rowsFrom(0, ['ABC123456']));
    const { body } = await api.call('GET', `/imports/${importId}/rows?request=${request}`);
    expect(body).toMatchObject({ code: 'not-found', detail: expect.stringContaining(`request ${request}`) });
  },
);

test.each([1, 2, 100])(
  'a row with a finding that is known once all rows are read has its place in pages of %i',
  async (limit) => {
    const api = startApiWorld();
    const importId = await api.plan('july.csv', rowsFrom(0, ['ABC123456']));
    const lines = await writeLargeResults(api, importId);
    const rounded = { line: 42, column: 'pac', code: 'MSISDN_ROUNDED', message: 'several', severity: 'warning' };
    const findings = [
      ...lines.map((line) => ({ ...rounded, line, code: 'PAC_SHAPE' })),
      rounded,
      { ...rounded, line: 0 },
    ];
    await putResult(api, issuesKey({ importId }), findings.map((one) => `${JSON.stringify(one)}\n`).join(''));
    const found: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from = cursor && `&cursor=${cursor}`;
      const { body } = await api.call('GET', `/imports/${importId}/rows?column=pac&limit=${limit}${from}`);
      for (const { line, issues } of body.rows) found.push([line, issues.length]);
      cursor = body.nextCursor;
    }
    expect(found).toEqual([2, 42, 82, 162].map((line) => [line, 1]));
  },
);

/** As before the first report. */
async function removeReport({ world }: ApiWorld): Promise<void> {
  const { reported: _, ...Item } = world.table.items().find(({ sk }) => sk === 'import') ?? {};
  for (const Key of [resultsKey(String(Item.importId)), resultsIndexKey(String(Item.importId))]) {
    await world.bucket.send(new DeleteObjectCommand({ Bucket: buckets.results, Key }));
  }
  await world.table.send(new PutCommand({ TableName: table, Item }));
}

test('invalid rows are filtered by outcome and finding before the first report, too', async () => {
  const api = startApiWorld();
  const valid = rowsFrom(0, ['ABC123456']);
  const importId = await api.plan('july.csv', [...valid, ...valid, ...rowsFrom(1, ['AB1'])]);
  const list = async (query: string) =>
    linesOf((await api.call('GET', `/imports/${importId}/rows?${query}`)).body.rows);
  const queries = ['outcome=duplicate', 'outcome=rejected', 'outcome=rejected,duplicate', 'column=pac'];
  const reported = await Promise.all(queries.map(list));
  await removeReport(api);
  expect(reported).toEqual([[3], [4], [3, 4], [4]]);
  expect(await Promise.all(queries.map(list))).toEqual(reported);
});

/** Each quote takes four bytes of the answer: more than Lambda can send in all. */
const quotedRows = 40;
const quotesInRow = 40_000;

async function uploadQuotedRows(api: ApiWorld): Promise<string> {
  const [header = '', row = ''] = csvTextOf(rowsFrom(0, ['AB1']))
    .trim()
    .split(/\r?\n/);
  const notes = Array.from({ length: 40 }, (_, index) => `note ${index}`).join(',');
  const cells = Array.from({ length: 40 }, () => `"${'""'.repeat(quotesInRow / 40)}"`).join(',');
  const rows = Array.from({ length: quotedRows }, () => `${row},${cells}`);
  const importId = await uploadFile(api, Buffer.from([`${header},${notes}`, ...rows].join('\n')));
  await announceUploads(api);
  return importId;
}

test('rows that Lambda cannot send in one answer come in several, each once, before the first report and after', async () => {
  const api = startApiWorld();
  const importId = await uploadQuotedRows(api);
  const readAll = async () => {
    const pages: number[][] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const from = cursor && `&cursor=${cursor}`;
      const { body } = await api.call('GET', `/imports/${importId}/rows?outcome=rejected&limit=2500${from}`);
      pages.push(linesOf(body.rows));
      cursor = body.nextCursor;
    }
    return pages;
  };
  const lines = Array.from({ length: quotedRows }, (_, index) => index + 2);
  const reported = await readAll();
  await removeReport(api);
  for (const pages of [reported, await readAll()]) {
    expect(pages.length).toBeGreaterThan(3);
    expect(pages.flat()).toEqual(lines);
  }
});

/** Reads of such objects fail as often as given: S3 has no longer the version that was asked for. */
function loseReads({ world: { bucket } }: ApiWorld, isLost: (key: string) => boolean, times: number): void {
  const { send } = bucket;
  let left = times;
  bucket.send = async (command) => {
    const isHit = command instanceof GetObjectCommand && isLost(command.input.Key ?? '');
    if (!isHit || left === 0) return send(command);
    left -= 1;
    return send(new GetObjectCommand({ Bucket: buckets.results, Key: 'no such object' }));
  };
}

test.each([
  [1, 202, undefined],
  [2, 503, 'not-ready'],
])('rows are chosen for cancellation while their file is replaced %s times: %s', async (times, status, code) => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', two);
  loseReads(api, (key) => key === resultsKey(importId), times);
  const answer = await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [3] } });
  expect([answer.status, answer.body.code]).toEqual([status, code]);
});

test('rows cannot be chosen for cancellation before they are written', async () => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', two);
  await removeReport(api);
  const answer = await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [3] } });
  expect([answer.status, answer.body.code]).toEqual([503, 'not-ready']);
});

test.each(['plan', 'report'])('rows are found by a number in whatever spelling, and by a text: %s', async (step) => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', rowsFrom(0, ['ABC123456', 'ABC']));
  if (step === 'plan') await removeReport(api);
  const { body } = await api.call('GET', `/imports/${importId}/rows?outcome=rejected`);
  const [{ line, cells }] = body.rows;
  const number = cells.find((cell: string) => /^(0|44)7/.test(cell)) ?? '';
  const national = number.replace(/^(0|44)/, '');
  for (const text of [`0${national}`, `+44 ${national.slice(0, 4)} ${national.slice(4)}`, `44${national}`, national]) {
    const found = await api.call('GET', `/imports/${importId}/rows?outcome=rejected&text=${encodeURIComponent(text)}`);
    expect([text, linesOf(found.body.rows)]).toEqual([text, [line]]);
  }
  const none = await api.call('GET', `/imports/${importId}/rows?outcome=rejected&text=07700900999`);
  expect(none.body.rows).toEqual([]);
});

test('a row with several wrong entries in one cell is one row of its group of problems', async () => {
  const api = startApiWorld();
  const [first, second] = rowsFrom(0, ['ABC123456', 'ABC123457']);
  const rows = [first, second].map((row, index) => ({ ...row, boltOns: index === 0 ? '998;999' : '998;998' }));
  const importId = await api.plan('july.csv', rows as ReturnType<typeof rowsFrom>);
  const { groups } = (await api.call('GET', `/imports/${importId}/problems`)).body;
  const ofBoltOns = groups.find(({ code }: { code: string }) => code === 'BOLT_ON_UNKNOWN');
  expect(ofBoltOns).toMatchObject({
    rows: 2,
    messages: [
      { rows: 2, lines: [2, 3] },
      { rows: 1, lines: [2] },
    ],
  });
});
