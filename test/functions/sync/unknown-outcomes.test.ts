// Requests of unknown outcome, in whole runs: searched, adopted, sent again, or marked as action required.
import { describe, expect, test } from 'vitest';
import { Ambiguous } from '#shared/service/errors.ts';
import { hour, minute } from '../../support/service/simulator.ts';
import { makeElsewhere } from '../../support/steps/adopting.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { leaseMs, plannedRowOf, quietMs } from '../../support/steps/submit-and-sync.ts';

useFreshRig();

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];
const call = 'POST /api/porting/1001';

/** The call reaches the service, and `fault` happens before its answer arrives. */
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
/** Like `kill -9`: nothing after the call is executed. */
const killed = () =>
  callThen(() => {
    throw new Error('killed');
  });

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

describe('a port', () => {
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
    await makeElsewhere('Field team', [9]);
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
    expect(await rig.portsThere()).toBe(2);
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

  test('fault 45: the service is not called during the quiet period', async () => {
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

  test('two scans serve all requests of unknown outcome', async () => {
    await makeElsewhere('Field team', [9]);
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
    expect((await rig.ports.get(request.portId ?? ''))?.concern).toContain(
      'resolve request import-a/1 and keep one of the ports',
    );
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
    expect(await rig.sync({ plans })).toMatchObject({ adopted: 1, actionRequired: 0 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'created', portStatus: 'Created' });
  });

  test('a port with our name and other numbers requires action', async () => {
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
    expect(await rig.sync()).toMatchObject({ actionRequired: 1, adopted: 0 });
    expect(await rig.request('import-a')).toMatchObject({
      state: 'action-required',
      error: { message: expect.stringContaining('with other numbers') },
    });
  });

  test.each([
    ['more numbers than were sent', [plannedRowOf(1, 2), plannedRowOf(2, 3), plannedRowOf(3, 4)]],
    ['as many numbers, one of them another', [plannedRowOf(1, 2), plannedRowOf(3, 3)]],
  ])('a port with our name and %s requires action', async (_what, held) => {
    rig.breaks('I2 no request created port');
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
    expect(await rig.sync()).toMatchObject({ actionRequired: 1, adopted: 0 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required' });
  });
});

describe('a list without a single port, which may be a fault of the list:', () => {
  const empty = async () => ({ total: 0, totalPages: 0, data: [] });
  const emptyList = () => ({ client: { ...rig.syncParts().client, listPorts: empty } });
  const found = { adopted: 0, absent: 0, actionRequired: 0 };

  test('a request is sent again after the third search of it', async () => {
    const message = await rig.planOne('import-a', rows);
    const createPort = () => Promise.reject(new Ambiguous('reset', { call }));
    await rig.submit(message, { client: { ...rig.submitParts().client, createPort } });
    for (const absences of [1, 2]) {
      rig.pass(quietMs);
      expect(await rig.sync()).toMatchObject(found);
      expect(await rig.request('import-a')).toMatchObject({ state: 'unknown', search: { absences } });
    }
    expect(services.waiting('submit')).toEqual([]);
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ ...found, absent: 1 });
    expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
    expect(await rig.submit(message)).toBe('created');
    expect(await rig.portsThere()).toBe(1);
  });

  test('a request is adopted and not sent again if the second search shows its port', async () => {
    const client = callThen(() => {
      throw new Ambiguous('reset', { call });
    });
    const message = await rig.planOne('import-a', rows);
    await rig.submit(message, { client });
    rig.pass(quietMs);
    expect(await rig.sync(emptyList())).toMatchObject(found);
    rig.pass(quietMs);
    expect(await rig.sync()).toMatchObject({ ...found, adopted: 1 });
    const request = await rig.request('import-a');
    expect(request).toMatchObject({ state: 'created', attempt: 1 });
    expect(request).not.toHaveProperty('search');
    expect(services.waiting('submit')).toEqual([]);
    expect(await rig.submit(message)).toBe('not-mine');
    expect(await rig.portsThere()).toBe(1);
  });
});

describe('a submission that creates no port', () => {
  const ticketOperation = () => {
    const operation = rig.submitParts().operationNamed('create-port');
    if (operation === undefined) throw new Error('there is no create-port');
    const submission = { ...operation.submission, makes: 'ticket' as const };
    return { operationNamed: () => ({ ...operation, submission }) };
  };
  const answering = (createPort: () => Promise<string>) => ({ ...rig.submitParts().client, createPort });

  test('ends when the service accepted it, with its ticket (spec gap 34)', async () => {
    const message = await rig.planOne('import-a', rows);
    const client = answering(async () => 'ticket-1');
    expect(await rig.submit(message, { ...ticketOperation(), client })).toBe('accepted');
    expect(await rig.request('import-a')).toMatchObject({ ticket: 'ticket-1', endedAt: expect.any(String) });
  });

  test('of unknown outcome requires action, and is never searched for or sent again', async () => {
    const message = await rig.planOne('import-a', rows);
    const client = answering(() => Promise.reject(new Ambiguous('reset', { call })));
    await rig.submit(message, { ...ticketOperation(), client });
    rig.pass(quietMs);
    rig.calls.length = 0;
    expect(await rig.sync(ticketOperation())).toMatchObject({ actionRequired: 1 });
    expect(await rig.request('import-a')).toMatchObject({ state: 'action-required' });
    expect(await rig.submit(message)).toBe('not-mine');
    expect(rig.calls).toEqual([]);
  });
});

test('fault 31: a planned request whose message was lost gets a new one, once per wait', async () => {
  const message = await rig.planOne('import-a', rows);
  await rig.sync();
  expect(services.waiting('submit')).toEqual([]);
  rig.pass(16 * minute);
  expect(await rig.sync()).toMatchObject({ resent: 1 });
  expect(await rig.sync()).toMatchObject({ resent: 0 });
  expect(services.waiting('submit').map(({ body }) => body)).toEqual([message]);
});
