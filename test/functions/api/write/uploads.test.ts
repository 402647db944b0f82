// Uploads through the API: in parts, complete, and discarded.
import { CompleteMultipartUploadCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import { buckets } from '../../../chaos/pipeline.ts';
import { csvTextOf } from '../../../chaos/scenario.ts';
import { operator, person, startApiWorld } from '../../../support/api/simulated-api.ts';
import { announceUploads, sendPart, two, uploadFile } from '../../../support/api/uploads.ts';

test('an upload in parts becomes an import that waits for approval, with the person who uploaded it', async () => {
  const api = startApiWorld();
  const importId = await uploadFile(api, Buffer.from(csvTextOf(two)));
  await announceUploads(api);
  const { body } = await api.call('GET', `/imports/${importId}`);
  expect(body).toMatchObject({ state: 'planned', planOnly: true, file: 'july "x".csv', rows: 2 });
  // Each of the two rows is a separate port.
  expect((await api.call('GET', `/imports/${importId}/plan`)).body.requestCount).toBe(2);
  expect(body.uploadedBy).toEqual({ by: operator.name, isVerified: true });
  expect(api.world.bucket.written(buckets.inbox)[0]?.key).toMatch(/^plan\/create-port\//);
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

test('options that are too long for the metadata of an object are declined before the upload', async () => {
  const { call } = startApiWorld();
  const upload = { operation: 'create-port', fileName: 'july.csv', bytes: 10 };
  const body = { ...upload, columnValues: { groupName: 'é'.repeat(350) } };
  const { status, body: problem } = await call('POST', '/uploads', { body });
  expect(status).toBe(400);
  expect(problem).toMatchObject({
    code: 'invalid-request',
    errors: [{ field: 'columnValues.groupName', message: expect.stringMatching(/2112 bytes/) }],
  });
});

test('an upload that became complete while its answer was lost is complete, and is not discarded', async () => {
  const api = startApiWorld();
  const bytes = Buffer.from(csvTextOf(two));
  const body = { operation: 'create-port', fileName: 'july.csv', bytes: bytes.length };
  const { uploadId } = (await api.call('POST', '/uploads', { body })).body;
  const { links } = (await api.call('POST', `/uploads/${uploadId}/links`, { body: { parts: [1] } })).body;
  await sendPart(links[0].url, bytes, api);
  // As where the function crashes after S3 has made the object.
  const { send } = api.world.bucket;
  api.world.bucket.send = async (command) => {
    const answer = await send(command);
    if (command instanceof CompleteMultipartUploadCommand) throw new Error('crashed');
    return answer;
  };
  expect((await api.call('POST', `/uploads/${uploadId}/complete`)).status).toBe(500);
  expect((await api.call('DELETE', `/uploads/${uploadId}`)).body.code).toBe('state-changed');
  const { arrived } = (await api.call('GET', `/uploads/${uploadId}`)).body;
  expect(arrived).toEqual([{ part: 1, bytes: bytes.length }]);
  const { body: done } = await api.call('POST', `/uploads/${uploadId}/complete`);
  expect((await api.call('GET', `/uploads/${uploadId}`)).body.importId).toBe(done.importId);
});
