// Reading a port after the call that created or changed it. Sync does the same later, so a failure must not fail the
// message, and nothing may be recorded twice or lost.

import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SubmitPipeline } from '#functions/submit/attempt.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import { createDeadline, DeadlineExceeded } from '#shared/runtime/clock.ts';
import { Ambiguous, Unavailable } from '#shared/service/errors.ts';
import { double } from '../../../support/double.ts';
import type { ResultsServices } from '../../../support/embedded/services.ts';
import { startTwinServices } from '../../../support/in-memory/services.ts';
import { startKeptLog } from '../../../support/kept-log.ts';
import { planRequest } from '../../../support/steps/planned-requests.ts';
import { plannedRowOf, type Rig, startRig } from '../../../support/steps/submit-and-sync.ts';

let services: ResultsServices;
let rig: Rig;
let told: string[];
let kept: ReturnType<typeof startKeptLog>;

beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  told = [];
  kept = startKeptLog();
});

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const threeRows = [...rows, plannedRowOf(3, 4)];
const reads = () => rig.calls.filter((name) => name === 'port').length;
const submit = (message: SubmitMessage, changes: Partial<SubmitPipeline> = {}) =>
  rig.submit(message, { log: kept.log, onImportChanged: (importId) => told.push(importId), ...changes });
/** The log entries above level info. */
const complaints = () => kept.entries.filter(({ level }) => level === 'warn' || level === 'error');

/** The service shows the port like this. */
const showing = (changes: object): Partial<SubmitPipeline> => {
  const { client } = rig.submitParts();
  const port: typeof client.port = async (id) => ({ ...(await client.port(id)), ...changes });
  return { client: { ...client, port } };
};

/** A service whose port lacks this many of the first rows. */
const holdingLess = (missing: number): Partial<SubmitPipeline> => {
  const { client } = rig.submitParts();
  const port: typeof client.port = async (id) => {
    const detail = await client.port(id);
    return { ...detail, rowCount: detail.rows.length - missing, rows: detail.rows.slice(missing) };
  };
  return { client: { ...client, port } };
};

/** Creates a port of the import `made`, reads it back, and forgets the calls. */
const makePort = async (changes: Partial<SubmitPipeline> = {}, sent = rows): Promise<string> => {
  await submit(await rig.planOne('made', sent), changes);
  for (const seen of [rig.calls, told, kept.entries]) seen.length = 0;
  return (await rig.request('made')).portId ?? '';
};
const cancellation = (portId: string): Promise<SubmitMessage> =>
  planRequest(rig, {
    importId: 'change',
    operation: 'cancel-port',
    head: { portId, action: 'cancel', whole: true },
    rows: [{ line: 2, subject: portId, wire: { pac: null } }],
  });

test('a changed port is read while other requests wait, because the person waits for the change', async () => {
  const portId = await makePort();
  await submit(await cancellation(portId), { readsBack: () => false });
  expect(rig.calls.slice(rig.calls.indexOf('cancelPort'))).toContain('port');
});

describe('the id of a port', () => {
  test('whose name has the token of another request is logged once, and sync searches for the own port', async () => {
    const shown = showing({ id: 'other', name: 'Other sim1-fedcba9876543210' });
    await submit(await rig.planOne('import-a', rows), shown);
    const fields = { importId: 'import-a', portId: 'other' };
    const message = 'the service answered with the id of another port';
    expect(complaints()).toEqual([{ level: 'error', message, fields }]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { for: 'own-port' } });
  });

  test('whose name has no token is that of the request if it has the same numbers', async () => {
    await submit(await rig.planOne('import-a', rows), showing({ name: 'Group' }));
    expect(complaints()).toEqual([]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portStatus: 'Created' });
  });
});

describe('a created port', () => {
  test('is read once, and report is notified of its import', async () => {
    await submit(await rig.planOne('import-a', rows));
    expect(reads()).toBe(1);
    expect(told).toEqual(['import-a']);
    expect(rig.counts).toEqual({ requestsCreated: 1 });
    expect(complaints()).toEqual([]);
  });

  test('is left to sync, which reads it, while other requests wait for the rate limit', async () => {
    expect(await submit(await rig.planOne('import-a', rows), { readsBack: () => false })).toBe('created');
    expect(reads()).toBe(0);
    expect(complaints()).toEqual([]);
    expect((await rig.request('import-a')).dueAt).toBeDefined();
    await rig.sync();
    expect(reads()).toBe(1);
    expect((await rig.request('import-a')).dueAt).toBeUndefined();
  });

  test('is left to sync when there is no time, which is logged', async () => {
    const deadline = createDeadline(() => (rig.calls.includes('createPort') ? 4_999 : 60_000));
    expect(await submit(await rig.planOne('import-a', rows), { deadline })).toBe('created');
    expect(reads()).toBe(0);
    expect(complaints()).toEqual([
      {
        level: 'warn',
        message: 'a port could not be read back yet',
        fields: { importId: 'import-a', request: 1, error: expect.any(DeadlineExceeded) },
      },
    ]);
    expect((await rig.request('import-a')).dueAt).toBeDefined();
  });

  test('is read when the remaining time is just enough', async () => {
    const deadline = createDeadline(() => (rig.calls.includes('createPort') ? 5_000 : 60_000));
    await submit(await rig.planOne('import-a', rows), { deadline });
    expect(reads()).toBe(1);
  });

  test('is left to sync when the service cannot be called, and the reason is logged', async () => {
    const error = new Unavailable('503', { call: 'GET /api/porting/1001/port' });
    const client = { ...rig.submitParts().client, port: () => Promise.reject(error) };
    expect(await submit(await rig.planOne('import-a', rows), { client })).toBe('created');
    expect(complaints()).toMatchObject([{ level: 'warn', fields: { importId: 'import-a', request: 1, error } }]);
    expect(told).toEqual([]);
  });

  test('is read again when sync recorded it meanwhile, and is recorded once', async () => {
    const { snapshots: looks } = rig.submitParts();
    let writes = 0;
    const record: typeof looks.record = async (look) => {
      writes += 1;
      return writes > 1 && looks.record(look);
    };
    await submit(await rig.planOne('import-a', rows), { snapshots: { record } });
    expect(reads()).toBe(2);
    expect(told).toEqual(['import-a']);
  });

  test('is left to sync after three readings that were overtaken', async () => {
    const short = holdingLess(1);
    await submit(await rig.planOne('import-a', rows), { ...short, snapshots: { record: async () => false } });
    expect(reads()).toBe(3);
    expect(told).toEqual([]);
    expect(complaints()).toEqual([]);
    expect(rig.counts).toEqual({ requestsCreated: 1 });
  });
});

describe('nothing is read', () => {
  test('for a ticket', async () => {
    const message = await planRequest(rig, {
      importId: 'text',
      operation: 'send-sms',
      head: { networkNumber: 232, message: 'STATUS?', binary: false },
      rows: [{ line: 2, subject: '8944110068123456787', wire: null }],
    });
    const client = { ...rig.submitParts().client, submit: async () => 'ticket-1' };
    expect(await submit(message, { client })).toBe('accepted');
    expect(rig.calls).toEqual([]);
    expect(complaints()).toEqual([]);
  });

  test('for a call of unknown outcome', async () => {
    const doubtful = () => Promise.reject(new Ambiguous('reset', { call: 'POST /api/porting/1001' }));
    const client = { ...rig.submitParts().client, createPort: doubtful };
    expect(await submit(await rig.planOne('import-a', rows), { client })).toBe('unknown');
    expect(reads()).toBe(0);
    expect(complaints()).toEqual([]);
  });

  test('fault 46: for a duplicate, which is not followed', async () => {
    const message = await rig.planOne('import-a', rows);
    const createPort = async () => {
      const stuck = await rig.request('import-a');
      await rig.requests.replace(stuck, { ...stuck, state: 'planned' });
      await submit(message);
      return 'late-port';
    };
    await submit(message, { client: { ...rig.submitParts().client, createPort } });
    expect(reads()).toBe(1);
    expect(told).toEqual(['import-a']);
    expect(complaints()).toEqual([]);
  });
});

describe('a changed port', () => {
  test('is read, and report is notified of the import that created it', async () => {
    const portId = await makePort();
    expect(await submit(await cancellation(portId))).toBe('accepted');
    expect(told).toEqual(['made']);
    expect(await rig.ports.get(portId)).toMatchObject({ status: 'Cancelled' });
    expect(complaints()).toEqual([]);
  });

  test('stays that of its request, though it has the name of another by now', async () => {
    const portId = await makePort();
    await submit(await cancellation(portId), showing({ name: 'Other sim1-fedcba9876543210' }));
    expect(await rig.request('made')).toMatchObject({ state: 'created', portId });
    expect(await rig.ports.get(portId)).toMatchObject({ status: 'Cancelled' });
  });

  test('is not read when it is not followed, which is looked up once beside the two searches for a move', async () => {
    const portId = await makePort();
    let asked = 0;
    const get = async () => {
      asked += 1;
      return undefined;
    };
    await submit(await cancellation(portId), { ports: double({ get, rows: rig.ports.rows }) });
    expect(asked).toBe(3);
    expect(rig.calls).toEqual(['port', 'cancelPort']);
    expect(complaints()).toEqual([]);
  });

  test('is not read when its rows are not in the table', async () => {
    const portId = await makePort();
    await submit(await cancellation(portId), { ports: double({ get: rig.ports.get, rows: async () => undefined }) });
    expect(rig.calls).toEqual(['port', 'cancelPort']);
    expect(complaints()).toEqual([]);
  });

  test('fault 48: keeps the newer reading of sync', async () => {
    const portId = await makePort();
    const port = await rig.ports.get(portId);
    if (port === undefined) throw new Error('the port was not read back');
    const newer = { ...port, readAt: new Date(rig.service.now() + 1).toISOString() };
    await rig.ports.touch(port, newer);
    expect(await submit(await cancellation(portId))).toBe('accepted');
    expect(rig.calls).toEqual(['port', 'cancelPort', 'port']);
    expect(await rig.ports.get(portId)).toEqual(newer);
    expect(told).toEqual([]);
    expect(complaints()).toEqual([]);
  });
});

describe('a port that differs from the request', () => {
  const errors = () => kept.entries.filter(({ level }) => level === 'error');

  test('is logged as an error with everything that identifies it but no number, and its rows are counted', async () => {
    await submit(await rig.planOne('import-a', rows), holdingLess(1));
    const { portId } = await rig.request('import-a');
    const fields = { importId: 'import-a', request: 1, portId, rowCount: 1, actionRequired: 1 };
    expect(errors()).toEqual([{ level: 'error', message: 'the port differs from the request', fields }]);
    expect(rig.counts).toEqual({ requestsCreated: 1, actionRequired: 1 });
  });

  test('is logged once, and rows that require no action any more are not counted', async () => {
    const portId = await makePort(holdingLess(1));
    expect(await submit(await cancellation(portId), holdingLess(1))).toBe('accepted');
    expect(errors()).toEqual([]);
    expect(rig.counts).toEqual({ requestsCreated: 2, actionRequired: 1 });
  });

  test('is logged again when it differs in another way', async () => {
    const portId = await makePort(holdingLess(1), threeRows);
    const { client } = rig.submitParts(holdingLess(2));
    const cancelPort = async () => {};
    await submit(await cancellation(portId), { client: { ...client, cancelPort } });
    expect(errors()).toMatchObject([{ fields: { importId: 'made', rowCount: 1, actionRequired: 2 } }]);
  });

  test('is not logged once it has all numbers', async () => {
    const portId = await makePort(holdingLess(1));
    await submit(await cancellation(portId));
    expect(errors()).toEqual([]);
    expect((await rig.ports.get(portId))?.concern).toBeUndefined();
  });

  test('counts the rows that require action since the last reading', async () => {
    const portId = await makePort(holdingLess(1), threeRows);
    const { client } = rig.submitParts(holdingLess(2));
    const cancelPort = async () => {};
    await submit(await cancellation(portId), { client: { ...client, cancelPort } });
    expect(rig.counts).toEqual({ requestsCreated: 2, actionRequired: 2 });
  });
});
