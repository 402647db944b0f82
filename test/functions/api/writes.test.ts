// What people do through the API: upload, validate, approve, reschedule, cancel and resolve.
import { PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { columnLetters } from '#shared/csv/column-letters.ts';
import { createRequests } from '#shared/store/tables/requests.ts';
import { createResolutions } from '#shared/store/tables/resolutions.ts';
import { notify, settle } from '../../simulation/drive.ts';
import { buckets, table } from '../../simulation/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../simulation/scenario.ts';
import { type ApiWorld, operator, person, startApiWorld } from '../../support/api-world.ts';
import { validCells } from '../../support/rows-catalogue.ts';
import { workbookFile } from '../../support/workbook-file.ts';

const hour = 3_600_000;
const two = rowsFrom(0, ['ABC123456', 'ABC123457']);

/** Sends the bytes of a part as the link of the API would. */
async function sendPart(url: string, bytes: Buffer, { world }: ApiWorld): Promise<void> {
  const { pathname, searchParams } = new URL(url);
  const [UploadId, PartNumber] = [searchParams.get('uploadId') ?? '', Number(searchParams.get('partNumber'))];
  const Key = pathname.slice(1);
  await world.bucket.send(new UploadPartCommand({ Bucket: buckets.inbox, Key, UploadId, PartNumber, Body: bytes }));
}

async function uploadFile(api: ApiWorld, bytes: Buffer, as = operator): Promise<string> {
  const body = {
    operation: 'create-port',
    fileName: 'july "x".csv',
    bytes: bytes.length,
    columnValues: { tariff: '2001' },
    maxRowsPerPort: 1,
    onInvalidPac: 'remove',
    separateExpiringPacs: true,
  };
  const begun = await api.call('POST', '/uploads', { body, as });
  const { uploadId } = begun.body;
  const { body: answer } = await api.call('POST', `/uploads/${uploadId}/links`, { body: { parts: [1] }, as });
  await sendPart(answer.links[0].url, bytes, api);
  const done = await api.call('POST', `/uploads/${uploadId}/complete`, { as });
  expect(done.status).toBe(202);
  return done.body.importId;
}

test('an upload in parts becomes an import that waits for approval, with the person who uploaded it', async () => {
  const api = startApiWorld();
  const importId = await uploadFile(api, Buffer.from(csvTextOf(two)));
  // The event of S3.
  const [stored] = api.world.bucket.written(buckets.inbox);
  const record = { key: encodeURIComponent(stored?.key ?? ''), eTag: 'e', versionId: stored?.versionId };
  api.world.queue.add(
    'https://sqs.example/ingest',
    { Records: [{ s3: { bucket: { name: 'inbox' }, object: record } }] },
    0,
  );
  await settle(api.world);
  const { body } = await api.call('GET', `/imports/${importId}`);
  expect(body).toMatchObject({ state: 'planned', planOnly: true, file: 'july "x".csv', rows: 2 });
  // Each of the two rows is a separate port.
  expect((await api.call('GET', `/imports/${importId}/plan`)).body.requestCount).toBe(2);
  expect(body.uploadedBy).toEqual({ by: operator.name, isVerified: true });
  expect(stored?.key).toMatch(/^plan\/create-port\//);
});

test('an upload is complete only when every byte has arrived, once, and for the person who began it', async () => {
  const api = startApiWorld();
  const body = { operation: 'create-port', fileName: 'july.csv', bytes: 10 };
  const { uploadId } = (await api.call('POST', '/uploads', { body })).body;
  const early = await api.call('POST', `/uploads/${uploadId}/complete`);
  expect(early.body).toMatchObject({ status: 409, code: 'upload-incomplete', changed: { missing: [1] } });
  const foreign = { as: person('eve@example.com', 'operator') };
  expect((await api.call('GET', `/uploads/${uploadId}`, foreign)).status).toBe(404);
  expect((await api.call('POST', `/uploads/${uploadId}/complete`, foreign)).status).toBe(404);
  const links = await api.call('POST', `/uploads/${uploadId}/links`, { body: { parts: [1] } });
  expect(links.body.links[0].bytes).toBe(10);
  expect((await api.call('POST', `/uploads/${uploadId}/links`, { body: { parts: [2] } })).status).toBe(400);
  await sendPart(links.body.links[0].url, Buffer.from('0123456789'), api);
  expect((await api.call('GET', `/uploads/${uploadId}`)).body.arrived).toEqual([{ part: 1, bytes: 10 }]);
  const first = await api.call('POST', `/uploads/${uploadId}/complete`);
  const second = await api.call('POST', `/uploads/${uploadId}/complete`);
  expect(second.body).toEqual(first.body);
  expect((await api.call('DELETE', `/uploads/${uploadId}`)).body.code).toBe('state-changed');
  const late = await api.call('POST', `/uploads/${uploadId}/links`, { body: { parts: [1] } });
  expect(late.body.code).toBe('state-changed');
});

test('a discarded upload leaves nothing', async () => {
  const api = startApiWorld();
  const body = { operation: 'create-port', fileName: 'july.csv', bytes: 10 };
  const { uploadId } = (await api.call('POST', '/uploads', { body })).body;
  expect((await api.call('DELETE', `/uploads/${uploadId}`)).status).toBe(204);
  expect((await api.call('POST', `/uploads/${uploadId}/complete`)).status).toBe(404);
  expect(api.world.bucket.places()).toEqual([]);
});

test.each([
  ['a folder in the name', { fileName: '../../create-port/x.csv' }, 'invalid-request'],
  ['a hidden name', { fileName: '.x.csv' }, 'invalid-request'],
  ['a control character in the name', { fileName: 'a\u0000b.csv' }, 'invalid-request'],
  ['no bytes', { bytes: 0 }, 'invalid-request'],
  ['too many bytes', { bytes: 1_000_000_001 }, 'file-too-large'],
  ['an unknown operation', { operation: 'delete-everything' }, 'invalid-request'],
  ['half of a character in the name', { fileName: 'a\ud83d.csv' }, 'invalid-request'],
  ['half of a character in the sheet', { sheet: '\ude00' }, 'invalid-request'],
  ['half of a character in a value', { columnValues: { groupName: '\ud83d' } }, 'invalid-request'],
  ['half of a character in a mapping', { mapping: { '\ud83d': 'msisdn' } }, 'invalid-request'],
  ['a PAC for all rows', { columnValues: { pac: 'ABC123456' } }, 'invalid-request'],
  ['a longer name than a file can have', { fileName: `${'a'.repeat(252)}.csv` }, 'invalid-request'],
  ['a value for an unknown column', { columnValues: { 'x-amz-acl': 'public-read' } }, 'unknown-column'],
])('an upload with %s is declined', async (_, changes, code) => {
  const { call } = startApiWorld();
  const body = { operation: 'create-port', fileName: 'july.csv', bytes: 10, ...changes };
  expect((await call('POST', '/uploads', { body })).body.code).toBe(code);
});

test('a name of 255 characters is accepted, and numbers and codes in a name reach no key and no item', async () => {
  const { call, world } = startApiWorld();
  const begin = (fileName: string) =>
    call('POST', '/uploads', { body: { operation: 'create-port', fileName, bytes: 10 } });
  expect((await begin(`${'é'.repeat(251)}.csv`)).status).toBe(201);
  const named = await begin('07700900123_ABC123456 july.csv');
  expect(named.body.fileName).toBe('number_code july.csv');
  const stored = JSON.stringify([world.table.items(), world.bucket.places()]);
  expect(stored).not.toMatch(/07700900123|ABC123456/);
});

test('20 approvals of a plan with 20 keys are one entry of the audit trail', async () => {
  const { call, plan, pass, world } = startApiWorld();
  const importId = await plan('july.csv', two);
  const { planHash } = (await call('GET', `/imports/${importId}/plan`)).body;
  for (let sent = 0; sent < 20; sent += 1) {
    expect((await call('POST', `/imports/${importId}/approve`, { body: { planHash } })).status).toBe(202);
    world.timeline.moveTo(world.timeline.now() + 1);
  }
  await pass(60_000);
  const { entries } = (await call('GET', `/imports/${importId}/audit`)).body;
  expect(entries.filter(({ action }: { action: string }) => action === 'approved')).toHaveLength(1);
  expect(world.network.ports()).toHaveLength(1);
});

test('an approval names the plan, and another plan is a conflict that shows what changed', async () => {
  const { call, plan, world } = startApiWorld();
  const importId = await plan('july.csv', two);
  const { body } = await call('GET', `/imports/${importId}/plan`);
  expect(body.groups[0]).toMatchObject({ rows: 2 });
  const stale = await call('POST', `/imports/${importId}/approve`, { body: { planHash: 'older' } });
  expect(stale.body).toMatchObject({
    status: 409,
    code: 'plan-changed',
    changed: { planHash: body.planHash, rows: 2 },
  });
  const approved = await call('POST', `/imports/${importId}/approve`, {
    body: { planHash: body.planHash, because: 'Order 7' },
  });
  expect(approved.status).toBe(202);
  await settle(world);
  const again = await call('POST', `/imports/${importId}/approve`, { body: { planHash: body.planHash } });
  expect(again.body).toMatchObject({
    status: 409,
    code: 'state-changed',
    changed: { requestedBy: { by: operator.name } },
  });
  expect(world.network.ports()).toHaveLength(1);
  const audit = await call('GET', `/imports/${importId}/audit`);
  expect(audit.body.entries).toMatchObject([
    { action: 'uploaded', actor: { isVerified: false } },
    { action: 'approved', actor: { by: operator.name, isVerified: true }, because: 'Order 7' },
  ]);
});

test('an approval that ingest declines is shown with its reason, and the import still waits', async () => {
  const { call, plan, world } = startApiWorld();
  const importId = await plan('july.csv', two);
  expect((await call('GET', `/imports/${importId}`)).body.declinedApproval).toBeNull();
  world.queue.add('https://sqs.example/ingest', { approve: importId, plan: 'older', by: 'Paul' }, 0);
  await settle(world);
  const reason = 'The plan was made again since. Read it, then approve it again';
  const { body } = await call('GET', `/imports/${importId}`);
  expect(body).toMatchObject({ state: 'planned', declinedApproval: { by: 'Paul', reason } });
  expect((await call('GET', `/imports/${importId}/audit`)).body.entries).toMatchObject([
    { action: 'uploaded' },
    { action: 'approval-declined', actor: { by: 'Paul', isVerified: false }, details: { reason } },
  ]);
});

test('where a second person must approve, the person who uploaded the file cannot', async () => {
  const api = startApiWorld({ settings: { approval: 'two' } });
  const importId = await uploadFile(api, Buffer.from(csvTextOf(two)));
  const [stored] = api.world.bucket.written(buckets.inbox);
  const record = { key: encodeURIComponent(stored?.key ?? ''), eTag: 'e', versionId: stored?.versionId };
  api.world.queue.add(
    'https://sqs.example/ingest',
    { Records: [{ s3: { bucket: { name: 'inbox' }, object: record } }] },
    0,
  );
  await settle(api.world);
  const { planHash } = (await api.call('GET', `/imports/${importId}/plan`)).body;
  const own = await api.call('POST', `/imports/${importId}/approve`, { body: { planHash } });
  expect(own.body).toMatchObject({ status: 403, code: 'second-person-required' });
  const as = person('paul@example.com', 'approver');
  expect((await api.call('POST', `/imports/${importId}/approve`, { body: { planHash }, as })).status).toBe(202);
});

test('a repeat with the same Idempotency-Key changes nothing and gets the same answer', async () => {
  const { call, plan, world } = startApiWorld();
  const importId = await plan('july.csv', two);
  const { planHash } = (await call('GET', `/imports/${importId}/plan`)).body;
  const request = { body: { planHash }, headers: { 'idempotency-key': 'approve-1' } };
  const first = await call('POST', `/imports/${importId}/approve`, request);
  await settle(world);
  const second = await call('POST', `/imports/${importId}/approve`, request);
  expect(second.status).toBe(202);
  expect(second.body).toEqual(first.body);
  const other = await call('POST', `/imports/${importId}/approve`, { ...request, body: { planHash: 'x' } });
  expect(other.body.code).toBe('idempotency-key-reused');
  // Another person's key of the same text is another key.
  const foreign = await call('POST', `/imports/${importId}/approve`, { ...request, as: person('eve', 'approver') });
  expect(foreign.body.code).toBe('state-changed');
  expect(
    (await call('POST', `/imports/${importId}/approve`, { ...request, headers: { 'idempotency-key': '' } })).body.code,
  ).toBe('idempotency-key-required');
});

test('a failed write is not remembered: its repeat is tried again', async () => {
  const { call, plan } = startApiWorld();
  const importId = await plan('july.csv', two);
  const { planHash } = (await call('GET', `/imports/${importId}/plan`)).body;
  const headers = { 'idempotency-key': 'approve-1' };
  const approve = (hash: string) => call('POST', `/imports/${importId}/approve`, { body: { planHash: hash }, headers });
  expect((await approve('older')).status).toBe(409);
  expect((await approve(planHash)).status).toBe(202);
});

test('ports of an import move to another date with a new import', async () => {
  const { call, send, pass, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const planned = await call('POST', `/imports/${importId}/reschedule`, {
    body: { date: '2026-07-22', because: 'Holiday' },
  });
  expect(planned.status).toBe(202);
  await settle(world);
  await pass(hour);
  const moved = await call('GET', `/imports/${planned.body.importId}`);
  expect(moved.body.reschedules).toEqual({ importId, date: '2026-07-22' });
  const finished = await call('POST', `/imports/${planned.body.importId}/reschedule`, { body: { date: '2026-13-01' } });
  expect(finished.body.code).toBe('invalid-request');
});

test('selected rows are cancelled by an import that waits for approval', async () => {
  const { call, send, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const planned = await call('POST', `/imports/${importId}/cancel`, { body: { lines: [3, 99] } });
  expect(planned.body).toMatchObject({ rows: 1, notCancellable: [99] });
  const stored = world.bucket.written(buckets.inbox).find(({ key }) => key.startsWith('plan/cancel-port/'));
  expect(world.bucket.text(buckets.inbox, stored?.key ?? '')).toContain(world.network.ports()[0]?.id ?? 'no port');
  const none = await call('POST', `/imports/${importId}/cancel`, { body: { lines: [99] } });
  expect(none.body.code).toBe('state-changed');
  const { body } = await call('GET', `/imports/${importId}/audit`);
  expect(body.entries.map(({ action }: { action: string }) => action)).toContain('cancelled');
});

test('an import is stopped and resumed, each once, by a person who is named', async () => {
  const { call, send, pass, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const give = async (what: string, body: object = {}) => {
    const reply = await call('POST', `/imports/${importId}/${what}`, { body });
    await settle(world);
    await pass(1_000);
    return reply.status;
  };
  const stopNow = async () => (await call('GET', `/imports/${importId}`)).body.stop;
  expect([await give('resume'), await give('stop', { because: 'Wrong tariff' }), await give('stop')]).toEqual([
    409, 202, 409,
  ]);
  expect(await stopNow()).toMatchObject({ by: operator.name, because: 'Wrong tariff', kind: 'until-resumed' });
  expect(await give('resume')).toBe(202);
  expect(await stopNow()).toBeNull();
  expect([await give('stop', { end: true }), await give('resume')]).toEqual([202, 409]);
  const { entries } = (await call('GET', `/imports/${importId}/audit`)).body;
  const stops = entries.flatMap(({ action }: { action: string }) => (/stop|resume/.test(action) ? action : []));
  expect(stops.toSorted()).toEqual(['resumed', 'stopped', 'stopped']);
});

test('without lines, the cancellation of every number that is in a port is planned', async () => {
  const { call, send, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const planned = await call('POST', `/imports/${importId}/cancel`, { body: {} });
  expect(planned.body).toMatchObject({ rows: 2, notCancellable: [] });
  const stored = world.bucket.written(buckets.inbox).find(({ key }) => key.startsWith('plan/cancel-port/'));
  const lines = world.bucket
    .text(buckets.inbox, stored?.key ?? '')
    .trim()
    .split('\r\n');
  const portId = world.network.ports()[0]?.id;
  expect(lines).toEqual([
    'msisdn,portId,reference',
    ...two.map(({ msisdn }, index) => `+44${msisdn.slice(1)},${portId},line ${index + 2}`),
  ]);
});

test('the preview of a workbook that takes more than ten seconds to read is declined', async () => {
  const { call, world } = startApiWorld();
  const [first = {}] = two;
  const Body = workbookFile([{ name: 'July', rows: [Object.keys(first), Object.values(first).map(String)] }]);
  const Key = 'plan/create-port/folder/book.xlsx';
  const put = await world.bucket.send(new PutObjectCommand({ Bucket: buckets.inbox, Key, Body }));
  const { ETag, VersionId } = put as { ETag: string; VersionId: string };
  notify({ key: Key, version: VersionId, etag: ETag.replaceAll('"', '') }, 0, world);
  await settle(world);
  const [{ importId }] = (await call('GET', '/imports')).body.imports;
  const preview = async () => (await call('GET', `/imports/${importId}/preview`)).body;
  expect(await preview()).toMatchObject({ sheet: 'July' });
  const { send } = world.bucket;
  Object.assign(world.bucket, {
    send: async (command: never) => {
      const answer = (await send(command)) as { readonly Body?: AsyncIterable<Uint8Array> };
      const { Body } = answer;
      const slowly = async function* () {
        world.timeline.moveTo(world.timeline.now() + 10_001);
        yield* Body ?? [];
      };
      return Body === undefined ? answer : { ...answer, Body: slowly() };
    },
  });
  expect(await preview()).toMatchObject({ code: 'file-too-large' });
});

test('a request whose outcome is unknown is resolved by sync, and the answer is recorded', async () => {
  const { call, send, world } = startApiWorld();
  const importId = await send('july.csv', two);
  const requests = createRequests(world.table as never, table);
  const seen = await requests.get(importId, 1);
  if (seen === undefined) throw new Error('the import has no request');
  const { portId: _, ...unsent } = seen;
  await requests.replace(seen, { ...unsent, state: 'action-required', error: { kind: 'unknown', message: 'reset' } });
  const evidence = await call('GET', `/requests/${importId}/1`);
  expect(evidence.body).toMatchObject({ state: 'action-required', error: { message: 'reset' } });
  const wrong = await call('POST', `/requests/${importId}/1/resolve`, {
    body: { what: { kind: 'adopt', portId: 'none' } },
  });
  expect([wrong.status, wrong.body]).toEqual([202, { importId, request: 1 }]);
  const resolving = async () => (await call('GET', `/requests/${importId}/1`)).body.resolving;
  expect(await resolving()).toMatchObject({ state: 'waiting', what: 'adopt', by: operator.name });
  const second = await call('POST', `/requests/${importId}/1/resolve`, { body: { what: { kind: 'abandon' } } });
  expect(second.body.code).toBe('busy');
  await settle(world);
  expect(await resolving()).toMatchObject({ state: 'declined', why: 'the service does not know port none' });
  const what = { kind: 'adopt', portId: world.network.ports()[0]?.id };
  const right = await call('POST', `/requests/${importId}/1/resolve`, {
    body: { what, because: 'Seen in the portal' },
  });
  expect(right.status).toBe(202);
  await settle(world);
  const { body } = await call('GET', `/requests/${importId}/1`);
  expect(body).toMatchObject({ state: 'created', portId: what.portId, resolving: { state: 'carried-out' } });
  expect(body.resolution).toMatchObject({ what: 'adopt', by: operator.name });
  expect((await call('POST', `/requests/${importId}/7/resolve`, { body: { what: { kind: 'abandon' } } })).status).toBe(
    404,
  );
});

test('a resolution that sync could not be started for is carried out by its next run, once', async () => {
  const { call, send, world, pass } = startApiWorld();
  const importId = await send('july.csv', two);
  const requests = createRequests(world.table as never, table);
  const seen = await requests.get(importId, 1);
  if (seen === undefined) throw new Error('the import has no request');
  await requests.replace(seen, { ...seen, portId: undefined, state: 'action-required' });
  const command = { importId, request: 1, by: 'Olga', at: new Date(world.timeline.now()).toISOString() };
  const what = { kind: 'adopt', portId: world.network.ports()[0]?.id ?? '' } as const;
  const resolutions = createResolutions(world.table as never, table);
  expect(await resolutions.ask({ ...command, what, expiresAt: 2_000_000_000 })).toBe(true);
  await pass(60_000);
  const resolving = async () => (await call('GET', `/requests/${importId}/1`)).body.resolving;
  expect(await resolving()).toMatchObject({ state: 'carried-out' });
  // Lambda delivers the event twice, or late.
  void world.lambda.resolve({ ...command, what });
  await settle(world);
  expect(await resolving()).toMatchObject({ state: 'carried-out' });
});

test('cells of a row are validated as ingest validates them, and messages contain no PAC', async () => {
  const { call } = startApiWorld();
  const rows = [
    validCells,
    { ...validCells, msisdn: '07700 900 1' },
    { ...validCells, pac: '123456ABC', targetNetwork: 'Nowhere' },
    validCells,
  ];
  const { body, text } = await call('POST', '/validate', { body: { operation: 'create-port', rows } });
  expect(body.rows.map(({ isValid }: { isValid: boolean }) => isValid)).toEqual([true, false, false, false]);
  expect(body.rows[1].issues).toContainEqual(expect.objectContaining({ column: 'msisdn', code: 'MSISDN_SHAPE' }));
  const codes = body.rows[2].issues.map(({ code }: { code: string }) => code);
  expect(codes).toEqual(expect.arrayContaining(['PAC_IS_STAC', 'TARGET_NETWORK_UNKNOWN']));
  expect(body.rows[3].issues).toContainEqual(expect.objectContaining({ code: 'MSISDN_DUPLICATE_IN_FILE' }));
  expect(text).not.toContain('123456ABC');
  const unknown = await call('POST', '/validate', { body: { operation: 'create-port', rows: [{ colour: 'red' }] } });
  expect(unknown.body.code).toBe('unknown-column');
});

/** A title row, and a header with a name that simporter does not know. */
const titled = `Porting list,,,,,,,,,\n${csvTextOf(two).replace('msisdn,', 'My phones,')}`;

/** The event of S3 for the newest object of the inbox. */
async function announceNewest({ world }: ApiWorld): Promise<void> {
  const stored = world.bucket.written(buckets.inbox).at(-1);
  const record = { key: encodeURIComponent(stored?.key ?? ''), eTag: 'e', versionId: stored?.versionId };
  const Records = [{ s3: { bucket: { name: buckets.inbox }, object: record } }];
  world.queue.add('https://sqs.example/ingest', { Records }, 0);
  await settle(world);
}

test('a preview shows how a file was read, what is missing, and no PAC', async () => {
  const api = startApiWorld();
  const importId = await uploadFile(api, Buffer.from(titled));
  await announceNewest(api);
  const { body, text } = await api.call('GET', `/imports/${importId}/preview`);
  expect(body).toMatchObject({ operation: 'create-port', separator: ',', sheet: null, headerRow: 2, problem: null });
  expect(body.columns[0]).toEqual({ header: 'My phones', name: null, option: null, secret: false });
  expect(body.missing).toContain('msisdn');
  expect(body.rows).toHaveLength(2);
  for (const { pac } of two) expect(text).not.toContain(pac);
  expect((await api.call('GET', `/imports/${importId}/preview?headerRow=999`)).body.problem).not.toBeNull();
});

test('a preview names columns as a mapping takes them, and bars are answered', async () => {
  const api = startApiWorld();
  const [header = '', ...lines] = csvTextOf(two).trim().split(/\r?\n/);
  const text = [
    `${header.replace('boltOns', 'Own')},Bolt-ons,,Note,Note,Premium Rate Calls`,
    ...lines.map((line) => `${line},101,104,a,b,Y`),
  ];
  const importId = await uploadFile(api, Buffer.from(text.join('\n')));
  await announceNewest(api);
  const headersOf = async (id: string) =>
    (await api.call('GET', `/imports/${id}/preview`)).body.columns
      .slice(-5)
      .map((column: { header: string; name: string | null }) => [column.header, column.name]);
  const letters = columnLetters(header.split(',').length + 1);
  expect(await headersOf(importId)).toEqual([
    ['Bolt-ons', 'boltOns'],
    [`column ${letters}`, null],
    ['Note', null],
    ['2:Note', null],
    ['Premium Rate Calls', null],
  ]);
  const mapping = { [`column ${letters}`]: 'boltOns', '2:Note': '', 'Premium Rate Calls': 'allow' };
  const again = await api.call('POST', `/imports/${importId}/replan`, { body: { mapping } });
  await announceNewest(api);
  expect((await api.call('GET', `/imports/${again.body.importId}`)).body).toMatchObject({
    state: 'planned',
    accepted: 2,
  });
  expect((await headersOf(again.body.importId)).map(([, name]: [string, string | null]) => name)).toEqual([
    ...['boltOns', 'boltOns', null, null, 'services'],
  ]);
});

test('a preview shows several sheets as the one file that they are read as', async () => {
  const api = startApiWorld();
  const [header = '', ...lines] = csvTextOf(two).trim().split(/\r?\n/);
  const sheets = ['October', 'November'].map((name, index) => ({
    name,
    rows: [header.split(','), (lines[index] ?? '').split(',')],
  }));
  const importId = await uploadFile(api, workbookFile(sheets));
  await announceNewest(api);
  const place = 'sheet=October&otherSheets=November';
  const { body } = await api.call('GET', `/imports/${importId}/preview?${place}`);
  expect(body).toMatchObject({ sheet: 'October', otherSheets: ['November'], missing: [], problem: null });
  expect(body.rows).toHaveLength(2);
  const again = await api.call('POST', `/imports/${importId}/replan`, {
    body: { sheet: 'October', otherSheets: ['November'] },
  });
  expect(again.status).toBe(202);
  await announceNewest(api);
  const { body: changed } = await api.call('GET', `/imports/${again.body.importId}/preview`);
  expect(changed).toMatchObject({ sheet: 'October', settings: { otherSheets: ['November'] } });
  expect(changed.rows).toHaveLength(2);
});

test('a file is read again with a mapping as a new import, until it is approved', async () => {
  const api = startApiWorld();
  const importId = await uploadFile(api, Buffer.from(titled));
  await announceNewest(api);
  expect((await api.call('GET', `/imports/${importId}`)).body.state).toBe('rejected');
  const unknown = await api.call('POST', `/imports/${importId}/replan`, {
    body: { mapping: { 'My phones': 'colour' } },
  });
  expect(unknown.body.code).toBe('unknown-column');
  const again = await api.call('POST', `/imports/${importId}/replan`, {
    body: { mapping: { 'My phones': 'msisdn' }, columnValues: { groupName: 'Office' }, dateOrder: 'dmy' },
  });
  expect(again.status).toBe(202);
  const stored = api.world.bucket.written(buckets.inbox).filter(({ key }) => key.includes('/july'));
  expect(stored).toHaveLength(2);
  for (const { key, versionId } of stored) {
    const record = { key: encodeURIComponent(key), eTag: 'e', versionId };
    const Records = [{ s3: { bucket: { name: buckets.inbox }, object: record } }];
    api.world.queue.add('https://sqs.example/ingest', { Records }, 0);
  }
  await settle(api.world);
  const planned = await api.call('GET', `/imports/${again.body.importId}`);
  expect(planned.body).toMatchObject({ state: 'planned', rows: 2, accepted: 2 });
  const { settings, missing, columns } = (await api.call('GET', `/imports/${again.body.importId}/preview`)).body;
  expect(settings).toEqual({
    mapping: { 'My phones': 'msisdn' },
    columnValues: { groupName: 'Office' },
    dateOrder: 'dmy',
  });
  expect([missing, columns[0]]).toEqual([[], { header: 'My phones', name: 'msisdn', option: null, secret: false }]);
  const { planHash } = (await api.call('GET', `/imports/${again.body.importId}/plan`)).body;
  await api.call('POST', `/imports/${again.body.importId}/approve`, { body: { planHash } });
  await settle(api.world);
  const late = await api.call('POST', `/imports/${again.body.importId}/replan`, { body: {} });
  expect(late.body.code).toBe('state-changed');
});
