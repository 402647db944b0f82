// Adoption and the first look at a port, at their edges: the plan, the lines that were sent, and what others did meanwhile.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adopt, settle } from '#functions/sync/adopt.ts';
import type { SyncParts } from '#functions/sync/parts.ts';
import type { RequestItem } from '#shared/domain/ledger.ts';
import type { PlannedRow, SubmitMessage } from '#shared/domain/plan.ts';
import { Ambiguous, NotFound, Unavailable } from '#shared/porting/errors.ts';
import { minute } from '../../support/porting-service.ts';
import { plannedRowOf, type Rig, silentLog, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;
/** What was logged of a request. */
let logged: unknown[];

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  logged = [];
});

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const about = { importId: 'import-a', request: 1 };
const noPlan = { plans: { read: async () => undefined } };

const parts = (changes: Partial<SyncParts> = {}): SyncParts => {
  const note = (_message: string, details?: object) => void logged.push(details);
  return rig.syncParts({ log: { ...silentLog, warn: note, error: note }, ...changes });
};

/** Submits, and loses the answer after the port was made; answers the port's id. */
const makePort = async (message: SubmitMessage): Promise<string> => {
  const { client } = rig.submitParts();
  let made = '';
  const createPort = async (body: Parameters<typeof client.createPort>[0]) => {
    made = await client.createPort(body);
    throw new Ambiguous('reset', { call: 'POST /api/porting/1001' });
  };
  await rig.submit(message, { client: { ...client, createPort } });
  return made;
};

const inDoubt = async (planned: readonly PlannedRow[] = rows): Promise<readonly [RequestItem, string]> => {
  const portId = await makePort(await rig.planOne('import-a', planned));
  return [await rig.request('import-a'), portId];
};

describe('a port that is found under the name of a request', () => {
  test('is adopted, followed from then on, and told of in the log', async () => {
    const [item, portId] = await inDoubt();
    expect(await adopt(item, [portId], parts())).toBe('adopted');
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', portId, portStatus: 'Created' });
    expect(request.dueAt).toBeUndefined();
    expect(await rig.ports.get(portId)).toMatchObject({ rowCount: 2, dueAt: expect.any(String) });
    expect(logged).toEqual([{ ...about, portId, duplicates: undefined }]);
    expect(rig.counts).not.toHaveProperty('duplicates');
  });

  test('is compared with the lines that were sent, not with those that were withdrawn', async () => {
    await rig.submit(await rig.planOne('import-b', [plannedRowOf(2, 2)]));
    const [item, portId] = await inDoubt();
    expect(item).toMatchObject({ lines: '2', withdrawn: [{ line: 3 }] });
    expect(await adopt(item, [portId], parts())).toBe('adopted');
    expect(await rig.ports.rows(portId)).toMatchObject([{ line: 2 }]);
  });

  test('is nobody’s where it is not known which lines were sent', async () => {
    const [item, portId] = await inDoubt();
    const { lines: _unknown, ...rest } = item;
    expect(await adopt(rest, [portId], parts())).toBe('people');
  });

  test('is adopted by the claims of its numbers once the plan has expired', async () => {
    const [item, portId] = await inDoubt();
    expect(await adopt(item, [portId], parts(noPlan))).toBe('adopted');
    expect(await rig.ports.rows(portId)).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  test.each([
    ['another import', { importId: 'import-b' }],
    ['another request', { request: 2 }],
    ['a line that was not sent', { line: 9 }],
    ['the line of another number', { line: 3 }],
  ])('is left to a person where a number is claimed for %s, once the plan has expired', async (_what, changes) => {
    const [item, portId] = await inDoubt();
    const get = async (number: string) => {
      const claim = await rig.numbers.get(number);
      return claim?.line === 2 ? { ...claim, ...changes } : claim;
    };
    expect(await adopt(item, [portId], parts({ ...noPlan, numbers: { get } }))).toBe('people');
    const error = { message: expect.stringContaining('with other numbers') };
    expect(await rig.request('import-a')).toMatchObject({ state: 'needs-human', error });
    expect(logged).toEqual([about]);
  });

  test('is left to a person where it lacks a number that was claimed, once the plan has expired', async () => {
    const [item, portId] = await inDoubt();
    const short = async (id: string) => {
      const detail = await rig.porting.port(id);
      return { ...detail, rows: detail.rows.slice(1) };
    };
    expect(await adopt(item, [portId], parts({ ...noPlan, client: { ...rig.porting, port: short } }))).toBe('people');
  });

  test('is left as it is where the request changed meanwhile', async () => {
    const [item, portId] = await inDoubt();
    await rig.requests.replace(item, { ...item, state: 'created', portId });
    const changed = await rig.request('import-a');
    expect(await adopt(item, [portId], parts())).toBeUndefined();
    expect(await adopt(item, [portId], parts(noPlan))).toBeUndefined();
    expect(await adopt(item, [], parts())).toBeUndefined();
    expect(await rig.request('import-a')).toEqual(changed);
  });
});

describe('a port that is read for the first time', () => {
  const created = async (): Promise<RequestItem> => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    await rig.submit(await rig.planOne('import-a', rows), { client: deaf });
    return rig.request('import-a');
  };

  test('is known by the claims of its numbers once the plan has expired', async () => {
    const item = await created();
    expect(await settle(item, parts(noPlan))).toBe(true);
    expect(await rig.ports.rows(item.portId ?? '')).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  test('is left to a person where it holds other numbers, once the plan has expired', async () => {
    const numbers = { get: async () => undefined };
    expect(await settle(await created(), parts({ ...noPlan, numbers }))).toBe(true);
    const error = { message: expect.stringContaining('the plan has expired') };
    expect(await rig.request('import-a')).toMatchObject({ state: 'needs-human', error });
  });

  test('fault 48: tells nothing where a newer look is known', async () => {
    const item = await created();
    expect(await settle(item, parts())).toBe(true);
    const seen = await rig.ports.get(item.portId ?? '');
    rig.pass(-minute);
    expect(await settle(item, parts())).toBe(false);
    expect(await rig.ports.get(item.portId ?? '')).toEqual(seen);
  });
});

describe('a port that was read before and is to be read again', () => {
  const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
  const gone = new NotFound(refusal, { call: 'GET /port', status: 404 });
  const failing = (error: Error) => ({ client: { ...rig.porting, port: () => Promise.reject(error) } });
  const followed = async (): Promise<RequestItem> => {
    await rig.submit(await rig.planOne('import-a', rows));
    const item = await rig.request('import-a');
    await rig.requests.replace(item, { ...item, duplicatePortIds: ['another'], dueAt: item.changedAt });
    return rig.request('import-a');
  };

  test('fault 48: is told of by what is known of it where the service does not know it any more', async () => {
    const item = await followed();
    expect(await settle(item, parts(failing(gone)))).toBe(true);
    expect(await rig.ports.get(item.portId ?? '')).toMatchObject({ missingLooks: 1, concern: expect.any(String) });
    expect(logged).toEqual([{ ...about, portId: item.portId }]);
  });

  test('fault 48: tells nothing where a newer look is known, though it is missing', async () => {
    const item = await followed();
    rig.pass(-minute);
    expect(await settle(item, parts(failing(gone)))).toBe(false);
    expect(await rig.ports.get(item.portId ?? '')).toMatchObject({ missingLooks: 0 });
  });

  test.each(['get', 'rows'] as const)('is as one that was never read where the table has lost its %s', async (lost) => {
    const item = await followed();
    const ports = { ...rig.ports, [lost]: async () => undefined };
    await expect(settle(item, parts({ ...failing(gone), ports }))).rejects.toBe(gone);
  });

  test('is left as it is by any other failure', async () => {
    const failure = new Unavailable('503', { call: 'GET /port' });
    await expect(settle(await followed(), parts(failing(failure)))).rejects.toBe(failure);
  });
});
