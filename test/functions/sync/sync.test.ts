import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { answered } from '#shared/domain/request-state.ts';
import { Ambiguous, NotFound, Unavailable } from '#shared/porting/errors.ts';
import { day, hour, minute } from '../../support/porting-service.ts';
import { leaseMs, msisdnOf, plannedRowOf, quietMs, type Rig, startRig } from '../../support/results-rig.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
let rig: Rig;

beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());
beforeEach(async () => {
  rig = await startRig(services);
});

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const call = 'POST /api/porting/1001';

/** The call reaches the service, and `fault` happens before anybody hears of it. */
const callThen = (fault: () => never) => {
  const { client } = rig.submitParts();
  return {
    ...client,
    createPort: async (body: Parameters<typeof client.createPort>[0]) => {
      await client.createPort(body);
      return fault();
    },
  };
};
/** As `kill -9`: nothing after the call is executed. */
const killed = () =>
  callThen(() => {
    throw new Error('killed');
  });

/** A service that does not know these ports, and knows every other. */
const withoutPorts = (...portIds: string[]) => {
  const { client } = rig.syncParts();
  const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
  const gone = (id: string) => Promise.reject(new NotFound(refusal, { call: `GET /port/${id}`, status: 404 }));
  return { ...client, port: (id: string) => (portIds.includes(id) ? gone(id) : client.port(id)) };
};
/** Ends the request of `import-a` by the cancel of its port, then lets a late answer name another port; answers the first. */
const endThenNameAnother = async (): Promise<string> => {
  await rig.submit(await rig.planOne('import-a', rows));
  const { portId = '' } = await rig.request('import-a');
  await rig.porting.cancelPort(portId);
  rig.pass(6 * hour);
  await rig.sync();
  const item = await rig.request('import-a');
  expect(item.endedAt).toBeDefined();
  const times = { now: rig.service.now(), quietMs };
  const late = answered(item, 1, { kind: 'created', portId: 'late-port' }, times) ?? item;
  await rig.requests.replace(item, late);
  return portId;
};

const killAfterCall = async (importId: string) => {
  const message = await rig.planOne(importId, rows);
  const { requests } = rig.submitParts();
  let writes = 0;
  const dead = {
    ...requests,
    replace: (...given: Parameters<typeof requests.replace>) => {
      writes += 1;
      return writes > 1 ? Promise.reject(new Error('killed')) : requests.replace(...given);
    },
  };
  await rig.submit(message, { client: killed(), requests: dead }).catch(() => {});
  return message;
};

describe('reconcile', () => {
  test('fault 34: killed after the call, before the id was stored: the port is adopted, and there is one', async () => {
    const message = await killAfterCall('import-a');
    expect(await rig.request('import-a')).toMatchObject({ state: 'in-flight' });
    expect((await rig.sync()).adopted).toBe(0);

    rig.pass(leaseMs + quietMs);
    expect(await rig.sync()).toMatchObject({ adopted: 1, absent: 0 });
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', attempt: 1 });
    expect(await rig.ports.get(request.portId ?? '')).toMatchObject({ importId: 'import-a', rowCount: 2 });
    expect(await rig.submit(message)).toBe('not-mine');
    expect(await rig.portsThere()).toBe(1);
  });

  test('fault 33: killed before the call: proven absent by two scans, sent again, one port', async () => {
    const message = await rig.planOne('import-a', rows);
    const { client } = rig.submitParts();
    const never = { ...client, createPort: () => Promise.reject(new Ambiguous('reset', { call })) };
    await rig.submit(message, { client: never });
    rig.pass(quietMs);
    rig.calls.length = 0;
    expect(await rig.sync()).toMatchObject({ adopted: 0, absent: 1 });
    expect(rig.calls.filter((name) => name === 'listPorts')).toHaveLength(2);
    expect(await rig.request('import-a')).toMatchObject({ state: 'planned', attempt: 1 });
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
    expect(await rig.submit(message)).toBe('created');
    expect(await rig.portsThere()).toBe(1);
  });

  test.each([
    ['fault 36: the service commits, then resets the connection', 'connection reset'],
    ['fault 38: a 201 without an id', 'no port id'],
    ['fault 39: 502 after the commit', '502'],
  ])('%s: adopted', async (_name, what) => {
    const message = await rig.planOne('import-a', rows);
    const client = callThen(() => {
      throw new Ambiguous(what, { call });
    });
    expect(await rig.submit(message, { client })).toBe('unknown');
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ adopted: 1 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portStatus: 'Created' });
    expect(await rig.portsThere()).toBe(1);
  });

  test('fault 45: during the quiet period the service is not asked', async () => {
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, {
      client: callThen(() => {
        throw new Ambiguous('reset', { call });
      }),
    });
    rig.calls.length = 0;
    rig.pass(quietMs - 1);
    await rig.sync();
    expect(rig.calls).toEqual([]);
    expect(await rig.request('import-a')).toMatchObject({ state: 'unknown' });
  });

  test('one pair of scans serves every request in doubt', async () => {
    const groups = [1, 2, 3, 4, 5].map((index) => [plannedRowOf(index, index + 1)]);
    const { client } = rig.submitParts();
    const never = { ...client, createPort: () => Promise.reject(new Ambiguous('reset', { call })) };
    for (const message of await rig.plan('import-a', groups)) await rig.submit(message, { client: never });
    rig.pass(quietMs);
    rig.calls.length = 0;
    expect(await rig.sync()).toMatchObject({ absent: 5 });
    expect(rig.calls).toEqual(['listPorts', 'listPorts']);
  });

  test('two ports of one request are both recorded, and the duplicate alarm is raised', async () => {
    const message = await rig.planOne('import-a', rows);
    const { client } = rig.submitParts();
    const made: string[] = [];
    const twice = {
      ...client,
      createPort: async (body: Parameters<typeof client.createPort>[0]) => {
        made.push(await client.createPort(body));
        await client.cancelPort(made[0] ?? '');
        rig.pass(6 * hour);
        await client.port(made[0] ?? '');
        made.push(await client.createPort(body));
        throw new Ambiguous('reset', { call });
      },
    };
    await rig.submit(message, { client: twice });
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ adopted: 1 });
    const request = await rig.request('import-a');
    expect([request.portId, ...(request.duplicatePortIds ?? [])].sort()).toEqual(made.sort());
    expect(rig.counts.duplicates).toBe(1);
    expect((await rig.ports.get(request.portId ?? ''))?.concern).toContain('decide import-a/1 --keep PORT');
  });

  test('fault 46: a second port that a late answer names is told of although the request has ended', async () => {
    const portId = await endThenNameAnother();
    const { endedAt } = await rig.request('import-a');
    expect(await rig.sync()).toMatchObject({ imports: 1 });
    expect((await rig.ports.get(portId))?.concern).toContain('late-port');
    expect(await rig.request('import-a')).toMatchObject({ endedAt, attention: 1 });
  });

  test('fault 46: so it is when the service has purged the port that ended', async () => {
    const portId = await endThenNameAnother();
    const { endedAt } = await rig.request('import-a');
    expect(await rig.sync({ client: withoutPorts(portId) })).toMatchObject({ imports: 1, people: 0 });
    expect(await rig.ports.attention(1001)).toMatchObject([
      { portId, status: 'Cancelled', missingLooks: 1, concern: expect.stringContaining('late-port') },
    ]);
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', endedAt, attention: 1 });
    expect(request.dueAt).toBeUndefined();
  });

  test('fault 46: so it is when its plan has expired and its numbers are in another import', async () => {
    const portId = await endThenNameAnother();
    expect(await rig.submit(await rig.planOne('import-b', rows))).toBe('created');
    expect(await rig.sync({ plans: { read: async () => undefined } })).toMatchObject({ imports: 1, people: 0 });
    expect((await rig.ports.get(portId))?.concern).toContain('late-port');
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', attention: 1 });
    expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ importId: 'import-b' });
  });

  test('a port is adopted by the claims of its numbers when the plan has expired meanwhile', async () => {
    const message = await rig.planOne('import-a', rows);
    const { client } = rig.submitParts();
    const lost = {
      ...client,
      createPort: async (body: Parameters<typeof client.createPort>[0]) => {
        await client.createPort(body);
        throw new Ambiguous('reset', { call });
      },
    };
    await rig.submit(message, { client: lost });
    rig.pass(quietMs);
    const plans = { ...rig.syncParts().plans, read: async () => undefined };
    expect(await rig.sync({ plans })).toMatchObject({ adopted: 1, people: 0 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portStatus: 'Created' });
  });

  test('a port under our name that holds other numbers is left to a person', async () => {
    const message = await rig.planOne('import-a', rows);
    const { client } = rig.submitParts();
    const other = {
      ...client,
      createPort: async (body: Parameters<typeof client.createPort>[0]) => {
        await client.createPort({ ...body, rows: body.rows.slice(1) });
        throw new Ambiguous('reset', { call });
      },
    };
    await rig.submit(message, { client: other });
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ people: 1, adopted: 0 });
    expect(await rig.request('import-a')).toMatchObject({
      state: 'needs-human',
      error: { message: expect.stringContaining('with other numbers') },
    });
  });

  test.each([
    ['more numbers than were sent', [plannedRowOf(1, 2), plannedRowOf(2, 3), plannedRowOf(3, 4)]],
    ['as many numbers, one of them another', [plannedRowOf(1, 2), plannedRowOf(3, 3)]],
  ])('so is one that holds %s', async (_what, held) => {
    const message = await rig.planOne('import-a', rows);
    const { client } = rig.submitParts();
    const other = {
      ...client,
      createPort: async (body: Parameters<typeof client.createPort>[0]) => {
        const [like] = body.rows;
        if (like === undefined) throw new Error('a port without rows');
        await client.createPort({ ...body, rows: held.map(({ subject }) => ({ ...like, msisdn: subject })) });
        throw new Ambiguous('reset', { call });
      },
    };
    await rig.submit(message, { client: other });
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ people: 1, adopted: 0 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'needs-human' });
  });

  test('fault 31: a planned request whose message got lost gets a new one, once per wait', async () => {
    const message = await rig.planOne('import-a', rows);
    await rig.sync();
    expect(services.waiting('submit')).toEqual([]);
    rig.pass(16 * minute);
    expect(await rig.sync()).toMatchObject({ resent: 1 });
    expect(await rig.sync()).toMatchObject({ resent: 0 });
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
  });

  test('a port that could not be read back after its 201 is read by the next run', async () => {
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

  test('fault 48: a new port that the service does not know holds nobody up, and is a person’s after three looks', async () => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    const groups = [1, 2, 3].map((index) => [plannedRowOf(index, index + 1)]);
    for (const message of await rig.plan('import-a', groups)) await rig.submit(message, { client: deaf });
    const { portId = '' } = await rig.request('import-a');
    const lost = withoutPorts(portId);
    expect(await rig.sync({ client: lost })).toMatchObject({ people: 0, imports: 1 });
    for (const request of [2, 3])
      expect(await rig.request('import-a', request)).toMatchObject({ portStatus: 'Created' });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portId, missingLooks: 1 });
    rig.pass(quietMs);
    expect(await rig.sync({ client: lost })).toMatchObject({ people: 0 });
    rig.pass(hour - 1);
    expect(await rig.sync({ client: lost })).toMatchObject({ people: 0 });
    rig.pass(1);
    expect(await rig.sync({ client: lost })).toMatchObject({ people: 1, imports: 1 });
    const message = expect.stringMatching(/has not known the port for 3 looks: .*not found/);
    expect(await rig.request('import-a')).toMatchObject({ state: 'needs-human', portId, error: { message } });
    expect(rig.counts.requestsUnknown).toBe(1);
  });

  test('fault 48: it is followed as any other where the service knows it again, and the looks are forgotten', async () => {
    const { client } = rig.submitParts();
    const deaf = { ...client, port: () => Promise.reject(new Unavailable('503', { call: 'GET /port' })) };
    await rig.submit(await rig.planOne('import-a', rows), { client: deaf });
    const { portId = '' } = await rig.request('import-a');
    await rig.sync({ client: withoutPorts(portId) });
    rig.pass(quietMs);
    await rig.sync();
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', portStatus: 'Created' });
    expect(request.missingLooks).toBeUndefined();
  });

  test('fault 48: a port that the list shows and that cannot be read keeps no other from being adopted', async () => {
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
    expect(await rig.sync({ client: withoutPorts(made[0] ?? '') })).toMatchObject({ adopted: 1, absent: 0, people: 0 });
    expect(await rig.request('import-a', 1)).toMatchObject({ state: 'unknown', missingLooks: 1 });
    expect(await rig.request('import-a', 2)).toMatchObject({ state: 'created', portId: made[1] });
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ adopted: 1 });
  });
});

describe('a submission other than a port', () => {
  const ticketOperation = () => {
    const operation = rig.submitParts().operationNamed('create-port');
    if (operation === undefined) throw new Error('there is no create-port');
    const submission = { ...operation.submission, makes: 'ticket' as const };
    return { operationNamed: () => ({ ...operation, submission }) };
  };
  const answering = (createPort: () => Promise<string>) => ({ ...rig.submitParts().client, createPort });

  test('ends when the service accepted it, with its ticket (decision 34)', async () => {
    const message = await rig.planOne('import-a', rows);
    const client = answering(async () => 'ticket-1');
    expect(await rig.submit(message, { ...ticketOperation(), client })).toBe('accepted');
    expect(await rig.request('import-a')).toMatchObject({ ticket: 'ticket-1', endedAt: expect.any(String) });
  });

  test('of unknown outcome is left to a person, never looked for and never sent again', async () => {
    const message = await rig.planOne('import-a', rows);
    const client = answering(() => Promise.reject(new Ambiguous('reset', { call })));
    await rig.submit(message, { ...ticketOperation(), client });
    rig.pass(quietMs);
    rig.calls.length = 0;
    expect(await rig.sync(ticketOperation())).toMatchObject({ people: 1 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'needs-human' });
    expect(await rig.submit(message)).toBe('not-mine');
    expect(rig.calls).toEqual([]);
  });
});

describe('follow', () => {
  const followTo = async (status: string, importId = 'import-a') => {
    for (let step = 0; step < 200; step += 1) {
      const { portStatus } = await rig.request(importId);
      if (portStatus === status) return;
      await rig.syncNext();
    }
    throw new Error(`${status} was never reached`);
  };

  test('a port is followed to Complete, its history kept, and its numbers are free again', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    await followTo('Complete');
    const request = await rig.request('import-a');
    expect(request.endedAt).toBeDefined();
    const statuses = (await rig.ports.events(request.portId ?? '')).map(({ status }) => status);
    expect(statuses[0]).toBe('Created');
    expect(statuses.at(-1)).toBe('Complete');
    expect(await rig.ports.get(request.portId ?? '')).toMatchObject({ status: 'Complete' });
    expect((await rig.ports.get(request.portId ?? ''))?.dueAt).toBeUndefined();
    expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ told: { status: 'Complete', ended: true } });
    expect(services.waiting('report').map(({ body }) => body)).toContainEqual({ importId: 'import-a' });
  });

  test('an invalid PAC needs a person, holds the good line, and both are told', async () => {
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456')]));
    await followTo('Pac Check Failed');
    const { portId = '', attention } = await rig.request('import-a');
    expect(attention).toBe(1);
    expect(await rig.ports.attention(1001)).toMatchObject([{ portId, attention: 1, goodLines: 1, badLines: 1 }]);
    expect(await rig.numbers.get(msisdnOf(2))).toMatchObject({ told: { status: 'PacInvalid', ended: false } });
    expect((await rig.numbers.get(msisdnOf(1)))?.told).toBeUndefined();
    expect(rig.counts.attention).toBe(1);
  });

  test('an amended PAC is seen although the status of the port does not move at once', async () => {
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2), plannedRowOf(2, 3, 'INV123456')]));
    await followTo('Pac Check Failed');
    const { portId = '' } = await rig.request('import-a');
    const Rows = [{ Msisdn: '07700900002', Pac: 'ABC123456', PortRowStatus: 'Amended' as const }];
    await rig.porting.updatePort(portId, { Rows });
    await followTo('Submitted');
    expect(await rig.ports.attention(1001)).toEqual([]);
    expect((await rig.numbers.get(msisdnOf(2)))?.told?.status).not.toBe('PacInvalid');
  });

  test('a port cancelled at the service ends its request with the reason on the row', async () => {
    await rig.submit(await rig.planOne('import-a', [plannedRowOf(1, 2, 'REJ123456'), plannedRowOf(2, 3)]));
    await followTo('Cancelled');
    const { portId = '', endedAt } = await rig.request('import-a');
    expect(endedAt).toBeDefined();
    expect((await rig.ports.rows(portId))?.[0]?.message).toContain('Rejected by the source network');
    expect(await rig.numbers.get(msisdnOf(1))).toMatchObject({ told: { status: 'Cancelled', ended: true } });
  });

  test('fault 48: an answer to an older question never overwrites a newer one', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    const { portId = '' } = await rig.request('import-a');
    rig.pass(day);
    const { client } = rig.syncParts();
    const overtaken = {
      ...client,
      port: async (id: string) => {
        const old = { ...(await client.port(id)), statusName: 'Created' };
        // Meanwhile somebody else looks, later, and sees more.
        rig.pass(minute);
        const port = await rig.ports.get(id);
        if (port)
          await rig.ports.touch(port, {
            ...port,
            status: 'Locked',
            lookedAt: new Date(rig.service.now()).toISOString(),
          });
        return old;
      },
    };
    await rig.sync({ client: overtaken });
    expect(await rig.ports.get(portId)).toMatchObject({ status: 'Locked' });
  });

  test('fault 48: a status that nobody knows is kept as it came, counted, and never an end', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    rig.pass(hour);
    const { client } = rig.syncParts();
    const odd = {
      ...client,
      port: async (id: string) => ({ ...(await client.port(id)), statusName: 'Quarantined (2)' }),
    };
    await rig.sync({ client: odd });
    const request = await rig.request('import-a');
    expect(request.portStatus).toBe('Quarantined (2)');
    expect(request.endedAt).toBeUndefined();
    expect(rig.counts.unknownStatus).toBe(1);
    expect((await rig.ports.get(request.portId ?? ''))?.dueAt).toBeDefined();
  });

  test('fault 48: a port that the service does not know keeps its state, and is a concern after three looks', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    const { portId = '' } = await rig.request('import-a');
    const refusal = { message: 'not found', fieldErrors: [], msisdns: [] };
    const { client } = rig.syncParts();
    const lost = { ...client, port: () => Promise.reject(new NotFound(refusal, { call: 'GET /port', status: 404 })) };
    for (let look = 1; look <= 3; look += 1) {
      expect(await rig.ports.attention(1001)).toEqual([]);
      rig.pass(day);
      await rig.sync({ client: lost });
    }
    expect(await rig.ports.attention(1001)).toMatchObject([{ portId, status: 'Created', missingLooks: 3 }]);
    expect((await rig.request('import-a')).attention).toBe(1);
    rig.pass(day);
    await rig.sync();
    expect((await rig.ports.get(portId))?.concern).toBeUndefined();
  });

  test('when the service cannot be asked everything stays due', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    rig.pass(hour);
    const { client } = rig.syncParts();
    const fails = () => Promise.reject(new Unavailable('503', { call: 'GET' }));
    expect(await rig.sync({ client: { ...client, port: fails, networks: fails } })).toMatchObject({ looked: 0 });
    expect(await rig.sync()).toMatchObject({ looked: 1 });
  });

  test('fault 49: what one run has no time for is the first thing of the next', async () => {
    const groups = [1, 2].map((index) => [plannedRowOf(index, index + 1)]);
    for (const message of await rig.plan('import-a', groups)) await rig.submit(message);
    rig.pass(hour);
    expect(await rig.sync({ remainingMs: () => 1_000 })).toMatchObject({ looked: 0, left: 2 });
    expect(rig.counts.syncStaleness).toBeGreaterThan(0);
    expect(await rig.sync()).toMatchObject({ looked: 2, left: 0 });
    expect(rig.counts.syncStaleness).toBe(0);
  });
});

describe('runs', () => {
  test('fault 47: of two runs at once one works and the other leaves', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    rig.pass(hour);
    const results = await Promise.all([rig.sync(), rig.sync()]);
    expect(results.filter(({ skipped }) => skipped)).toHaveLength(1);
  });

  test('fault 47: a run that died lets its lease lapse', async () => {
    const now = rig.service.now();
    await rig.leases.take('sync', 'dead', new Date(now).toISOString(), new Date(now + minute).toISOString());
    expect((await rig.sync()).skipped).toBe(true);
    rig.pass(minute);
    expect((await rig.sync()).skipped).toBe(false);
    expect((await rig.sync()).skipped).toBe(false);
  });
});
