// What the API answers about imports, rows, numbers and ports.
import { DeleteObjectCommand, PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { createApi } from '#functions/api/http/app.ts';
import { writeWorkbooks } from '#functions/report/write-workbooks.ts';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { attemptUntil } from '#shared/import/import-state.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { createFiles } from '#shared/store/files.ts';
import { createImports } from '#shared/store/imports.ts';
import { planIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import { settle } from '../../../chaos/drive.ts';
import { buckets, table } from '../../../chaos/pipeline.ts';
import { rowsFrom } from '../../../chaos/scenario.ts';
import { british, planText } from '../../../support/api/corrections.ts';
import { operator, startApiWorld } from '../../../support/api/simulated-api.ts';
import { double } from '../../../support/double.ts';
import { importItemOf } from '../../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../../support/steps/test-pipeline.ts';

const minute = 60_000;
const hour = 60 * minute;
/** The simulator finds INV invalid, and completes the others. */
const mixed = rowsFrom(0, ['ABC123456', 'INV123456', 'ABC123457', 'ABC123458']);

test('an import is listed with the name of its file, its counts and its numbers by outcome', async () => {
  const { call, plan } = startApiWorld();
  const importId = await plan('july.csv', rowsFrom(0, ['ABC123456', 'ABC123457']));
  const { body } = await call('GET', '/imports');
  expect(body.imports).toHaveLength(1);
  expect(body.imports[0]).toMatchObject({
    importId,
    file: 'july.csv',
    state: 'planned',
    rows: 2,
    outcomes: { waiting: 2 },
  });
  expect(body.nextCursor).toBeNull();
});

test('an import whose reading was interrupted names the time after which it is read again', async () => {
  const { world, call, pass } = startApiWorld();
  const until = attemptUntil(world.timeline.now());
  const item = importItemOf('0123456789abcdef', { state: 'planning', attemptUntil: until });
  await createImports(world.table as unknown as DynamoDBDocumentClient, table).begin(item);
  expect((await call('GET', `/imports/${item.importId}`)).body.redeliveryAt).toBeUndefined();
  await pass(4 * minute);
  const { body } = await call('GET', `/imports/${item.importId}`);
  expect(body).toMatchObject({ state: 'planning', redeliveryAt: until });
});

test('pages of imports follow each other without a gap or a repetition', async () => {
  const { call, plan, pass } = startApiWorld();
  for (let file = 0; file < 5; file += 1) {
    await plan(`file-${file}.csv`, rowsFrom(10 * file, ['ABC123456']));
    await pass(1_000);
  }
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await call('GET', `/imports?limit=2${cursor}`);
    seen.push(...body.imports.map(({ file }: { file: string }) => file));
    if (body.nextCursor === null) break;
    cursor = `&cursor=${body.nextCursor}`;
  }
  expect(seen).toEqual(['file-4.csv', 'file-3.csv', 'file-2.csv', 'file-1.csv', 'file-0.csv']);
});

test('rows have their cells, their outcome and what to do, and no PAC', async () => {
  const { call, send, pass } = startApiWorld();
  const importId = await send('july.csv', mixed);
  await pass(hour);
  const { body, text } = await call('GET', `/imports/${importId}/rows`);
  expect(body.columns[0]).toEqual({ header: 'msisdn', name: 'msisdn', option: null, secret: false });
  expect(body.columns[2]).toEqual({ header: 'pac', name: 'pac', option: null, secret: true });
  expect(body.rows.map(({ line }: { line: number }) => line)).toEqual([2, 3, 4, 5]);
  expect(body.rows[1]).toMatchObject({ outcome: 'action-required', correctedBy: 'update-port' });
  expect(body.rows[0].cells[2]).toBe('***56');
  for (const { pac } of mixed) expect(text).not.toContain(pac);
});

describe('rows that cannot all be shown yet', () => {
  const csvOf = (importId: string) => ({ Bucket: buckets.results, Key: resultsKey(importId) });

  test('are asked for again while the results are replaced, and gone once they have expired', async () => {
    const { call, send, pass, world } = startApiWorld();
    const importId = await send('july.csv', mixed);
    await pass(hour);
    // Report writes results.csv first, and its index after it.
    await world.bucket.send(new PutObjectCommand({ ...csvOf(importId), Body: 'as long as the next index says' }));
    const replaced = await call('GET', `/imports/${importId}/rows`);
    expect([replaced.status, replaced.body.code]).toEqual([503, 'not-ready']);
    expect(replaced.headers.get('retry-after')).toBe('2');
    await world.bucket.send(new DeleteObjectCommand(csvOf(importId)));
    const expired = await call('GET', `/imports/${importId}/rows`);
    expect([expired.status, expired.body.code]).toEqual([410, 'file-expired']);
  });

  test('show how many of them can be shown: before the first report only invalid ones', async () => {
    const { call, plan, send, pass, world } = startApiWorld();
    const [valid] = mixed;
    const invalid = { msisdn: 'x', serialNo: 'y', pac: 'z', boltOns: '' };
    const planned = await plan('planned.csv', [...(valid ? [valid] : []), invalid]);
    // As it is until report handles its message.
    await world.bucket.send(new DeleteObjectCommand(csvOf(planned)));
    const { reported: _, ...Item } = world.table.items().find(({ sk }) => sk === 'import') ?? {};
    await world.table.send(new PutCommand({ TableName: table, Item }));
    const before = await call('GET', `/imports/${planned}/rows`);
    expect([before.body.rows.length, before.body.reported]).toEqual([1, { rows: 1, of: 2 }]);
    const importId = await send('july.csv', mixed);
    await pass(hour);
    expect((await call('GET', `/imports/${importId}/rows`)).body.reported).toEqual({ rows: 4, of: 4 });
  });
});

test('rows are filtered by outcome and by text, page by page', async () => {
  const { call, send, pass } = startApiWorld();
  const importId = await send('july.csv', mixed);
  await pass(hour);
  const invalid = await call('GET', `/imports/${importId}/rows?outcome=action-required`);
  expect(invalid.body.rows.map(({ line }: { line: number }) => line)).toEqual([3]);
  const first = await call('GET', `/imports/${importId}/rows?outcome=in-progress&limit=2`);
  expect(first.body.rows.map(({ line }: { line: number }) => line)).toEqual([2, 4]);
  const next = `&cursor=${first.body.nextCursor}`;
  const second = await call('GET', `/imports/${importId}/rows?outcome=in-progress&limit=2${next}`);
  expect(second.body.rows.map(({ line }: { line: number }) => line)).toEqual([5]);
  expect(second.body.nextCursor).toBeNull();
  const byText = await call('GET', `/imports/${importId}/rows?text=${mixed[3]?.msisdn}`);
  expect(byText.body.rows.map(({ line }: { line: number }) => line)).toEqual([5]);
  // The PAC itself cannot be searched for.
  expect((await call('GET', `/imports/${importId}/rows?text=456`)).body.rows).toEqual([]);
});

test('a plan shows the groups with the most rows, and counts all', async () => {
  const { call, plan, world } = startApiWorld();
  const importId = await plan('july.csv', mixed);
  const index = { bucket: buckets.work, key: planIndexKey({ importId }) };
  const files = createFiles(world.bucket as unknown as S3Client);
  const [line = ''] = (await files.readText(index)).split('\n');
  const requests = Array.from({ length: 230 }, (_, request) => ({
    ...JSON.parse(line),
    request: request + 1,
    label: `Cancel port ${request + 1}`,
    rowCount: 1 + (request % 100),
  }));
  const writer = files.open(index.bucket, index.key, 'application/x-ndjson');
  await writer.write(requests.map((request) => `${JSON.stringify(request)}\n`).join(''));
  await writer.close();
  const { body } = await call('GET', `/imports/${importId}/plan`);
  expect(body.groupCount).toBe(230);
  expect(body.groups).toHaveLength(200);
  expect(body.groups[0]).toMatchObject({ rows: 100, requestRows: [100] });
  expect(body.groups.at(-1).rows).toBeGreaterThan(10);
});

test('invalid rows have their findings, can be filtered by code and column, and are grouped', async () => {
  const { call, plan } = startApiWorld();
  const rows = [
    ...mixed,
    { ...(mixed[0] as (typeof mixed)[0]), msisdn: '4.477E+11' },
    { ...(mixed[1] as (typeof mixed)[0]), msisdn: 'x' },
  ];
  const importId = await plan('july.csv', rows);
  const { body } = await call('GET', `/imports/${importId}/rows?column=msisdn`);
  expect(body.rows.map(({ line, outcome }: { line: number; outcome: string }) => [line, outcome])).toEqual([
    [6, 'rejected'],
    [7, 'rejected'],
  ]);
  expect(body.rows[0].issues[0]).toMatchObject({
    column: 'msisdn',
    code: 'MSISDN_EXCEL_SCIENTIFIC',
    severity: 'error',
  });
  const byCode = await call('GET', `/imports/${importId}/rows?code=MSISDN_EXCEL_SCIENTIFIC`);
  expect(byCode.body.rows.map(({ line }: { line: number }) => line)).toEqual([6]);
  const grouped = await call('GET', `/imports/${importId}/problems?severity=error`);
  expect(
    grouped.body.groups.map(({ code, rows: count }: { code: string; rows: number }) => [code, count]),
  ).toContainEqual(['MSISDN_EXCEL_SCIENTIFIC', 1]);
  expect(grouped.body.isIncomplete).toBe(false);
});

test('a number is found in any notation, with its history', async () => {
  const { call, send, pass } = startApiWorld();
  const importId = await send('july.csv', mixed);
  await pass(hour);
  for (const notation of ['07700900000', '+44 7700 900000', '447700900000', '0 7700-900000']) {
    const { status, body } = await call('GET', `/numbers/${encodeURIComponent(notation)}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ number: '447700900000', importId, line: 2, file: 'july.csv' });
  }
  expect((await call('GET', '/numbers/07700900999')).status).toBe(404);
  expect((await call('GET', '/numbers/not-a-number')).body.code).toBe('invalid-request');
});

test('a port shows its rows and which number blocks them, and is in the list of actions', async () => {
  const { call, send, pass } = startApiWorld();
  await send('july.csv', mixed);
  await pass(hour);
  const { body } = await call('GET', '/actions');
  expect(body.actions[0]).toMatchObject({ kind: 'port', solution: 'enter-pacs', rows: 1 });
  const port = await call('GET', `/ports/${body.actions[0].id}`);
  expect(port.body.rows.some(({ blockedBy }: { blockedBy: string[] }) => blockedBy.includes('447700900001'))).toBe(
    true,
  );
  expect((await call('GET', '/ports/unknown')).status).toBe(404);
});

test('requests are listed and read one by one', async () => {
  const { call, send } = startApiWorld();
  const importId = await send('july.csv', mixed);
  const { body } = await call('GET', `/imports/${importId}/requests?limit=1`);
  expect(body.requests[0]).toMatchObject({ importId, request: 1, state: 'created' });
  expect(body.nextCursor).not.toBeNull();
  const one = await call('GET', `/requests/${importId}/2`);
  expect(one.body).toMatchObject({ request: 2, state: 'created' });
  expect((await call('GET', `/requests/${importId}/99`)).status).toBe(404);
});

test('files without PACs are offered by links that the audit trail names, and no other file', async () => {
  const { call, send, pass } = startApiWorld();
  const importId = await send('july.csv', [...mixed, { ...(mixed[0] as (typeof mixed)[0]), msisdn: 'x' }]);
  const { body } = await call('GET', `/imports/${importId}/files`);
  expect(body.files.map(({ name }: { name: string }) => name)).toContain('results.csv');
  const link = await call('GET', `/imports/${importId}/files/results.csv`);
  expect(link.body.url).toContain(`imports/${importId}/results.csv`);
  // Links to a file within a minute are one entry.
  await pass(60_000);
  await call('GET', `/reports/${importId}/csv`);
  for (const secret of ['rejected.csv', 'plan.ndjson', 'results-index.json', '..%2Fother%2Fresults.csv']) {
    expect((await call('GET', `/imports/${importId}/files/${secret}`)).status).toBe(404);
  }
  const { entries } = (await call('GET', `/imports/${importId}/audit`)).body;
  const downloads = entries.filter(({ action }: { action: string }) => action === 'downloaded');
  const actor = { by: operator.name, isVerified: true };
  expect(downloads).toMatchObject(Array(2).fill({ actor, details: { file: 'results.csv' } }));
});

test('each CSV is also offered as a workbook, once it has the same rows', async () => {
  const { call, send, world } = startApiWorld();
  const importId = await send('july.csv', mixed);
  const waiting = await call('GET', `/imports/${importId}/files/results.xlsx`);
  expect(waiting.body).toMatchObject({ code: 'not-ready', detail: expect.stringContaining('download the CSV') });
  expect((await call('GET', `/imports/${importId}/files/correct-create-port.xlsx`)).body.code).toBe('not-found');
  const files = createFiles(world.bucket as unknown as S3Client);
  const deadline = createDeadline(() => 900_000);
  const written = double<Pipeline>({ files, resources: { resultsBucket: buckets.results }, log: silentLog });
  await writeWorkbooks({ importId, operation: 'create-port', rows: 4 }, deadline, written);
  const { body } = await call('GET', `/imports/${importId}/files`);
  expect(body.files.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual(['results.xlsx', 'results.csv']);
  const link = await call('GET', `/imports/${importId}/files/results.xlsx`);
  expect(link.body).toMatchObject({ fileName: `${importId}-results.xlsx`, bytes: body.files[0].bytes });
  expect((await call('GET', `/reports/${importId}/xlsx`)).body.fileName).toBe('results-july.xlsx');
});

test('the report by network has the value that was set for all rows', async () => {
  const api = startApiWorld();
  const values = { 'set-targetnetwork': 'UK%20Mobile%20A', 'set-tariff': '2001' };
  const importId = await planText(api, british, values);
  const { body: plan } = await api.call('GET', `/imports/${importId}/plan`);
  await api.call('POST', `/imports/${importId}/approve`, { body: { planHash: plan.planHash } });
  await settle(api.world);
  await api.pass(hour);
  const { byNetwork, rows } = (await api.call('GET', `/reports/${importId}`)).body;
  expect(byNetwork).toMatchObject([{ name: 'UK Mobile A', rows }]);
});

test('the report sums up by network, by day and by a column of the file', async () => {
  const { call, send, pass } = startApiWorld();
  const importId = await send('july.csv', mixed);
  await pass(hour);
  const { body } = await call('GET', `/reports/${importId}?by=tariff`);
  expect(body.byNetwork).toMatchObject([{ name: 'UK Mobile A', rows: 4 }]);
  expect(body.byColumn).toMatchObject([{ name: '2001', rows: 4 }]);
  expect(body.byDay.reduce((sum: number, { rows }: { rows: number }) => sum + rows, 0)).toBe(4);
  expect(body.columns).not.toContain('pac');
  for (const column of ['pac', 'Cost%20centre'])
    expect((await call('GET', `/reports/${importId}?by=${column}`)).body.code).toBe('unknown-column');
  expect((await call('GET', `/reports/${importId}/csv`)).body.fileName).toBe('results-july.csv');
});

test('events answer 304 until something changes', async () => {
  const { call, plan } = startApiWorld();
  const first = await call('GET', '/events');
  const tag = first.headers.get('etag') ?? '';
  expect((await call('GET', '/events', { headers: { 'if-none-match': tag } })).status).toBe(304);
  await plan('july.csv', rowsFrom(0, ['ABC123456']));
  const changed = await call('GET', '/events', { headers: { 'if-none-match': tag } });
  expect(changed.status).toBe(200);
  expect(changed.body.imports[0]).toMatchObject({ file: 'july.csv', state: 'planned' });
});

test('the message of an invalid row names columns as the page does, before the report and after', async () => {
  const { call, plan, send, pass } = startApiWorld();
  const file = rowsFrom(0, ['ABC123456', 'nothing', 'ABC123457']).map((row, index) =>
    index === 2 ? { ...row, msisdn: '12' } : row,
  );
  const messagesOf = async (importId: string) => {
    const { body } = await call('GET', `/imports/${importId}/rows?outcome=rejected`);
    return body.rows.map(({ message }: { message: string }) => message).join();
  };
  expect(await messagesOf(await plan('planned.csv', file))).not.toMatch(/(^|; )(msisdn|pac)\b/);
  const importId = await send('sent.csv', file);
  await pass(hour);
  expect(await messagesOf(importId)).toMatch(/PAC/);
  expect(await messagesOf(importId)).not.toMatch(/(^|; )(msisdn|pac)\b/);
});

test('the tag of an answer stays while only the order of its members changes', async () => {
  const tallies = [
    { created: 1, declined: 2 },
    { declined: 2, created: 1 },
    { declined: 2, created: 2 },
  ];
  const description = { at: 'GET /tally', role: 'viewer', summary: 'A tally', accepts: {}, etag: true } as const;
  const endpoints = [{ name: 'getTally', description, run: async () => ({ requests: tallies.shift() }) }];
  const api = createApi({ endpoints, limit: { perSecond: 9, burst: 9 }, wall: () => 0, log: silentLog });
  const caller = { id: 'v', name: 'v', roles: ['viewer'] as const };
  const tag = async () => (await api.request(`${apiPrefix}/tally`, {}, { caller })).headers.get('etag');
  const first = await tag();
  expect(await tag()).toBe(first);
  expect(await tag()).not.toBe(first);
});

test('a person sees the roles that others include, the environment, the operations and a template', async () => {
  const { call } = startApiWorld();
  expect((await call('GET', '/me')).body.roles).toEqual(['viewer', 'uploader', 'approver', 'operator']);
  expect((await call('GET', '/environment')).body).toMatchObject({ name: 'test', simulated: true });
  const { body } = await call('GET', '/operations');
  const createPort = body.operations.find(({ name }: { name: string }) => name === 'create-port');
  expect(createPort.columns.find(({ name }: { name: string }) => name === 'pac').secret).toBe(true);
  const template = await call('GET', '/operations/create-port/template');
  expect(template.headers.get('content-disposition')).toContain('create-port.csv');
  expect(template.text.split('\r\n')[0]).toBe(
    `\uFEFF${createPort.columns.map(({ name }: { name: string }) => name).join()}`,
  );
  expect((await call('GET', '/operations/create-port/template?format=pdf')).status).toBe(400);
  expect((await call('GET', '/reference-data')).body.code).toBe('not-ready');
});

test('the log names who read which import and file, and no number', async () => {
  const { call, plan, logged } = startApiWorld();
  const importId = await plan('july.csv', rowsFrom(0, ['ABC123456']));
  await call('GET', `/imports/${importId}/files/results.csv`);
  await call('GET', '/numbers/07700900001');
  expect(logged).toContainEqual({
    caller: operator.id,
    route: 'GET /imports/{importId}/files/{fileName}',
    importId,
    fileName: 'results.csv',
  });
  expect(JSON.stringify(logged)).not.toContain('7700900001');
});
