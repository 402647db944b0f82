// The request journal: "this was called so many times with that".
import { expect, test } from 'vitest';
import { createPort, portPath, portRow, startTestSimulator, type TestSimulator } from '../support/service/simulator.ts';

const find = async (service: TestSimulator, pattern: object) =>
  (await service.call('POST', '/_sandbox/journal', { body: pattern })).body;

test('requests are counted by operation, status, fault and a part of the body', async () => {
  const service = await startTestSimulator({ sandbox: true });
  for (const [index, name] of ['Office', 'Depot', 'Depot'].entries())
    await createPort(service, { name, rows: [portRow(index)] });
  await service.call('PUT', '/_sandbox/faults', { body: { faults: [{ does: { kind: 'expired-token' }, times: 1 }] } });
  await service.call('GET', '/api/company');
  expect((await find(service, { operation: 'createPort' })).count).toBe(3);
  expect((await find(service, { operation: 'createPort', body: { name: 'Depot' } })).count).toBe(2);
  expect((await find(service, { body: { rows: [{ msisdn: '07700900001' }] } })).count).toBe(1);
  expect((await find(service, { status: 401 })).count).toBe(1);
  expect((await find(service, { fault: 'expired-token' })).requests).toMatchObject([
    { operation: 'getCompanies', method: 'GET', path: '/api/company', body: null, status: 401, fault: 'expired-token' },
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
