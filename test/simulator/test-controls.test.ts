// The test controls under /_sandbox: the clock, the operator, the dump, the reset.
import { expect, test } from 'vitest';
import { portStatusIds } from '#simulator/ports/port.ts';
import { createMemoryStore } from '#simulator/store/memory-store.ts';
import { createPort, hour, minute, portRow, readPort, startTestSimulator } from '../support/service/simulator.ts';

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
