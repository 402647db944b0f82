// Imports and rows that a person puts away, and the filters of the list of imports.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createImports } from '#shared/store/imports.ts';
import { settle } from '../../chaos/drive.ts';
import { accountId } from '../../chaos/network.ts';
import { table } from '../../chaos/pipeline.ts';
import { type Row, validRows } from '../../chaos/scenario.ts';
import { type ApiWorld, person, startApiWorld } from '../../support/api/simulated-api.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';

const anna = person('anna@example.com', 'uploader');
const [first = {} as Row] = validRows(0, 1);
const invalid = { ...first, msisdn: '07700' };

async function filesOf({ call }: ApiWorld, query = ''): Promise<string[]> {
  const { body } = await call('GET', `/imports?${query}`);
  return body.imports.map(({ file }: { file: string }) => file);
}

async function give(api: ApiWorld, path: string, body: object): Promise<number> {
  const { status } = await api.call('POST', path, { as: anna, body });
  await settle(api.world);
  await api.pass(1_000);
  return status;
}

test('an import that has not begun is archived and shown again, each once, by a person who is named', async () => {
  const api = startApiWorld();
  const importId = await api.plan('july.csv', [first]);
  const archive = (body: object = {}) => give(api, `/imports/${importId}/archive`, body);
  expect([await archive({ because: 'Uploaded by mistake' }), await archive()]).toEqual([202, 409]);
  expect([await filesOf(api), await filesOf(api, 'archived=true')]).toEqual([[], ['july.csv']]);
  expect((await api.call('GET', `/imports/${importId}`)).body.isArchived).toBe(true);
  expect([await archive({ undo: true }), await archive({ undo: true })]).toEqual([202, 409]);
  expect([await filesOf(api), await filesOf(api, 'archived=true')]).toEqual([['july.csv'], []]);
  const { entries } = (await api.call('GET', `/imports/${importId}/audit`)).body;
  expect(entries.slice(1).map(({ action, actor }: { action: string; actor: object }) => [action, actor])).toEqual([
    ['archived', { by: anna.name, isVerified: true }],
    ['restored', { by: anna.name, isVerified: true }],
  ]);
});

test('imports that were received at the same time are each listed once, page by page', async () => {
  const api = startApiWorld();
  const imports = createImports(api.world.table as unknown as DynamoDBDocumentClient, table);
  const receivedAt = ['2026-07-06T10:00:00.000Z', '2026-07-06T09:00:00.000Z', '2026-07-06T08:00:00.000Z'];
  const ids = ['b', 'c', 'd', 'e', 'f'].map((letter) => letter.repeat(16));
  for (const [index, importId] of ids.entries()) {
    const at = receivedAt[Math.ceil(index / 3)] ?? '';
    await imports.begin(importItemOf(importId, { account: accountId, receivedAt: at }));
  }
  // The index that lists them follows later.
  await api.pass(60_000);
  for (const limit of [1, 2, 3]) {
    const found: string[] = [];
    for (let cursor: string | null = ''; cursor !== null; ) {
      const { body } = await api.call('GET', `/imports?limit=${limit}${cursor && `&cursor=${cursor}`}`);
      found.push(...body.imports.map(({ importId }: { importId: string }) => importId));
      cursor = body.nextCursor;
    }
    expect(found.toSorted(), `${limit} on a page`).toEqual(ids);
  }
});

test('an import that is being sent is not archived', async () => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', [first]);
  const { status, body } = await api.call('POST', `/imports/${importId}/archive`, { as: anna, body: {} });
  expect(status).toBe(409);
  expect(body).toMatchObject({ code: 'state-changed', changed: { state: 'in-progress' } });
});

test('the rejected rows of an import are dismissed with a reason, and then require no action', async () => {
  const api = startApiWorld();
  const importId = await api.send('july.csv', [first, invalid]);
  const actions = async () => (await api.call('GET', '/actions')).body.actions;
  expect(await actions()).toMatchObject([{ kind: 'rejected', importId }]);
  const path = `/imports/${importId}/dismiss`;
  expect((await api.call('POST', path, { as: anna, body: { rows: 'rejected' } })).status).toBe(400);
  expect(await give(api, path, { rows: 'rejected', because: 'Left the company' })).toBe(202);
  expect(await actions()).toEqual([]);
  const { entries } = (await api.call('GET', `/imports/${importId}/audit`)).body;
  expect(entries.at(-1)).toMatchObject({
    action: 'dismissed',
    because: 'Left the company',
    details: { rows: 'rejected' },
  });
});

test('the list is filtered by name, state and time, and ends where nothing older can fit', async () => {
  const api = startApiWorld();
  await api.plan('june.csv', [first]);
  const from = new Date(api.world.timeline.now() + 1_000).toISOString();
  await api.pass(60_000);
  await api.plan('july.csv', [first]);
  expect(await filesOf(api, 'text=JUL')).toEqual(['july.csv']);
  expect(await filesOf(api, 'state=finished')).toEqual([]);
  expect(await filesOf(api, `since=${from}`)).toEqual(['july.csv']);
  expect(await filesOf(api, `before=${from}`)).toEqual(['june.csv']);
  const { body } = await api.call('GET', `/imports?limit=1&since=${from}`);
  expect(body.nextCursor).not.toBeNull();
  const next = await api.call('GET', `/imports?limit=1&since=${from}&cursor=${body.nextCursor}`);
  expect(next.body).toEqual({ imports: [], nextCursor: null });
});
