// A request that created two ports: `first`, which is followed, and `second`, which a late answer named.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { resolveRequest } from '#functions/sync/resolve-request.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import type { ResolveAnswer } from '#shared/request/messages.ts';
import { applyAnswer } from '#shared/request/request-state.ts';
import { Ambiguous, NotFound, Rejected } from '#shared/service/errors.ts';
import type { ResultsServices } from '../../support/embedded/services.ts';
import { startTwinServices } from '../../support/in-memory/services.ts';
import { hour } from '../../support/service/simulator.ts';
import { msisdnOf, plannedRowOf, type Rig, startRig } from '../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

let services: ResultsServices;
let rig: Rig;
let first: string;
/** The status of the second port and of its rows, as the service shows them. */
let shown: { status: string; row: string };
let cancels: string[];
let warned: unknown[];

const second = 'second-port';
const about = { portId: second, importId: 'import-a', request: 1 };
const log = { ...silentLog, warn: (...told: unknown[]) => void warned.push(told) };
const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

beforeAll(async () => {
  services = await startTwinServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  expect(await rig.submit(await rig.planOne('import-a', rows))).toBe('created');
  const item = await rig.request('import-a');
  first = item.portId ?? '';
  const late = applyAnswer(item, 1, { kind: 'created', portId: second }, { now: rig.service.now(), quietMs: 0 });
  if (late !== undefined) await rig.requests.replace(item, late);
  shown = { status: 'Submitted', row: 'Submitted' };
  cancels = [];
  warned = [];
});

/** The service has the second port with the same numbers as the first. */
const client = (): SyncPipeline['client'] => ({
  ...rig.porting,
  port: async (portId) => {
    const detail = await rig.porting.port(first);
    if (portId !== second) return portId === first ? detail : rig.porting.port(portId);
    const rowsNow = detail.rows.map((row) => ({ ...row, statusName: shown.row }));
    return { ...detail, id: second, statusName: shown.status, rows: rowsNow };
  },
  cancelPort: async (portId) => {
    cancels.push(portId);
    if (portId === first) return rig.porting.cancelPort(first);
    shown.row = 'CancellationRequested';
  },
});

const keep = (portId: string, cancelOthers = false, changes: Partial<SyncPipeline> = {}): Promise<ResolveAnswer> =>
  resolveRequest(
    { importId: 'import-a', request: 1, what: { kind: 'keep', portId, cancelOthers }, by: 'Sam' },
    rig.syncParts({ client: client(), ...changes }),
  );
const because = (why: string, advice = '') => ({
  resolved: false,
  why: expect.stringContaining(why),
  advice: expect.stringContaining(advice),
});

describe('keeping the followed port', () => {
  test('cancels nothing without confirmation, and names the other port', async () => {
    expect(await keep(first)).toEqual(
      because(`${second} is Submitted`, `keep port ${first} and have the others cancelled`),
    );
    expect(cancels).toEqual([]);
    expect(await rig.request('import-a')).toMatchObject({ portId: first, duplicatePortIds: [second] });
  });

  test('cancels the other port once, and keeps it flagged until it has ended', async () => {
    const pending = { resolved: true, state: 'created', portId: first, waitsFor: [second] };
    expect(await keep(first, true)).toEqual(pending);
    expect(await keep(first, true)).toEqual(pending);
    expect(cancels).toEqual([second]);
    expect((await rig.ports.get(first))?.concern).toContain(second);
    shown = { status: 'Cancelled', row: 'Cancelled' };
    expect(await keep(first)).toEqual({ resolved: true, state: 'created', portId: first });
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ formerPortIds: [second], resolution: { what: 'keep', by: 'Sam' } });
    expect(request.duplicatePortIds).toBeUndefined();
    expect((await rig.ports.get(first))?.concern).toBeUndefined();
    expect(await keep(first)).toEqual(because('no second port'));
  });

  test('ignores a late answer that names the closed port again', async () => {
    shown = { status: 'Cancelled', row: 'Cancelled' };
    await keep(first);
    const item = await rig.request('import-a');
    expect(applyAnswer(item, 1, { kind: 'created', portId: second }, { now: 1, quietMs: 0 })).toBeUndefined();
  });

  test('is declined when the other port is locked, which is the one to keep', async () => {
    shown.status = 'Locked';
    expect(await keep(first, true)).toEqual(because(`${second} is Locked`, `Keep port ${second}`));
    expect(cancels).toEqual([]);
  });

  test('closes the other port at once if it is cancelled at once', async () => {
    const cancelPort = async () => {
      shown = { status: 'Cancelled', row: 'Cancelled' };
    };
    const answer = await keep(first, true, { client: { ...client(), cancelPort } });
    expect(answer).toEqual({ resolved: true, state: 'created', portId: first });
    expect(await rig.request('import-a')).toMatchObject({ formerPortIds: [second] });
  });

  test('does not read the list while the service shows each port', async () => {
    const listPorts = () => Promise.reject(new Error('nobody asks for it'));
    expect(await keep(first, true, { client: { ...client(), listPorts } })).toMatchObject({ resolved: true });
  });

  test('does not close a port that has not ended', async () => {
    await keep(first, true);
    expect(await rig.request('import-a')).not.toHaveProperty('formerPortIds');
  });

  test('keeps the other port flagged when the service declines to cancel it, and logs which port and why', async () => {
    const error = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call: 'DELETE', status: 400 });
    const refusing = { ...client(), cancelPort: () => Promise.reject(error) };
    expect(await keep(first, true, { client: refusing, log })).toMatchObject({ waitsFor: [second] });
    expect(await rig.request('import-a')).toMatchObject({ duplicatePortIds: [second] });
    expect(warned).toContainEqual(['the service declined to cancel a port', { ...about, error }]);
  });

  test('logs a cancellation, but not one of unknown outcome', async () => {
    const ambiguous = new Ambiguous('reset', { call: 'DELETE /port' });
    const lost = { ...client(), cancelPort: () => Promise.reject(ambiguous) };
    expect(await keep(first, true, { client: lost, log })).toEqual(because('could not be called'));
    expect(warned).toEqual([]);
    await keep(first, true, { log });
    expect(warned).toContainEqual(['the service was asked to cancel a duplicate port', about]);
  });

  test('works although a newer reading is known, and although the port has ended', async () => {
    await rig.porting.cancelPort(first);
    rig.pass(6 * hour);
    await rig.sync();
    expect((await rig.request('import-a')).endedAt).toBeDefined();
    shown = { status: 'Cancelled', row: 'Cancelled' };
    rig.pass(-1);
    expect(await keep(first)).toEqual({ resolved: true, state: 'created', portId: first });
    expect(await rig.request('import-a')).toMatchObject({ formerPortIds: [second], endedAt: expect.any(String) });
  });
});

test('a resolution whose run was killed before the other port was cancelled is carried out by the next run', async () => {
  const at = new Date(rig.service.now()).toISOString();
  const what = { kind: 'keep', portId: first, cancelOthers: true } as const;
  const resolve = (changes: Partial<SyncPipeline>) =>
    resolveRequest({ importId: 'import-a', request: 1, what, by: 'Sam', at }, rig.syncParts(changes));
  const killed = { ...client(), cancelPort: () => Promise.reject(new Error('killed')) };
  await expect(resolve({ client: killed })).rejects.toThrow('killed');
  const pending = { resolved: true, state: 'created', portId: first, waitsFor: [second] };
  expect(await resolve({ client: client() })).toEqual(pending);
  expect(cancels).toEqual([second]);
  shown = { status: 'Cancelled', row: 'Cancelled' };
  const done = { resolved: true, state: 'created', portId: first };
  expect(await resolve({ client: client() })).toEqual(done);
  expect(await resolve({ client: client() })).toEqual(done);
});

describe('keeping the other port', () => {
  test('follows it from now on, and the end of the former port ends neither the request nor its numbers', async () => {
    // A cancellation of a Submitted port takes some time.
    rig.pass(hour);
    expect(await keep(second, true)).toMatchObject({ resolved: true, portId: second, waitsFor: [first] });
    expect(cancels).toEqual([first]);
    expect(await rig.request('import-a')).toMatchObject({
      state: 'created',
      portId: second,
      duplicatePortIds: [first],
    });
    rig.pass(6 * hour);
    await rig.sync({ client: client() });
    expect((await rig.ports.get(first))?.status).toBe('Cancelled');
    expect((await rig.request('import-a')).endedAt).toBeUndefined();
    expect((await rig.numbers.get(msisdnOf(1)))?.latest?.ended ?? false).toBe(false);
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('skipped');
    expect(await keep(second)).toEqual({ resolved: true, state: 'created', portId: second });
    expect(await rig.request('import-a')).toMatchObject({ portId: second, formerPortIds: [first] });
    expect(await rig.ports.get(second)).toMatchObject({ importId: 'import-a', status: 'Submitted' });
  });

  test('is declined once the followed port has ended', async () => {
    await rig.porting.cancelPort(first);
    rig.pass(6 * hour);
    await rig.sync();
    expect((await rig.request('import-a')).endedAt).toBeDefined();
    expect(await keep(second)).toEqual(because('has ended, and with it the request', second));
  });
});

describe('a port that the service has purged', () => {
  const error = new NotFound({ message: 'no', fieldErrors: [], msisdns: [] }, { call: 'GET /port', status: 404 });
  const without = (...gone: string[]): SyncPipeline['client'] => {
    const whole = client();
    return { ...whole, port: async (id) => (gone.includes(id) ? Promise.reject(error) : whole.port(id)) };
  };

  test('is closed once neither its address nor the list shows it', async () => {
    expect(await keep(first, false, { client: without(second) })).toEqual({
      resolved: true,
      state: 'created',
      portId: first,
    });
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ portId: first, formerPortIds: [second] });
    expect(request.duplicatePortIds).toBeUndefined();
    expect((await rig.ports.get(first))?.concern).toBeUndefined();
  });

  test('can be the followed one: the other is kept instead', async () => {
    const list = async () => ({ total: 0, totalPages: 0, data: [] });
    const purged = { ...without(first), listPorts: list, port: withoutFirst };
    expect(await keep(second, false, { client: purged })).toMatchObject({ resolved: true, portId: second });
    expect(await rig.request('import-a')).toMatchObject({ portId: second, formerPortIds: [first] });
  });

  test('cannot be kept', async () => {
    expect(await keep(second, true, { client: without(second) })).toEqual(because(`does not know port ${second}`));
  });

  test('is not closed while the list shows it', async () => {
    // The list shows the first port under the name of the request.
    const hidden = { ...client(), port: withoutFirst };
    expect(await keep(second, true, { client: hidden })).toEqual(because('does not prove that it is gone'));
    expect(await rig.request('import-a')).toMatchObject({ portId: first, duplicatePortIds: [second] });
  });

  test('is not closed when the next reading shows it', async () => {
    let looks = 0;
    const port: SyncPipeline['client']['port'] = async (id) => {
      if (id === second) looks += 1;
      return id === second && looks === 1 ? Promise.reject(error) : client().port(id);
    };
    expect(await keep(first, true, { client: { ...client(), port } })).toEqual(
      because('does not prove that it is gone'),
    );
    expect(cancels).toEqual([]);
  });

  test('is not closed when the list cannot be read to its end', async () => {
    const row = { ...(await rig.porting.listPorts(1)).data[0], name: 'another' };
    let shown = 0;
    const endless = async () => {
      shown += 1;
      return { total: 1_000_000, totalPages: 1_000_000, data: [{ ...row, id: `port-${shown}` }] as never };
    };
    expect(await keep(first, true, { client: { ...without(second), listPorts: endless } })).toEqual(
      because('does not prove that it is gone'),
    );
    expect(cancels).toEqual([]);
  });

  /** The second port is shown as before, but the first is not. */
  async function withoutFirst(portId: string) {
    if (portId === first) throw error;
    return client().port(portId);
  }
});

test('declines a port of another request, one with other numbers, a cancelled one, and a state without a port', async () => {
  expect(await keep('another')).toEqual(because('none of its ports'));
  const short = async (portId: string) => {
    const detail = await client().port(portId);
    return { ...detail, rows: detail.rows.slice(1) };
  };
  expect(await keep(first, true, { client: { ...client(), port: short } })).toEqual(because('does not have exactly'));
  shown = { status: 'Cancelled', row: 'Cancelled' };
  expect(await keep(second, true)).toEqual(because('is Cancelled', `Keep ${first}`));
  const item = await rig.request('import-a');
  await rig.requests.replace(item, { ...item, state: 'action-required' });
  expect(await keep(first)).toEqual(because('action-required'));
  expect(cancels).toEqual([]);
});

describe('a number whose row has ended in the followed port, and is live in the other one', () => {
  const number = msisdnOf(1);

  beforeEach(async () => {
    rig.pass(hour);
    await rig.sync({ client: client() });
    const [row] = (await rig.porting.port(first)).rows;
    const left = { Msisdn: row?.msisdn ?? '', PortRowStatus: 'CancellationRequested' as const };
    await rig.porting.updatePort(first, { Rows: [left] });
    rig.pass(24 * hour);
    await rig.sync({ client: client() });
    expect((await rig.numbers.get(number))?.latest).toMatchObject({ portId: first, ended: true });
  });

  /** Another import sends it before the other port is known. */
  const sendElsewhere = async (createPort: () => Promise<string>) => {
    rig.breaks(`I5 request 1 of import-a lost port ${second}`);
    const known = await rig.request('import-a');
    const { duplicatePortIds, ...before } = known;
    const hidden = await rig.requests.replace(known, before);
    const message = await rig.planOne('import-b', [plannedRowOf(1, 5)]);
    const state = await rig.submit(message, { client: { ...rig.submitParts().client, createPort } });
    if (hidden !== undefined) await rig.requests.replace(hidden, { ...hidden, duplicatePortIds });
    return state;
  };

  test('is sent by no other import before a person has chosen a port', async () => {
    expect(await rig.submit(await rig.planOne('import-b', [plannedRowOf(1, 5)]))).toBe('skipped');
  });

  test('is claimed again once a person keeps the other port, so no other import sends it', async () => {
    expect(await keep(second, true)).toMatchObject({ resolved: true, portId: second });
    expect((await rig.numbers.get(number))?.latest).toMatchObject({ portId: second, ended: false });
    expect(await rig.submit(await rig.planOne('import-b', [plannedRowOf(1, 2)]))).toBe('skipped');
  });

  test('is claimed again also from an import that has ended without it', async () => {
    const error = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call: 'POST', status: 400 });
    expect(await sendElsewhere(() => Promise.reject(error))).toBe('declined');
    expect(await keep(second, true)).toMatchObject({ resolved: true, portId: second });
    expect(await rig.numbers.get(number)).toMatchObject({ importId: 'import-a', line: 2, latest: { portId: second } });
  });

  test('stays with another import that has claimed it meanwhile: the other port cannot be kept', async () => {
    expect(await sendElsewhere(() => Promise.resolve('port-of-import-b'))).toBe('created');
    const why = `${number} is already in progress on line 5 of import import-b`;
    expect(await keep(second, true)).toEqual(
      because(why, `Cancel that import, or cancel port ${second} in the portal`),
    );
    expect(await rig.request('import-a')).toMatchObject({ portId: first });
    expect(cancels).toEqual([]);
  });
});
