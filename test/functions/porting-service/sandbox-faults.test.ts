// Rehearsal faults under /_sandbox, over a real socket.
import { expect, test } from 'vitest';
import {
  createPort,
  portBody,
  portRow,
  requestToken,
  startTestService,
  type TestService,
} from '../../support/porting-service.ts';

const plan = (service: TestService, faults: object[], seed = 1) =>
  service.call('PUT', '/_sandbox/faults', { body: { seed, faults } });

const post = (service: TestService, index = 1) =>
  service.call('POST', '/api/porting/1001', { body: portBody({ rows: [portRow(index)] }) });

const portCount = async (service: TestService): Promise<number> =>
  (await service.call('GET', '/_sandbox/dump')).body.ports.length;

const faulty = async (...faults: object[]): Promise<TestService> => {
  const service = await startTestService({ sandbox: true });
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
  expect((await requestToken(service, {})).status).toBe(500);
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
  const service = await startTestService({ sandbox: true });
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
  const service = await startTestService({ sandbox: true });
  expect((await plan(service, [{ does: { kind: 'earthquake' } }])).status).toBe(400);
});
