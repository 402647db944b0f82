// GET /api/porting/{accountId}/port/{portId} (spec "Get Port Details").
import { expect, test } from 'vitest';
import { portDetail } from '#shared/service/contract.ts';
import { createPort, portPath, portRow, readPort, startTestSimulator } from '../support/service/simulator.ts';

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
