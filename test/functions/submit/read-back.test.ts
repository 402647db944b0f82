// What is read of a port after the call that made or changed it: sync does it again, so nothing here may fail the message,
// and nothing may be told twice or left untold.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { OutOfTime } from '#functions/submit/out-of-time.ts';
import type { SubmitParts } from '#functions/submit/parts.ts';
import type { SubmitMessage } from '#shared/domain/plan.ts';
import { Ambiguous, Unavailable } from '#shared/porting/errors.ts';
import { planRequest } from '../../support/changes-rig.ts';
import { startKeptLog } from '../../support/kept-log.ts';
import { plannedRowOf, type Rig, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;
let told: string[];
let kept: ReturnType<typeof startKeptLog>;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  told = [];
  kept = startKeptLog();
});

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const reads = () => rig.calls.filter((name) => name === 'port').length;
const submit = (message: SubmitMessage, changes: Partial<SubmitParts> = {}) =>
  rig.submit(message, { log: kept.log, alsoChanged: (importId) => told.push(importId), ...changes });
/** What people read: everything but that a call was made. */
const complaints = () => kept.entries.filter(({ level }) => level === 'warn' || level === 'error');

/** A service whose port does not hold the first so many of the rows. */
const holdingLess = (missing: number): Partial<SubmitParts> => {
  const { client } = rig.submitParts();
  const port: typeof client.port = async (id) => {
    const detail = await client.port(id);
    return { ...detail, rowCount: detail.rows.length - missing, rows: detail.rows.slice(missing) };
  };
  return { client: { ...client, port } };
};

/** A port that import `made` made, read back; forgets what was seen of that. */
const makePort = async (changes: Partial<SubmitParts> = {}): Promise<string> => {
  await submit(await rig.planOne('made', rows), changes);
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

describe('a port that was made', () => {
  test('is read once, and its import is told', async () => {
    await submit(await rig.planOne('import-a', rows));
    expect(reads()).toBe(1);
    expect(told).toEqual(['import-a']);
    expect(rig.counts).toEqual({ requestsCreated: 1 });
    expect(complaints()).toEqual([]);
  });

  test('is left to sync when the time is up, and the log says so', async () => {
    const remainingMs = () => (rig.calls.includes('createPort') ? 4_999 : 60_000);
    expect(await submit(await rig.planOne('import-a', rows), { remainingMs })).toBe('created');
    expect(reads()).toBe(0);
    expect(complaints()).toEqual([
      {
        level: 'warn',
        message: 'the port was not read back yet',
        fields: { importId: 'import-a', request: 1, error: expect.any(OutOfTime) },
      },
    ]);
    expect((await rig.request('import-a')).dueAt).toBeDefined();
  });

  test('is read when the time is just enough to record it', async () => {
    const remainingMs = () => (rig.calls.includes('createPort') ? 5_000 : 60_000);
    await submit(await rig.planOne('import-a', rows), { remainingMs });
    expect(reads()).toBe(1);
  });

  test('is left to sync when the service cannot be asked, and the log says why', async () => {
    const error = new Unavailable('503', { call: 'GET /api/porting/1001/port' });
    const client = { ...rig.submitParts().client, port: () => Promise.reject(error) };
    expect(await submit(await rig.planOne('import-a', rows), { client })).toBe('created');
    expect(complaints()).toMatchObject([{ level: 'warn', fields: { importId: 'import-a', request: 1, error } }]);
    expect(told).toEqual([]);
  });

  test('is read once more when sync wrote a look meanwhile, and told once', async () => {
    const { looks } = rig.submitParts();
    let writes = 0;
    const record: typeof looks.record = async (look) => {
      writes += 1;
      return writes > 1 && looks.record(look);
    };
    await submit(await rig.planOne('import-a', rows), { looks: { record } });
    expect(reads()).toBe(2);
    expect(told).toEqual(['import-a']);
  });

  test('is given up after three looks that others were quicker with: they have told', async () => {
    const short = holdingLess(1);
    await submit(await rig.planOne('import-a', rows), { ...short, looks: { record: async () => false } });
    expect(reads()).toBe(3);
    expect(told).toEqual([]);
    expect(complaints()).toEqual([]);
    expect(rig.counts).toEqual({ requestsCreated: 1 });
  });
});

describe('nothing is read', () => {
  test('of a ticket', async () => {
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

  test('of a call in doubt', async () => {
    const doubtful = () => Promise.reject(new Ambiguous('reset', { call: 'POST /api/porting/1001' }));
    const client = { ...rig.submitParts().client, createPort: doubtful };
    expect(await submit(await rig.planOne('import-a', rows), { client })).toBe('unknown');
    expect(reads()).toBe(0);
    expect(complaints()).toEqual([]);
  });

  test('fault 46: of a duplicate, which nobody follows', async () => {
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

describe('a port that was changed', () => {
  test('is read, and the import that made it is told', async () => {
    const portId = await makePort();
    expect(await submit(await cancellation(portId))).toBe('accepted');
    expect(told).toEqual(['made']);
    expect(await rig.ports.get(portId)).toMatchObject({ status: 'Cancelled' });
    expect(complaints()).toEqual([]);
  });

  test('is not read where nobody follows it: it is looked for once', async () => {
    const portId = await makePort();
    let asked = 0;
    const get = async () => {
      asked += 1;
      return undefined;
    };
    await submit(await cancellation(portId), { ports: { get, rows: rig.ports.rows } });
    expect(asked).toBe(1);
    expect(rig.calls).toEqual(['port', 'cancelPort']);
    expect(complaints()).toEqual([]);
  });

  test('is not read where its rows never were', async () => {
    const portId = await makePort();
    await submit(await cancellation(portId), { ports: { get: rig.ports.get, rows: async () => undefined } });
    expect(rig.calls).toEqual(['port', 'cancelPort']);
    expect(complaints()).toEqual([]);
  });

  test('fault 48: is as a newer look of sync says, which is not undone', async () => {
    const portId = await makePort();
    const port = await rig.ports.get(portId);
    if (port === undefined) throw new Error('the port was not read back');
    const newer = { ...port, lookedAt: new Date(rig.service.now() + 1).toISOString() };
    await rig.ports.touch(port, newer);
    expect(await submit(await cancellation(portId))).toBe('accepted');
    expect(rig.calls).toEqual(['port', 'cancelPort', 'port']);
    expect(await rig.ports.get(portId)).toEqual(newer);
    expect(told).toEqual([]);
    expect(complaints()).toEqual([]);
  });
});

describe('a port that is not what was sent', () => {
  const errors = () => kept.entries.filter(({ level }) => level === 'error');

  test('is an error in the log, with all by which it can be found but no number, and its rows are counted', async () => {
    await submit(await rig.planOne('import-a', rows), holdingLess(1));
    const { portId } = await rig.request('import-a');
    const fields = { importId: 'import-a', request: 1, portId, rowCount: 1, attention: 1 };
    expect(errors()).toEqual([{ level: 'error', message: 'the port is not what was sent', fields }]);
    expect(rig.counts).toEqual({ requestsCreated: 1, attention: 1 });
  });

  test('is told once; what waits for nobody any more is not counted', async () => {
    const portId = await makePort(holdingLess(1));
    expect(await submit(await cancellation(portId), holdingLess(1))).toBe('accepted');
    expect(errors()).toEqual([]);
    expect(rig.counts).toEqual({ requestsCreated: 2, attention: 1 });
  });

  test('is told again where it differs in another way', async () => {
    const portId = await makePort(holdingLess(1));
    await submit(await cancellation(portId), holdingLess(2));
    expect(errors()).toMatchObject([{ fields: { importId: 'made', rowCount: 0, attention: 2 } }]);
  });

  test('is none any more where it holds all that was sent', async () => {
    const portId = await makePort(holdingLess(1));
    await submit(await cancellation(portId));
    expect(errors()).toEqual([]);
    expect((await rig.ports.get(portId))?.concern).toBeUndefined();
  });

  test('counts the rows that came to wait since the last look', async () => {
    const portId = await makePort(holdingLess(1));
    const { client } = rig.submitParts(holdingLess(2));
    const cancelPort = async () => {};
    await submit(await cancellation(portId), { client: { ...client, cancelPort } });
    expect(rig.counts).toEqual({ requestsCreated: 2, attention: 2 });
  });
});
