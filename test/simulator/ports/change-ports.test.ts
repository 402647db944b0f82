// The changes of a port by its owner: an update of its rows, and the cancellation.
import { describe, expect, test } from 'vitest';
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
} from '../../support/service/simulator.ts';

// PATCH /api/porting/{accountId}/port/{portId} (spec "Update Port", "Moves that are stated").
describe('update', () => {
  interface Change {
    Msisdn: string;
    Pac?: string | null;
    PortRowStatus: string;
  }

  const patch = (service: TestSimulator, id: string, ...Rows: Change[]) =>
    service.call('PATCH', portPath(service, id), { body: { Rows } });

  const amend = (Msisdn: string, Pac: string | null = 'NEW123456'): Change => ({
    Msisdn,
    Pac,
    PortRowStatus: 'Amended',
  });
  const cancelRow = (Msisdn: string): Change => ({ Msisdn, PortRowStatus: 'CancellationRequested' });

  const rowStatuses = async (service: TestSimulator, id: string): Promise<string[]> =>
    (await readPort(service, id)).rows.map(({ statusName }) => statusName);

  /** A port with a valid row and a row with an invalid PAC, after its PAC check. */
  async function failedPort(service: TestSimulator, pac = 'INV123456'): Promise<string> {
    const id = await createPort(service, { rows: [portRow(1), portRow(2, { pac })] });
    service.pass(5 * minute);
    return id;
  }

  test.each([
    ['PacInvalid', 'INV123456'],
    ['PacInvalidDate', 'EXP123456'],
  ])('a new PAC for a row that is %s is accepted with 202 and no body, and checked again', async (status, pac) => {
    const service = await startTestSimulator();
    const id = await failedPort(service, pac);
    expect(await rowStatuses(service, id)).toEqual(['PacValid', status]);
    const reply = await patch(service, id, amend('07700900002'));
    expect([reply.status, reply.text]).toEqual([202, '']);
    expect(await rowStatuses(service, id)).toEqual(['PacValid', 'Amended']);
    expect((await readPort(service, id)).rows[1]?.pac).toBe('NEW123456');
    service.pass(2 * minute);
    expect(await rowStatuses(service, id)).toEqual(['PacValid', 'PacValid']);
    service.pass(minute);
    expect([(await readPort(service, id)).statusName, ...(await rowStatuses(service, id))]).toEqual([
      'Submitted',
      'Submitted',
      'Submitted',
    ]);
  });

  test('a new PAC that is wrong too makes the row PacInvalid again', async () => {
    const service = await startTestSimulator();
    const id = await failedPort(service);
    await patch(service, id, amend('07700900002', 'INV999999'));
    service.pass(hour);
    expect([(await readPort(service, id)).statusName, ...(await rowStatuses(service, id))]).toEqual([
      'Pac Check Failed',
      'PacValid',
      'PacInvalid',
    ]);
  });

  test('cancelling the invalid row sends the valid ones to the network', async () => {
    const service = await startTestSimulator();
    const id = await failedPort(service);
    expect((await patch(service, id, cancelRow('07700900002'))).status).toBe(202);
    expect(await rowStatuses(service, id)).toEqual(['PacValid', 'CancellationRequested']);
    service.pass(minute);
    expect(await rowStatuses(service, id)).toEqual(['PacValid', 'Cancelled']);
    service.pass(minute);
    expect(await rowStatuses(service, id)).toEqual(['Submitted', 'Cancelled']);
  });

  test('a submitted row can be cancelled, which takes some time', async () => {
    const service = await startTestSimulator();
    const id = await createPort(service, { rows: [portRow(1), portRow(2)] });
    service.pass(5 * minute);
    await patch(service, id, cancelRow('07700900001'));
    expect(await rowStatuses(service, id)).toEqual(['CancellationRequested', 'Submitted']);
    service.pass(30 * minute);
    expect(await rowStatuses(service, id)).toEqual(['Cancelled', 'Submitted']);
    service.pass(72 * hour);
    expect([(await readPort(service, id)).statusName, ...(await rowStatuses(service, id))]).toEqual([
      'Complete',
      'Cancelled',
      'Submitted',
    ]);
  });

  test('one row of a Network Rejected port can be cancelled, and the others continue', async () => {
    const service = await startTestSimulator();
    const id = await createPort(service, {
      portType: 'MigrateInKeep',
      connectionDate: '2026-07-20T00:00:00',
      rows: [portRow(1), portRow(2, { serialNo: '8999010000000000002' })],
    });
    service.pass(10 * minute);
    const rejected = await readPort(service, id);
    expect([rejected.statusName, rejected.rows[1]?.message]).toEqual([
      'Network Rejected',
      'The network does not allow this SIM to be kept.',
    ]);
    expect((await patch(service, id, cancelRow('07700900002'))).status).toBe(202);
    service.pass(5 * minute);
    expect([(await readPort(service, id)).statusName, ...(await rowStatuses(service, id))]).toEqual([
      'Submitted',
      'Submitted',
      'Cancelled',
    ]);
  });

  test('the number may be written in another way than it was created', async () => {
    const service = await startTestSimulator();
    const id = await failedPort(service);
    expect((await patch(service, id, amend('+447700900002'))).status).toBe(202);
  });

  test.each([
    ['PacValid', '07700900001', 0],
    ['Submitted', '07700900001', 1],
  ])('a row that is %s cannot be amended: 409', async (_status, msisdn, isSubmitted) => {
    const service = await startTestSimulator();
    const id = isSubmitted ? await createPort(service) : await failedPort(service);
    service.pass(5 * minute);
    const reply = await patch(service, id, amend(msisdn));
    expect([reply.status, reply.body.errors[0].field]).toEqual([409, 'Rows[0].PortRowStatus']);
  });

  test('a row of a port that is locked cannot be cancelled: 409', async () => {
    const service = await startTestSimulator();
    const id = await createPort(service, { rows: [portRow(1), portRow(2)] });
    service.moveTo('2026-07-07T18:00:00Z');
    expect((await patch(service, id, cancelRow('07700900001'))).status).toBe(409);
  });

  test.each<[string, Change]>([
    ['Msisdn', amend('07700900009')],
    ['Pac', amend('07700900002', null)],
    ['Pac', { ...cancelRow('07700900002'), Pac: 'ABC123456' }],
  ])('a wrong %s is answered 422', async (field, change) => {
    const service = await startTestSimulator();
    const id = await failedPort(service);
    const reply = await patch(service, id, change);
    expect([reply.status, reply.body.errors[0].field]).toEqual([422, `Rows[0].${field}`]);
  });

  test.each([
    ['another PortRowStatus', { Rows: [{ Msisdn: '07700900002', PortRowStatus: 'Complete' }] }],
    ['lower-case names', { rows: [{ msisdn: '07700900002', pac: 'NEW123456', portRowStatus: 'Amended' }] }],
    ['no rows', { Rows: [] }],
  ])('a body with %s is answered 400', async (_case, body) => {
    const service = await startTestSimulator();
    const id = await failedPort(service);
    expect((await service.call('PATCH', portPath(service, id), { body })).status).toBe(400);
  });

  test('cancelling every row is a 422: Cancel Port does that', async () => {
    const service = await startTestSimulator();
    const id = await failedPort(service);
    await patch(service, id, cancelRow('07700900002'));
    service.pass(5 * minute);
    const reply = await patch(service, id, cancelRow('07700900001'));
    expect([reply.status, reply.body.message]).toEqual([422, 'To cancel every row, use Cancel Port.']);
  });

  test('a number that is named twice is answered 422', async () => {
    const service = await startTestSimulator();
    const id = await failedPort(service);
    const reply = await patch(service, id, amend('07700900002'), amend('+447700900002', 'NEW123457'));
    expect([reply.status, reply.body.errors]).toEqual([422, [{ field: 'Rows[1].Msisdn', message: 'is named twice' }]]);
  });

  test('of several changes all are made or none', async () => {
    const service = await startTestSimulator();
    const id = await failedPort(service);
    await patch(service, id, amend('07700900002'), amend('07700900009'));
    expect(await rowStatuses(service, id)).toEqual(['PacValid', 'PacInvalid']);
  });

  test('rows cannot be added to a port', async () => {
    const service = await startTestSimulator();
    const id = await failedPort(service);
    await patch(service, id, amend('07700900003'));
    expect((await readPort(service, id)).rowCount).toBe(2);
  });

  test('a port that does not exist is answered 404', async () => {
    const service = await startTestSimulator();
    expect((await patch(service, '00000000-0000-4000-8000-000000000000', amend('07700900002'))).status).toBe(404);
  });

  test('simultaneous changes of one port are all made', async () => {
    const service = await startTestSimulator();
    const rows = Array.from({ length: 6 }, (_, index) => portRow(index, { pac: 'INV123456' }));
    const id = await createPort(service, { rows });
    service.pass(5 * minute);
    const replies = await Promise.all(rows.slice(0, 4).map(({ msisdn }) => patch(service, id, amend(msisdn))));
    expect(replies.map(({ status }) => status)).toEqual([202, 202, 202, 202]);
    expect((await rowStatuses(service, id)).filter((status) => status === 'Amended')).toHaveLength(4);
  });
});

// DELETE /api/porting/{accountId}/port/{portId} (spec "Cancel Port", "Moves that are stated").
describe('cancel', () => {
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
});
