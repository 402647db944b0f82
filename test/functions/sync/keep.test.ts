// A request that made two ports: `first`, which is followed, and `second`, which a late answer named.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { decide } from '#functions/sync/decide.ts';
import type { SyncParts } from '#functions/sync/parts.ts';
import type { DecisionAnswer } from '#shared/domain/decision.ts';
import { answered } from '#shared/domain/request-state.ts';
import { Ambiguous, NotFound, Rejected } from '#shared/porting/errors.ts';
import { hour } from '../../support/porting-service.ts';
import { msisdnOf, plannedRowOf, type Rig, silentLog, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;
let first: string;
/** The status of the second port, and of its rows, as the service shows them. */
let shown: { status: string; row: string };
let cancels: string[];
let warned: unknown[];

const second = 'second-port';
const about = { portId: second, importId: 'import-a', request: 1 };
const log = { ...silentLog, warn: (...told: unknown[]) => void warned.push(told) };
const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
  expect(await rig.submit(await rig.planOne('import-a', rows))).toBe('created');
  const item = await rig.request('import-a');
  first = item.portId ?? '';
  const late = answered(item, 1, { kind: 'created', portId: second }, { now: rig.service.now(), quietMs: 0 });
  if (late !== undefined) await rig.requests.replace(item, late);
  shown = { status: 'Submitted', row: 'Submitted' };
  cancels = [];
  warned = [];
});

/** The service has the second port beside the first, with the same numbers. */
const client = (): SyncParts['client'] => ({
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

const keep = (portId: string, cancelOthers = false, changes: Partial<SyncParts> = {}): Promise<DecisionAnswer> =>
  decide(
    { importId: 'import-a', request: 1, what: { kind: 'keep', portId, cancelOthers }, by: 'Sam' },
    rig.syncParts({ client: client(), ...changes }),
  );
const because = (why: string, advice = '') => ({
  decided: false,
  why: expect.stringContaining(why),
  advice: expect.stringContaining(advice),
});

describe('the port that is followed stays', () => {
  test('nothing is cancelled before a person says so, and the answer names the other port', async () => {
    expect(await keep(first)).toEqual(because(`${second} is Submitted`, `--keep ${first} --yes`));
    expect(cancels).toEqual([]);
    expect(await rig.request('import-a')).toMatchObject({ portId: first, duplicatePortIds: [second] });
  });

  test('the other one is cancelled once, stays flagged until it is over, and is settled then', async () => {
    const pending = { decided: true, state: 'created', portId: first, waitsFor: [second] };
    expect(await keep(first, true)).toEqual(pending);
    expect(await keep(first, true)).toEqual(pending);
    expect(cancels).toEqual([second]);
    expect((await rig.ports.get(first))?.concern).toContain(second);
    shown = { status: 'Cancelled', row: 'Cancelled' };
    expect(await keep(first)).toEqual({ decided: true, state: 'created', portId: first });
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ formerPortIds: [second], decided: { what: 'keep', by: 'Sam' } });
    expect(request.duplicatePortIds).toBeUndefined();
    expect((await rig.ports.get(first))?.concern).toBeUndefined();
    expect(await keep(first)).toEqual(because('no second port'));
  });

  test('a late answer that names the settled port again changes nothing', async () => {
    shown = { status: 'Cancelled', row: 'Cancelled' };
    await keep(first);
    const item = await rig.request('import-a');
    expect(answered(item, 1, { kind: 'created', portId: second }, { now: 1, quietMs: 0 })).toBeUndefined();
  });

  test('what is locked cannot be cancelled any more, and is the one to keep', async () => {
    shown.status = 'Locked';
    expect(await keep(first, true)).toEqual(because(`${second} is Locked`, `--keep ${second}`));
    expect(cancels).toEqual([]);
  });

  test('the other one is settled at once where its cancel has taken effect', async () => {
    const cancelPort = async () => {
      shown = { status: 'Cancelled', row: 'Cancelled' };
    };
    const answer = await keep(first, true, { client: { ...client(), cancelPort } });
    expect(answer).toEqual({ decided: true, state: 'created', portId: first });
    expect(await rig.request('import-a')).toMatchObject({ formerPortIds: [second] });
  });

  test('while the service shows each port, the list is not read', async () => {
    const listPorts = () => Promise.reject(new Error('nobody asks for it'));
    expect(await keep(first, true, { client: { ...client(), listPorts } })).toMatchObject({ decided: true });
  });

  test('what is not over yet is not settled', async () => {
    await keep(first, true);
    expect(await rig.request('import-a')).not.toHaveProperty('formerPortIds');
  });

  test('a service that refuses to cancel leaves it flagged, and the log says which port and why', async () => {
    const error = new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, { call: 'DELETE', status: 400 });
    const refusing = { ...client(), cancelPort: () => Promise.reject(error) };
    expect(await keep(first, true, { client: refusing, log })).toMatchObject({ waitsFor: [second] });
    expect(await rig.request('import-a')).toMatchObject({ duplicatePortIds: [second] });
    expect(warned).toContainEqual(['the service would not cancel a port', { ...about, error }]);
  });

  test('a cancel is told in the log; of one whose answer was lost nobody says that it was taken', async () => {
    const ambiguous = new Ambiguous('reset', { call: 'DELETE /port' });
    const lost = { ...client(), cancelPort: () => Promise.reject(ambiguous) };
    expect(await keep(first, true, { client: lost, log })).toEqual(because('could not be asked'));
    expect(warned).toEqual([]);
    await keep(first, true, { log });
    expect(warned).toContainEqual(['a duplicate is to be cancelled', about]);
  });

  test('is settled although a newer look at it is known, and although it has ended', async () => {
    await rig.porting.cancelPort(first);
    rig.pass(6 * hour);
    await rig.sync();
    expect((await rig.request('import-a')).endedAt).toBeDefined();
    shown = { status: 'Cancelled', row: 'Cancelled' };
    rig.pass(-1);
    expect(await keep(first)).toEqual({ decided: true, state: 'created', portId: first });
    expect(await rig.request('import-a')).toMatchObject({ formerPortIds: [second], endedAt: expect.any(String) });
  });
});

describe('the other port stays', () => {
  test('it is followed from now on, and the end of the one before ends neither the request nor its numbers', async () => {
    // Once it is Submitted, a cancel takes a while.
    rig.pass(hour);
    expect(await keep(second, true)).toMatchObject({ decided: true, portId: second, waitsFor: [first] });
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
    expect((await rig.numbers.get(msisdnOf(1)))?.told?.ended ?? false).toBe(false);
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('withdrawn');
    expect(await keep(second)).toEqual({ decided: true, state: 'created', portId: second });
    expect(await rig.request('import-a')).toMatchObject({ portId: second, formerPortIds: [first] });
    expect(await rig.ports.get(second)).toMatchObject({ importId: 'import-a', status: 'Submitted' });
  });

  test('but not once the followed one has ended: its numbers may be in another import', async () => {
    await rig.porting.cancelPort(first);
    rig.pass(6 * hour);
    await rig.sync();
    expect((await rig.request('import-a')).endedAt).toBeDefined();
    expect(await keep(second)).toEqual(because('its numbers are free', second));
  });
});

describe('a port that the service has purged', () => {
  const error = new NotFound({ message: 'no', fieldErrors: [], msisdns: [] }, { call: 'GET /port', status: 404 });
  const without = (...gone: string[]): SyncParts['client'] => {
    const whole = client();
    return { ...whole, port: async (id) => (gone.includes(id) ? Promise.reject(error) : whole.port(id)) };
  };

  test('is settled, once neither its address nor the list shows it', async () => {
    expect(await keep(first, false, { client: without(second) })).toEqual({
      decided: true,
      state: 'created',
      portId: first,
    });
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ portId: first, formerPortIds: [second] });
    expect(request.duplicatePortIds).toBeUndefined();
    expect((await rig.ports.get(first))?.concern).toBeUndefined();
  });

  test('was the one that is followed: the other one stays in its place', async () => {
    const list = async () => ({ total: 0, totalPages: 0, data: [] });
    const purged = { ...without(first), listPorts: list, port: withoutFirst };
    expect(await keep(second, false, { client: purged })).toMatchObject({ decided: true, portId: second });
    expect(await rig.request('import-a')).toMatchObject({ portId: second, formerPortIds: [first] });
  });

  test('cannot be kept', async () => {
    expect(await keep(second, true, { client: without(second) })).toEqual(because(`knows no port ${second}`));
  });

  test('is not settled while the list shows it', async () => {
    // The first port stands in the list, under the name of the request.
    const hidden = { ...client(), port: withoutFirst };
    expect(await keep(second, true, { client: hidden })).toEqual(because('could not be asked'));
    expect(await rig.request('import-a')).toMatchObject({ portId: first, duplicatePortIds: [second] });
  });

  test('nor where it is shown the next time', async () => {
    let looks = 0;
    const port: SyncParts['client']['port'] = async (id) => {
      if (id === second) looks += 1;
      return id === second && looks === 1 ? Promise.reject(error) : client().port(id);
    };
    expect(await keep(first, true, { client: { ...client(), port } })).toEqual(
      because('does not prove that it is gone'),
    );
    expect(cancels).toEqual([]);
  });

  test('nor where the list cannot be read to its end', async () => {
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

  /** The second one is read as ever, although the first is not shown. */
  async function withoutFirst(portId: string) {
    if (portId === first) throw error;
    return client().port(portId);
  }
});

test('refuses a port that is none of its own, one with other numbers, one that is cancelled, and a state without a port', async () => {
  expect(await keep('another')).toEqual(because('none of its ports'));
  const short = async (portId: string) => {
    const detail = await client().port(portId);
    return { ...detail, rows: detail.rows.slice(1) };
  };
  expect(await keep(first, true, { client: { ...client(), port: short } })).toEqual(because('does not hold exactly'));
  shown = { status: 'Cancelled', row: 'Cancelled' };
  expect(await keep(second, true)).toEqual(because('is Cancelled', `keep ${first}`));
  const item = await rig.request('import-a');
  await rig.requests.replace(item, { ...item, state: 'needs-human' });
  expect(await keep(first)).toEqual(because('needs-human'));
  expect(cancels).toEqual([]);
});
