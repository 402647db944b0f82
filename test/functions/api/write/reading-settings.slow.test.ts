// Saved settings: how a file with a certain header is read, saved by one person and used for the files of everybody.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { createSavedSettings } from '#shared/store/people.ts';
import { settle } from '../../../chaos/drive.ts';
import { account } from '../../../chaos/network.ts';
import { table } from '../../../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../../chaos/scenario.ts';
import { announceUpload, readAgain, rows } from '../../../support/api/corrections.ts';
import { type ApiWorld, person, startApiWorld } from '../../../support/api/simulated-api.ts';
import { announceUploads, two, uploadFile } from '../../../support/api/uploads.ts';
import { validCells } from '../../../support/ingest/catalogue.ts';

const anna = person('anna@example.com', 'uploader');
const ben = person('ben@example.com', 'uploader');
const vera = person('vera@example.com', 'viewer');
const mapping = { 'My phones': 'msisdn' };
const next = rowsFrom(10, ['ABC123460', 'ABC123461', 'ABC123462']);
const fileOf = (ofRows: typeof two) => Buffer.from(csvTextOf(ofRows).replace('msisdn,', 'My phones,'));

async function read(api: ApiWorld, file: Buffer, as = anna) {
  const importId = await uploadFile(api, file, as);
  await announceUploads(api);
  const { body } = await api.call('GET', `/imports/${importId}`, { as });
  const preview = (await api.call('GET', `/imports/${importId}/preview`, { as })).body;
  return { importId, body, preview };
}

async function saveFirst(api: ApiWorld, settings: object = { mapping }, file = fileOf(two)) {
  const first = await read(api, file);
  const path = `/saved-settings/${first.preview.headerId}`;
  const wanted = { operation: 'create-port', name: 'Acme weekly', settings };
  const saved = await api.call('PUT', path, { as: anna, body: wanted });
  return { ...first, path, saved, wanted };
}

test('the next file with the header is planned with the settings, for a colleague too, and names them', async () => {
  const api = startApiWorld();
  const first = await saveFirst(api);
  expect((await api.call('GET', `/imports/${first.importId}`)).body).toMatchObject({
    state: 'rejected',
    readWith: null,
  });
  expect(first.saved.status).toBe(204);
  const second = await read(api, fileOf(next), ben);
  expect(second.body).toMatchObject({ state: 'planned', accepted: 3 });
  expect(second.body.readWith).toMatchObject({ name: 'Acme weekly', by: anna.name });
  expect(second.preview).toMatchObject({ headerId: first.preview.headerId, missing: [], settings: { mapping } });
});

test('the list has what was saved last first, for a viewer too, who can neither save nor delete', async () => {
  const api = startApiWorld();
  const { path, wanted } = await saveFirst(api);
  const savedId = path.split('/').at(-1);
  const list = await api.call('GET', '/saved-settings', { as: vera });
  expect(list.body.saved).toMatchObject([{ savedId, ...wanted, by: anna.name }]);
  expect((await api.call('PUT', path, { as: vera, body: wanted })).body.code).toBe('role-required');
  expect((await api.call('DELETE', path, { as: vera })).body.code).toBe('role-required');
});

test('settings are renamed and deleted, and then a file with the header is read as detected', async () => {
  const api = startApiWorld();
  const { path, wanted } = await saveFirst(api);
  await api.call('PUT', path, { as: ben, body: { ...wanted, name: 'Acme' } });
  expect((await api.call('GET', '/saved-settings')).body.saved).toMatchObject([{ name: 'Acme', by: ben.name }]);
  expect((await api.call('DELETE', path, { as: ben })).status).toBe(204);
  expect((await api.call('GET', '/saved-settings')).body.saved).toEqual([]);
  expect((await read(api, fileOf(next))).body).toMatchObject({ state: 'rejected', readWith: null });
});

test('a file with another header, and one whose upload has settings for it, are read without them', async () => {
  const api = startApiWorld();
  await saveFirst(api, { mapping, columnValues: { groupName: 'Office' } });
  const other = Buffer.from(
    fileOf(next)
      .toString()
      .replace('My phones,', 'My phones ,')
      .replace(/^(.*)\r?\n/, '$1,Order\n'),
  );
  expect((await read(api, other)).body).toMatchObject({ state: 'rejected', readWith: null });
  const { importId } = await read(api, fileOf(next));
  await readAgain(api, importId, { settings: { mapping, dateOrder: 'ymd' } });
  const { body } = await api.call('GET', `/imports/${importId}`);
  expect(body).toMatchObject({ state: 'planned' });
  expect(body.columnValues.groupName).toBeUndefined();
});

test('settings that were saved since do not apply where only rows of a draft are changed', async () => {
  const api = startApiWorld();
  const { importId } = await read(api, fileOf(next));
  await saveFirst(api, { mapping, columnValues: { groupName: 'Office' } });
  await readAgain(api, importId, { leaveOut: [3] });
  expect((await api.call('GET', `/imports/${importId}`)).body).toMatchObject({ reading: 2, readWith: null });
});

test('values for all rows of the upload take precedence over saved ones', async () => {
  const api = startApiWorld();
  await saveFirst(api, { mapping, columnValues: { tariff: '9999', groupName: 'Office' } });
  const { body, preview } = await read(api, fileOf(next));
  expect(body.columnValues).toMatchObject({ tariff: '2001', groupName: 'Office' });
  expect(preview.settings.columnValues).toEqual({ tariff: '2001', groupName: 'Office' });
});

test('invalid rows of a file that was read with saved settings are corrected with these', async () => {
  const api = startApiWorld();
  await saveFirst(api, { mapping, columnValues: { groupName: 'Office' } });
  const { importId } = await read(api, fileOf(rows));
  await api.approve(importId);
  const fix = { rows: [{ line: 4, cells: { pac: 'ABC123459' } }] };
  const { body } = await api.call('POST', `/imports/${importId}/corrections`, { as: ben, body: fix });
  await announceUpload(api);
  expect((await api.call('GET', `/imports/${body.importId}`)).body).toMatchObject({
    state: 'planned',
    accepted: 1,
    readWith: null,
    columnValues: { groupName: 'Office' },
  });
});

test.each([
  ['a secret column', { columnValues: { pac: 'ABC123456' } }, 'invalid-request'],
  ['a column that does not exist', { mapping: { 'My phones': 'colour' } }, 'unknown-column'],
  ['what may be a PAC in a header', { mapping: { ABC123456: 'pac' } }, 'invalid-request'],
  ['what may be a PAC in a value', { columnValues: { groupName: 'ABC123456' } }, 'invalid-request'],
])('settings with %s are not saved', async (_, settings, code) => {
  const api = startApiWorld();
  const { saved } = await saveFirst(api, settings);
  expect(saved.body.code).toBe(code);
  expect((await api.call('GET', '/saved-settings')).body.saved).toEqual([]);
});

test('a file without a header, whose first row has a PAC, has no id for settings', async () => {
  const api = startApiWorld();
  const [, ...lines] = csvTextOf(two).split('\n');
  const { preview, body } = await read(api, Buffer.from(lines.join('\n')));
  expect([body.state, preview.headerId]).toEqual(['rejected', null]);
});

test('only settings that describe the file are saved, not what is done with its rows', async () => {
  const api = startApiWorld();
  const { saved } = await saveFirst(api, { mapping, tolerate: 5, perDay: 10 });
  expect(saved.body.errors.map(({ message }: { message: string }) => message)).toEqual([
    expect.stringMatching(/^there is no member "tolerate". It takes columnValues, mapping/),
    expect.stringMatching(/^there is no member "perDay"/),
  ]);
  await saveFirst(api, { mapping });
  expect((await api.call('GET', '/saved-settings')).body.saved[0].settings).toEqual({ mapping });
});

test('who wrote the settings with which a file was read cannot approve it alone, nor its corrections', async () => {
  const api = startApiWorld({ settings: { approval: 'two' } });
  const [both, third] = ['both', 'third'].map((name) => person(`${name}@example.com`, 'uploader', 'approver'));
  const approve = async (importId: string, as = both) => {
    const { planHash } = (await api.call('GET', `/imports/${importId}/plan`)).body;
    const { status, body } = await api.call('POST', `/imports/${importId}/approve`, { as, body: { planHash } });
    return [status, body.code];
  };
  const { path, wanted } = await saveFirst(api);
  await api.call('PUT', path, {
    as: both,
    body: { ...wanted, settings: { mapping, columnValues: { groupName: 'B' } } },
  });
  // Renamed by another: the values are still those of both.
  await api.call('PUT', path, {
    as: ben,
    body: { ...wanted, settings: { mapping, columnValues: { groupName: 'B' } } },
  });
  const { importId } = await read(api, fileOf(rows));
  const fix = { rows: [{ line: 4, cells: { pac: 'ABC123459' } }] };
  expect(await approve(importId)).toEqual([403, 'second-person-required']);
  await readAgain(api, importId, fix, { as: anna });
  expect(await approve(importId)).toEqual([403, 'second-person-required']);
  expect(await approve(importId, third)).toEqual([202, undefined]);
  await settle(api.world);
  const more = { rows: [{ line: 3, cells: { pac: 'ABC123460' } }] };
  const { body } = await api.call('POST', `/imports/${importId}/corrections`, { as: anna, body: more });
  await announceUpload(api);
  expect(await approve(body.importId)).toEqual([403, 'second-person-required']);
});

test('saving and deleting settings is in the audit trail of the imports that were read with them', async () => {
  const api = startApiWorld();
  const { path } = await saveFirst(api);
  const { importId } = await read(api, fileOf(next), ben);
  await api.call('DELETE', path, { as: ben });
  const { entries } = (await api.call('GET', `/imports/${importId}/audit`)).body;
  expect(entries.map(({ action, actor }: { action: string; actor: { by: string } }) => [action, actor.by])).toEqual([
    ['settings-saved', anna.name],
    ['uploaded', ben.name],
    ['settings-deleted', ben.name],
  ]);
});

test.each<[string, object]>([
  [
    'more than 200 columns',
    { mapping: Object.fromEntries(Array.from({ length: 201 }, (_, at) => [`column ${at}`, ''])) },
  ],
  [
    'more than 16 KB',
    {
      columnValues: { groupName: 'x'.repeat(500) },
      mapping: Object.fromEntries(Array.from({ length: 150 }, (_, at) => [`${at}`.padStart(150, 'x'), ''])),
    },
  ],
])('settings with %s are not saved', async (_, settings) => {
  const { saved } = await saveFirst(startApiWorld(), settings);
  expect(saved.body).toMatchObject({ code: 'invalid-request', detail: expect.stringContaining('16 KB') });
});

test('at most 500 settings are saved, and those that exist are still changed', async () => {
  const api = startApiWorld();
  const { wanted } = await saveFirst(api);
  const pathOf = (index: number) => `/saved-settings/${String(index).padStart(16, '0')}`;
  const save = (index: number) => api.call('PUT', pathOf(index), { as: anna, body: { ...wanted, settings: {} } });
  const store = createSavedSettings(api.world.table as unknown as DynamoDBDocumentClient, table, account);
  const [saved] = await store.list();
  if (saved === undefined) throw new Error('nothing was saved');
  for (let index = 1; index < 500; index += 1) {
    await store.put({ ...saved, savedId: String(index).padStart(16, '0'), settings: {} });
  }
  expect((await save(500)).body).toMatchObject({ code: 'invalid-request', detail: expect.stringContaining('500') });
  expect((await save(499)).status).toBe(204);
});

test('a name that is too long is declined with the most characters that it may have', async () => {
  const api = startApiWorld();
  const { path, wanted } = await saveFirst(api);
  const { body } = await api.call('PUT', path, { as: anna, body: { ...wanted, name: 'x'.repeat(101) } });
  expect(body).toMatchObject({ code: 'invalid-request', detail: 'name: expected at most 100 characters.' });
});

describe('what a value means', () => {
  const settings = { meanings: { targetNetwork: { 'EE Biz': 'UK Mobile A' } } };
  const named = (ofRows: typeof two) => Buffer.from(csvTextOf(ofRows).replaceAll('UK Mobile A', 'EE Biz'));

  test('is asked once for all rows that have it, and is known for the next file of a colleague', async () => {
    const api = startApiWorld();
    const first = await saveFirst(api, settings, named(two));
    const problems = async (importId: string) => (await api.call('GET', `/imports/${importId}/problems`)).body;
    expect((await problems(first.importId)).unknownValues).toEqual([
      { column: 'targetNetwork', value: 'EE Biz', rows: two.length },
    ]);
    const second = await read(api, named(next), ben);
    expect(second.body).toMatchObject({ state: 'planned', accepted: 3, ...settings });
    expect(second.body.readWith).toMatchObject({ name: 'Acme weekly' });
    expect(second.preview.settings).toMatchObject(settings);
    await readAgain(api, first.importId, { settings });
    expect((await api.call('GET', `/imports/${first.importId}`)).body).toMatchObject({ state: 'planned', ...settings });
    expect((await problems(first.importId)).unknownValues).toEqual([]);
  });

  test('is known where a person fixes other cells of the row', async () => {
    const api = startApiWorld();
    const { importId } = await read(api, named(two));
    await readAgain(api, importId, { settings: { meanings: { targetNetwork: { 'EE Biz': 'Network A' } } } });
    const cells = { ...validCells, targetNetwork: 'ee biz' };
    const body = { operation: 'create-port', importId, rows: [cells] };
    expect((await api.call('POST', '/validate', { as: anna, body })).body.rows).toMatchObject([
      { isValid: true, issues: [{ code: 'CELL_READ_AS' }] },
    ]);
  });

  test.each([
    ['pac', { pac: { ABC: 'other' } }],
    ['reference', { reference: { one: 'other' } }],
    [
      'meanings',
      { tariff: Object.fromEntries(Array.from({ length: 201 }, (_, index) => [`Tariff ${index}`, '2001'])) },
    ],
    ['what may be a PAC', { tariff: { ABC123456: '2001' } }],
  ])('is declined for %s', async (_, meanings) => {
    const api = startApiWorld();
    const { saved } = await saveFirst(api, { meanings }, fileOf(two));
    expect(saved).toMatchObject({ status: 400, body: { code: 'invalid-request' } });
  });
});
