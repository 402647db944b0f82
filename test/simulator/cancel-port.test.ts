// DELETE /api/porting/{accountId}/port/{portId} (spec "Cancel Port", "Moves that are stated").
import { expect, test } from 'vitest';
import {
  createPort,
  day,
  hour,
  minute,
  portPath,
  portRow,
  readPort,
  startTestSimulator,
  type TestSimulator,
} from '../support/service/simulator.ts';

const cancel = (service: TestSimulator, id: string) => service.call('DELETE', portPath(service, id));
const statusOf = async (service: TestSimulator, id: string) => (await readPort(service, id)).statusName;

test('a port whose PAC check failed is cancelled at once', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service, { rows: [portRow(1), portRow(2, { pac: 'INV123456' })] });
  service.pass(5 * minute);
  const reply = await cancel(service, id);
  expect([reply.status, reply.text]).toEqual([202, '']);
  const port = await readPort(service, id);
  expect([port.statusName, ...port.rows.map(({ statusName }) => statusName)]).toEqual([
    'Cancelled',
    'Cancelled',
    'Cancelled',
  ]);
});

test('a submitted port is cancelled after some time', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service);
  service.pass(5 * minute);
  expect((await cancel(service, id)).status).toBe(202);
  const waiting = await readPort(service, id);
  expect([waiting.statusName, waiting.rows[0]?.statusName]).toEqual(['Submitted', 'CancellationRequested']);
  service.pass(30 * minute);
  expect(await statusOf(service, id)).toBe('Cancelled');
});

test('a cancellation accepted before the lock holds after its hour', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service);
  service.moveTo('2026-07-07T16:50:00Z');
  expect((await cancel(service, id)).status).toBe(202);
  service.pass(day);
  expect(await statusOf(service, id)).toBe('Cancelled');
});

test.each(['Created', 'Network Validating', 'Network Rejected'])('a port that is %s is cancelled', async (status) => {
  const service = await startTestSimulator();
  const rows = [portRow(1, { serialNo: '8999010000000000001' })];
  const id = await createPort(service, { portType: 'MigrateInKeep', connectionDate: '2026-07-20', rows });
  service.pass({ Created: 0, 'Network Validating': 2 * minute, 'Network Rejected': hour }[status] ?? 0);
  expect(await statusOf(service, id)).toBe(status);
  expect((await cancel(service, id)).status).toBe(202);
  expect(await statusOf(service, id)).toBe('Cancelled');
});

test('a port that went wrong before it was locked is cancelled', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service, { rows: [portRow(1, { pac: 'ERR123456' })] });
  service.pass(5 * minute);
  expect(await statusOf(service, id)).toBe('Error');
  await cancel(service, id);
  expect(await statusOf(service, id)).toBe('Cancelled');
});

test.each([
  ['Locked', '2026-07-07T17:00:00Z'],
  ['Ported', '2026-07-08T07:05:00Z'],
  ['Awaiting RA', '2026-07-08T07:25:00Z'],
  ['Complete', '2026-07-09T07:00:00Z'],
])('a port that is %s is no longer cancelled: 409', async (status, time) => {
  const service = await startTestSimulator();
  const id = await createPort(service);
  service.moveTo(time);
  expect(await statusOf(service, id)).toBe(status);
  const reply = await cancel(service, id);
  expect([reply.status, reply.body.message]).toEqual([409, `A port in status ${status} can no longer be cancelled.`]);
  expect(await statusOf(service, id)).toBe(status);
});

test('a cancellation asked for twice is accepted twice and done once, at its first time', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service);
  service.pass(5 * minute);
  await cancel(service, id);
  service.pass(20 * minute);
  expect((await cancel(service, id)).status).toBe(202);
  service.pass(10 * minute);
  expect(await statusOf(service, id)).toBe('Cancelled');
});

test('a port that is cancelled already is answered 409', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service);
  await cancel(service, id);
  expect((await cancel(service, id)).status).toBe(409);
});

test("another account's port is answered 404", async () => {
  const service = await startTestSimulator();
  const id = await createPort(service);
  expect((await service.call('DELETE', `/api/porting/1002/port/${id}`, { client: 1 })).status).toBe(404);
  expect(await statusOf(service, id)).toBe('Created');
});
