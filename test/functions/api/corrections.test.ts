// Invalid rows through the API: read before the approval, fixed, and imported again with what the person did not touch.
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { resultsIndexKey, resultsKey } from '#shared/store/files/object-keys.ts';
import { createImports } from '#shared/store/tables/imports.ts';
import { settle } from '../../simulation/drive.ts';
import { buckets, table } from '../../simulation/pipeline.ts';
import { csvTextOf } from '../../simulation/scenario.ts';
import { type ApiWorld, rowsFrom, startApiWorld } from '../../support/api-world.ts';
import { numberAt, simAt } from '../../support/rows-ingest.ts';

/** The second PAC is a STAC, the third too short. */
const rows = rowsFrom(0, ['ABC123456', '123456ABC', 'AB1']);

function newestUpload({ world }: ApiWorld) {
  const order = ({ versionId }: { versionId: string }) => Number(versionId.split('-')[1]);
  const [stored] = world.bucket.written(buckets.inbox).sort((one, other) => order(other) - order(one));
  return stored;
}

/** The event of S3 for the newest object. */
function notifyNewest(api: ApiWorld): void {
  const stored = newestUpload(api);
  const object = { key: encodeURIComponent(stored?.key ?? ''), eTag: 'e', versionId: stored?.versionId };
  const Records = [{ s3: { bucket: { name: 'inbox' }, object } }];
  api.world.queue.add('https://sqs.example/ingest', { Records }, 0);
}

async function announceUpload(api: ApiWorld): Promise<void> {
  notifyNewest(api);
  await settle(api.world);
}

async function readNewest(api: ApiWorld): Promise<string> {
  const command = new GetObjectCommand({ Bucket: buckets.inbox, Key: newestUpload(api)?.key });
  const { Body } = (await api.world.bucket.send(command)) as { Body: AsyncIterable<Uint8Array> };
  const chunks: Uint8Array[] = [];
  for await (const chunk of Body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** Uploads text below plan/FOLDER, and answers the id of its import once it is planned. */
async function planText(
  api: ApiWorld,
  text: string,
  Metadata: Record<string, string> = {},
  folder = 'create-port',
): Promise<string> {
  const Key = `plan/${folder}/text-${api.world.bucket.written(buckets.inbox).length}.csv`;
  await api.world.bucket.send(new PutObjectCommand({ Bucket: buckets.inbox, Key, Body: text, Metadata }));
  await announceUpload(api);
  return (await api.call('GET', '/imports?limit=1')).body.imports[0].importId;
}

test('the invalid rows of a plan can be read before it is approved, without their PACs', async () => {
  const api = startApiWorld();
  const importId = await api.plan('july.csv', rows);
  const { body } = await api.call('GET', `/imports/${importId}/rows?outcome=rejected`);
  expect(body.rows.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome])).toEqual([
    [3, 'rejected'],
    [4, 'rejected'],
  ]);
  expect(body.rows[0].issues).toMatchObject([{ column: 'pac', code: 'PAC_IS_STAC' }]);
  expect(JSON.stringify(body)).not.toMatch(/123456ABC|AB1"/);
  const first = await api.call('GET', `/imports/${importId}/rows?outcome=rejected&limit=1`);
  const next = await api.call(
    'GET',
    `/imports/${importId}/rows?outcome=rejected&limit=1&cursor=${first.body.nextCursor}`,
  );
  expect([first, next].map((page) => page.body.rows[0].line)).toEqual([3, 4]);
  expect(next.body.nextCursor).toBeNull();
});

test('a fixed row is imported again with the cells of the file that were not changed', async () => {
  const api = startApiWorld();
  const importId = await api.plan('july.csv', rows);
  const body = { rows: [{ line: 3, cells: { pac: 'XYZ654321' } }] };
  const { status, body: answer } = await api.call('POST', `/imports/${importId}/corrections`, { body });
  expect(status).toBe(202);
  await announceUpload(api);
  const correction = await api.call('GET', `/imports/${answer.importId}`);
  expect(correction.body).toMatchObject({ state: 'planned', rows: 1, accepted: 1, file: 'july-correction.csv' });
  const { entries } = (await api.call('GET', `/imports/${importId}/audit`)).body;
  expect(entries.at(-1)).toMatchObject({ action: 'corrected', details: { import: answer.importId, rows: '1' } });
});

test('the first import counts each row once, with what its corrections did', async () => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', rows);
  const read = async () => {
    const one = (await api.call('GET', `/imports/${importId}`)).body.outcomes;
    const { imports } = (await api.call('GET', '/imports')).body;
    const listed = imports.find((item: { importId: string }) => item.importId === importId);
    expect(listed.outcomes).toEqual(one);
    return one;
  };
  expect(await read()).toEqual({ 'in-progress': 1, rejected: 2 });
  const body = { rows: [{ line: 3, cells: { pac: 'XYZ654321' } }] };
  const corrected = (await api.call('POST', `/imports/${importId}/corrections`, { body })).body.importId;
  await announceUpload(api);
  // Not approved: nothing was sent.
  expect(await read()).toEqual({ 'in-progress': 1, rejected: 2 });
  const { planHash } = (await api.call('GET', `/imports/${corrected}/plan`)).body;
  await api.call('POST', `/imports/${corrected}/approve`, { body: { planHash } });
  await settle(api.world);
  await api.pass(3_600_000);
  expect(await read()).toEqual({ 'in-progress': 2, rejected: 1 });
  expect((await api.call('GET', `/imports/${corrected}`)).body.outcomes).toEqual({ 'in-progress': 1 });
});

test('the first import shows a correction as soon as its messages are processed, before sync runs', async () => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', rows);
  await api.pass(10 * 60_000);
  const body = { rows: [{ line: 3, cells: { pac: 'XYZ654321' } }] };
  const corrected = (await api.call('POST', `/imports/${importId}/corrections`, { body })).body.importId;
  await announceUpload(api);
  const { planHash } = (await api.call('GET', `/imports/${corrected}/plan`)).body;
  await api.call('POST', `/imports/${corrected}/approve`, { body: { planHash } });
  await settle(api.world);
  expect((await api.call('GET', `/imports/${importId}`)).body.outcomes).toEqual({ 'in-progress': 2, rejected: 1 });
  const { rows: shown } = (await api.call('GET', `/imports/${importId}/rows`)).body;
  expect(shown.map(({ outcome }: { outcome: string }) => outcome)).toEqual(['in-progress', 'in-progress', 'rejected']);
});

test('the report counts a corrected row by its latest result and its corrected cells', async () => {
  const api = startApiWorld();
  const [first, second] = rowsFrom(0, ['ABC123456', 'ABC123457']);
  if (first === undefined || second === undefined) throw new Error('no rows');
  const importId = await api.send('july.csv', [first, { ...second, boltOns: '999' }]);
  const read = async () => (await api.call('GET', `/reports/${importId}?by=boltOns`)).body;
  expect(await read()).toMatchObject({ rows: 2, outcomes: { 'in-progress': 1, rejected: 1 } });
  const body = { rows: [{ line: 3, cells: { boltOns: '101' } }] };
  const corrected = (await api.call('POST', `/imports/${importId}/corrections`, { body })).body.importId;
  await announceUpload(api);
  const { planHash } = (await api.call('GET', `/imports/${corrected}/plan`)).body;
  await api.call('POST', `/imports/${corrected}/approve`, { body: { planHash } });
  await settle(api.world);
  await api.pass(3_600_000);
  const report = await read();
  expect(report).toMatchObject({ rows: 2, outcomes: { 'in-progress': 2 } });
  expect(report.byColumn.map(({ name, rows: count }: { name: string; rows: number }) => [name, count])).toEqual([
    ['', 1],
    ['101', 1],
  ]);
  expect(report.byDay.reduce((sum: number, { rows: count }: { rows: number }) => sum + count, 0)).toBe(2);
});

test('a corrected row is in the group of its corrected cell, whatever the file calls the column', async () => {
  const api = startApiWorld();
  const [header = '', first = '', second = ''] = csvTextOf(rowsFrom(0, ['ABC123456', 'ABC123457'])).split('\n');
  const records = [header.replace('targetNetwork', 'Target network'), first, second.replace('Mobile', 'Mobil')];
  const importId = await planText(api, records.join('\n'));
  const approve = async (id: string) => {
    const { planHash } = (await api.call('GET', `/imports/${id}/plan`)).body;
    await api.call('POST', `/imports/${id}/approve`, { body: { planHash } });
    await settle(api.world);
  };
  await approve(importId);
  const body = { rows: [{ line: 3, cells: { targetNetwork: 'UK Mobile A' } }] };
  const corrected = (await api.call('POST', `/imports/${importId}/corrections`, { body })).body.importId;
  await announceUpload(api);
  await approve(corrected);
  await api.pass(3_600_000);
  const report = (await api.call('GET', `/reports/${importId}?by=Target%20network`)).body;
  expect(report.byNetwork).toMatchObject([{ name: 'UK Mobile A', rows: 2 }]);
  expect(report.byColumn).toEqual(report.byNetwork);
});

/** A file whose second number is shortened, sent with a correction of it. The file calls its columns by other names. */
async function sendCorrectedNumber(api: ApiWorld): Promise<string> {
  const [header = '', first = '', second = ''] = csvTextOf(rowsFrom(0, ['ABC123456', 'ABC123457'])).split('\n');
  const shortened = second.replace(/^\d+/, '4.477E+11');
  const importId = await planText(api, [header.replace('msisdn', 'Phone'), first, shortened].join('\n'));
  const approve = async (id: string) => {
    const { planHash } = (await api.call('GET', `/imports/${id}/plan`)).body;
    await api.call('POST', `/imports/${id}/approve`, { body: { planHash } });
    await settle(api.world);
  };
  await approve(importId);
  await api.pass(3_600_000);
  const body = { rows: [{ line: 3, cells: { msisdn: numberAt(70) } }] };
  const corrected = (await api.call('POST', `/imports/${importId}/corrections`, { body })).body.importId;
  await announceUpload(api);
  await approve(corrected);
  await api.pass(3_600_000);
  return importId;
}

test('the rows of the first import show what a correction did, and its findings are gone', async () => {
  const api = startApiWorld();
  const importId = await sendCorrectedNumber(api);
  const read = async (query: string) => (await api.call('GET', `/imports/${importId}/rows${query}`)).body.rows;
  const all = await read('');
  expect(all.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome])).toEqual([
    [2, 'in-progress'],
    [3, 'in-progress'],
  ]);
  expect(all[1]).toMatchObject({ portId: expect.stringMatching(/./), issues: [] });
  expect(all[1].cells).toHaveLength(all[0].cells.length);
  expect(all[1].cells[0]).toBe(numberAt(70));
  const linesOf = (rows: { line: number }[]) => rows.map(({ line }) => line);
  expect(await read('?outcome=rejected')).toEqual([]);
  expect(await read('?code=MSISDN_EXCEL_SCIENTIFIC')).toEqual([]);
  expect(linesOf(await read('?outcome=in-progress'))).toEqual([2, 3]);
  expect(linesOf(await read(`?text=${numberAt(70)}`))).toEqual([3]);
  expect(await read('?text=4.477')).toEqual([]);
  expect((await api.call('GET', `/imports/${importId}/problems?severity=error`)).body.groups).toEqual([]);
});

test('the files of the first import have each row as it was sent, with the line of the first file', async () => {
  const api = startApiWorld();
  const importId = await sendCorrectedNumber(api);
  const { rows: shown } = (await api.call('GET', `/imports/${importId}/rows`)).body;
  const text = api.world.bucket.text(buckets.results, resultsKey(importId));
  const [header = '', ...records] = text.replace('\uFEFF', '').trimEnd().split('\r\n');
  const names = header.split(',');
  const cell = (record: string, name: string) => record.split(',')[names.indexOf(name)];
  const [first, second] = records;
  expect(records).toHaveLength(2);
  expect(['Phone', 'importId', 'line', 'outcome', 'portId'].map((name) => cell(second ?? '', name))).toEqual([
    ...[numberAt(70), importId, '3', 'in-progress'],
    shown[1].portId,
  ]);
  expect(cell(first ?? '', 'pac')).toBe('***456');
  expect(cell(second ?? '', 'pac')).toBe('***457');
  expect(text).not.toMatch(/4\.477|rejected/);
  const { outcomes, corrections } = (await api.call('GET', `/imports/${importId}`)).body;
  expect([outcomes, corrections]).toEqual([{ 'in-progress': 2 }, { 'create-port': 0, 'update-port': 0 }]);
});

test('a number that was corrected is cancelled with the rows of the first import', async () => {
  const api = startApiWorld();
  const importId = await sendCorrectedNumber(api);
  const { status, body } = await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [3] } });
  expect(status).toBe(202);
  expect(body).toMatchObject({ rows: 1, notCancellable: [] });
  expect(await readNewest(api)).toContain(numberAt(70));
});

test('a row that is not invalid, and a column that does not exist, are declined with the reason', async () => {
  const api = startApiWorld();
  const importId = await api.plan('july.csv', rows);
  const correct = (line: number, column: string) =>
    api.call('POST', `/imports/${importId}/corrections`, { body: { rows: [{ line, cells: { [column]: 'x' } }] } });
  expect((await correct(2, 'pac')).body).toMatchObject({ code: 'state-changed', changed: { line: 2 } });
  expect((await correct(3, 'nothing')).body.code).toBe('unknown-column');
});

/** Dates as people write them, no column targetNetwork, and groups that are empty where they are the usual one. */
const british = [
  'msisdn,serialNo,pac,boltOns,portType,sourceNetwork,connectionDate,tariff,provisioningOrder',
  `${numberAt(1)},${simAt(1)},ABC123456,,Port,Source Mobile One,14/07/2026,2001,5001`,
  `${numberAt(2)},${simAt(2)},ABC123457,999,Port,Source Mobile One,14/07/2026,,5001`,
].join('\n');

test('the fixed cells of a row are validated with the dates and column values of its import', async () => {
  const api = startApiWorld();
  const importId = await planText(api, british, { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' });
  const invalid = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
  expect(invalid.rows[0].issues.map(({ column }: { column: string }) => column)).toEqual(['boltOns']);
  const names: (string | null)[] = invalid.columns.map(({ name }: { name: string | null }) => name);
  const cells = Object.fromEntries(names.map((name, index) => [name, invalid.rows[0].cells[index]]));
  // Here the catalogue of the API has other networks than the service.
  const { pac: _, ...known } = { ...cells, boltOns: '101', targetNetwork: 'Network A', sourceNetwork: 'Source One' };
  const twoMeanings = { ...known, connectionDate: '08/07/2026' };
  const rows = [{ ...known, connectionDate: '31/02/2026' }, { ...known, pac: 'AB1' }, twoMeanings];
  const { body } = await api.call('POST', '/validate', { body: { operation: 'create-port', rows, importId } });
  const columnsOf = (row: { issues: { column: string }[] }) => row.issues.map(({ column }) => column);
  expect(body.rows.map(columnsOf)).toEqual([['connectionDate'], ['pac'], []]);
  expect(body.rows.map((row: { isValid: boolean }) => row.isValid)).toEqual([false, false, true]);
  const fix = { rows: [{ line: 3, cells: { boltOns: '101' } }] };
  const corrected = (await api.call('POST', `/imports/${importId}/corrections`, { body: fix })).body.importId;
  await announceUpload(api);
  expect((await api.call('GET', `/imports/${corrected}`)).body).toMatchObject({ state: 'planned', accepted: 1 });
});

test('column values that may contain a PAC are not stored with the import', async () => {
  const api = startApiWorld();
  const values = { 'set-pac': 'QZX735149', 'set-reference': 'QZX735148', 'set-targetnetwork': 'UK%20Mobile%20A' };
  const importId = await planText(api, british.replace(',pac,', ',PAC,'), values);
  const stored = JSON.stringify(
    await createImports(api.world.table as unknown as DynamoDBDocumentClient, table).get(importId),
  );
  expect(stored).toContain('UK Mobile A');
  expect(stored).not.toMatch(/QZX73514/);
});

/** Two invalid rows, and their correction with the columns of simporter in front: the second row is still invalid. */
async function planMoved(api: ApiWorld): Promise<string> {
  const [header = '', ...records] = british.replace(',ABC123456,,', ',ABC123456,999,').split('\n');
  const values = { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' };
  const first = await planText(api, [header, ...records].join('\n'), values);
  const rows = records.map((record, index) => `,${first},${index + 2},${record}`);
  const fixed = rows.map((row, index) => (index === 0 ? row.replace(',999,', ',101,') : row));
  return planText(api, [`errors,importId,line,${header}`, ...fixed].join('\n'));
}

/** As before the first report: without its files. */
async function removeReport({ world }: ApiWorld, importId: string): Promise<void> {
  for (const Key of [resultsKey(importId), resultsIndexKey(importId)]) {
    await world.bucket.send(new DeleteObjectCommand({ Bucket: buckets.results, Key }));
  }
  const item = world.table.items().find((one) => one.sk === 'import' && one.importId === importId);
  const { reported: _, ...Item } = item ?? {};
  await world.table.send(new PutCommand({ TableName: table, Item }));
}

test.each([
  ['before', removeReport],
  ['after', async () => {}],
] as const)('PACs of a correction with moved columns are masked %s its first report', async (_, prepare) => {
  const api = startApiWorld();
  const importId = await planMoved(api);
  await prepare(api, importId);
  const { body, text } = await api.call('GET', `/imports/${importId}/rows?outcome=rejected`);
  expect(text).not.toContain('ABC123457');
  expect(body.rows.map(({ line }: { line: number }) => line)).toEqual([3]);
  const named = body.columns.map(({ header, name }: { header: string; name: string }) => header === name);
  expect(named).toEqual(body.columns.map(() => true));
  const byPac = await api.call('GET', `/imports/${importId}/rows?outcome=rejected&text=457`);
  expect(byPac.body.rows).toEqual([]);
});

test('an invalid row of a correction with moved columns is fixed, and a sent one is cancelled', async () => {
  const api = startApiWorld();
  const importId = await planMoved(api);
  const fix = { rows: [{ line: 3, cells: { boltOns: '101' } }] };
  const corrected = (await api.call('POST', `/imports/${importId}/corrections`, { body: fix })).body.importId;
  await announceUpload(api);
  expect((await api.call('GET', `/imports/${corrected}`)).body).toMatchObject({ state: 'planned', accepted: 1 });
  const { planHash } = (await api.call('GET', `/imports/${importId}/plan`)).body;
  await api.call('POST', `/imports/${importId}/approve`, { body: { planHash } });
  await settle(api.world);
  await api.pass(10 * 60_000);
  const { columns, byColumn } = (await api.call('GET', `/reports/${importId}?by=pac`)).body;
  expect([columns.includes('pac'), columns.includes('msisdn'), byColumn]).toEqual([false, true, []]);
  await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [2], because: 'Order 7' } });
  expect(await readNewest(api)).toContain(`${numberAt(1)},`);
});

test('invalid rows of a file with an own column "status" are shown and fixed', async () => {
  const api = startApiWorld();
  const text = british.replace('msisdn,', 'msisdn,status,').replaceAll(/^(\d+),/gm, '$1,new,');
  const importId = await planText(api, text, { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' });
  const { rows } = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
  expect(rows.map(({ line }: { line: number }) => line)).toEqual([3]);
  const fix = { rows: [{ line: 3, cells: { boltOns: '101' } }] };
  expect((await api.call('POST', `/imports/${importId}/corrections`, { body: fix })).status).toBe(202);
});

/** The rows of two imports that wait for PACs in one file: both are from line 5 of their import. */
async function planJoined(api: ApiWorld): Promise<string> {
  const imports = [await planText(api, british), await planText(api, british)];
  const joined = imports.map((importId, index) => `${numberAt(index)},${index + 7},,,${importId},5,`);
  const text = ['msisdn,portId,pac,reason,importId,line,reference', ...joined].join('\n');
  return planText(api, text, {}, 'update-port');
}

test('a PAC for one of two invalid rows with the same line is declined: it could be planned for the other', async () => {
  const api = startApiWorld();
  const importId = await planJoined(api);
  const { rows: invalid } = (await api.call('GET', `/imports/${importId}/rows?outcome=rejected`)).body;
  expect(invalid.map(({ line }: { line: number }) => line)).toEqual([5, 5]);
  const fix = { rows: [{ line: 5, cells: { pac: 'XYZ654321' } }] };
  const { status, body, text } = await api.call('POST', `/imports/${importId}/corrections`, { body: fix });
  expect([status, body.code, body.changed]).toEqual([409, 'line-not-unique', { line: 5 }]);
  expect(text).not.toContain('XYZ654321');
});

test('two different fixes of one line are declined', async () => {
  const api = startApiWorld();
  const importId = await api.plan('july.csv', rows);
  const fixes = ['XYZ654321', 'XYZ654322'].map((pac) => ({ line: 3, cells: { pac } }));
  const { status, body } = await api.call('POST', `/imports/${importId}/corrections`, { body: { rows: fixes } });
  expect([status, body.code]).toEqual([409, 'line-not-unique']);
});

test('the cancellation of one of two rows with the same line is declined: it could cancel the other', async () => {
  const api = startApiWorld();
  // Rows that correct an import of another operation may repeat a line.
  const other = await planText(api, 'msisdn,portId,pac\n07700900009,9,\n', {}, 'update-port');
  const [header = '', first = '', second = ''] = british.replaceAll(',999,Port', ',,Port').split('\n');
  const text = [`${header},importId,line`, ...[first, second].map((row) => `${row},${other},5`)].join('\n');
  const importId = await planText(api, text, { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' });
  const { planHash } = (await api.call('GET', `/imports/${importId}/plan`)).body;
  await api.call('POST', `/imports/${importId}/approve`, { body: { planHash } });
  await settle(api.world);
  await api.pass(10 * 60_000);
  const { rows: sent } = (await api.call('GET', `/imports/${importId}/rows`)).body;
  const seen = sent.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome]);
  expect(seen).toEqual([
    [5, 'in-progress'],
    [5, 'in-progress'],
  ]);
  const { status, body } = await api.call('POST', `/imports/${importId}/cancel`, { body: { lines: [5] } });
  expect([status, body.code]).toEqual([409, 'line-not-unique']);
});

test('each row of a correction with lines in any order is on one page', async () => {
  const api = startApiWorld();
  const [header = '', first = '', second = ''] = british.replace(',ABC123456,,', ',ABC123456,999,').split('\n');
  const third = second.replace(numberAt(2), numberAt(3)).replace(simAt(2), simAt(3));
  const importId = await planText(api, [header, first, second, third].join('\n'));
  const records = [third, first, second].map((row, index) => `${row},${importId},${[4, 2, 3][index]}`);
  const correction = await planText(api, [`${header},importId,line`, ...records].join('\n'));
  const lines: number[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await api.call('GET', `/imports/${correction}/rows?limit=1${cursor}`);
    lines.push(...body.rows.map(({ line }: { line: number }) => line));
    cursor = body.nextCursor === null ? null : `&cursor=${body.nextCursor}`;
  }
  expect(lines).toEqual([4, 2, 3]);
});
