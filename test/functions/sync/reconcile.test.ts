// What reconcile makes of each kind of request that is due: the ledger is written as other attempts would have left it.
import { beforeEach, describe, expect, test } from 'vitest';
import type { SyncParts } from '#functions/sync/parts.ts';
import { reconcile } from '#functions/sync/reconcile.ts';
import { seek } from '#functions/sync/seek.ts';
import { sendAgain } from '#functions/sync/send-again.ts';
import { beginRun } from '#functions/sync/trouble.ts';
import type { RequestItem } from '#shared/domain/ledger.ts';
import type { OperationName } from '#shared/domain/operation-name.ts';
import { resent } from '#shared/domain/request-state.ts';
import { Ambiguous, ContractBroken, Unavailable } from '#shared/porting/errors.ts';
import { planRequest } from '../../support/changes-rig.ts';
import { minute } from '../../support/porting-service.ts';
import { rig, services } from '../../support/results-fresh.ts';
import { plannedRowOf, portSummaryOf, quietMs, silentLog } from '../../support/results-rig.ts';

const lostMs = 16 * minute;
const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

/** Reconciles and seeks once; answers what it did, and the imports that are to be told. */
const reconciled = async (changes: Partial<SyncParts> = {}) => {
  const imports = new Set<string>();
  const parts = beginRun(rig.syncParts(changes));
  const { inDoubt, lost, resent: repeated, people } = await reconcile(parts, imports);
  const sought = await seek(inDoubt, parts, imports);
  const resentCount = repeated + (await sendAgain(lost, parts, resent));
  return { ...sought, resent: resentCount, people: people + sought.people, imports: [...imports].sort() };
};

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

/** Leaves the first request of an import in doubt, due now. */
const putInDoubt = async (importId: string, changes: Partial<RequestItem> = {}): Promise<void> => {
  const seen = await rig.request(importId);
  const doubtful = { state: 'unknown' as const, attempt: 1, lines: '2-3', dueAt: iso(rig.service.now()) };
  await rig.requests.replace(seen, { ...seen, ...doubtful, ...changes });
};

/** A request of an import of that name, in doubt after so many attempts. */
const doubtful = async (importId: string, operation: OperationName, attempt: number) => {
  const message = await planRequest(rig, { importId, operation, head: {}, rows });
  await putInDoubt(importId, { attempt });
  return message;
};

const sentAgain = () => services.waiting('submit').map(({ body }) => body);

describe('a message that got lost', () => {
  test('is sent again without a call to the service', async () => {
    const messages = [await rig.planOne('import-a', rows), await rig.planOne('import-b', rows)];
    rig.pass(lostMs);
    expect(await reconciled()).toEqual({ resent: 2, adopted: 0, absent: 0, people: 0, imports: [] });
    expect(sentAgain()).toEqual(messages);
    expect(rig.calls).toEqual([]);
  });

  test('is not sent again where the request changed meanwhile', async () => {
    const [, second] = await rig.plan('import-a', [[plannedRowOf(1, 2)], [plannedRowOf(2, 3)]]);
    rig.pass(lostMs);
    const { requests } = rig.syncParts();
    const replace = async (seen: RequestItem, next: RequestItem) => seen.request !== 1 && requests.replace(seen, next);
    expect(await reconciled({ requests: { ...requests, replace } })).toMatchObject({ resent: 1 });
    expect(sentAgain()).toEqual([second]);
  });

  describe('beside a hundred others', () => {
    const groups = Array.from({ length: 101 }, (_, index) => [plannedRowOf(index + 1, index + 2)]);
    const sending = (sent: number[]) => ({
      send: async (_url: string, bodies: readonly unknown[]) => void sent.push(bodies.length),
    });

    test('is sent in a round of its own', async () => {
      await rig.plan('import-a', groups);
      rig.pass(lostMs);
      const sent: number[] = [];
      expect(await reconciled({ queues: sending(sent) })).toMatchObject({ resent: 101 });
      expect(sent).toEqual([100, 1]);
    });

    test('waits for the next run when time is short', async () => {
      await rig.plan('import-a', groups);
      rig.pass(lostMs);
      const sent: number[] = [];
      const remainingMs = () => (sent.length === 0 ? 60_000 : 0);
      expect(await reconciled({ queues: sending(sent), remainingMs })).toMatchObject({ resent: 100 });
      expect(await reconciled()).toMatchObject({ resent: 1 });
    });
  });
});

describe('a request in doubt that is no port', () => {
  test('is a person’s where it made a ticket, and asked for again where it is a change, up to six times', async () => {
    const again = await doubtful('fifth', 'update-port', 5);
    await doubtful('sixth', 'update-port', 6);
    await doubtful('ticket', 'send-sms', 1);
    await rig.planOne('lost', rows);
    await putInDoubt('lost', { state: 'planned' });
    expect(await reconciled()).toEqual({ resent: 2, adopted: 0, absent: 0, people: 2, imports: ['sixth', 'ticket'] });
    expect(sentAgain()).toContainEqual(again);
    expect(await rig.request('fifth')).toMatchObject({ state: 'planned', attempt: 5 });
    expect(await rig.request('sixth')).toMatchObject({
      state: 'needs-human',
      error: { message: expect.stringContaining('look at the port') },
    });
    expect(await rig.request('ticket')).toMatchObject({
      state: 'needs-human',
      error: { message: expect.stringContaining('check it there') },
    });
    expect(rig.counts.requestsUnknown).toBe(2);
    expect(rig.calls).toEqual([]);
  });

  test('is a person’s where nobody knows its operation any more', async () => {
    await doubtful('old', 'bar', 1);
    expect(await reconciled({ operationNamed: () => undefined })).toMatchObject({ people: 1, imports: ['old'] });
    expect(await rig.request('old')).toMatchObject({ state: 'needs-human' });
  });

  test('waits for the next run when it is a change and time is short', async () => {
    await doubtful('change', 'update-port', 1);
    expect(await reconciled({ remainingMs: () => 0 })).toMatchObject({ resent: 0, people: 0, imports: [] });
    expect(await rig.request('change')).toMatchObject({ state: 'unknown' });
  });

  test('stays as another run made it', async () => {
    await doubtful('ticket', 'send-sms', 1);
    const requests = { ...rig.syncParts().requests, replace: async () => false };
    expect(await reconciled({ requests })).toMatchObject({ people: 0, imports: [] });
    expect(rig.counts.requestsUnknown).toBeUndefined();
  });
});

describe('a port that was made and not read yet', () => {
  beforeEach(async () => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    await rig.submit(await rig.planOne('import-a', rows), { client: deaf });
    rig.calls.length = 0;
  });

  test('is read, and its import told', async () => {
    expect(await reconciled()).toMatchObject({ imports: ['import-a'] });
    expect(rig.calls).toEqual(['port']);
  });

  test('is put off where the service will not show it, without a word to its import, and never given to people', async () => {
    const { client } = rig.syncParts();
    const odd = new ContractBroken('a web page', { call: 'GET /port', status: 200 });
    // After the quiet period, then the longer nothing has changed, the later: at last every hour.
    for (const waitMs of [quietMs, quietMs, 2 * quietMs, 4 * quietMs]) {
      const answer = await reconciled({ client: { ...client, port: () => Promise.reject(odd) } });
      expect(answer).toMatchObject({ people: 0, imports: [] });
      const dueAt = iso(rig.service.now() + waitMs);
      expect(await rig.request('import-a')).toMatchObject({ state: 'created', dueAt });
      rig.pass(waitMs);
    }
    expect(rig.counts.leftForLater).toBe(4);
    expect(await reconciled()).toMatchObject({ imports: ['import-a'] });
  });

  test('stays as it is, and ends the step, where the service cannot be asked', async () => {
    const { client } = rig.syncParts();
    const down = new Unavailable('503', { call: 'GET /port' });
    const [port, networks] = [() => Promise.reject(down), () => Promise.reject(down)];
    const before = await rig.request('import-a');
    await expect(reconciled({ client: { ...client, port, networks } })).rejects.toBe(down);
    expect(await rig.request('import-a')).toEqual(before);
  });

  test('stays as another made it where it could not be read meanwhile', async () => {
    const { client, requests } = rig.syncParts();
    const odd = new ContractBroken('a web page', { call: 'GET /port', status: 200 });
    const changes = { client: { ...client, port: () => Promise.reject(odd) } };
    const replace = async () => false;
    expect(await reconciled({ ...changes, requests: { ...requests, replace } })).toMatchObject({
      people: 0,
      imports: [],
    });
  });

  test('waits for the next run when time is short', async () => {
    expect(await reconciled({ remainingMs: () => 0 })).toMatchObject({ imports: [] });
    expect(rig.calls).toEqual([]);
    expect((await rig.request('import-a')).dueAt).toBeDefined();
  });
});

describe('a port that may have been made', () => {
  test('is looked for again later where the list had no end: nothing is proven by it', async () => {
    await rig.planOne('import-a', rows);
    await putInDoubt('import-a');
    let ports = 0;
    const listPorts = async () => {
      ports += 1;
      return { total: 1e9, totalPages: 1e9, data: [portSummaryOf(`p${ports}`)] };
    };
    const { client } = rig.syncParts();
    const result = await reconciled({ client: { ...client, listPorts } });
    expect(result).toEqual({ resent: 0, adopted: 0, absent: 0, people: 0, imports: ['import-a'] });
    const dueAt = iso(rig.service.now() + quietMs);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', attempt: 1, dueAt });
  });

  test('is a person’s once eight searches in a row have proven nothing', async () => {
    await rig.planOne('import-a', rows);
    await putInDoubt('import-a');
    const { client } = rig.syncParts();
    const listPorts = async () => ({ total: 1000, totalPages: 20, data: [] });
    const search = () => reconciled({ client: { ...client, listPorts } });
    for (let searches = 1; searches < 8; searches += 1) {
      expect(await search()).toMatchObject({ absent: 0, people: 0 });
      expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', vainSearches: searches });
      rig.pass(60 * minute);
    }
    expect(await search()).toMatchObject({ absent: 0, people: 1, imports: ['import-a'] });
    expect(await rig.request('import-a')).toMatchObject({
      state: 'needs-human',
      error: { message: expect.stringContaining('shows fewer than it says there are, 8 times') },
    });
    expect(rig.counts.requestsUnknown).toBe(1);
  });

  test('is left to the next run where there is no time to say what the search came to', async () => {
    for (const importId of ['import-a', 'import-b']) {
      await rig.planOne(importId, [plannedRowOf(importId === 'import-a' ? 1 : 2, 2)]);
      await putInDoubt(importId);
    }
    const { client, requests } = rig.syncParts();
    const listPorts = async () => ({ total: 1000, totalPages: 20, data: [] });
    let written = 0;
    const replace = (seen: RequestItem, next: RequestItem) => {
      written += 1;
      return requests.replace(seen, next);
    };
    const changes = { client: { ...client, listPorts }, requests: { ...requests, replace } };
    const { imports } = await reconciled({ ...changes, remainingMs: () => (written === 0 ? 60_000 : 4_999) });
    expect([written, imports.length]).toEqual([1, 1]);
  });

  test('waits without a search where its time is up, and is told of a list that takes longer', async () => {
    await rig.planOne('import-a', rows);
    await putInDoubt('import-a');
    await reconciled({ remainingMs: () => 29_999 });
    expect(rig.calls).toEqual([]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', dueAt: iso(rig.service.now()) });
    const logged: object[] = [];
    const log = { ...silentLog, warn: (_message: string, about?: object) => void logged.push(about ?? {}) };
    const remainingMs = () => (rig.calls.length === 0 ? 60_000 : 20_000);
    await reconciled({ log, remainingMs });
    expect(logged).toEqual([
      {
        importId: 'import-a',
        request: 1,
        because: 'the list of ports is too long to be read to its end in one run',
      },
    ]);
    expect((await rig.request('import-a')).vainSearches).toBe(1);
  });

  test('is left as it is where its answer came while it was looked for; the log tells what came of the search', async () => {
    const { client } = rig.submitParts();
    const createPort = async (body: Parameters<typeof client.createPort>[0]) => {
      await client.createPort(body);
      throw new Ambiguous('reset', { call: 'POST /api/porting/1001' });
    };
    await rig.submit(await rig.planOne('import-a', rows), { client: { ...client, createPort } });
    rig.pass(quietMs);
    const port = async (portId: string) => {
      const seen = await rig.request('import-a');
      await rig.requests.replace(seen, { ...seen, state: 'created', portId });
      return client.port(portId);
    };
    const logged: unknown[] = [];
    const log = { ...silentLog, info: (_message: string, about?: object) => void logged.push(about) };
    expect(await reconciled({ client: { ...client, port }, log })).toMatchObject({ adopted: 0, people: 0 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
    expect(logged).toEqual([{ requests: 1, adopted: 0, absent: 0, people: 0 }]);
  });

  test('is counted as nothing while the list shows it and nobody can read it; the log says whose it is', async () => {
    const { client } = rig.submitParts();
    const createPort = async (body: Parameters<typeof client.createPort>[0]) => {
      await client.createPort(body);
      throw new Ambiguous('reset', { call: 'POST /api/porting/1001' });
    };
    await rig.submit(await rig.planOne('import-a', rows), { client: { ...client, createPort } });
    rig.pass(quietMs);
    const error = new ContractBroken('a web page', { call: 'GET /port', status: 200 });
    const logged: unknown[] = [];
    const note = (_message: string, about?: object) => void logged.push(about);
    const port = () => Promise.reject(error);
    await reconciled({ client: { ...client, port }, log: { ...silentLog, info: note, error: note } });
    expect(logged).toEqual([
      { importId: 'import-a', request: 1, error },
      { requests: 1, adopted: 0, absent: 0, people: 0 },
    ]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', attempt: 1 });
  });
});

test('the age of the oldest request that is due is measured, in seconds', async () => {
  await rig.planOne('import-a', rows);
  rig.pass(10 * minute);
  await rig.planOne('import-b', rows);
  rig.pass(lostMs);
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(26 * 60);
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(0);
});
