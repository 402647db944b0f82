import { beforeEach, describe, expect, test } from 'vitest';
import { resolveRequest } from '#functions/sync/resolve-request.ts';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { type Resolution, submitMessageOf } from '#shared/request/messages.ts';
import { predictNumber } from '#shared/request/number-claim.ts';
import { markActionRequired } from '#shared/request/request-state.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';
import { Ambiguous, NotFound, Rejected, Unavailable } from '#shared/service/errors.ts';
import { double } from '../../support/double.ts';
import { hour, minute } from '../../support/service/simulator.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { msisdnOf, plannedRowOf, portSummaryOf, quietMs, type Rig } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const call = 'POST /api/porting/1001';
const notFound = new NotFound(
  { message: 'not found', fieldErrors: [], msisdns: [] },
  { call: 'GET /port', status: 404 },
);
const giveUp = { kind: 'abandon' } as const;
const sendAgain = { kind: 'resend', yes: true } as const;
const adopt = (portId: string) => ({ kind: 'adopt', portId }) as const;

const decideOn = (what: Resolution['what'], changes: Partial<SyncPipeline> = {}, because?: string) =>
  resolveRequest(
    { importId: 'import-a', request: 1, what, by: 'Sam', ...(because === undefined ? {} : { because }) },
    rig.syncParts(changes),
  );
type Body = Parameters<Rig['porting']['createPort']>[0];

/** Makes action required: a port has its name, with the second number only. Returns the port and what was sent. */
const leftWithOtherNumbers = async () => {
  const message = await rig.planOne('import-a', rows);
  let body: Body | undefined;
  let portId = '';
  const other = {
    ...rig.porting,
    createPort: async (sent: Body) => {
      body = sent;
      portId = await rig.porting.createPort({ ...sent, rows: sent.rows.slice(1) });
      throw new Ambiguous('reset', { call });
    },
  };
  await rig.submit(message, { client: other });
  rig.pass(quietMs);
  await rig.sync();
  if (body === undefined) throw new Error('nothing was sent');
  expect(await rig.request('import-a')).toMatchObject({ state: 'action-required' });
  return { message, portId, body };
};
const cancelled = async (portId: string) => {
  await rig.porting.cancelPort(portId);
  rig.pass(6 * hour);
  expect((await rig.porting.port(portId)).statusName).toBe('Cancelled');
};
/** A submission that creates a ticket. */
const leftTicket = async () => {
  const operation = rig.submitParts().operationNamed('create-port');
  if (operation === undefined) throw new Error('there is no create-port');
  const submission = { ...operation.submission, makes: 'ticket' as const };
  const operationNamed = () => ({ ...operation, submission });
  const message = await rig.planOne('import-a', rows);
  const client = { ...rig.porting, createPort: () => Promise.reject(new Ambiguous('reset', { call })) };
  await rig.submit(message, { operationNamed, client });
  rig.pass(quietMs);
  await rig.sync({ operationNamed });
  rig.calls.length = 0;
  return { operationNamed };
};

describe('adopt', () => {
  test('adopts the port with exactly the numbers that were sent, whatever its name, and follows it', async () => {
    const { portId, body, message } = await leftWithOtherNumbers();
    await cancelled(portId);
    const right = await rig.porting.createPort({ ...body, name: 'made by hand' });
    const told: unknown[] = [];
    const queues = { send: async (_url: string, messages: readonly unknown[]) => void told.push(...messages) };
    expect(await decideOn(adopt(right), { queues })).toEqual({ resolved: true, state: 'created', portId: right });
    const resolution = { by: 'Sam', what: 'adopt', at: expect.any(String) };
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId: right, resolution });
    expect(await rig.ports.get(right)).toMatchObject({ importId: 'import-a', rowCount: 2 });
    expect(told).toEqual([{ importId: 'import-a' }]);
    expect(await rig.submit(message)).toBe('not-mine');
  });

  test('adopts by the claims of the numbers once the plan has expired, and abandons no more than before', async () => {
    const { portId, body } = await leftWithOtherNumbers();
    const plans = { ...rig.syncParts().plans, read: async () => undefined };
    expect(await decideOn(adopt(portId), { plans })).toMatchObject({ why: expect.stringContaining('exactly the 2') });
    await cancelled(portId);
    const right = await rig.porting.createPort(body);
    expect(await decideOn(giveUp, { plans })).toMatchObject({ advice: expect.stringContaining(`Adopt port ${right}`) });
    expect(await decideOn(adopt(right), { plans })).toEqual({ resolved: true, state: 'created', portId: right });
    const lines = [2, 3].map((line, index) => expect.objectContaining({ line, msisdn: msisdnOf(index + 1) }));
    expect(await rig.ports.rows(right)).toEqual(lines);
  });

  test('declines a port whose numbers another import has claimed, once the plan has expired', async () => {
    const { portId, body } = await leftWithOtherNumbers();
    await cancelled(portId);
    const right = await rig.porting.createPort(body);
    const plans = { ...rig.syncParts().plans, read: async () => undefined };
    const numbers = {
      get: async (number: string) => {
        const claim = await rig.numbers.get(number);
        return number === msisdnOf(2) && claim ? { ...claim, importId: 'import-b' } : claim;
      },
    };
    expect(await decideOn(adopt(right), { plans, numbers: double(numbers) })).toMatchObject({ resolved: false });
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required' });
  });

  test('adopts the port that the request has when its numbers could not be verified before', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    const item = await rig.request('import-a');
    await rig.requests.replace(item, markActionRequired(item, 'the plan has expired', rig.service.now()));
    expect(await decideOn(adopt('another'))).toMatchObject({ advice: expect.stringContaining(`${item.portId}`) });
    expect(await decideOn(adopt(item.portId ?? ''))).toMatchObject({ resolved: true, state: 'created' });
    expect((await rig.request('import-a')).portId).toBe(item.portId);
  });

  test('declines a port with other numbers, and one that does not exist', async () => {
    const { portId } = await leftWithOtherNumbers();
    expect(await decideOn(adopt(portId))).toMatchObject({ resolved: false, why: expect.stringContaining('exactly') });
    expect(await decideOn(adopt('nowhere'))).toMatchObject({
      resolved: false,
      why: 'the service does not know port nowhere',
    });
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required' });
  });

  test('declines a port of another request, by the table and by its name', async () => {
    const { portId, body } = await leftWithOtherNumbers();
    await cancelled(portId);
    rig.breaks('I2 no request created port');
    const marked = await rig.porting.createPort({ ...body, name: 'theirs sim1-0000000000000000' });
    const belongs = { resolved: false, why: expect.stringContaining('belongs to') };
    expect(await decideOn(adopt(marked))).toMatchObject(belongs);
    await cancelled(marked);
    const followed = await rig.porting.createPort({ ...body, name: 'followed for another' });
    const port = { importId: 'import-b', request: 1 };
    const { ports } = rig.syncParts();
    const theirs = { ...ports, get: async () => port as Awaited<ReturnType<typeof ports.get>> };
    expect(await decideOn(adopt(followed), { ports: theirs })).toMatchObject(belongs);
  });
});

describe('resend', () => {
  test('sends again once the port with its name is cancelled, and only once', async () => {
    const { portId, message } = await leftWithOtherNumbers();
    await cancelled(portId);
    expect(await decideOn(sendAgain)).toEqual({ resolved: true, state: 'planned', portId: null });
    expect(await decideOn(sendAgain)).toMatchObject({ resolved: false, why: expect.stringContaining('planned') });
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
    expect(await rig.submit(message)).toBe('created');
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', attempt: 2 });
    expect(request.error).toBeUndefined();
    expect(await rig.portsThere()).toBe(2);
  });

  test.each([sendAgain, giveUp])(
    'does not need the detail of a listed port that is cancelled: %j',
    async (resolution) => {
      const { portId } = await leftWithOtherNumbers();
      await cancelled(portId);
      const port = () => Promise.reject(notFound);
      const state = resolution === giveUp ? 'declined' : 'planned';
      expect(await decideOn(resolution, { client: { ...rig.porting, port } })).toMatchObject({ resolved: true, state });
    },
  );

  test('is declined while a port with its name is in progress', async () => {
    const { portId } = await leftWithOtherNumbers();
    expect(await decideOn(sendAgain)).toMatchObject({ resolved: false, why: expect.stringContaining(portId) });
    expect(services.waiting('submit')).toEqual([]);
  });

  test('is declined when a port with its name has its numbers, even after a cancelled one', async () => {
    const { portId, body } = await leftWithOtherNumbers();
    await cancelled(portId);
    const late = await rig.porting.createPort(body);
    const { listPorts } = rig.porting;
    let reads = 0;
    // The first scan misses it, because ports move between pages.
    const shifting = async (...given: Parameters<typeof listPorts>) => {
      const list = await listPorts(...given);
      reads += 1;
      return reads > 1 ? list : { ...list, total: 1, totalPages: 1, data: list.data.filter(({ id }) => id !== late) };
    };
    expect(await decideOn(sendAgain, { client: { ...rig.porting, listPorts: shifting } })).toMatchObject({
      resolved: false,
      advice: expect.stringContaining(`Adopt port ${late}`),
    });
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required' });
  });

  test('changes nothing when the service cannot be called, the plan has expired, or the request changed', async () => {
    const { portId } = await leftWithOtherNumbers();
    await cancelled(portId);
    const down = { ...rig.porting, listPorts: () => Promise.reject(new Unavailable('503', { call })) };
    expect(await decideOn(sendAgain, { client: down })).toMatchObject({ why: expect.stringContaining('503') });
    const plans = { ...rig.syncParts().plans, read: async () => undefined };
    expect(await decideOn(sendAgain, { plans })).toMatchObject({ why: expect.stringContaining('expired') });
    const { requests } = rig.syncParts();
    const overtaken = {
      ...requests,
      get: async (...given: Parameters<typeof requests.get>) => {
        const seen = await requests.get(...given);
        if (seen) await requests.replace(seen, markActionRequired(seen, 'changed', rig.service.now()));
        return seen;
      },
    };
    expect(await decideOn(sendAgain, { requests: overtaken })).toMatchObject({
      why: expect.stringContaining('meanwhile'),
    });
    expect(services.waiting('submit')).toEqual([]);
  });

  test('is verified by three more searches if the list is empty, which may be a fault of the list', async () => {
    const { portId, message } = await leftWithOtherNumbers();
    await cancelled(portId);
    const empty = { ...rig.porting, listPorts: async () => ({ total: 0, totalPages: 0, data: [] }) };
    const resolution = { by: 'Sam', what: 'resend', at: expect.any(String) };
    expect(await decideOn(sendAgain, { client: empty })).toEqual({ resolved: true, state: 'unknown', portId: null });
    for (const search of [1, 2, 3]) {
      expect(await rig.request('import-a'), `before search ${search + 1}`).toMatchObject({
        state: 'unknown',
        resolution,
      });
      expect(await rig.submit(message)).toBe('not-mine');
      rig.pass(quietMs);
      await rig.sync({ client: empty });
    }
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', resolution, hasUnknownAttempt: true });
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
  });

  test('adopts the port of the request instead, if the list that was empty shows it later', async () => {
    const { portId, body } = await leftWithOtherNumbers();
    await cancelled(portId);
    const empty = { ...rig.porting, listPorts: async () => ({ total: 0, totalPages: 0, data: [] }) };
    expect(await decideOn(sendAgain, { client: empty })).toMatchObject({ resolved: true, state: 'unknown' });
    const own = await rig.porting.createPort(body);
    rig.pass(quietMs);
    await rig.sync();
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId: own });
    expect(services.waiting('submit')).toEqual([]);
  });

  test('sends a ticket again without asking the service, and adopts no port for it', async () => {
    const parts = await leftTicket();
    expect(await decideOn(adopt('a-port'), parts)).toMatchObject({ why: 'create-port creates no port' });
    expect(await decideOn(sendAgain, parts)).toMatchObject({ resolved: true, state: 'planned' });
    expect(rig.calls).toEqual([]);
    expect(services.waiting('submit')).toHaveLength(1);
  });
});

describe('abandon', () => {
  test('ends the request with its reason and without PACs, and another import can have the numbers', async () => {
    const { portId } = await leftWithOtherNumbers();
    await cancelled(portId);
    const because = 'done by hand with ABC123456';
    expect(await decideOn(giveUp, {}, because)).toMatchObject({ resolved: true, state: 'declined' });
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'declined', error: { kind: 'abandoned' }, endedAt: expect.any(String) });
    expect(request.error?.message).toContain('done by hand with [redacted]');
    expect(JSON.stringify(request)).not.toContain('ABC123456');
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
    expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ importId: 'import-b' });
  });

  test('is declined while a port with its name is in progress', async () => {
    const { portId } = await leftWithOtherNumbers();
    expect(await decideOn(giveUp)).toMatchObject({ resolved: false, why: expect.stringContaining(portId) });
    expect((await rig.request('import-a')).endedAt).toBeUndefined();
  });

  test('fault 48: ends a request whose port the service has purged, but not if the list shows the port', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    const item = await rig.request('import-a');
    await rig.requests.replace(item, markActionRequired(item, 'not known', rig.service.now()));
    const port = () => Promise.reject(notFound);
    const lagging = { ...rig.porting, port };
    const why = `port ${item.portId} has the name of the request and is Created`;
    expect(await decideOn(giveUp, { client: lagging })).toMatchObject({ resolved: false, why });
    const purged = { ...lagging, listPorts: async () => ({ total: 0, totalPages: 0, data: [] }) };
    expect(await decideOn(giveUp, { client: purged })).toMatchObject({ resolved: true, state: 'declined' });
    const message = `abandoned by a person; the service does not know port ${item.portId} any more`;
    expect((await rig.request('import-a')).error).toMatchObject({ kind: 'abandoned', message });
  });

  test('ends a ticket without a call', async () => {
    expect(await decideOn(giveUp, await leftTicket())).toMatchObject({ resolved: true, state: 'declined' });
    expect(rig.calls).toEqual([]);
  });
});

test('only a request for which action is required can be resolved', async () => {
  expect(await decideOn(giveUp)).toMatchObject({ resolved: false, why: 'the request does not exist' });
  await rig.planOne('import-a', rows);
  for (const what of [giveUp, sendAgain, adopt('any')]) {
    expect(await decideOn(what)).toMatchObject({ resolved: false, why: expect.stringContaining('planned') });
  }
  rig.pass(minute);
  expect(rig.calls).toEqual([]);
});

test('a request that waits for its day can be abandoned, without a call', async () => {
  const [message] = await rig.plan('import-a', [rows], { connectionDate: '2026-08-10' as CalendarDate });
  if (message === undefined) throw new Error('nothing was planned');
  await rig.submit(message);
  const calls = rig.calls.length;
  expect(await decideOn(sendAgain)).toMatchObject({ resolved: false, why: 'the request is in state scheduled' });
  expect(await decideOn(giveUp)).toMatchObject({ resolved: true, state: 'declined' });
  expect(rig.calls).toHaveLength(calls);
  expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
});

describe('a port that the service does not have any more', () => {
  const gone = () => ({ ...rig.porting, port: () => Promise.reject(notFound), listPorts: async () => emptyList });
  const emptyList = { total: 1, totalPages: 1, data: [portSummaryOf('another')] };

  beforeEach(async () => {
    const connectionDate = '2026-07-20' as CalendarDate;
    for (const message of await rig.plan('import-a', [rows], { connectionDate })) await rig.submit(message);
    expect(await decideOn(giveUp)).toMatchObject({ resolved: false });
    for (let read = 0; read < 10; read += 1) {
      rig.pass(12 * hour);
      await rig.sync({ client: gone() });
    }
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', actionRequired: 1 });
  });

  test('is abandoned: its numbers are free, and it requires no action', async () => {
    const { portId = '' } = await rig.request('import-a');
    expect(await decideOn(giveUp, { client: gone() })).toMatchObject({ resolved: true, state: 'declined' });
    const { error, actionRequired } = await rig.request('import-a');
    expect([error?.message, actionRequired]).toEqual([
      expect.stringContaining(`know port ${portId} any more`),
      undefined,
    ]);
    expect(await rig.ports.actionRequired()).toEqual([]);
    expect(await rig.ports.due('1001@service', '9999', 10)).toEqual([]);
    expect(predictNumber(await claimOf(1), await rig.request('import-a'))).toBeUndefined();
  });

  test('requires no action once the next run has repeated a resolution whose run was killed', async () => {
    const at = new Date(rig.service.now()).toISOString();
    const resolution = { importId: 'import-a', request: 1, what: giveUp, by: 'Sam', at };
    const ports = { ...rig.ports, touch: () => Promise.reject(new Error('killed')) };
    await expect(resolveRequest(resolution, rig.syncParts({ client: gone(), ports }))).rejects.toThrow('killed');
    expect(await resolveRequest(resolution, rig.syncParts({ client: gone() }))).toMatchObject({ state: 'declined' });
    expect(await rig.ports.actionRequired()).toEqual([]);
    expect(await rig.ports.due('1001@service', '9999', 10)).toEqual([]);
  });

  test('is created again when its request is resent', async () => {
    const { portId } = await rig.request('import-a');
    expect(await decideOn(sendAgain, { client: gone() })).toMatchObject({ resolved: true, state: 'planned' });
    const createPort = async () => 'second';
    const message = submitMessageOf(await rig.request('import-a'));
    await rig.submit(message, { client: { ...rig.submitParts().client, createPort }, readsBack: () => false });
    const item = await rig.request('import-a');
    expect(item).toMatchObject({ state: 'created', portId: 'second', formerPortIds: [portId] });
    expect(await rig.ports.actionRequired()).toEqual([]);
  });

  test('is neither, while the service shows it', async () => {
    expect(await decideOn(giveUp)).toMatchObject({ resolved: false, why: expect.stringContaining('again') });
    expect(await decideOn(sendAgain)).toMatchObject({ resolved: false });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId: expect.any(String) });
  });
});

describe('a port that the service declines to show, with another answer than 404', () => {
  const declined = new Rejected({ message: 'no such port', fieldErrors: [], msisdns: [] }, { call, status: 400 });
  let portId: string;
  /** @param name under which the list shows the port */
  const hiding = (name?: string): SyncPipeline['client'] => ({
    ...rig.porting,
    port: () => Promise.reject(declined),
    listPorts: async () => {
      const data = [portSummaryOf('another'), ...(name === undefined ? [] : [portSummaryOf(portId, { name })])];
      return { total: data.length, totalPages: 1, data };
    },
  });

  beforeEach(async () => {
    const connectionDate = '2026-07-20' as CalendarDate;
    for (const message of await rig.plan('import-a', [rows], { connectionDate })) await rig.submit(message);
    portId = (await rig.request('import-a')).portId ?? '';
    for (let read = 0; read < 5; read += 1) {
      rig.pass(12 * hour);
      await rig.sync({ client: hiding() });
    }
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', actionRequired: 1 });
  });

  test('is abandoned once the list proves that it does not exist', async () => {
    expect(await decideOn(giveUp, { client: hiding() })).toMatchObject({ resolved: true, state: 'declined' });
    expect(await rig.ports.actionRequired()).toEqual([]);
    expect(await rig.ports.due('1001@service', '9999', 10)).toEqual([]);
    expect(predictNumber(await claimOf(1), await rig.request('import-a'))).toBeUndefined();
  });

  test('is neither abandoned nor resent while the list shows it', async () => {
    const { token } = await rig.request('import-a');
    for (const what of [giveUp, sendAgain]) {
      expect(await decideOn(what, { client: hiding(`Group 1 ${token}`) })).toMatchObject({ resolved: false });
    }
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId });
  });
});

const claimOf = async (index: number) => {
  const claim = await rig.numbers.get(msisdnOf(index));
  if (claim === undefined) throw new Error('there is no claim');
  return claim;
};
