// The test controls of one account do nothing to another.
import { expect, test } from 'vitest';
import { createPort, hour, portRow, startTestSimulator, type TestSimulator } from '../support/service/simulator.ts';

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
