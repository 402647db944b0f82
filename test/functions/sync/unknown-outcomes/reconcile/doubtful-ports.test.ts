// A port that may have been created: what the search for it changes, and when it requires action.
import { describe, expect, test } from 'vitest';
import type { RequestItem } from '#shared/request/request.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { Ambiguous, ContractBroken } from '#shared/service/errors.ts';
import { minute } from '../../../../support/service/simulator.ts';
import { makeElsewhere } from '../../../../support/steps/adopting.ts';
import { rig, services, useFreshRig } from '../../../../support/steps/fresh-services.ts';
import { makeOutcomeUnknown, reconciled } from '../../../../support/steps/reconciling.ts';
import { plannedRowOf, portSummaryOf, quietMs } from '../../../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../../../support/steps/test-pipeline.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const iso = (epochMs: number): string => new Date(epochMs).toISOString();
const sentAgain = () => services.waiting('submit').map(({ body }) => body);

/** The service creates the port of an import, and its answer is lost. Returns the client. */
async function loseAnswer() {
  const { client } = rig.submitParts();
  const createPort = async (body: Parameters<typeof client.createPort>[0]) => {
    await client.createPort(body);
    throw new Ambiguous('reset', { call: 'POST /api/porting/1001' });
  };
  await rig.submit(await rig.planOne('import-a', rows), { client: { ...client, createPort } });
  rig.pass(quietMs);
  return client;
}

describe('a port that may have been created', () => {
  test('is searched for again later when the list has no end, which proves nothing', async () => {
    await rig.planOne('import-a', rows);
    await makeOutcomeUnknown('import-a');
    let ports = 0;
    const listPorts = async () => {
      ports += 1;
      return { total: 1e9, totalPages: 1e9, data: [portSummaryOf(`p${ports}`)] };
    };
    const { client } = rig.syncParts();
    const result = await reconciled({ client: { ...client, listPorts } });
    expect(result).toEqual({ resent: 0, adopted: 0, absent: 0, actionRequired: 0, imports: ['import-a'] });
    const dueAt = iso(rig.service.now() + quietMs);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', attempt: 1, dueAt });
  });

  test('requires action after eight searches in a row that proved nothing', async () => {
    await rig.planOne('import-a', rows);
    await makeOutcomeUnknown('import-a');
    const { client } = rig.syncParts();
    const listPorts = async () => ({ total: 1000, totalPages: 20, data: [] });
    const search = () => reconciled({ client: { ...client, listPorts } });
    for (let searches = 1; searches < 8; searches += 1) {
      expect(await search()).toMatchObject({ absent: 0, actionRequired: 0 });
      expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { failures: searches } });
      rig.pass(60 * minute);
    }
    expect(await search()).toMatchObject({ absent: 0, actionRequired: 1, imports: ['import-a'] });
    expect(await rig.request('import-a')).toMatchObject({
      state: 'action-required',
      error: { message: expect.stringContaining('does not show every port that exists, 8 times') },
    });
    expect(rig.counts.requestsUnresolved).toBe(1);
    expect(rig.counts.requestsDeclined).toBeUndefined();
  });

  test('is declined, and no message is sent, once enough searches proved that the decline is true', async () => {
    await rig.planOne('import-a', rows);
    const error = { kind: 'conflict', message: 'taken' };
    await makeOutcomeUnknown('import-a', { error, search: { for: 'decline', absences: 3, failures: 0 } });
    expect(await reconciled()).toMatchObject({ absent: 0, actionRequired: 0, imports: ['import-a'] });
    expect(await rig.request('import-a')).toMatchObject({ state: 'declined', error });
    expect(rig.counts.requestsDeclined).toBe(1);
    expect(sentAgain()).toEqual([]);
  });

  test('waits for the next run when there is no time to record the search', async () => {
    for (const importId of ['import-a', 'import-b']) {
      await rig.planOne(importId, [plannedRowOf(importId === 'import-a' ? 1 : 2, 2)]);
      await makeOutcomeUnknown(importId, { lines: '2' });
    }
    const { client, requests } = rig.syncParts();
    const listPorts = async () => ({ total: 1000, totalPages: 20, data: [] });
    let written = 0;
    const replace = (seen: RequestItem, next: RequestItem) => {
      written += 1;
      return requests.replace(seen, next);
    };
    const changes = { client: { ...client, listPorts }, requests: { ...requests, replace } };
    const { imports } = await reconciled({
      ...changes,
      deadline: createDeadline(() => (written === 0 ? 60_000 : 4_999)),
    });
    expect([written, imports.length]).toEqual([1, 1]);
  });

  test('waits without a search when there is no time, and as it is while the search takes several runs', async () => {
    await makeElsewhere('Field team', [9]);
    await rig.planOne('import-a', rows);
    await makeOutcomeUnknown('import-a');
    await reconciled({ deadline: createDeadline(() => 29_999) });
    expect(rig.calls).toEqual([]);
    const waiting = await rig.request('import-a');
    expect(waiting).toMatchObject({ state: 'unknown', dueAt: iso(rig.service.now()) });
    const isFirstCall = () => rig.calls.length === 0;
    const { searches } = rig.syncParts();
    expect(await searches.load()).toEqual({});
    const { imports } = await reconciled({ deadline: createDeadline(() => (isFirstCall() ? 60_000 : 20_000)) });
    expect([imports, await rig.request('import-a')]).toEqual([[], waiting]);
    // The first of two passes is over.
    expect(await searches.load()).toMatchObject({ earlier: { listed: 1, isComplete: true } });
    expect(await reconciled()).toMatchObject({ absent: 1 });
    expect(rig.calls.filter((name) => name === 'listPorts')).toHaveLength(2);
  });

  test('is left as it is when its answer came during the search, whose result is logged', async () => {
    const client = await loseAnswer();
    const port = async (portId: string) => {
      const seen = await rig.request('import-a');
      await rig.requests.replace(seen, { ...seen, state: 'created', portId });
      return client.port(portId);
    };
    const logged: unknown[] = [];
    const log = { ...silentLog, info: (_message: string, about?: object) => void logged.push(about) };
    expect(await reconciled({ client: { ...client, port }, log })).toMatchObject({ adopted: 0, actionRequired: 0 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
    expect(logged).toEqual([{ requests: 1, adopted: 0, absent: 0, actionRequired: 0 }]);
  });

  test('is not counted while the list shows it and it cannot be read, which is logged', async () => {
    const client = await loseAnswer();
    const error = new ContractBroken('a web page', { call: 'GET /port', status: 200 });
    const logged: unknown[] = [];
    const note = (_message: string, about?: object) => void logged.push(about);
    const port = () => Promise.reject(error);
    await reconciled({ client: { ...client, port }, log: { ...silentLog, info: note, error: note } });
    expect(logged).toEqual([
      { importId: 'import-a', request: 1, error },
      { requests: 1, adopted: 0, absent: 0, actionRequired: 0 },
    ]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', attempt: 1 });
  });
});
