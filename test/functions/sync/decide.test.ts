import { describe, expect, test } from 'vitest';
import { decide } from '#functions/sync/decide.ts';
import type { SyncParts } from '#functions/sync/parts.ts';
import type { Decide } from '#shared/domain/decision.ts';
import { leftToPeople } from '#shared/domain/request-state.ts';
import { Ambiguous, NotFound, Unavailable } from '#shared/porting/errors.ts';
import { hour, minute } from '../../support/porting-service.ts';
import { rig, services } from '../../support/results-fresh.ts';
import { msisdnOf, plannedRowOf, quietMs, type Rig } from '../../support/results-rig.ts';

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const call = 'POST /api/porting/1001';
const giveUp = { kind: 'give-up' } as const;
const sendAgain = { kind: 'send-again', yes: true } as const;
const adopt = (portId: string) => ({ kind: 'adopt', portId }) as const;

const decideOn = (what: Decide['what'], changes: Partial<SyncParts> = {}, because?: string) =>
  decide(
    { importId: 'import-a', request: 1, what, by: 'Sam', ...(because === undefined ? {} : { because }) },
    rig.syncParts(changes),
  );
type Body = Parameters<Rig['porting']['createPort']>[0];

/** Leaves the request to people: a port bears its name, with its second number only. Answers the port, and what was sent. */
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
  expect(await rig.request('import-a')).toMatchObject({ state: 'needs-human' });
  return { message, portId, body };
};
const cancelled = async (portId: string) => {
  await rig.porting.cancelPort(portId);
  rig.pass(6 * hour);
  expect((await rig.porting.port(portId)).statusName).toBe('Cancelled');
};
/** Of a submission that makes a ticket. */
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
  test('takes the port that holds exactly what was sent, whatever its name, and follows it', async () => {
    const { portId, body, message } = await leftWithOtherNumbers();
    await cancelled(portId);
    const right = await rig.porting.createPort({ ...body, name: 'made by hand' });
    const told: unknown[] = [];
    const queues = { send: async (_url: string, messages: readonly unknown[]) => void told.push(...messages) };
    expect(await decideOn(adopt(right), { queues })).toEqual({ decided: true, state: 'created', portId: right });
    const decided = { by: 'Sam', what: 'adopt', at: expect.any(String) };
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId: right, decided });
    expect(await rig.ports.get(right)).toMatchObject({ importId: 'import-a', rowCount: 2 });
    expect(told).toEqual([{ importId: 'import-a' }]);
    expect(await rig.submit(message)).toBe('not-mine');
  });

  test('takes it by the claims of its numbers once the plan has expired, and gives it up no more than before', async () => {
    const { portId, body } = await leftWithOtherNumbers();
    const plans = { ...rig.syncParts().plans, read: async () => undefined };
    expect(await decideOn(adopt(portId), { plans })).toMatchObject({ why: expect.stringContaining('exactly the 2') });
    await cancelled(portId);
    const right = await rig.porting.createPort(body);
    expect(await decideOn(giveUp, { plans })).toMatchObject({ advice: expect.stringContaining(`--adopt ${right}`) });
    expect(await decideOn(adopt(right), { plans })).toEqual({ decided: true, state: 'created', portId: right });
    const lines = [2, 3].map((line, index) => expect.objectContaining({ line, msisdn: msisdnOf(index + 1) }));
    expect(await rig.ports.rows(right)).toEqual(lines);
  });

  test('refuses a port whose numbers another import has claimed, once the plan has expired', async () => {
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
    expect(await decideOn(adopt(right), { plans, numbers })).toMatchObject({ decided: false });
    expect(await rig.request('import-a')).toMatchObject({ state: 'needs-human' });
  });

  test('takes the port that the request has, where nobody could say what it holds', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    const item = await rig.request('import-a');
    await rig.requests.replace(item, leftToPeople(item, 'the plan has expired', rig.service.now()));
    expect(await decideOn(adopt('another'))).toMatchObject({ advice: expect.stringContaining(`${item.portId}`) });
    expect(await decideOn(adopt(item.portId ?? ''))).toMatchObject({ decided: true, state: 'created' });
    expect((await rig.request('import-a')).portId).toBe(item.portId);
  });

  test('refuses a port with other numbers, and one that is not there', async () => {
    const { portId } = await leftWithOtherNumbers();
    expect(await decideOn(adopt(portId))).toMatchObject({ decided: false, why: expect.stringContaining('exactly') });
    expect(await decideOn(adopt('nowhere'))).toMatchObject({
      decided: false,
      why: 'the service knows no port nowhere',
    });
    expect(await rig.request('import-a')).toMatchObject({ state: 'needs-human' });
  });

  test('refuses a port of another request, by the table and by its name', async () => {
    const { portId, body } = await leftWithOtherNumbers();
    await cancelled(portId);
    const marked = await rig.porting.createPort({ ...body, name: 'theirs sim1-0000000000000000' });
    const belongs = { decided: false, why: expect.stringContaining('belongs to') };
    expect(await decideOn(adopt(marked))).toMatchObject(belongs);
    await cancelled(marked);
    const followed = await rig.porting.createPort({ ...body, name: 'followed for another' });
    const port = { importId: 'import-b', request: 1 };
    const { ports } = rig.syncParts();
    const theirs = { ...ports, get: async () => port as Awaited<ReturnType<typeof ports.get>> };
    expect(await decideOn(adopt(followed), { ports: theirs })).toMatchObject(belongs);
  });
});

describe('send again', () => {
  test('sends once the port under its name is cancelled, and then only once', async () => {
    const { portId, message } = await leftWithOtherNumbers();
    await cancelled(portId);
    expect(await decideOn(sendAgain)).toEqual({ decided: true, state: 'planned', portId: null });
    expect(await decideOn(sendAgain)).toMatchObject({ decided: false, why: expect.stringContaining('planned') });
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
    expect(await rig.submit(message)).toBe('created');
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', attempt: 2 });
    expect(request.error).toBeUndefined();
    expect(await rig.portsThere()).toBe(2);
  });

  test('refuses while a port under its name lives', async () => {
    const { portId } = await leftWithOtherNumbers();
    expect(await decideOn(sendAgain)).toMatchObject({ decided: false, why: expect.stringContaining(portId) });
    expect(services.waiting('submit')).toEqual([]);
  });

  test('refuses when a port under its name holds its numbers, even behind a cancelled one', async () => {
    const { portId, body } = await leftWithOtherNumbers();
    await cancelled(portId);
    const late = await rig.porting.createPort(body);
    const { listPorts } = rig.porting;
    let reads = 0;
    // The first scan misses it: ports shift between pages.
    const shifting = async (...given: Parameters<typeof listPorts>) => {
      const list = await listPorts(...given);
      reads += 1;
      return reads > 1 ? list : { ...list, total: 1, totalPages: 1, data: list.data.filter(({ id }) => id !== late) };
    };
    expect(await decideOn(sendAgain, { client: { ...rig.porting, listPorts: shifting } })).toMatchObject({
      decided: false,
      advice: expect.stringContaining(`--adopt ${late}`),
    });
    expect(await rig.request('import-a')).toMatchObject({ state: 'needs-human' });
  });

  test('changes nothing when the service cannot be asked, when the plan is gone, or when somebody was quicker', async () => {
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
        if (seen) await requests.replace(seen, leftToPeople(seen, 'changed', rig.service.now()));
        return seen;
      },
    };
    expect(await decideOn(sendAgain, { requests: overtaken })).toMatchObject({
      why: expect.stringContaining('meanwhile'),
    });
    expect(services.waiting('submit')).toEqual([]);
  });

  test('a ticket is sent again on the word of the person: the service is not asked, and no port is its own', async () => {
    const parts = await leftTicket();
    expect(await decideOn(adopt('a-port'), parts)).toMatchObject({ why: 'create-port makes no port' });
    expect(await decideOn(sendAgain, parts)).toMatchObject({ decided: true, state: 'planned' });
    expect(rig.calls).toEqual([]);
    expect(services.waiting('submit')).toHaveLength(1);
  });
});

describe('give up', () => {
  test('ends the request with its reason and no PAC, and another import may have the numbers', async () => {
    const { portId } = await leftWithOtherNumbers();
    await cancelled(portId);
    const because = 'done by hand with ABC123456';
    expect(await decideOn(giveUp, {}, because)).toMatchObject({ decided: true, state: 'refused' });
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'refused', error: { kind: 'given-up' }, endedAt: expect.any(String) });
    expect(request.error?.message).toContain('done by hand with [redacted]');
    expect(JSON.stringify(request)).not.toContain('ABC123456');
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
    expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ importId: 'import-b' });
  });

  test('refuses while a port under its name is on its way', async () => {
    const { portId } = await leftWithOtherNumbers();
    expect(await decideOn(giveUp)).toMatchObject({ decided: false, why: expect.stringContaining(portId) });
    expect((await rig.request('import-a')).endedAt).toBeUndefined();
  });

  test('fault 48: ends one whose port the service has purged, but none whose port the list shows', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    const item = await rig.request('import-a');
    await rig.requests.replace(item, leftToPeople(item, 'not known', rig.service.now()));
    const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
    const port = () => Promise.reject(new NotFound(refusal, { call: 'GET /port', status: 404 }));
    const lagging = { ...rig.porting, port };
    const why = expect.stringContaining('could not be asked');
    expect(await decideOn(giveUp, { client: lagging })).toMatchObject({ decided: false, why });
    const purged = { ...lagging, listPorts: async () => ({ total: 0, totalPages: 0, data: [] }) };
    expect(await decideOn(giveUp, { client: purged })).toMatchObject({ decided: true, state: 'refused' });
    const message = `given up by a person; the service does not know port ${item.portId} any more`;
    expect((await rig.request('import-a')).error).toMatchObject({ kind: 'given-up', message });
  });

  test('a ticket is given up without a call', async () => {
    expect(await decideOn(giveUp, await leftTicket())).toMatchObject({ decided: true, state: 'refused' });
    expect(rig.calls).toEqual([]);
  });
});

test('only what was left to people can be decided', async () => {
  expect(await decideOn(giveUp)).toMatchObject({ decided: false, why: 'there is no such request' });
  await rig.planOne('import-a', rows);
  for (const what of [giveUp, sendAgain, adopt('any')]) {
    expect(await decideOn(what)).toMatchObject({ decided: false, why: expect.stringContaining('planned') });
  }
  rig.pass(minute);
  expect(rig.calls).toEqual([]);
});
