// POST /api/simSubmission/Provision and ChangeProvision (spec "Submissions"; spec gaps 35 and 36).
import { expect, test } from 'vitest';
import {
  createPort,
  day,
  minute,
  portRow,
  serviceValue,
  startTestSimulator,
  stockSerials,
  type TestSimulator,
} from '../../support/service/simulator.ts';

const [serial = ''] = stockSerials(101, { status: 'in-stock' });
const [onHire = ''] = stockSerials(101);
const [typeB = ''] = stockSerials(301, { status: 'in-stock' });
const [typeBOnHire = ''] = stockSerials(301);

const good = {
  stock: [{ serialNumber: serial, msisdn: '07700900701' }],
  tariffNumber: 2001,
  provisioningOrderNumber: 5001,
};
const goodChange = { stock: [{ serialNumber: onHire }], tariffNumber: 2002, provisioningOrderNumber: 5001 };

const provision = (service: TestSimulator, changes: object = {}) =>
  service.call('POST', '/api/simSubmission/Provision', { body: { ...good, ...changes } });
const change = (service: TestSimulator, changes: object = {}) =>
  service.call('POST', '/api/simSubmission/ChangeProvision', { body: { ...goodChange, ...changes } });

test('a good Provision is answered with one field, the ticket number', async () => {
  const service = await startTestSimulator();
  const reply = await provision(service);
  expect([reply.status, reply.body]).toEqual([200, { ticketNumber: expect.stringMatching(/^[0-9a-f-]{36}$/) }]);
});

test('a provisioned SIM is on hire shortly after, and can be changed then', async () => {
  const service = await startTestSimulator();
  await provision(service);
  const stock = [{ serialNumber: serial }];
  expect((await change(service, { stock })).status).toBe(409);
  service.pass(minute);
  expect((await change(service, { stock })).status).toBe(200);
  expect((await provision(service)).body.errors.map(({ field }: { field: string }) => field)).toContain(
    'stock[0].serialNumber',
  );
});

test('a change of tariff shows in the services of the SIM', async () => {
  const service = await startTestSimulator();
  expect(await serviceValue(service, onHire, '5G')).toBe('false');
  await change(service, { tariffNumber: 2003, boltOns: [101] });
  service.pass(minute);
  expect(await serviceValue(service, onHire, '5G')).toBeUndefined();
});

test('a SIM whose port is complete can be changed, one whose port goes on cannot', async () => {
  const service = await startTestSimulator();
  const row = portRow(1);
  await createPort(service, { rows: [row] });
  const stock = [{ serialNumber: row.serialNo ?? '' }];
  expect((await provision(service, { stock })).body.message).toContain('is Port-In Started');
  expect((await change(service, { stock })).status).toBe(409);
  service.pass(4 * day);
  expect((await change(service, { stock })).status).toBe(200);
});

test('a SIM that nobody used before is in stock', async () => {
  const service = await startTestSimulator();
  expect((await provision(service, { stock: [{ serialNumber: '8944119999999999999' }] })).status).toBe(200);
});

test.each<[string, object]>([
  ['stock', { stock: [] }],
  ['tariffNumber', { tariffNumber: undefined }],
  [
    'newProvisioningOrderName',
    { createNewProvisioningOrder: true, provisioningOrderNumber: undefined, newProvisioningOrderName: 'a b' },
  ],
  [
    'newProvisioningOrderName',
    { createNewProvisioningOrder: true, provisioningOrderNumber: undefined, newProvisioningOrderName: 'x'.repeat(257) },
  ],
  ['purchaseOrderNumber', { purchaseOrderNumber: '1,2,3,4,5,6' }],
  ['purchaseOrderNumber', { purchaseOrderNumber: 'x'.repeat(101) }],
])('a wrong form of %s is answered 400, by both operations', async (field, changes) => {
  const service = await startTestSimulator();
  for (const reply of [await provision(service, changes), await change(service, changes)]) {
    expect([reply.status, reply.body.errors[0].field]).toEqual([400, field]);
  }
});

test('five purchase orders, and an order name of 256 letters and digits, are accepted', async () => {
  const service = await startTestSimulator();
  const named = {
    createNewProvisioningOrder: true,
    newProvisioningOrderName: 'x'.repeat(256),
    provisioningOrderNumber: undefined,
  };
  expect((await provision(service, { ...named, purchaseOrderNumber: '1,2,3,4,5' })).status).toBe(200);
});

test.each<[string, object]>([
  ['tariffNumber', { tariffNumber: 1 }],
  ['stock[0].serialNumber', { stock: [{ serialNumber: '123' }] }],
  ['stock[1].serialNumber', { stock: [{ serialNumber: serial }, { serialNumber: serial }] }],
  ['stock[0].serialNumber', { tariffNumber: 2101, provisioningOrderNumber: 5003 }],
  ['stock[0].msisdn', { stock: [{ serialNumber: serial, msisdn: 'x' }] }],
  ['boltOns', { boltOns: [201] }],
  ['boltOns', { tariffNumber: 2003 }],
  ['newProvisioningOrderName', { createNewProvisioningOrder: true, provisioningOrderNumber: undefined }],
  ['newProvisioningOrderName', { newProvisioningOrderName: 'Depot' }],
  ['provisioningOrderNumber', { provisioningOrderNumber: 1 }],
  ['publicIpGroupId', { boltOns: [108] }],
  ['publicIpGroupId', { boltOns: [108], publicIpGroupId: 99 }],
  ['staticIpGroupId', { boltOns: [109] }],
])('a Provision that breaks the rule of %s is answered 422', async (field, changes) => {
  const service = await startTestSimulator();
  const reply = await provision(service, changes);
  expect([reply.status, reply.body.errors[0].field]).toEqual([422, field]);
});

test('a bolt-on of an IP group goes with the id of a group', async () => {
  const service = await startTestSimulator();
  expect((await provision(service, { boltOns: [108, 109], publicIpGroupId: 31, staticIpGroupId: 41 })).status).toBe(
    200,
  );
});

test('an msisdn is given only when the SIM has none', async () => {
  const service = await startTestSimulator();
  const reply = await change(service, { stock: [{ serialNumber: onHire, msisdn: '07700900702' }] });
  expect([reply.status, reply.body.errors[0].field]).toEqual([409, 'stock[0].msisdn']);
});

test("another account's SIM is answered 422", async () => {
  const service = await startTestSimulator();
  const [theirs] = stockSerials(101, { status: 'in-stock', accountId: 1002 });
  expect((await provision(service, { stock: [{ serialNumber: theirs }] })).status).toBe(422);
});

const onTypeB = { stock: [{ serialNumber: typeB }], tariffNumber: 3001, provisioningOrderNumber: undefined };

test('for a Type-B network the body carries stock and tariff, and a purchase order if need be', async () => {
  const service = await startTestSimulator();
  expect(
    (await provision(service, { ...onTypeB, createNewProvisioningOrder: false, purchaseOrderNumber: '7' })).status,
  ).toBe(200);
});

test.each<[string, object]>([
  ['boltOns', { boltOns: [101] }],
  ['createNewProvisioningOrder', { createNewProvisioningOrder: true }],
  ['newProvisioningOrderName', { newProvisioningOrderName: 'Depot' }],
  ['provisioningOrderNumber', { provisioningOrderNumber: 5001 }],
  ['publicIpGroupId', { publicIpGroupId: 31 }],
  ['staticIpGroupId', { staticIpGroupId: 41 }],
])('for a Type-B network %s must be omitted', async (field, changes) => {
  const service = await startTestSimulator();
  const reply = await provision(service, { ...onTypeB, ...changes });
  expect([reply.status, reply.body.errors[0].field]).toEqual([422, field]);
});

test('a provisioning order created by a Provision is listed, and can be used', async () => {
  const service = await startTestSimulator();
  await provision(service, {
    createNewProvisioningOrder: true,
    newProvisioningOrderName: 'Depot',
    provisioningOrderNumber: undefined,
  });
  const { body } = await service.call('GET', '/api/account/1001/network/101/provisioningOrder');
  expect(body.at(-1).name).toBe('Depot');
  expect((await change(service, { provisioningOrderNumber: body.at(-1).number })).status).toBe(200);
});

test('a Change Provision needs a provisioning order, existing or new', async () => {
  const service = await startTestSimulator();
  const without = { provisioningOrderNumber: undefined };
  expect((await change(service, without)).body.errors[0].field).toBe('provisioningOrderNumber');
  expect((await change(service, { ...without, createNewProvisioningOrder: true })).body.errors[0].field).toBe(
    'newProvisioningOrderName',
  );
  expect(
    (await change(service, { ...without, createNewProvisioningOrder: true, newProvisioningOrderName: 'Depot' })).status,
  ).toBe(200);
});

test('a Change Provision takes any bolt-on there is', async () => {
  const service = await startTestSimulator();
  expect((await change(service, { boltOns: [201] })).status).toBe(200);
  expect((await change(service, { boltOns: [999] })).status).toBe(422);
});

test('a Change Provision on a Type-B network needs no provisioning order', async () => {
  const service = await startTestSimulator();
  const body = { stock: [{ serialNumber: typeBOnHire }], tariffNumber: 3002, provisioningOrderNumber: undefined };
  expect((await change(service, body)).status).toBe(200);
});

test('nothing is kept of a rejected submission', async () => {
  const service = await startTestSimulator({ sandbox: true });
  await provision(service, { tariffNumber: 1 });
  expect((await service.call('GET', '/_sandbox/dump')).body.submissions).toEqual([]);
  const { body } = await provision(service);
  const { submissions } = (await service.call('GET', '/_sandbox/dump')).body;
  expect(submissions).toMatchObject([{ ...body, operation: 'Provision', serialNumbers: [serial] }]);
});
