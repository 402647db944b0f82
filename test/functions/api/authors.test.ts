// With two people required, nobody approves what they have a part in, whatever way their input took into the plan.
import { expect, test } from 'vitest';
import { put, settle } from '../../chaos/drive.ts';
import { buckets, queueUrl } from '../../chaos/pipeline.ts';
import { csvTextOf, rowsFrom } from '../../chaos/scenario.ts';
import { readAgain, rows } from '../../support/api/corrections.ts';
import { type ApiWorld, person, startApiWorld } from '../../support/api/simulated-api.ts';
import { announceUploads, uploadFile } from '../../support/api/uploads.ts';

const xavier = person('xavier@example.com', 'uploader', 'approver');
const anna = person('anna@example.com', 'uploader');
const oscar = person('oscar@example.com', 'operator');
const ben = person('ben@example.com', 'approver');
type Person = typeof anna;

const startTwo = () => startApiWorld({ settings: { approval: 'two' } });

async function upload(api: ApiWorld, text: string, as: Person): Promise<string> {
  const importId = await uploadFile(api, Buffer.from(text), as);
  await announceUploads(api);
  return importId;
}

async function answerTo(api: ApiWorld, importId: string, as: Person): Promise<string> {
  const { planHash } = (await api.call('GET', `/imports/${importId}/plan`)).body;
  const { status, body } = await api.call('POST', `/imports/${importId}/approve`, { as, body: { planHash } });
  await settle(api.world);
  return status === 202 ? (await api.call('GET', `/imports/${importId}`)).body.state : body.code;
}

async function changed(api: ApiWorld, importId: string, changes: object, as: Person): Promise<string> {
  await readAgain(api, importId, changes, { as });
  return importId;
}

/** Xavier's input is in each of these plans, and somebody else's name is on it. */
const channels: Readonly<Record<string, (api: ApiWorld) => Promise<string>>> = {
  'their file, read again by an operator': async (api) =>
    changed(
      api,
      await upload(api, csvTextOf(rowsFrom(0, ['ABC123456'])), xavier),
      { settings: { tolerate: 5 } },
      oscar,
    ),
  'settings that they saved, repeated in a reading by hand': async (api) => {
    const file = (from: number) => csvTextOf(rowsFrom(from, ['ABC123456'])).replace('msisdn,', 'My phones,');
    const first = await upload(api, file(0), anna);
    const { headerId } = (await api.call('GET', `/imports/${first}/preview`, { as: anna })).body;
    const settings = { mapping: { 'My phones': 'msisdn' }, columnValues: { groupName: 'X' } };
    const saved = { operation: 'create-port', name: 'weekly', settings };
    await api.call('PUT', `/saved-settings/${headerId}`, { as: xavier, body: saved });
    return changed(api, await upload(api, file(10), anna), { settings: { ...settings, tolerate: 5 } }, anna);
  },
  'saved settings in which they said what a value means': async (api) => {
    const file = (from: number) => csvTextOf(rowsFrom(from, ['ABC123456'])).replace('UK Mobile A', 'EE Biz');
    const first = await upload(api, file(0), anna);
    const { headerId } = (await api.call('GET', `/imports/${first}/preview`, { as: anna })).body;
    const settings = { meanings: { targetNetwork: { 'EE Biz': 'UK Mobile A' } } };
    const saved = { operation: 'create-port', name: 'weekly', settings };
    await api.call('PUT', `/saved-settings/${headerId}`, { as: xavier, body: saved });
    return upload(api, file(10), anna);
  },
  'a PAC that they typed into a draft': async (api) => {
    const importId = await upload(api, csvTextOf(rows), anna);
    const typed = { rows: [{ line: 4, cells: { pac: 'ABC123459' } }] };
    const draft = await api.call('PUT', `/imports/${importId}/drafts`, { as: xavier, body: typed });
    const body = { from: draft.body.draftId, rows: [{ line: 4, cells: { pac: null } }] };
    return changed(api, importId, body, anna);
  },
  'a PAC of their draft, which a colleague went on with': async (api) => {
    const importId = await upload(api, csvTextOf(rows), anna);
    const typed = { rows: [{ line: 4, cells: { pac: 'ABC123459' } }] };
    const draft = await api.call('PUT', `/imports/${importId}/drafts`, { as: xavier, body: typed });
    const taken = { from: draft.body.draftId, rows: [{ line: 4, cells: { pac: null } }] };
    const own = await api.call('PUT', `/imports/${importId}/drafts`, { as: oscar, body: taken });
    const body = { from: own.body.draftId, rows: [{ line: 4, cells: { pac: null } }] };
    return changed(api, importId, body, anna);
  },
  'cells that they fixed before a colleague left a row out': async (api) => {
    const importId = await upload(api, csvTextOf(rows), anna);
    await changed(api, importId, { rows: [{ line: 4, cells: { pac: 'ABC123459' } }] }, xavier);
    return changed(api, importId, { leaveOut: [2] }, anna);
  },
  'their file, of which a colleague fixed a row': async (api) => {
    const importId = await upload(api, csvTextOf(rows), xavier);
    const body = { rows: [{ line: 4, cells: { pac: 'ABC123459' } }] };
    return changed(api, importId, body, anna);
  },
};

test.each(Object.keys(channels))('a person cannot approve a plan with %s, and a third person can', async (channel) => {
  const api = startTwo();
  const importId = (await channels[channel]?.(api)) ?? '';
  expect(await answerTo(api, importId, xavier)).toBe('second-person-required');
  expect(await answerTo(api, importId, ben)).not.toMatch(/required|changed|planned/);
});

test.each([
  ['two permission sets of one person', 'AROAUPLOADER:anna@example.com', 'AROAAPPROVER:anna@example.com', 'planned'],
  ['a user who assumes a role', 'AIDAANNA', 'AROAAPPROVER:anna', 'planned'],
  ['two people', 'AROAUPLOADER:anna@example.com', 'AROAAPPROVER:ben@example.com', 'in-progress'],
])('with AWS credentials, %s', async (_who, uploader, approver, state) => {
  const api = startTwo();
  const { key, etag, version } = await put(
    'plan/create-port/july.csv',
    csvTextOf(rowsFrom(0, ['ABC123456'])),
    api.world,
  );
  const object = { key: encodeURIComponent(key), eTag: etag ?? 'e', versionId: version };
  const record = { userIdentity: { principalId: `AWS:${uploader}` }, s3: { bucket: { name: buckets.inbox }, object } };
  api.world.queue.add(queueUrl('ingest'), { Records: [record] });
  await settle(api.world);
  const { importId } = (await api.call('GET', '/imports?limit=1')).body.imports[0];
  const { planHash: plan } = (await api.call('GET', `/imports/${importId}/plan`)).body;
  api.world.queue.add(queueUrl('command'), { approve: importId, plan }, 0, approver);
  await settle(api.world);
  expect((await api.call('GET', `/imports/${importId}`)).body.state).toBe(state);
});
