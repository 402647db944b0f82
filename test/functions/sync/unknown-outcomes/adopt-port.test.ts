// Edge cases of adopting a port and of its first reading: the plan, the lines that were sent, and simultaneous changes.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { adoptFoundPorts, readCreatedPort } from '#functions/sync/unknown-outcomes/adopt-port.ts';
import type { PortItem } from '#shared/port/port.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import type { PlannedRow, RequestItem } from '#shared/request/request.ts';
import { Ambiguous, NotFound, Unavailable } from '#shared/service/errors.ts';
import { double } from '../../../support/double.ts';
import type { ResultsServices } from '../../../support/embedded/services.ts';
import { startTwinServices } from '../../../support/in-memory/services.ts';
import { minute } from '../../../support/service/simulator.ts';
import { iso, portItemOf } from '../../../support/steps/ledger-items.ts';
import { plannedRowOf, type Rig, startRig } from '../../../support/steps/submit-and-sync.ts';
import { expiredPlans, silentLog } from '../../../support/steps/test-pipeline.ts';

let services: ResultsServices;
let rig: Rig;
/** The fields that were logged. */
let logged: unknown[];

beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  logged = [];
});

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const about = { importId: 'import-a', request: 1 };
const noPlan = { plans: expiredPlans };

const parts = (changes: Partial<SyncPipeline> = {}): SyncPipeline => {
  const note = (_message: string, details?: object) => void logged.push(details);
  return rig.syncParts({ log: { ...silentLog, warn: note, error: note }, ...changes });
};

/** Submits, loses the answer after the port was created, and returns the id of the port. */
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

const unknownOutcome = async (planned: readonly PlannedRow[] = rows): Promise<readonly [RequestItem, string]> => {
  const portId = await makePort(await rig.planOne('import-a', planned));
  return [await rig.request('import-a'), portId];
};

describe('a port with the name of a request', () => {
  test('is adopted, followed from then on, and logged', async () => {
    const [item, portId] = await unknownOutcome();
    expect(await adoptFoundPorts(item, [portId], parts())).toBe('adopted');
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', portId, portStatus: 'Created' });
    expect(request.dueAt).toBeUndefined();
    expect(await rig.ports.get(portId)).toMatchObject({ rowCount: 2, dueAt: expect.any(String) });
    expect(logged).toEqual([{ ...about, portId, duplicates: [] }]);
    expect(rig.counts).not.toHaveProperty('duplicates');
  });

  test('is compared with the lines that were sent, not with excluded ones', async () => {
    await rig.submit(await rig.planOne('import-b', [plannedRowOf(2, 2)]));
    const [item, portId] = await unknownOutcome();
    expect(item).toMatchObject({ lines: '2', excludedRows: [{ line: 3 }] });
    expect(await adoptFoundPorts(item, [portId], parts())).toBe('adopted');
    expect(await rig.ports.rows(portId)).toMatchObject([{ line: 2 }]);
  });

  test('is not adopted when the lines that were sent are unknown', async () => {
    const [item, portId] = await unknownOutcome();
    const { lines: _unknown, ...rest } = item;
    expect(await adoptFoundPorts(rest, [portId], parts())).toBe('actionRequired');
  });

  test('is adopted by the claims of its numbers once the plan has expired', async () => {
    const [item, portId] = await unknownOutcome();
    expect(await adoptFoundPorts(item, [portId], parts(noPlan))).toBe('adopted');
    expect(await rig.ports.rows(portId)).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  test.each([
    ['another import', { importId: 'import-b' }],
    ['another request', { request: 2 }],
    ['a line that was not sent', { line: 9 }],
    ['the line of another number', { line: 3 }],
  ])('requires action when a number is claimed for %s, once the plan has expired', async (_what, changes) => {
    const [item, portId] = await unknownOutcome();
    const get = async (number: string) => {
      const claim = await rig.numbers.get(number);
      return claim?.line === 2 ? { ...claim, ...changes } : claim;
    };
    expect(await adoptFoundPorts(item, [portId], parts({ ...noPlan, numbers: double({ get }) }))).toBe(
      'actionRequired',
    );
    const error = { message: expect.stringContaining('with other numbers') };
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required', error });
    expect(logged).toMatchObject([about]);
    expect(rig.counts).toMatchObject({ requestsUnresolved: 1 });
  });

  test('requires action when it lacks a claimed number, once the plan has expired', async () => {
    const [item, portId] = await unknownOutcome();
    const short = async (id: string) => {
      const detail = await rig.porting.port(id);
      return { ...detail, rows: detail.rows.slice(1) };
    };
    expect(await adoptFoundPorts(item, [portId], parts({ ...noPlan, client: { ...rig.porting, port: short } }))).toBe(
      'actionRequired',
    );
  });

  test('is left as it is when the request changed meanwhile', async () => {
    const [item, portId] = await unknownOutcome();
    await rig.requests.replace(item, { ...item, state: 'created', portId });
    const changed = await rig.request('import-a');
    expect(await adoptFoundPorts(item, [portId], parts())).toBeUndefined();
    expect(await adoptFoundPorts(item, [portId], parts(noPlan))).toBeUndefined();
    expect(await adoptFoundPorts(item, [], parts())).toBeUndefined();
    expect(await rig.request('import-a')).toEqual(changed);
  });
});

describe('the first reading of a port', () => {
  const created = async (): Promise<RequestItem> => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    await rig.submit(await rig.planOne('import-a', rows), { client: deaf });
    return rig.request('import-a');
  };

  test('verifies the claims of its numbers once the plan has expired', async () => {
    const item = await created();
    expect(await readCreatedPort(item, parts(noPlan))).toBe(true);
    expect(await rig.ports.rows(item.portId ?? '')).toMatchObject([{ line: 2 }, { line: 3 }]);
  });

  test('requires action when the port has other numbers, once the plan has expired', async () => {
    const numbers = { get: async () => undefined };
    expect(await readCreatedPort(await created(), parts({ ...noPlan, numbers: double(numbers) }))).toBe(true);
    const error = { message: expect.stringContaining('the plan has expired') };
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required', error });
  });

  /** The service shows the port like this. */
  const showing = (changes: object) => ({
    client: { ...rig.porting, port: async (id: string) => ({ ...(await rig.porting.port(id)), ...changes }) },
  });
  const otherName = { name: 'Other sim1-fedcba9876543210' };

  test('of another request is logged, and the own port is searched', async () => {
    const item = await created();
    expect(await readCreatedPort(item, parts(showing(otherName)))).toBe(true);
    expect(logged).toMatchObject([{ ...about, id: item.portId }]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', unverified: { answer: 'port-id' } });
    expect(await readCreatedPort(item, parts(showing(otherName)))).toBe(false);
  });

  test.each([{ importId: 'import-b' }, { request: 2 }])('does not use what is stored for %j', async (owner) => {
    const item = await created();
    const stored = { get: async () => portItemOf({ ...about, ...owner }), rows: async () => [] };
    const ports = { ...rig.ports, ...stored };
    expect(await readCreatedPort(item, parts({ ...showing(otherName), ports }))).toBe(true);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', unverified: { answer: 'port-id' } });
  });

  test('whose name has no token is that of the request if it has the same numbers', async () => {
    const item = await created();
    expect(await readCreatedPort(item, parts(showing({ name: 'Group' })))).toBe(true);
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portStatus: 'Created' });
    expect(logged).toEqual([]);
  });

  test('that differs from the request is counted and logged, as when submit reads it', async () => {
    const item = await created();
    const short = async (id: string) => {
      const detail = await rig.porting.port(id);
      return { ...detail, rows: detail.rows.slice(1), rowCount: detail.rows.length - 1 };
    };
    const client = { ...rig.porting, port: short };
    expect(await readCreatedPort(item, parts({ client }))).toBe(true);
    const { concern } = (await rig.ports.get(item.portId ?? '')) ?? {};
    expect(concern).toEqual(expect.any(String));
    expect(rig.counts.actionRequired).toBeGreaterThan(0);
    expect(logged).toMatchObject([{ ...about, portId: item.portId, rowCount: 1 }]);
  });

  test('fault 48: changes nothing when a newer reading is known', async () => {
    const item = await created();
    expect(await readCreatedPort(item, parts())).toBe(true);
    const seen = (await rig.ports.get(item.portId ?? '')) as PortItem;
    const next = { ...seen, readAt: iso(rig.service.now() + 2 * minute) };
    await rig.ports.record({ seen, next, rows: (await rig.ports.rows(seen.portId)) ?? [] });
    expect(await readCreatedPort(item, parts())).toBe(false);
    expect(await rig.ports.get(seen.portId)).toEqual(next);
  });
});

describe('a further reading of a port', () => {
  const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
  const gone = new NotFound(refusal, { call: 'GET /port', status: 404 });
  const failing = (error: Error) => ({ client: { ...rig.porting, port: () => Promise.reject(error) } });
  const followed = async (): Promise<RequestItem> => {
    await rig.submit(await rig.planOne('import-a', rows));
    const item = await rig.request('import-a');
    await rig.requests.replace(item, { ...item, duplicatePortIds: ['another'], dueAt: item.changedAt });
    return rig.request('import-a');
  };

  test('fault 48: uses what is known when the service does not know the port any more', async () => {
    const item = await followed();
    expect(await readCreatedPort(item, parts(failing(gone)))).toBe(true);
    expect(await rig.ports.get(item.portId ?? '')).toMatchObject({ missingReads: 1, concern: expect.any(String) });
    expect(logged).toEqual([{ ...about, portId: item.portId }]);
  });

  test('fault 48: changes nothing for a missing port when a newer reading is known', async () => {
    const item = await followed();
    rig.pass(-minute);
    expect(await readCreatedPort(item, parts(failing(gone)))).toBe(false);
    expect(await rig.ports.get(item.portId ?? '')).toMatchObject({ missingReads: 0 });
  });

  test.each(['get', 'rows'] as const)('is like a first reading when the table has no %s', async (lost) => {
    const item = await followed();
    const ports = { ...rig.ports, [lost]: async () => undefined };
    await expect(readCreatedPort(item, parts({ ...failing(gone), ports }))).rejects.toBe(gone);
  });

  test('changes nothing after any other failure', async () => {
    const failure = new Unavailable('503', { call: 'GET /port' });
    await expect(readCreatedPort(await followed(), parts(failing(failure)))).rejects.toBe(failure);
  });
});
