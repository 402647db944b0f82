// A PAC that makes something happen has its effect also where it comes with Update Port, or is checked once more.
import { describe, expect, test } from 'vitest';
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

describe('a magic PAC that Update Port brings', () => {
  /** The port after its PAC check failed and the PAC of its row was replaced. */
  async function amended(service: TestSimulator, pac: string): Promise<string> {
    const id = await createPort(service, {
      connectionDate: '2026-07-20T00:00:00',
      rows: [portRow(1, { pac: 'INV000001' }), portRow(2)],
    });
    service.pass(5 * minute);
    const body = { Rows: [{ Msisdn: portRow(1).msisdn, Pac: pac, PortRowStatus: 'Amended' }] };
    expect((await service.call('PATCH', portPath(service, id), { body })).status).toBe(202);
    return id;
  }

  test.each([
    ['ERR000001', 10 * minute, 'Error'],
    ['SWE000001', hour, 'SubmittedWithErrors'],
    ['REJ000001', 3 * hour, 'Cancelled'],
    ['INV000009', 10 * minute, 'Pac Check Failed'],
    ['EXP000009', 10 * minute, 'Pac Check Failed'],
    ['ABC000009', 10 * minute, 'Submitted'],
  ])('%s has its effect: after %i ms the port is %s', async (pac, milliseconds, status) => {
    const service = await startTestSimulator();
    const id = await amended(service, pac);
    service.pass(milliseconds);
    expect((await readPort(service, id)).statusName).toBe(status);
  });

  test('SLO makes the new check take six hours', async () => {
    const service = await startTestSimulator();
    const id = await amended(service, 'SLO000001');
    service.pass(5 * hour);
    expect((await readPort(service, id)).statusName).toBe('Pac Check Failed');
    service.pass(2 * hour);
    expect((await readPort(service, id)).statusName).toBe('Submitted');
  });
});

describe('a magic PAC after Network Rejected', () => {
  async function afterRejection(service: TestSimulator, pac: string): Promise<string> {
    const id = await createPort(service, {
      portType: 'MigrateInKeep',
      connectionDate: '2026-07-20T00:00:00',
      rows: [portRow(1, { serialNo: '8999010000000000001' }), portRow(2, { pac })],
    });
    service.pass(5 * minute);
    expect((await readPort(service, id)).statusName).toBe('Network Rejected');
    const body = { Rows: [{ Msisdn: portRow(1).msisdn, PortRowStatus: 'CancellationRequested' }] };
    expect((await service.call('PATCH', portPath(service, id), { body })).status).toBe(202);
    return id;
  }

  test.each([
    ['ERR000001', 10 * minute, 'Error'],
    ['SLO000001', 10 * minute, 'Network Rejected'],
    ['SLO000001', 7 * hour, 'Submitted'],
    ['ABC000001', 10 * minute, 'Submitted'],
    ['INV000001', 10 * minute, 'Pac Check Failed'],
  ])('%s: after %i ms the port is %s', async (pac, milliseconds, status) => {
    const service = await startTestSimulator();
    const id = await afterRejection(service, pac);
    service.pass(milliseconds);
    expect((await readPort(service, id)).statusName).toBe(status);
  });
});
