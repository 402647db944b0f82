// How each kind of due request is reconciled. The tests write the ledger as an attempt would have left it.
import { beforeEach, describe, expect, test } from 'vitest';
import { resendMessages } from '#functions/sync/lost-messages.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { reconcile } from '#functions/sync/unknown-outcomes/reconcile.ts';
import { searchPortList } from '#functions/sync/unknown-outcomes/search-port-list.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { recordNewMessage } from '#shared/request/request-state.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { Ambiguous, ContractBroken, RateLimited, Rejected, Unavailable } from '#shared/service/errors.ts';
import type { OperationName } from '#shared/text/identity.ts';
import { hour, minute } from '../../../support/service/simulator.ts';
import { makeElsewhere } from '../../../support/steps/adopting.ts';
import { rig, services, useFreshRig } from '../../../support/steps/fresh-services.ts';
import { planRequest } from '../../../support/steps/planned-requests.ts';
import { withoutPorts } from '../../../support/steps/purged-ports.ts';
import { plannedRowOf, portSummaryOf, quietMs } from '../../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../../support/steps/test-pipeline.ts';

useFreshRig();

const lostMs = 16 * minute;
const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

/** Reconciles and searches once. Returns the result, and the imports that changed. */
const reconciled = async (changes: Partial<SyncPipeline> = {}) => {
  const parts = rig.runParts(changes);
  const { unknown, lost, resent: repeated, actionRequired } = await reconcile(parts);
  const sought = await searchPortList(unknown, parts);
  const resentCount = repeated + (await resendMessages(lost, parts, recordNewMessage));
  return {
    ...sought,
    resent: resentCount,
    actionRequired: actionRequired + sought.actionRequired,
    imports: [...parts.changed].sort(),
  };
};

const iso = (epochMs: number): string => new Date(epochMs).toISOString();

/** Gives the first request of an import an unknown outcome, due now. */
const makeOutcomeUnknown = async (importId: string, changes: Partial<RequestItem> = {}): Promise<void> => {
  const seen = await rig.request(importId);
  const doubtful = { state: 'unknown' as const, attempt: 1, lines: '2-3', dueAt: iso(rig.service.now()) };
  await rig.requests.replace(seen, { ...seen, ...doubtful, ...changes });
};

/** A request of an import of this name, of unknown outcome after this many attempts. */
const doubtful = async (importId: string, operation: OperationName, attempt: number) => {
  const message = await planRequest(rig, { importId, operation, head: {}, rows });
  await makeOutcomeUnknown(importId, { attempt });
  return message;
};

const sentAgain = () => services.waiting('submit').map(({ body }) => body);

describe('a lost message', () => {
  test('is sent again without a call to the service', async () => {
    const messages = [await rig.planOne('import-a', rows), await rig.planOne('import-b', rows)];
    rig.pass(lostMs);
    expect(await reconciled()).toEqual({ resent: 2, adopted: 0, absent: 0, actionRequired: 0, imports: [] });
    expect(sentAgain()).toEqual(messages);
    expect(rig.calls).toEqual([]);
  });

  test('is not sent again when the request changed meanwhile', async () => {
    const [, second] = await rig.plan('import-a', [[plannedRowOf(1, 2)], [plannedRowOf(2, 3)]]);
    rig.pass(lostMs);
    const { requests } = rig.syncParts();
    const replace = async (seen: RequestItem, next: RequestItem) =>
      seen.request === 1 ? undefined : requests.replace(seen, next);
    expect(await reconciled({ requests: { ...requests, replace } })).toMatchObject({ resent: 1 });
    expect(sentAgain()).toEqual([second]);
  });

  describe('after a hundred others', () => {
    const groups = Array.from({ length: 101 }, (_, index) => [plannedRowOf(index + 1, index + 2)]);
    const sending = (sent: number[]) => ({
      send: async (_url: string, bodies: readonly unknown[]) => void sent.push(bodies.length),
    });

    test('is sent in a separate batch', async () => {
      await rig.plan('import-a', groups);
      rig.pass(lostMs);
      const sent: number[] = [];
      expect(await reconciled({ queues: sending(sent) })).toMatchObject({ resent: 101 });
      expect(sent).toEqual([100, 1]);
    });

    test('waits for the next run when there is too little time', async () => {
      await rig.plan('import-a', groups);
      rig.pass(lostMs);
      const sent: number[] = [];
      const deadline = createDeadline(() => (sent.length === 0 ? 60_000 : 0));
      expect(await reconciled({ queues: sending(sent), deadline })).toMatchObject({ resent: 100 });
      expect(await reconciled()).toMatchObject({ resent: 1 });
    });
  });
});

describe('a request of unknown outcome that creates no port', () => {
  test('requires action if it creates a ticket, and is repeated up to six times if it is a change', async () => {
    const again = await doubtful('fifth', 'update-port', 5);
    await doubtful('sixth', 'update-port', 6);
    await doubtful('ticket', 'send-sms', 1);
    await rig.planOne('lost', rows);
    await makeOutcomeUnknown('lost', { state: 'planned' });
    expect(await reconciled()).toEqual({
      resent: 2,
      adopted: 0,
      absent: 0,
      actionRequired: 2,
      imports: ['sixth', 'ticket'],
    });
    expect(sentAgain()).toContainEqual(again);
    expect(await rig.request('fifth')).toMatchObject({ state: 'planned', attempt: 5 });
    expect(await rig.request('sixth')).toMatchObject({
      state: 'action-required',
      error: { message: expect.stringContaining('check the port') },
    });
    expect(await rig.request('ticket')).toMatchObject({
      state: 'action-required',
      error: { message: expect.stringContaining('check it there') },
    });
    expect(rig.counts.requestsUnresolved).toBe(2);
    expect(rig.calls).toEqual([]);
  });

  test.each([
    ['provision', '2-3', undefined],
    ['send-sms', '3', [{ line: 2 }]],
  ] as const)('fault 51: %s has lines %s and left out %j after a row was declined', async (operation, lines, left) => {
    // A gateway may have delivered the first call twice: then its SIMs are on hire, and the second answer names one.
    await planRequest(rig, { importId: 'sims', operation, head: {}, rows });
    const excludedRows = [{ line: 2, subject: 'sim', code: 'ROW_REFUSED' as const, message: 'SIM is on hire' }];
    await makeOutcomeUnknown('sims', { attempt: 2, lines: '3', excludedRows });
    expect(await reconciled()).toMatchObject({ actionRequired: 1 });
    const request = await rig.request('sims');
    expect(request).toMatchObject({ state: 'action-required', lines });
    if (left === undefined) expect(request.excludedRows).toBeUndefined();
    else expect(request.excludedRows).toMatchObject(left);
  });

  test('requires action if its operation is unknown', async () => {
    await doubtful('old', 'bar', 1);
    expect(await reconciled({ operationNamed: () => undefined })).toMatchObject({
      actionRequired: 1,
      imports: ['old'],
    });
    expect(await rig.request('old')).toMatchObject({ state: 'action-required' });
  });

  test('waits for the next run if it is a change and there is too little time', async () => {
    await doubtful('change', 'update-port', 1);
    expect(await reconciled({ deadline: createDeadline(() => 0) })).toMatchObject({
      resent: 0,
      actionRequired: 0,
      imports: [],
    });
    expect(await rig.request('change')).toMatchObject({ state: 'unknown' });
  });

  test('stays as it is when it changed meanwhile', async () => {
    await doubtful('ticket', 'send-sms', 1);
    const requests = { ...rig.syncParts().requests, replace: async () => undefined };
    expect(await reconciled({ requests })).toMatchObject({ actionRequired: 0, imports: [] });
    expect(rig.counts.requestsUnresolved).toBeUndefined();
  });
});

describe('a created port that was not read yet', () => {
  beforeEach(async () => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    await rig.submit(await rig.planOne('import-a', rows), { client: deaf });
    rig.calls.length = 0;
  });

  test('is read, and report is notified of its import', async () => {
    expect(await reconciled()).toMatchObject({ imports: ['import-a'] });
    expect(rig.calls).toEqual(['port']);
  });

  test('is deferred while the service fails to show it, without a notification, and never requires action', async () => {
    const { client } = rig.syncParts();
    const odd = new ContractBroken('a web page', { call: 'GET /port', status: 200 });
    // After the quiet period, then less and less often, and in the end every hour.
    for (const waitMs of [quietMs, quietMs, 2 * quietMs, 4 * quietMs]) {
      const answer = await reconciled({ client: { ...client, port: () => Promise.reject(odd) } });
      expect(answer).toMatchObject({ actionRequired: 0, imports: [] });
      const dueAt = iso(rig.service.now() + waitMs);
      expect(await rig.request('import-a')).toMatchObject({ state: 'created', dueAt });
      rig.pass(waitMs);
    }
    expect(rig.counts.deferred).toBe(4);
    expect(await reconciled()).toMatchObject({ imports: ['import-a'] });
  });

  test('is searched for by its name after the service has declined its id twice, whatever the status', async () => {
    const { client } = rig.syncParts();
    const refusal = { message: 'unknown port', fieldErrors: [], msisdns: [] };
    const refused = new Rejected(refusal, { call: 'GET /port', status: 400 });
    for (let reads = 0; reads < 2; reads += 1) {
      await reconciled({ client: { ...client, port: () => Promise.reject(refused) } });
      rig.pass(quietMs);
    }
    const { state, error, portId } = await rig.request('import-a');
    expect([state, portId]).toEqual(['unknown', undefined]);
    expect(error?.message).toContain('which it does not have');
    await reconciled();
    expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
  });

  test('stays as it is and ends the step when the service cannot be called', async () => {
    const { client } = rig.syncParts();
    const down = new Unavailable('503', { call: 'GET /port' });
    const [port, networks] = [() => Promise.reject(down), () => Promise.reject(down)];
    const before = await rig.request('import-a');
    await expect(reconciled({ client: { ...client, port, networks } })).rejects.toBe(down);
    expect(await rig.request('import-a')).toEqual(before);
  });

  test('stays as it is when it could not be read and changed meanwhile', async () => {
    const { client, requests } = rig.syncParts();
    const odd = new ContractBroken('a web page', { call: 'GET /port', status: 200 });
    const changes = { client: { ...client, port: () => Promise.reject(odd) } };
    const replace = async () => undefined;
    expect(await reconciled({ ...changes, requests: { ...requests, replace } })).toMatchObject({
      actionRequired: 0,
      imports: [],
    });
  });

  test('waits for the next run when there is too little time', async () => {
    expect(await reconciled({ deadline: createDeadline(() => 0) })).toMatchObject({ imports: [] });
    expect(rig.calls).toEqual([]);
    expect((await rig.request('import-a')).dueAt).toBeDefined();
  });
});

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
      await makeOutcomeUnknown(importId);
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
    expect(await reconciled({ client: { ...client, port }, log })).toMatchObject({ adopted: 0, actionRequired: 0 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
    expect(logged).toEqual([{ requests: 1, adopted: 0, absent: 0, actionRequired: 0 }]);
  });

  test('is not counted while the list shows it and it cannot be read, which is logged', async () => {
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
      { requests: 1, adopted: 0, absent: 0, actionRequired: 0 },
    ]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', attempt: 1 });
  });
});

test('the age of the oldest unfinished request is measured in seconds, whether it is due in this run or not', async () => {
  await rig.planOne('import-a', rows);
  rig.pass(10 * minute);
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(10 * 60);
  await rig.planOne('import-b', rows);
  rig.pass(lostMs);
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(26 * 60);
  rig.pass(minute);
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(27 * 60);
});

test('no attempt begins the age of a request anew, and its end removes it', async () => {
  const message = await rig.planOne('import-a', rows);
  const { client } = rig.submitParts();
  const limited: typeof client.createPort = async () => {
    throw new RateLimited(1_000, { call: 'POST', status: 429 });
  };
  for (let attempt = 0; attempt < 4; attempt += 1) {
    rig.pass(20 * minute);
    await rig.submit(message, { client: { ...client, createPort: limited } });
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned' });
  }
  await reconciled();
  expect(rig.counts.oldestUnfinished).toBe(80 * 60);
  await rig.submit(message);
  await rig.sync();
  expect(await rig.request('import-a')).toMatchObject({ state: 'created' });
  await rig.sync();
  expect(rig.counts.oldestUnfinished).toBe(0);
});

// A port that was created or found, and was not read yet.
describe('a port that is new', () => {
  useFreshRig();
  const call = 'POST /api/porting/1001';

  test('a port that could not be read back after it was created is read by the next run', async () => {
    const message = await rig.planOne('import-a', rows);
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    expect(await rig.submit(message, { client: deaf })).toBe('created');
    const { portId = '' } = await rig.request('import-a');
    expect(await rig.ports.get(portId)).toBeUndefined();
    await rig.sync();
    expect(await rig.ports.get(portId)).toMatchObject({ status: 'Created', importId: 'import-a' });
    expect((await rig.request('import-a')).dueAt).toBeUndefined();
  });

  test('new ports that submit left to sync are read as many at a time as calls are made', async () => {
    const groups = Array.from({ length: 9 }, (_, index) => [plannedRowOf(index + 1, index + 2)]);
    for (const message of await rig.plan('import-a', groups)) await rig.submit(message, { readsBack: () => false });
    const { client } = rig.syncParts();
    let [reading, most] = [0, 0];
    const port = async (portId: string) => {
      reading += 1;
      most = Math.max(most, reading);
      const detail = await client.port(portId);
      reading -= 1;
      return detail;
    };
    await rig.sync({ client: { ...client, port } });
    expect(most).toBe(4);
    for (let request = 1; request <= 9; request += 1)
      expect(await rig.request('import-a', request)).toMatchObject({ portStatus: 'Created' });
  });

  test('fault 48: a new port that the service does not know delays no other, and requires action after three readings', async () => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    const groups = [1, 2, 3].map((index) => [plannedRowOf(index, index + 1)]);
    for (const message of await rig.plan('import-a', groups)) await rig.submit(message, { client: deaf });
    const { portId = '' } = await rig.request('import-a');
    const lost = withoutPorts(rig, portId);
    expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 0, imports: 1 });
    for (const request of [2, 3])
      expect(await rig.request('import-a', request)).toMatchObject({ portStatus: 'Created' });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId, missingReads: 1 });
    rig.pass(quietMs);
    expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 0 });
    // From now on its name is searched: the service may have answered with a wrong id.
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { for: 'own-port' } });
    for (let read = 1; read <= 2; read += 1) {
      rig.pass(quietMs);
      expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 0 });
      expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', missingReads: read });
    }
    rig.pass(hour - 1);
    expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 0 });
    rig.pass(1);
    expect(await rig.sync({ client: lost })).toMatchObject({ actionRequired: 1, imports: 1 });
    const message = expect.stringMatching(/did not find the port in 3 consecutive reads: .*not found/);
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required', error: { message } });
    expect(rig.counts.requestsUnresolved).toBe(1);
  });

  test('fault 48: it is followed like any other once the service knows it again, and the count of readings restarts', async () => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    await rig.submit(await rig.planOne('import-a', rows), { client: deaf });
    const { portId = '' } = await rig.request('import-a');
    await rig.sync({ client: withoutPorts(rig, portId) });
    rig.pass(quietMs);
    await rig.sync();
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', portStatus: 'Created' });
    expect(request.missingReads).toBeUndefined();
  });

  test('fault 48: a listed port that cannot be read does not keep others from being adopted', async () => {
    const made: string[] = [];
    const { client } = rig.submitParts();
    const createPort = async (body: Parameters<typeof client.createPort>[0]) => {
      made.push(await client.createPort(body));
      throw new Ambiguous('reset', { call });
    };
    const groups = [1, 2].map((index) => [plannedRowOf(index, index + 1)]);
    for (const message of await rig.plan('import-a', groups)) {
      await rig.submit(message, { client: { ...client, createPort } });
    }
    rig.pass(quietMs);
    expect(await rig.sync({ client: withoutPorts(rig, made[0] ?? '') })).toMatchObject({
      adopted: 1,
      absent: 0,
      actionRequired: 0,
    });
    expect(await rig.request('import-a', 1)).toMatchObject({ state: 'unknown', missingReads: 1 });
    expect(await rig.request('import-a', 2)).toMatchObject({ state: 'created', portId: made[1] });
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ adopted: 1 });
  });
});
