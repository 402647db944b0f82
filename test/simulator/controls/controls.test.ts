// The test controls under /_sandbox: the clock, the operator, the dump, the reset.
import { describe, expect, test } from 'vitest';
import { portStatusIds } from '#simulator/ports/port.ts';
import { createMemoryStore } from '#simulator/store/memory-store.ts';
import type { Store } from '#simulator/store/store.ts';
import {
  createPort,
  hour,
  minute,
  portPath,
  portRow,
  readPort,
  startTestSimulator,
  type TestSimulator,
} from '../../support/service/simulator.ts';

test.each([
  ['GET', '/_sandbox/clock'],
  ['GET', '/_sandbox/dump'],
  ['POST', '/_sandbox/reset'],
])('%s %s does not exist unless the sandbox is enabled', async (method, path) => {
  const service = await startTestSimulator();
  expect((await service.call(method, path)).status).toBe(404);
});

test('the controls want a token', async () => {
  const service = await startTestSimulator({ sandbox: true });
  expect((await fetch(`${service.baseUrl}/_sandbox/dump`)).status).toBe(401);
});

test('the clock is advanced by milliseconds or to a time, and ports follow it', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service);
  const reply = await service.call('POST', '/_sandbox/clock', { body: { advanceMs: 5 * minute } });
  expect(reply.body).toEqual({ now: '2026-07-06T09:05:00.000Z', epochMs: Date.parse('2026-07-06T09:05:00Z') });
  expect((await readPort(service, id)).statusName).toBe('Submitted');
  await service.call('POST', '/_sandbox/clock', { body: { to: '2026-07-09T09:00:00Z' } });
  expect((await service.call('GET', '/_sandbox/clock')).body.now).toBe('2026-07-09T09:00:00.000Z');
  expect((await readPort(service, id)).statusName).toBe('Complete');
});

test('the clock never goes back', async () => {
  const service = await startTestSimulator({ sandbox: true });
  expect((await service.call('POST', '/_sandbox/clock', { body: { to: '2026-07-01T00:00:00Z' } })).status).toBe(409);
  expect((await service.call('POST', '/_sandbox/clock', { body: { advanceMs: -1 } })).status).toBe(400);
});

test('another process on the same store has the same clock', async () => {
  const store = createMemoryStore();
  const [first, second] = [
    await startTestSimulator({ sandbox: true, store }),
    await startTestSimulator({ sandbox: true, store }),
  ];
  await first.call('POST', '/_sandbox/clock', { body: { advanceMs: hour } });
  expect((await second.call('GET', '/_sandbox/clock')).body.now).toBe('2026-07-06T10:00:00.000Z');
});

test.each([
  ['Error', 'ERR123456', 'Created'],
  ['SubmittedWithErrors', 'SWE123456', 'Submitted'],
])('a port in %s goes on once the operator has resolved it', async (status, pac, next) => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service, { rows: [portRow(1, { pac })] });
  service.pass(hour);
  expect((await readPort(service, id)).statusName).toBe(status);
  expect((await service.call('POST', `/_sandbox/ports/${id}/resolve`)).status).toBe(202);
  expect((await readPort(service, id)).statusName).toBe(next);
  service.pass(72 * hour);
  expect((await readPort(service, id)).statusName).toBe('Complete');
});

test('a port without an error has nothing to resolve: 409', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service);
  expect((await service.call('POST', `/_sandbox/ports/${id}/resolve`)).status).toBe(409);
});

test("a dump holds the caller's ports as they are now, with their history and without PACs", async () => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service, { rows: [portRow(1, { pac: 'XYZ987654' })] });
  service.pass(5 * minute);
  const reply = await service.call('GET', '/_sandbox/dump');
  expect(reply.body.ports).toMatchObject([
    {
      id,
      status: 'Submitted',
      history: [{ status: 'Created' }, { status: 'Submitted' }],
      rows: [{ number: '447700900001' }],
    },
  ]);
  expect(reply.text).not.toContain('XYZ987654');
  expect((await service.call('GET', '/_sandbox/dump', { client: 1 })).body.ports).toEqual([]);
});

test('a dump reads the account once, however many SIMs its ports name', async () => {
  const store = createMemoryStore();
  const reads: string[] = [];
  const counted: Store = {
    ...store,
    readAccount: async (accountId) => {
      reads.push('account');
      return store.readAccount(accountId);
    },
    port: async (id) => {
      reads.push('port');
      return store.port(id);
    },
    simEvents: async (serialNumbers) => {
      reads.push('events');
      return store.simEvents(serialNumbers);
    },
  };
  const service = await startTestSimulator({ sandbox: true, store: counted });
  for (const first of [1, 11])
    await createPort(service, { rows: Array.from({ length: 10 }, (_, row) => portRow(first + row)) });
  reads.length = 0;
  const { body } = await service.call('GET', '/_sandbox/dump');
  expect(body.sims).toHaveLength(20);
  expect(body.sims[0]).toMatchObject({ status: 'Port-In Started' });
  expect(reads).toEqual(['account']);
});

test('a reset forgets ports, faults and the advance of the clock', async () => {
  const service = await startTestSimulator({ sandbox: true });
  await createPort(service);
  await service.call('POST', '/_sandbox/clock', { body: { advanceMs: hour } });
  expect((await service.call('POST', '/_sandbox/reset')).status).toBe(204);
  const { body } = await service.call('GET', '/_sandbox/dump');
  expect(body).toEqual({ now: '2026-07-06T09:00:00.000Z', ports: [], submissions: [], sims: [] });
  await expect(createPort(service)).resolves.toEqual(expect.any(String));
});

test.each([[{ advanceMs: 1, to: '2035-07-02T09:00:00Z' }], [{}], [{ advanceMs: 1.5 }], [{ to: 'tomorrow' }]])(
  'a clock request %j is answered 400',
  async (body) => {
    const service = await startTestSimulator({ sandbox: true });
    expect((await service.call('POST', '/_sandbox/clock', { body })).status).toBe(400);
  },
);

test.each([[{ advanceMs: Number.MAX_SAFE_INTEGER }], [{ to: '9999-12-31T00:00:00Z' }]])(
  'the clock does not go beyond the year 8999: %j is answered 422',
  async (body) => {
    const service = await startTestSimulator({ sandbox: true });
    expect((await service.call('POST', '/_sandbox/clock', { body })).status).toBe(422);
    await service.call('POST', '/_sandbox/clock', { body: { to: '8999-12-01T00:00:00Z' } });
    expect((await service.call('GET', '/api/porting/1001/networks')).status).toBe(200);
  },
);

test('a clock that runs far beyond every calendar stops at the last year', async () => {
  const service = await startTestSimulator({ sandbox: true, start: 8e15 });
  expect((await service.call('GET', '/_sandbox/clock')).body.now).toBe('9000-01-01T00:00:00.000Z');
  expect((await service.call('GET', '/api/porting/1001/networks')).status).toBe(200);
});

test('a port is put into any status at once, and continues from there', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service);
  const put = (status: string) => service.call('PUT', `/_sandbox/ports/${id}/status`, { body: { status } });
  for (const status of Object.keys(portStatusIds).filter((name) => name !== 'Cancelled')) {
    expect((await put(status)).status).toBe(202);
    expect((await readPort(service, id)).statusName).toBe(status);
  }
  await put('Locked');
  expect((await readPort(service, id)).rows[0]?.statusName).toBe('Submitted');
  expect((await service.call('DELETE', `/api/porting/1001/port/${id}`)).status).toBe(409);
  service.pass(5 * 24 * hour);
  expect((await readPort(service, id)).statusName).toBe('Complete');
});

test('a port that is put into Cancelled has released its numbers, and cannot leave it: 409', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service);
  const put = (status: string) => service.call('PUT', `/_sandbox/ports/${id}/status`, { body: { status } });
  await put('Cancelled');
  await expect(createPort(service)).resolves.toEqual(expect.any(String));
  expect((await put('Submitted')).status).toBe(409);
});

test.each([
  [{ status: 'Lost' }, 400],
  [{ status: 'Locked', at: 1 }, 400],
])('the status %j is answered %i', async (body, status) => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service);
  expect((await service.call('PUT', `/_sandbox/ports/${id}/status`, { body })).status).toBe(status);
});

// The test controls of one account do nothing to another.
describe('of one account', () => {
  const other = 1;

  const otherPort = (service: TestSimulator) =>
    service.call('POST', '/api/porting/1002', {
      body: {
        name: 'theirs',
        targetNetworkId: 11,
        sourceNetworkId: 1,
        connectionDate: '2026-07-08',
        portType: 'Port',
        rows: [portRow(50, { provisioningOrder: null, provisioningOrderName: 'Depot' })],
      },
      client: other,
    });

  const dump = async (service: TestSimulator, client = 0) =>
    (await service.call('GET', '/_sandbox/dump', { client })).body;

  test('a reset deletes the data of the account only', async () => {
    const service = await startTestSimulator({ sandbox: true });
    await createPort(service);
    await otherPort(service);
    expect((await service.call('POST', '/_sandbox/reset')).status).toBe(204);
    expect((await dump(service)).ports).toEqual([]);
    expect((await dump(service, other)).ports).toHaveLength(1);
  });

  test('the clock of an account moves its ports only, whoever reads', async () => {
    const service = await startTestSimulator({ sandbox: true });
    await createPort(service);
    await otherPort(service);
    await service.call('POST', '/_sandbox/clock', { body: { advanceMs: 100 * hour } });
    expect((await dump(service)).ports[0].status).toBe('Complete');
    expect((await dump(service, other)).ports[0].status).toBe('Created');
    expect((await service.call('GET', '/_sandbox/clock', { client: other })).body.now).toBe('2026-07-06T09:00:00.000Z');
  });

  test('a number is taken by the state that its port has for its own account', async () => {
    const service = await startTestSimulator({ sandbox: true });
    await otherPort(service);
    await service.call('POST', '/_sandbox/clock', { body: { advanceMs: hour }, client: other });
    const body = { ...portBodyFor50() };
    const reply = await service.call('POST', '/api/porting/1001', { body });
    expect([reply.status, reply.body.message]).toEqual([
      409,
      'MSISDN 07700900050 is already in a port that is not finished.',
    ]);
  });

  const portBodyFor50 = () => ({
    name: 'ours',
    targetNetworkId: 11,
    sourceNetworkId: 1,
    connectionDate: '2026-07-08',
    portType: 'Port',
    rows: [portRow(50)],
  });

  test('faults hit the account that asked for them', async () => {
    const service = await startTestSimulator({ sandbox: true });
    await service.call('PUT', '/_sandbox/faults', { body: { faults: [{ does: { kind: 'expired-token' } }] } });
    expect((await service.call('GET', '/api/company')).status).toBe(401);
    expect((await service.call('GET', '/api/company', { client: other })).status).toBe(200);
    expect((await service.call('GET', '/_sandbox/faults', { client: other })).body.faults).toEqual([]);
  });

  test('a journal lists the requests of the account', async () => {
    const service = await startTestSimulator({ sandbox: true });
    await service.call('DELETE', '/_sandbox/journal');
    await service.call('GET', '/api/company');
    expect((await service.call('GET', '/_sandbox/journal')).body.count).toBe(1);
    // Of the other account only its token request.
    const { requests } = (await service.call('GET', '/_sandbox/journal', { client: other })).body;
    expect(requests.map(({ operation }: { operation: string }) => operation)).toEqual(['token']);
  });

  test('simultaneous requests of both accounts lose no change of the controls', async () => {
    const service = await startTestSimulator({ sandbox: true });
    await Promise.all(
      [0, 1, 0, 1, 0, 1, 0, 1].map((client) =>
        service.call('POST', '/_sandbox/clock', { body: { advanceMs: hour }, client }),
      ),
    );
    for (const client of [0, 1]) {
      expect((await service.call('GET', '/_sandbox/clock', { client })).body.now).toBe('2026-07-06T13:00:00.000Z');
    }
  });
});

// The request journal: "this was called so many times with that".
describe('the journal of requests', () => {
  const find = async (service: TestSimulator, pattern: object) =>
    (await service.call('POST', '/_sandbox/journal', { body: pattern })).body;

  test('requests are counted by operation, status, fault and a part of the body', async () => {
    const service = await startTestSimulator({ sandbox: true });
    for (const [index, name] of ['Office', 'Depot', 'Depot'].entries())
      await createPort(service, { name, rows: [portRow(index)] });
    await service.call('PUT', '/_sandbox/faults', {
      body: { faults: [{ does: { kind: 'expired-token' }, times: 1 }] },
    });
    await service.call('GET', '/api/company');
    expect((await find(service, { operation: 'createPort' })).count).toBe(3);
    expect((await find(service, { operation: 'createPort', body: { name: 'Depot' } })).count).toBe(2);
    expect((await find(service, { body: { rows: [{ msisdn: '07700900001' }] } })).count).toBe(1);
    expect((await find(service, { status: 401 })).count).toBe(1);
    expect((await find(service, { fault: 'expired-token' })).requests).toMatchObject([
      {
        operation: 'getCompanies',
        method: 'GET',
        path: '/api/company',
        body: null,
        status: 401,
        fault: 'expired-token',
      },
    ]);
    expect((await find(service, { operation: 'createPort', body: { name: 'Nobody' } })).count).toBe(0);
  });

  test('a journal shows no PAC and no secret, but matches them', async () => {
    const service = await startTestSimulator({ sandbox: true });
    const id = await createPort(service, { rows: [portRow(1, { pac: 'XYZ987654' })] });
    await service.call('PATCH', portPath(service, id), {
      body: { Rows: [{ Msisdn: portRow(1).msisdn, Pac: 'QQQ987654', PortRowStatus: 'Amended' }] },
    });
    const reply = await service.call('GET', '/_sandbox/journal');
    expect(reply.text).not.toMatch(/987654/);
    expect(reply.text).not.toContain(service.clientSecret);
    expect((await find(service, { body: { Rows: [{ Pac: 'QQQ987654' }] } })).count).toBe(1);
  });

  test('a dump of the account shows no PAC', async () => {
    const service = await startTestSimulator({ sandbox: true });
    const id = await createPort(service, { rows: [portRow(1, { pac: 'INV987654' })] });
    await service.call('PATCH', portPath(service, id), {
      body: { Rows: [{ Msisdn: portRow(1).msisdn, Pac: 'QQQ987654', PortRowStatus: 'Amended' }] },
    });
    const { text, body } = await service.call('GET', '/_sandbox/dump');
    expect(body.ports).toHaveLength(1);
    expect(text).not.toMatch(/987654/);
  });

  test('a body that is not JSON is listed as text, and controls are not listed', async () => {
    const service = await startTestSimulator({ sandbox: true });
    await service.call('DELETE', '/_sandbox/journal');
    await service.call('POST', '/api/porting/1001', { body: '{"name"' });
    await service.call('GET', '/_sandbox/dump');
    expect((await service.call('GET', '/_sandbox/journal')).body).toEqual({
      count: 1,
      requests: [
        {
          at: '2026-07-06T09:00:00.000Z',
          operation: 'createPort',
          method: 'POST',
          path: '/api/porting/1001',
          body: '{"name"',
          status: 400,
          fault: null,
        },
      ],
    });
  });

  test('an unknown field of a pattern is answered 400', async () => {
    const service = await startTestSimulator({ sandbox: true });
    expect((await service.call('POST', '/_sandbox/journal', { body: { endpoint: 'createPort' } })).status).toBe(400);
  });
});
