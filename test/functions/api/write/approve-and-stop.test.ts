// Approving and putting away imports through the API.

import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { createImports } from '#shared/store/imports.ts';
import { settle } from '../../../chaos/drive.ts';
import { account } from '../../../chaos/network.ts';
import { table } from '../../../chaos/pipeline.ts';
import { csvTextOf, type Row, validRows } from '../../../chaos/scenario.ts';
import { type ApiWorld, operator, person, startApiWorld } from '../../../support/api/simulated-api.ts';
import { announceUploads, two, uploadFile } from '../../../support/api/uploads.ts';
import { importItemOf } from '../../../support/steps/submit-and-sync.ts';

// Approvals through the API, and what a repeat of a write does.
describe('approvals', () => {
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

  test('an approval whose answer was lost in a crash is repeated with the answer of the first', async () => {
    let crashes = true;
    const onCommand = (_: string, { input }: { readonly input: { readonly Item?: { readonly answer?: string } } }) => {
      if (crashes && input.Item?.answer !== undefined) throw new Error('the function crashed');
    };
    const { call, plan, world } = startApiWorld({ onCommand });
    crashes = false;
    const importId = await plan('july.csv', two);
    const { planHash } = (await call('GET', `/imports/${importId}/plan`)).body;
    crashes = true;
    const approve = (key: string, body: object = { planHash }) =>
      call('POST', `/imports/${importId}/approve`, { body, headers: { 'idempotency-key': key } });
    expect((await approve('first')).status).toBe(500);
    await settle(world);
    crashes = false;
    expect(await approve('first')).toMatchObject({ status: 202, body: { importId, rows: 2, requestCount: 1 } });
    expect((await approve('another')).body.code).toBe('state-changed');
    expect(world.network.ports()).toHaveLength(1);
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
    await announceUploads(api);
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
      (await call('POST', `/imports/${importId}/approve`, { ...request, headers: { 'idempotency-key': '' } })).body
        .code,
    ).toBe('idempotency-key-required');
  });

  test('a failed write is not remembered: its repeat is tried again, and another write needs another key', async () => {
    const { call, plan } = startApiWorld();
    const importId = await plan('july.csv', two);
    const { planHash } = (await call('GET', `/imports/${importId}/plan`)).body;
    const approve = (hash: string, key: string) =>
      call('POST', `/imports/${importId}/approve`, { body: { planHash: hash }, headers: { 'idempotency-key': key } });
    expect((await approve('older', 'approve-1')).body.code).toBe('plan-changed');
    expect((await approve('older', 'approve-1')).body.code).toBe('plan-changed');
    expect((await approve(planHash, 'approve-1')).body.code).toBe('idempotency-key-reused');
    expect((await approve(planHash, 'approve-2')).status).toBe(202);
  });

  test('links to a file within a minute are one entry of the audit trail, which an approval does not read', async () => {
    const { call, send, world } = startApiWorld();
    const importId = await send('july.csv', two);
    const link = () => call('GET', `/imports/${importId}/files/results.csv`);
    for (let sent = 0; sent < 5; sent += 1) expect((await link()).status).toBe(200);
    world.timeline.moveTo(world.timeline.now() + 60_000);
    await link();
    const { entries } = (await call('GET', `/imports/${importId}/audit`)).body;
    expect(entries.filter(({ action }: { action: string }) => action === 'downloaded')).toHaveLength(2);
  });

  test('the audit trail, also of saved settings and of links to files, expires with the import or later', async () => {
    const api = startApiWorld({ settings: { approval: 'two' } });
    const importId = await uploadFile(api, Buffer.from(csvTextOf(two)));
    await announceUploads(api);
    const { headerId } = (await api.call('GET', `/imports/${importId}/preview`)).body;
    const body = { operation: 'create-port', name: 'July', settings: { dateOrder: 'ymd' } };
    expect((await api.call('PUT', `/saved-settings/${headerId}`, { body })).status).toBe(204);
    const { planHash } = (await api.call('GET', `/imports/${importId}/plan`)).body;
    const as = person('paul@example.com', 'approver');
    expect((await api.call('POST', `/imports/${importId}/approve`, { body: { planHash }, as })).status).toBe(202);
    await api.pass(60_000);
    expect((await api.call('GET', `/imports/${importId}/files/results.csv`)).status).toBe(200);
    const items = api.world.table.items();
    const ofImport = items.find(({ sk }) => sk === 'import')?.expiresAt;
    expect(items.find(({ pk }) => String(pk).startsWith('saved#'))).not.toHaveProperty('expiresAt');
    const trail = items.filter(({ pk }) => /^(audit|download)#/.test(String(pk)));
    const kinds = trail.map(({ action, sk }) => (sk === 'uploader' ? sk : action));
    expect(kinds.toSorted()).toEqual(['approved', 'downloaded', 'settings-saved', 'uploaded', 'uploader']);
    for (const { action, at, expiresAt } of trail) {
      expect(expiresAt, String(action)).toBeGreaterThanOrEqual(Number(ofImport));
      expect(expiresAt, String(action)).toBe(
        Math.floor(Date.parse(String(at)) / 1_000) + (45 + 30 + 90 + 730) * 86_400,
      );
    }
  });
});

// Imports and rows that a person puts away, and the filters of the list of imports.
describe('archive', () => {
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
      await imports.begin(importItemOf(importId, { account, receivedAt: at }));
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
});
