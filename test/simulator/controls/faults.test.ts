// Faults under /_sandbox, over a real socket.
import { describe, expect, test } from 'vitest';
import {
  createPort,
  hour,
  portBody,
  portRow,
  requestToken,
  startTestSimulator,
  stockSerials,
  type TestSimulator,
} from '../../support/service/simulator.ts';

const plan = (service: TestSimulator, faults: object[], seed = 1) =>
  service.call('PUT', '/_sandbox/faults', { body: { seed, faults } });

const post = (service: TestSimulator, index = 1) =>
  service.call('POST', '/api/porting/1001', { body: portBody({ rows: [portRow(index)] }) });

const portCount = async (service: TestSimulator): Promise<number> =>
  (await service.call('GET', '/_sandbox/dump')).body.ports.length;

const faulty = async (...faults: object[]): Promise<TestSimulator> => {
  const service = await startTestSimulator({ sandbox: true });
  await plan(service, faults);
  return service;
};

test('a rate limit is answered 429 with Retry-After, and nothing is kept', async () => {
  const service = await faulty({ endpoint: 'createPort', does: { kind: 'rate-limited', retryAfter: '7' } });
  const reply = await post(service);
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '7']);
  expect(await portCount(service)).toBe(0);
});

test.each([
  ['before', 0],
  ['after', 1],
])('a server error %s the commit leaves %i ports', async (when, ports) => {
  const service = await faulty({ endpoint: 'createPort', does: { kind: 'error', status: 503, when } });
  expect((await post(service)).status).toBe(503);
  expect(await portCount(service)).toBe(ports);
});

test.each([
  ['before', 0],
  ['after', 1],
])('a reset %s the commit breaks the connection and leaves %i ports', async (when, ports) => {
  const service = await faulty({ endpoint: 'createPort', does: { kind: 'reset', when } });
  await expect(post(service)).rejects.toThrow('fetch failed');
  expect(await portCount(service)).toBe(ports);
});

test('a truncated answer ends before its length, after the commit', async () => {
  const service = await faulty({ endpoint: 'createPort', does: { kind: 'truncated' } });
  await expect(post(service)).rejects.toThrow('terminated');
  expect(await portCount(service)).toBe(1);
});

test('latency holds an answer back', async () => {
  const service = await faulty({ endpoint: 'createPort', does: { kind: 'latency', milliseconds: 50 } });
  const start = performance.now();
  expect((await post(service)).status).toBe(201);
  expect(performance.now() - start).toBeGreaterThanOrEqual(45);
});

test('a token can be taken for expired', async () => {
  const service = await faulty({ endpoint: 'listPorts', does: { kind: 'expired-token' } });
  expect((await service.call('GET', '/api/porting/1001')).status).toBe(401);
});

test('the token endpoint can fail too', async () => {
  const service = await faulty({ endpoint: 'token', does: { kind: 'error', status: 500, when: 'before' } });
  const form = { client_id: service.clientId, client_secret: service.clientSecret, grant_type: 'client_credentials' };
  expect((await requestToken(service, form)).status).toBe(500);
});

test('a list that lags does not show the newest ports yet', async () => {
  const service = await faulty({ does: { kind: 'list-lag', ports: 2 }, endpoint: 'listPorts' });
  const ids = [];
  for (const index of [1, 2, 3]) ids.push(await createPort(service, { rows: [portRow(index)] }));
  const { body } = await service.call('GET', '/api/porting/1001');
  expect(body.data.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
});

test.each([
  [1, 1],
  [-1, 3],
])('pages can shift by %i ports while they are read', async (ports, shown) => {
  const service = await faulty({ endpoint: 'listPorts', does: { kind: 'page-shift', ports } });
  const ids: string[] = [];
  for (const index of [0, 1, 2, 3]) ids.push(await createPort(service, { rows: [portRow(index)] }));
  const headers = { 'x-pagenumber': '2', 'x-pagesize': '1' };
  const { body } = await service.call('GET', '/api/porting/1001', { headers });
  expect(body.data.map(({ id }: { id: string }) => ids.indexOf(id))).toEqual([shown]);
});

test('a fault ends after the times it was asked for, and counts its hits', async () => {
  const service = await faulty({ endpoint: 'listPorts', times: 2, does: { kind: 'expired-token' } });
  const statuses = [];
  for (let call = 0; call < 4; call += 1) statuses.push((await service.call('GET', '/api/porting/1001')).status);
  expect(statuses).toEqual([401, 401, 200, 200]);
  expect((await service.call('GET', '/_sandbox/faults')).body.faults[0].hits).toBe(2);
});

test('the same seed hits the same requests, another seed others', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const hits = async (seed: number): Promise<number[]> => {
    await plan(service, [{ endpoint: 'listPorts', rate: 0.3, does: { kind: 'expired-token' } }], seed);
    const statuses: number[] = [];
    for (let call = 0; call < 40; call += 1) statuses.push((await service.call('GET', '/api/porting/1001')).status);
    return statuses;
  };
  const first = await hits(7);
  expect(await hits(7)).toEqual(first);
  expect(await hits(8)).not.toEqual(first);
  expect(first.filter((status) => status === 401).length).toBeGreaterThan(4);
  expect(first.filter((status) => status === 401).length).toBeLessThan(22);
});

test('no fault hits the controls themselves', async () => {
  const service = await faulty({ does: { kind: 'expired-token' } });
  expect((await service.call('GET', '/_sandbox/faults')).status).toBe(200);
  expect((await plan(service, [])).status).toBe(200);
  expect((await service.call('GET', '/api/company')).status).toBe(200);
});

test('an unknown fault is answered 400', async () => {
  const service = await startTestSimulator({ sandbox: true });
  expect((await plan(service, [{ does: { kind: 'earthquake' } }])).status).toBe(400);
});

describe('delivered twice by a gateway', () => {
  const twice = { does: { kind: 'delivered-twice' }, times: 1 };

  test('a Create Port is created once, and the client sees the conflict of the second delivery', async () => {
    const service = await faulty({ ...twice, endpoint: 'createPort' });
    const reply = await post(service);
    expect([reply.status, reply.body.errors[0].field]).toEqual([409, 'rows[0].msisdn']);
    expect(await portCount(service)).toBe(1);
  });

  test('a Provision is carried out once if it names a number', async () => {
    const service = await faulty({ ...twice, endpoint: 'provision' });
    const body = { stock: [{ serialNumber: '8944110000000000001', msisdn: '07700900001' }], tariffNumber: 2001 };
    expect((await service.call('POST', '/api/simSubmission/Provision', { body })).status).toBe(409);
    expect((await service.call('GET', '/_sandbox/dump')).body.submissions).toHaveLength(1);
  });

  test('a Send SMS is sent twice: nothing in it shows the second', async () => {
    const service = await faulty({ ...twice, endpoint: 'sendSms' });
    const body = { serialNumbers: stockSerials(240).slice(0, 1), message: 'Hello' };
    expect((await service.call('POST', '/api/simSubmission/SendSms', { body })).status).toBe(200);
    expect((await service.call('GET', '/_sandbox/dump')).body.submissions).toHaveLength(2);
  });
});

describe('committed late', () => {
  test('a port appears once the time has come, after the client has stopped waiting', async () => {
    const service = await faulty({
      endpoint: 'createPort',
      does: { kind: 'committed-late', milliseconds: hour },
      times: 1,
    });
    await expect(post(service)).rejects.toThrow('fetch failed');
    service.pass(hour - 1);
    expect(await portCount(service)).toBe(0);
    expect((await service.call('GET', '/api/porting/1001')).body.total).toBe(0);
    service.pass(1);
    expect((await service.call('GET', '/api/porting/1001')).body.total).toBe(1);
    expect(await portCount(service)).toBe(1);
  });

  test('several late requests are carried out in the order of their time, once each', async () => {
    const service = await faulty(
      { endpoint: 'createPort', does: { kind: 'committed-late', milliseconds: 2 * hour }, times: 1 },
      { endpoint: 'createPort', does: { kind: 'committed-late', milliseconds: hour }, times: 1 },
    );
    await expect(post(service, 1)).rejects.toThrow('fetch failed');
    await expect(post(service, 2)).rejects.toThrow('fetch failed');
    await service.call('POST', '/_sandbox/clock', { body: { advanceMs: 3 * hour } });
    const { ports } = (await service.call('GET', '/_sandbox/dump')).body;
    const numbers = ports.map(({ rows }: { rows: { number: string }[] }) => rows[0]?.number);
    expect(numbers).toEqual(['447700900001', '447700900002']);
  });

  test('a reset forgets late requests', async () => {
    const service = await faulty({
      endpoint: 'createPort',
      does: { kind: 'committed-late', milliseconds: hour },
      times: 1,
    });
    await expect(post(service)).rejects.toThrow('fetch failed');
    await service.call('POST', '/_sandbox/reset');
    service.pass(2 * hour);
    expect(await portCount(service)).toBe(0);
  });
});

test.each([
  [400, 'before', 0],
  [403, 'after', 1],
  [404, 'after', 1],
  [502, 'after', 1],
])('a gateway answers %i with its own page %s the commit, and leaves %i ports', async (status, when, ports) => {
  const service = await faulty({ endpoint: 'createPort', does: { kind: 'gateway-page', status, when } });
  const reply = await post(service);
  expect([reply.status, reply.headers.get('content-type')]).toEqual([status, 'text/html']);
  expect(reply.text).toContain('<html>');
  expect(await portCount(service)).toBe(ports);
});

test.each([
  ['of no port', undefined],
  ['of another port', '00000000-0000-4000-8000-000000000001'],
])('a Create Port can be answered with the id %s', async (_which, portId) => {
  const service = await faulty({ endpoint: 'createPort', does: { kind: 'wrong-port-id', portId }, times: 1 });
  const reply = await post(service);
  const { data } = (await service.call('GET', '/api/porting/1001')).body;
  expect(reply.status).toBe(201);
  expect(reply.body).not.toBe(data[0].id);
  if (portId !== undefined) expect(reply.body).toBe(portId);
});

describe('the list', () => {
  const list = async (service: TestSimulator) => {
    const { total, totalPages, data } = (await service.call('GET', '/api/porting/1001')).body;
    return [total, totalPages, data.length];
  };

  test.each([
    ['shown', [1, 1, 1]],
    ['all', [2, 1, 1]],
  ])('can lag for a time; its total counts the ports that are %s', async (total, before) => {
    const delay = { endpoint: 'listPorts', does: { kind: 'list-delay', milliseconds: 200_000, total } };
    const service = await faulty(delay);
    await post(service, 1);
    service.pass(100_000);
    await post(service, 2);
    service.pass(100_000);
    expect(await list(service)).toEqual(before);
    service.pass(100_000);
    expect(await list(service)).toEqual([2, 1, 2]);
  });

  test('can lag by ports that its total does not count', async () => {
    const service = await faulty({ endpoint: 'listPorts', does: { kind: 'list-lag', ports: 1, total: 'shown' } });
    await post(service, 1);
    await post(service, 2);
    expect(await list(service)).toEqual([1, 1, 1]);
  });

  test('can be empty with a total of 0', async () => {
    const service = await faulty({ endpoint: 'listPorts', does: { kind: 'empty-list' }, times: 2 });
    await post(service);
    expect([await list(service), await list(service), await list(service)]).toEqual([
      [0, 0, 0],
      [0, 0, 0],
      [1, 1, 1],
    ]);
  });
});

test.each([['createports'], ['CreatePort'], ['sandboxDump']])(
  'a fault for the endpoint "%s" is answered 400',
  async (endpoint) => {
    const service = await startTestSimulator({ sandbox: true });
    const reply = await plan(service, [
      { does: { kind: 'expired-token' } },
      { endpoint, does: { kind: 'expired-token' } },
    ]);
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, 'faults[1].endpoint']);
  },
);

test('a fault that ends after one hit hits one of many simultaneous requests', async () => {
  const service = await faulty({ endpoint: 'getCompanies', times: 1, does: { kind: 'expired-token' } });
  const replies = await Promise.all(Array.from({ length: 10 }, () => service.call('GET', '/api/company')));
  expect(replies.filter(({ status }) => status === 401)).toHaveLength(1);
});

test('a fault that hides an answer hides an error too', async () => {
  const service = await faulty({ endpoint: 'createPort', does: { kind: 'error', status: 503, when: 'after' } });
  expect((await service.call('POST', '/api/porting/1001', { body: {} })).status).toBe(503);
});
