// GET /api/account/{accountId}/network/{networkId}/provisioningOrder (spec "Lookups for provisioning").
import { expect, test } from 'vitest';
import { createPort, portRow, startTestSimulator } from '../support/service/simulator.ts';

const path = (network: number) => `/api/account/1001/network/${network}/provisioningOrder`;

test('a Type-A network lists the orders of the account, with hiremanCurrencyId', async () => {
  const service = await startTestSimulator();
  const reply = await service.call('GET', path(101));
  expect(reply.status).toBe(200);
  expect(reply.body[0]).toEqual({
    number: 5001,
    name: 'Head Office',
    displayName: 'Head Office (5001)',
    isPooled: false,
    isNetworkAccountDefault: true,
    hiremanCurrencyId: 1,
  });
  expect(reply.body.map(({ number }: { number: number }) => number)).toEqual([5001, 5002]);
});

test('a Type-B network is answered 409 with the message of the spec', async () => {
  const service = await startTestSimulator();
  const reply = await service.call('GET', path(301));
  expect([reply.status, reply.body]).toEqual([409, { message: 'Not valid for this network', errors: [] }]);
});

test('an order that a port names for the first time is listed from then on, once', async () => {
  const service = await startTestSimulator();
  const named = { provisioningOrder: null, provisioningOrderName: 'Depot' };
  await createPort(service, { rows: [portRow(1, named), portRow(2, named)] });
  await createPort(service, { rows: [portRow(3, named)] });
  const { body } = await service.call('GET', path(101));
  expect(body.map(({ name }: { name: string }) => name)).toEqual(['Head Office', 'Field Pool', 'Depot']);
  const rows = [portRow(4, { provisioningOrder: body[2].number })];
  await expect(createPort(service, { rows })).resolves.toEqual(expect.any(String));
});

test('a network that does not exist is answered 404', async () => {
  const service = await startTestSimulator();
  expect((await service.call('GET', path(999))).status).toBe(404);
});
