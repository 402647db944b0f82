// Changes that were not sent yet: kept for each person, continued by a colleague, and no PAC in an answer or item.
import { describe, expect, test } from 'vitest';
import { draftObjectKey } from '#shared/store/object-keys.ts';
import { buckets } from '../../../../chaos/pipeline.ts';
import { readAgain, rows } from '../../../../support/api/corrections.ts';
import { type ApiWorld, person, startApiWorld } from '../../../../support/api/simulated-api.ts';

describe('changes that were not sent yet', () => {
  const anna = person('anna@example.com', 'uploader');
  const ben = person('ben@example.com', 'uploader');
  const pac = 'XYZ654321';

  async function savedDraft(api: ApiWorld) {
    const importId = await api.plan('july.csv', rows);
    const body = { rows: [{ line: 3, cells: { pac, reference: 'Order 7' } }] };
    const saved = await api.call('PUT', `/imports/${importId}/drafts`, { as: anna, body });
    return { importId, saved: saved.body, path: `/imports/${importId}/drafts` };
  }

  /** What the work bucket has of all saves of a draft. */
  async function storedDraft({ world }: ApiWorld, importId: string, draftId: string): Promise<string> {
    const prefix = draftObjectKey(importId, draftId, '').replace(/\.json$/, '');
    const keys = world.bucket.places().filter((place) => place.startsWith(`${buckets.work}/${prefix}`));
    expect(keys).not.toEqual([]);
    return keys.map((place) => world.bucket.text(buckets.work, place.slice(buckets.work.length + 1))).join();
  }

  test('a draft is kept, and its PAC is in no answer and no item of the table', async () => {
    const api = startApiWorld();
    const { importId, path, saved } = await savedDraft(api);
    const list = await api.call('GET', path, { as: anna });
    expect(list.body.drafts).toEqual([
      { draftId: saved.draftId, by: anna.name, isYours: true, savedAt: saved.savedAt, rows: 1 },
    ]);
    const opened = await api.call('GET', `${path}/${saved.draftId}`, { as: anna });
    expect(opened.body.rows).toEqual([{ line: 3, cells: { pac: null, reference: 'Order 7' } }]);
    expect(JSON.stringify(api.world.table.items())).not.toContain(pac);
    expect(await storedDraft(api, importId, saved.draftId)).toContain(pac);
  });

  test('a colleague continues a draft, and sends its PAC without seeing it', async () => {
    const api = startApiWorld();
    const { importId, path, saved } = await savedDraft(api);
    const { body: list } = await api.call('GET', path, { as: ben });
    expect(list.drafts).toMatchObject([{ by: anna.name, isYours: false }]);
    const open = (cells: object) => ({ rows: [{ line: 3, cells }], from: saved.draftId });
    const own = await api.call('PUT', path, { as: ben, body: open({ pac: null, reference: 'Order 8' }) });
    expect(own.body.draftId).not.toBe(saved.draftId);
    const fix = { rows: [{ line: 3, cells: { pac: null } }], from: own.body.draftId };
    expect((await readAgain(api, importId, fix, { as: ben })).status).toBe(202);
    expect((await api.call('GET', `/imports/${importId}`)).body).toMatchObject({ state: 'planned', accepted: 2 });
  });

  test('a cell that is kept nowhere is declined with its line, and nothing is sent', async () => {
    const api = startApiWorld();
    const { importId } = await savedDraft(api);
    const fix = { rows: [{ line: 3, cells: { pac: null } }] };
    const { body } = await readAgain(api, importId, fix, { as: ben });
    expect(body).toMatchObject({ code: 'state-changed', changed: { line: 3 } });
    expect(body.detail).toContain('Enter it again');
  });

  test('a draft without rows is discarded, and a column that does not exist is declined', async () => {
    const api = startApiWorld();
    const { importId, path, saved } = await savedDraft(api);
    const put = (draft: object) => api.call('PUT', path, { as: anna, body: draft });
    expect((await put({ rows: [{ line: 3, cells: { nothing: 'x' } }] })).body.code).toBe('unknown-column');
    await put({ rows: [] });
    expect((await api.call('GET', path, { as: anna })).body.drafts).toEqual([]);
    expect(await storedDraft(api, importId, saved.draftId)).not.toContain(pac);
  });

  test('a draft that was saved in another tab meanwhile is not replaced', async () => {
    const api = startApiWorld();
    const { path, saved } = await savedDraft(api);
    const put = (reference: string, savedAt: string | null) =>
      api.call('PUT', path, { as: anna, body: { rows: [{ line: 3, cells: { reference } }], savedAt } });
    expect(await put('Order 8', null)).toMatchObject({
      status: 409,
      body: { code: 'state-changed', changed: { savedAt: saved.savedAt } },
    });
    const second = await put('Order 9', saved.savedAt);
    expect(second.status).toBe(200);
    expect(second.body.savedAt > saved.savedAt).toBe(true);
    expect((await put('Order 10', saved.savedAt)).status).toBe(409);
    const opened = await api.call('GET', `${path}/${saved.draftId}`, { as: anna });
    expect(opened.body.rows).toEqual([{ line: 3, cells: { reference: 'Order 9' } }]);
  });

  /** An API whose writes crash at the commands that `crashes.at` finds. */
  async function crashing() {
    const crashes = { at: (_: Record<string, unknown>): boolean => false };
    const onCommand = (_: string, { input }: { readonly input: object }): void => {
      if (crashes.at(input as Record<string, unknown>)) throw new Error('the function crashed');
    };
    const api = startApiWorld({ onCommand });
    const draft = await savedDraft(api);
    const body = { rows: [{ line: 3, cells: { reference: 'Order 8' } }], savedAt: draft.saved.savedAt };
    const save = () => api.call('PUT', draft.path, { as: anna, body, headers: { 'idempotency-key': 'order-8' } });
    const read = async () => ({
      ...(await api.call('GET', draft.path, { as: anna })).body.drafts[0],
      cells: (await api.call('GET', `${draft.path}/${draft.saved.draftId}`, { as: anna })).body.rows[0].cells,
    });
    return { ...draft, crashes, save, read };
  }

  test('a save that crashes before its cells are kept changes nothing, and is repeated without a conflict', async () => {
    const { crashes, saved, save, read } = await crashing();
    crashes.at = ({ Key, Body }) => String(Key).includes('/draft-') && Body !== undefined;
    expect((await save()).status).toBe(500);
    expect(await read()).toMatchObject({ savedAt: saved.savedAt, cells: { pac: null, reference: 'Order 7' } });
    crashes.at = () => false;
    const { status, body } = await save();
    expect([status, (await read()).cells]).toEqual([200, { reference: 'Order 8' }]);
    expect((await read()).savedAt).toBe(body.savedAt);
  });

  test('a save that crashes before its answer is stored is repeated with the answer of the first', async () => {
    const { crashes, save, read } = await crashing();
    crashes.at = ({ Item }) => (Item as { answer?: string } | undefined)?.answer !== undefined;
    expect((await save()).status).toBe(500);
    const { savedAt, cells } = await read();
    expect(cells).toEqual({ reference: 'Order 8' });
    crashes.at = () => false;
    expect(await save()).toMatchObject({ status: 200, body: { savedAt } });
  });
});
