// What the API shows before a file is approved: validated rows, previews, and files that are read again.
import { PutObjectCommand } from '@aws-sdk/client-s3';
import { expect, test } from 'vitest';
import type { Caller } from '#functions/api/http/endpoint.ts';
import { columnLetters } from '#shared/files/csv/csv-row.ts';
import { notify, settle } from '../../chaos/drive.ts';
import { buckets } from '../../chaos/pipeline.ts';
import { csvTextOf } from '../../chaos/scenario.ts';
import { operator, person, startApiWorld } from '../../support/api/simulated-api.ts';
import { announceUploads, two, uploadFile } from '../../support/api/uploads.ts';
import { workbookFile } from '../../support/files/workbook-file.ts';
import { validCells } from '../../support/ingest/catalogue.ts';

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

test('a preview shows how a file was read, what is missing, and no PAC', async () => {
  const api = startApiWorld();
  const importId = await uploadFile(api, Buffer.from(titled));
  await announceUploads(api);
  const { body, text } = await api.call('GET', `/imports/${importId}/preview`);
  expect(body).toMatchObject({ operation: 'create-port', separator: ',', sheet: null, headerRow: 2, problem: null });
  expect(body.columns[0]).toEqual({ header: 'My phones', name: null, option: null, choices: [], secret: false });
  expect(body.missing).toContain('msisdn');
  expect(body.rows).toHaveLength(2);
  for (const { pac } of two) expect(text).not.toContain(pac);
  expect((await api.call('GET', `/imports/${importId}/preview?headerRow=999`)).body.problem).not.toBeNull();
});

test('a preview names columns as a mapping takes them, and what one that is asked about may be', async () => {
  const api = startApiWorld();
  const [header = '', ...lines] = csvTextOf(two).trim().split(/\r?\n/);
  const text = [
    `${header.replace('boltOns', 'Own')},Bolt-ons,,Note,Note,Premium Rate Calls`,
    ...lines.map((line) => `${line},101,104,a,b,Y`),
  ];
  const importId = await uploadFile(api, Buffer.from(text.join('\n')));
  await announceUploads(api);
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
  const preview = (await api.call('GET', `/imports/${importId}/preview`)).body;
  expect(preview.columns.at(-1).choices).toEqual(['block:Premium', 'allow:Premium']);
  const mapping = { [`column ${letters}`]: 'boltOns', '2:Note': '', 'Premium Rate Calls': '' };
  const again = await api.call('POST', `/imports/${importId}/replan`, { body: { mapping } });
  await announceUploads(api);
  expect((await api.call('GET', `/imports/${again.body.importId}`)).body).toMatchObject({
    state: 'planned',
    accepted: 2,
  });
  expect((await headersOf(again.body.importId)).map(([, name]: [string, string | null]) => name)).toEqual([
    'boltOns',
    'boltOns',
    null,
    null,
    null,
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
  await announceUploads(api);
  const place = 'sheet=October&otherSheets=November';
  const { body } = await api.call('GET', `/imports/${importId}/preview?${place}`);
  expect(body).toMatchObject({ sheet: 'October', otherSheets: ['November'], missing: [], problem: null });
  expect(body.rows).toHaveLength(2);
  const again = await api.call('POST', `/imports/${importId}/replan`, {
    body: { sheet: 'October', otherSheets: ['November'] },
  });
  expect(again.status).toBe(202);
  await announceUploads(api);
  const { body: changed } = await api.call('GET', `/imports/${again.body.importId}/preview`);
  expect(changed).toMatchObject({ sheet: 'October', settings: { otherSheets: ['November'] } });
  expect(changed.rows).toHaveLength(2);
});

test('a file is read again with a mapping as a new import, until it is approved', async () => {
  const api = startApiWorld();
  const importId = await uploadFile(api, Buffer.from(titled));
  await announceUploads(api);
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
  await announceUploads(api, stored);
  const planned = await api.call('GET', `/imports/${again.body.importId}`);
  expect(planned.body).toMatchObject({ state: 'planned', rows: 2, accepted: 2 });
  const { settings, missing, columns } = (await api.call('GET', `/imports/${again.body.importId}/preview`)).body;
  expect(settings).toEqual({
    mapping: { 'My phones': 'msisdn' },
    columnValues: { groupName: 'Office' },
    dateOrder: 'dmy',
  });
  expect([missing, columns[0]]).toEqual([
    [],
    {
      header: 'My phones',
      name: 'msisdn',
      option: null,
      choices: [],
      secret: false,
    },
  ]);
  const { planHash } = (await api.call('GET', `/imports/${again.body.importId}/plan`)).body;
  await api.call('POST', `/imports/${again.body.importId}/approve`, { body: { planHash } });
  await settle(api.world);
  const late = await api.call('POST', `/imports/${again.body.importId}/replan`, { body: {} });
  expect(late.body.code).toBe('state-changed');
});

test('only who uploaded a file, or an operator, reads it in another way', async () => {
  const api = startApiWorld();
  const [uma, udo] = [person('uma@example.com', 'uploader'), person('udo@example.com', 'uploader', 'approver')];
  const importId = await uploadFile(api, Buffer.from(titled), uma);
  await announceUploads(api);
  const statuses = async (as: Caller) => [
    (await api.call('GET', `/imports/${importId}/preview`, { as })).status,
    (await api.call('GET', `/imports/${importId}/preview?headerRow=3`, { as })).status,
    (await api.call('POST', `/imports/${importId}/replan`, { as, body: { headerRow: 3 } })).status,
  ];
  expect(await statuses(udo)).toEqual([200, 403, 403]);
  expect(await statuses(uma)).toEqual([200, 200, 202]);
  expect(await statuses(operator)).toEqual([200, 200, 202]);
});

test('the settings of a preview name no code that was a header', async () => {
  const api = startApiWorld();
  const importId = await uploadFile(api, Buffer.from(csvTextOf(two)));
  await announceUploads(api);
  const body = {
    headerRow: 2,
    mapping: { ABC123456: '', 'My phones': 'msisdn' },
    columnValues: { groupName: 'ABC123456' },
  };
  const again = await api.call('POST', `/imports/${importId}/replan`, { body });
  await announceUploads(api, api.world.bucket.written(buckets.inbox));
  const { body: preview, text } = await api.call('GET', `/imports/${again.body.importId}/preview`);
  expect(preview.settings).toMatchObject({ headerRow: 2, mapping: { 'My phones': 'msisdn' }, columnValues: {} });
  expect(text).not.toContain('ABC123456');
});
