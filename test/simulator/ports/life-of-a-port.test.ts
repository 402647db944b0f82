// The life of a port, seen over HTTP on a clock that the test moves (spec "States and transitions").
import { expect, test } from 'vitest';
import type { CreatePortBody } from '#shared/service/contract.ts';
import {
  createPort,
  day,
  hour,
  minute,
  portRow,
  readPort,
  startTestSimulator,
  type TestSimulator,
} from '../../support/service/simulator.ts';

/** Every status of a port after the clock has jumped: each one entered on the way, by the service's own history. */
async function lived(service: TestSimulator, id: string, jump: number): Promise<string[]> {
  service.pass(jump);
  const { ports } = (await service.call('GET', '/_sandbox/dump')).body;
  const port = ports.find((each: { id: string }) => each.id === id);
  return port.history.map(({ status }: { status: string }) => status);
}

const life = async (changes: Partial<CreatePortBody>, jump = 20 * day): Promise<string[]> => {
  const service = await startTestSimulator({ sandbox: true });
  return lived(service, await createPort(service, changes), jump);
};

const services = [{ name: 'Roaming', value: 'true' }];
const keep: Partial<CreatePortBody> = { portType: 'MigrateInKeep', connectionDate: '2026-07-13' };

test('a port without services goes from Created to Complete', async () => {
  expect(await life({})).toEqual(['Created', 'Submitted', 'Locked', 'Ported', 'Create RA', 'Awaiting RA', 'Complete']);
});

test('a port with services is also configured', async () => {
  expect((await life({ rows: [portRow(1, { services })] })).slice(3)).toEqual([
    'Ported',
    'Create RA',
    'Awaiting RA',
    'Create Configuration',
    'Awaiting Configuration',
    'Complete',
  ]);
});

test('a MigrateIn lives like a Port', async () => {
  expect(await life({ portType: 'MigrateIn' })).toEqual([
    'Created',
    'Submitted',
    'Locked',
    'Ported',
    'Create RA',
    'Awaiting RA',
    'Complete',
  ]);
});

test('a MigrateInKeep is checked by the network first', async () => {
  expect((await life(keep)).slice(0, 3)).toEqual(['Created', 'Network Validating', 'Submitted']);
});

test('a MigrateInKeep without a serial awaits it, and then shows it', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service, { ...keep, rows: [portRow(1, { serialNo: null })] });
  expect(await lived(service, id, 20 * day)).toEqual([
    'Created',
    'Network Validating',
    'Submitted',
    'Locked',
    'Ported',
    'Awaiting Serial',
    'Create RA',
    'Awaiting RA',
    'Complete',
  ]);
  expect((await readPort(service, id)).rows[0]?.serialNo).toMatch(/^89\d{17,18}$/);
});

test('a SIM of 899902 makes the network take its time with the serial', async () => {
  const rows = [portRow(1, { serialNo: '8999020000000000001' })];
  expect(await life({ ...keep, rows })).toContain('Awaiting Serial');
});

test('a SIM of 899901 is not kept by the network', async () => {
  const rows = [portRow(1, { serialNo: '8999010000000000001' })];
  expect(await life({ ...keep, rows }, day)).toEqual(['Created', 'Network Validating', 'Network Rejected']);
});

test.each(['INV123456', 'EXP123456', 'ABC12345', '123456ABC'])('a PAC %s fails the check', async (pac) => {
  expect(await life({ rows: [portRow(1, { pac })] }, day)).toEqual(['Created', 'Pac Check Failed']);
});

test('no row is submitted while one is neither PacValid nor Cancelled', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service, { rows: [portRow(1), portRow(2, { pac: 'EXP123456' }), portRow(3)] });
  service.pass(3 * day);
  const port = await readPort(service, id);
  expect([port.statusName, ...port.rows.map(({ statusName }) => statusName)]).toEqual([
    'Pac Check Failed',
    'PacValid',
    'PacInvalidDate',
    'PacValid',
  ]);
});

test('a REJ PAC is rejected by the source network: the port is Cancelled, the reason in the message of the row', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service, { rows: [portRow(1), portRow(2, { pac: 'REJ123456' })] });
  expect(await lived(service, id, 20 * day)).toEqual(['Created', 'Submitted', 'Cancelled']);
  const { rows } = await readPort(service, id);
  expect(rows.map(({ statusName, message }) => [statusName, message])).toEqual([
    ['Cancelled', null],
    ['Cancelled', 'Rejected by the source network: the PAC belongs to another account.'],
  ]);
});

test('an ERR PAC ends in Error, a SWE PAC in SubmittedWithErrors', async () => {
  expect(await life({ rows: [portRow(1, { pac: 'ERR123456' })] }, day)).toEqual(['Created', 'Error']);
  expect(await life({ rows: [portRow(1, { pac: 'SWE123456' })] }, day)).toEqual([
    'Created',
    'Submitted',
    'SubmittedWithErrors',
  ]);
});

test('what is due first happens first: a PAC amended during the check is checked after it', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const id = await createPort(service, { rows: [portRow(1, { pac: 'INV123456' })] });
  service.pass(2 * minute);
  const body = { Rows: [{ Msisdn: '07700900001', Pac: 'NEW123456', PortRowStatus: 'Amended' }] };
  await service.call('PATCH', `/api/porting/1001/port/${id}`, { body });
  expect(await lived(service, id, hour)).toEqual(['Created', 'Pac Check Failed', 'Submitted']);
});

test('a SLO PAC takes hours to be checked', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service, { rows: [portRow(1, { pac: 'SLO123456' })] });
  service.pass(5 * hour);
  expect((await readPort(service, id)).statusName).toBe('Created');
  service.pass(2 * hour);
  expect((await readPort(service, id)).statusName).toBe('Submitted');
});

test('a port is locked on the evening of the working day before its date', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service, { connectionDate: '2026-07-13' });
  service.moveTo('2026-07-10T16:59:59Z');
  expect((await readPort(service, id)).statusName).toBe('Submitted');
  service.moveTo('2026-07-10T17:00:00Z');
  expect((await readPort(service, id)).statusName).toBe('Locked');
});

test('a port is complete within a day of its date', async () => {
  const service = await startTestSimulator();
  const rows = [portRow(1, { services, serialNo: null })];
  const id = await createPort(service, { ...keep, rows });
  service.moveTo('2026-07-13T23:00:00Z');
  expect((await readPort(service, id)).statusName).toBe('Complete');
});

test('a port whose PAC came right too late is moved on the working day after its lock', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service, { rows: [portRow(1, { pac: 'INV123456' }), portRow(2)] });
  service.moveTo('2026-07-10T12:00:00Z');
  const body = { Rows: [{ Msisdn: '07700900001', Pac: 'NEW123456', PortRowStatus: 'Amended' }] };
  await service.call('PATCH', `/api/porting/1001/port/${id}`, { body });
  service.pass(hour);
  expect((await readPort(service, id)).statusName).toBe('Locked');
  service.moveTo('2026-07-13T06:59:00Z');
  expect((await readPort(service, id)).statusName).toBe('Locked');
  service.moveTo('2026-07-13T07:00:00Z');
  expect((await readPort(service, id)).statusName).toBe('Ported');
});

test('a RIO of a French number is checked by its key', async () => {
  const french = { portType: 'Port', targetNetworkId: 15, sourceNetworkId: 5, connectionDate: '2026-07-13' };
  const row = { tariffId: 4001, provisioningOrder: 5004, msisdn: '33612345678' };
  expect((await life({ ...french, rows: [portRow(1, { ...row, pac: '03P123456559' })] }, day))[1]).toBe('Submitted');
  expect((await life({ ...french, rows: [portRow(1, { ...row, pac: '03P123456558' })] }, day))[1]).toBe(
    'Pac Check Failed',
  );
});
