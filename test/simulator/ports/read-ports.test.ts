// Reading ports: one with its rows, and the list by pages.
import { describe, expect, test } from 'vitest';
import { portDetail } from '#shared/service/contract.ts';
import {
  createPort,
  minute,
  portPath,
  portRow,
  readPort,
  startTestSimulator,
  type TestSimulator,
} from '../../support/service/simulator.ts';

// GET /api/porting/{accountId}/port/{portId} (spec "Get Port Details").
describe('the details of one', () => {
  test('a port is shown with its networks, and each row with its tariff and status', async () => {
    const service = await startTestSimulator();
    const services = [{ name: 'Roaming', value: 'false' }];
    const id = await createPort(service, { rows: [portRow(1, { services })] });
    const port = await readPort(service, id);
    expect(portDetail.parse(port)).toEqual(port);
    expect(port).toEqual({
      id,
      status: 1,
      statusName: 'Created',
      name: 'A port',
      targetNetworkId: 11,
      targetNetworkName: 'UK Mobile A',
      sourceNetworkId: 1,
      sourceNetworkName: 'Source Mobile One',
      connectionDate: '2026-07-08T00:00:00',
      portType: 1,
      portTypeName: 'Port',
      rowCount: 1,
      rows: [
        {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          msisdn: '07700900001',
          serialNo: '89441100000000000001',
          pac: 'ABC000001',
          status: 1,
          statusName: 'PacValid',
          message: null,
          groupName: 'Business',
          boltOns: [101],
          tariffId: 2001,
          tariffName: 'Business Unlimited',
          esim: false,
          provisioningOrderName: null,
          provisioningOrder: 5001,
          services,
        },
      ],
    });
  });

  test('an msisdn is shown as the client wrote it', async () => {
    const service = await startTestSimulator();
    const written = ['+447700900001', '447700900002', '07700 900003'];
    const id = await createPort(service, { rows: written.map((msisdn, index) => portRow(index, { msisdn })) });
    expect((await readPort(service, id)).rows.map(({ msisdn }) => msisdn)).toEqual(written);
  });

  test('a port that does not exist is answered 404', async () => {
    const service = await startTestSimulator();
    expect((await service.call('GET', portPath(service, '00000000-0000-4000-8000-000000000000'))).status).toBe(404);
  });

  test("another account's port is answered 404 under the own account", async () => {
    const service = await startTestSimulator();
    const id = await createPort(service);
    expect((await service.call('GET', `/api/porting/1002/port/${id}`, { client: 1 })).status).toBe(404);
  });

  test('a port id that is no guid is answered 400', async () => {
    const service = await startTestSimulator();
    expect((await service.call('GET', portPath(service, 'abc'))).status).toBe(400);
  });
});

// GET /api/porting/{accountId} (spec "List Ports").
describe('the list', () => {
  const list = (service: TestSimulator, headers: Record<string, string> = {}) =>
    service.call('GET', `/api/porting/${service.accountId}`, { headers });

  async function createPorts(service: TestSimulator, count: number): Promise<string[]> {
    const ids: string[] = [];
    for (let index = 0; index < count; index += 1) {
      ids.push(await createPort(service, { name: `port ${index}`, rows: [portRow(index)] }));
    }
    return ids;
  }

  test('an account without ports has no pages', async () => {
    const service = await startTestSimulator();
    expect((await list(service)).body).toEqual({ total: 0, totalPages: 0, data: [] });
  });

  test('a port is summed up with its date, type, row count and status', async () => {
    const service = await startTestSimulator();
    const id = await createPort(service, { rows: [portRow(1), portRow(2)] });
    service.pass(5 * minute);
    expect((await list(service)).body.data).toEqual([
      {
        id,
        name: 'A port',
        connectionDate: '2026-07-08T00:00:00',
        portType: 1,
        portTypeName: 'Port',
        rowCount: 2,
        status: 6,
        statusName: 'Submitted',
      },
    ]);
  });

  test('pages are asked for in the headers x-pagenumber, from 1, and x-pagesize', async () => {
    const service = await startTestSimulator();
    const ids = (await createPorts(service, 7)).reverse();
    const pages = await Promise.all(
      ['1', '2', '3', '4'].map((page) => list(service, { 'x-pagenumber': page, 'x-pagesize': '3' })),
    );
    expect(pages.map(({ body }) => body.data.map(({ id }: { id: string }) => id))).toEqual([
      ids.slice(0, 3),
      ids.slice(3, 6),
      ids.slice(6),
      [],
    ]);
    expect(pages[0]?.body).toMatchObject({ total: 7, totalPages: 3 });
  });

  test('without headers the first fifty ports are answered', async () => {
    const service = await startTestSimulator();
    await createPorts(service, 52);
    const { body } = await list(service);
    expect([body.total, body.totalPages, body.data.length]).toEqual([52, 2, 50]);
  });

  test.each([
    ['x-pagesize', '51'],
    ['x-pagesize', '0'],
    ['x-pagesize', 'many'],
    ['x-pagenumber', '0'],
  ])('%s %s is answered 400', async (name, value) => {
    const service = await startTestSimulator();
    const reply = await list(service, { [name]: value });
    expect(reply.status).toBe(400);
    expect(reply.body.errors[0].field).toBe(name);
  });

  test('the ports of another account are not in the list', async () => {
    const service = await startTestSimulator();
    await createPort(service);
    expect((await service.call('GET', '/api/porting/1002', { client: 1 })).body.total).toBe(0);
  });
});
