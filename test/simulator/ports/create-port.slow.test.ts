// POST /api/porting/{accountId} (spec "Create Port", "Errors", "Limits").
import { expect, test } from 'vitest';
import type { CreatePortBody, CreatePortRow } from '#shared/service/contract.ts';
import {
  createPort,
  day,
  minute,
  portBody,
  portPath,
  portRow,
  readPort,
  startTestSimulator,
  type TestSimulator,
} from '../../support/service/simulator.ts';

const guid = /^"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"$/;

const post = (service: TestSimulator, changes: Record<string, unknown> = {}, client = 0) =>
  service.call('POST', `/api/porting/${service.clients[client]?.accountId}`, {
    body: { ...portBody(), ...changes },
    client,
  });

/** The answer to one row that differs from a good one. */
const postRow = (service: TestSimulator, changes: Partial<CreatePortRow>, header: Partial<CreatePortBody> = {}) =>
  post(service, { ...header, rows: [portRow(1, changes)] });

test('a good port is answered 201 with its id as a bare JSON string', async () => {
  const service = await startTestSimulator();
  const reply = await post(service);
  expect(reply.status).toBe(201);
  expect(reply.text).toMatch(guid);
  expect(reply.headers.get('content-type')).toBe('application/json;charset=UTF-8');
});

test.each(['2026-07-08', '2026-07-08T00:00:00', '2026-07-08T00:00:00.000Z'])(
  'the date may be written %s',
  async (connectionDate) => {
    const service = await startTestSimulator();
    const id = await createPort(service, { connectionDate });
    expect((await readPort(service, id)).connectionDate).toBe('2026-07-08T00:00:00');
  },
);

test.each([
  ['name', ''],
  ['name', 'x'.repeat(256)],
  ['name', undefined],
  ['targetNetworkId', undefined],
  ['sourceNetworkId', '1'],
  ['connectionDate', 'tomorrow'],
  ['portType', undefined],
  ['rows', []],
  ['rows', undefined],
])('a request whose %s is %j is answered 400', async (field, value) => {
  const service = await startTestSimulator();
  const reply = await post(service, { [field]: value });
  expect(reply.status).toBe(400);
  expect(reply.body.errors[0].field).toBe(field);
});

test('a name of 255 characters is accepted', async () => {
  const service = await startTestSimulator();
  expect((await post(service, { name: 'x'.repeat(255) })).status).toBe(201);
});

test.each(['groupName', 'provisioningOrderName'] as const)('a %s of 256 characters is answered 400', async (field) => {
  const service = await startTestSimulator();
  expect((await postRow(service, { [field]: 'x'.repeat(256) })).status).toBe(400);
  expect((await postRow(service, { [field]: 'x'.repeat(255) })).status).toBe(201);
});

test('a body that is not JSON is answered 400', async () => {
  const service = await startTestSimulator();
  const reply = await service.call('POST', '/api/porting/1001', { body: '{"name":' });
  expect([reply.status, reply.body.message]).toEqual([400, 'The body is not JSON.']);
});

test('a body above the limit is answered 413', async () => {
  const service = await startTestSimulator({ maxBodyBytes: 1000 });
  expect((await post(service, { name: 'x'.repeat(2000) })).status).toBe(413);
});

test.each([
  ['portType', { portType: 'Move' }],
  ['targetNetworkId', { targetNetworkId: 99 }],
  ['targetNetworkId', { portType: 'MigrateInKeep', targetNetworkId: 12 }],
  ['sourceNetworkId', { sourceNetworkId: 5 }],
])('a %s that Get Porting Networks does not list is answered 422', async (field, changes) => {
  const service = await startTestSimulator();
  const reply = await post(service, changes);
  expect([reply.status, reply.body.errors[0].field]).toEqual([422, field]);
});

test.each([
  ['on the first day of the window', '2026-07-07', 201],
  ['on the last working day of the window', '2026-08-05', 201],
  ['today', '2026-07-06', 422],
  ['a day past the window', '2026-08-06', 422],
  ['on a Saturday', '2026-07-11', 422],
  ['on a day that does not exist', '2026-02-30', 422],
])('a connection date %s is answered accordingly', async (_case, date, status) => {
  const service = await startTestSimulator();
  const reply = await post(service, { connectionDate: `${date}T00:00:00` });
  expect(reply.status).toBe(status);
  if (status === 422) expect(reply.body.errors[0].field).toBe('connectionDate');
});

test('a connection date on an upcoming holiday is answered 422', async () => {
  const service = await startTestSimulator({ start: Date.parse('2026-08-24T09:00:00Z') });
  const reply = await post(service, { connectionDate: '2026-08-31T00:00:00' });
  expect([reply.status, reply.body.message]).toEqual([422, '2026-08-31 is a holiday']);
});

test('the window counts from the day it is in London', async () => {
  const service = await startTestSimulator({ start: Date.parse('2026-07-06T23:30:00Z') });
  expect((await post(service, { connectionDate: '2026-07-07T00:00:00' })).status).toBe(422);
  expect((await post(service, { connectionDate: '2026-07-08T00:00:00' })).status).toBe(201);
});

test.each<[string, Partial<CreatePortRow>]>([
  ['msisdn', { msisdn: '12' }],
  ['msisdn', { msisdn: 'abc' }],
  ['serialNo', { serialNo: null }],
  ['serialNo', { serialNo: '1234' }],
  ['pac', { pac: null }],
  ['tariffId', { tariffId: 3001 }],
  ['boltOns', { boltOns: [201] }],
  ['boltOns', { tariffId: 2003, boltOns: [105] }],
  ['provisioningOrder', { provisioningOrder: null, provisioningOrderName: null }],
  ['provisioningOrder', { provisioningOrder: 5101 }],
  ['services[0].name', { services: [{ name: 'Teleport', value: 'true' }] }],
  ['services[0].name', { services: [{ name: 'EU Roaming', value: 'true' }] }],
  ['services[0].name', { tariffId: 2003, services: [{ name: '5G', value: 'true' }] }],
  ['services[0].value', { services: [{ name: 'Roaming', value: 'maybe' }] }],
  [
    'services[1].name',
    {
      services: [
        { name: 'Roaming', value: 'true' },
        { name: 'Roaming', value: 'false' },
      ],
    },
  ],
])('a row with a wrong %s is answered 422 naming the cell', async (field, changes) => {
  const service = await startTestSimulator();
  const reply = await postRow(service, changes);
  expect([reply.status, reply.body.errors[0].field]).toEqual([422, `rows[0].${field}`]);
});

test('an eSIM on a network that does not allow it is answered 422', async () => {
  const service = await startTestSimulator();
  const onIot = { esim: true, tariffId: 2101, boltOns: [201], provisioningOrder: 5003 };
  const reply = await postRow(service, onIot, { targetNetworkId: 12 });
  expect([reply.status, reply.body.errors[0].field]).toEqual([422, 'rows[0].esim']);
  expect((await postRow(service, { esim: true })).status).toBe(201);
});

test('a Type-B network takes no bolt-ons and no existing provisioning order', async () => {
  const service = await startTestSimulator();
  const header = { targetNetworkId: 14 };
  const onTypeB = { tariffId: 3102, boltOns: [], provisioningOrder: null, provisioningOrderName: 'Depot' };
  expect((await postRow(service, { ...onTypeB, boltOns: [101] }, header)).body.errors[0].field).toBe('rows[0].boltOns');
  expect((await postRow(service, { ...onTypeB, provisioningOrder: 5001 }, header)).body.errors[0].field).toBe(
    'rows[0].provisioningOrder',
  );
  expect((await postRow(service, onTypeB, header)).status).toBe(201);
});

test('either a provisioning order or the name of a new one will do, and both together', async () => {
  const service = await startTestSimulator();
  const rows = [
    portRow(1, { provisioningOrder: 5001, provisioningOrderName: null }),
    portRow(2, { provisioningOrder: null, provisioningOrderName: 'Depot' }),
    portRow(3, { provisioningOrder: 5001, provisioningOrderName: 'Depot' }),
  ];
  expect((await post(service, { rows })).status).toBe(201);
});

test('a migration needs no PAC, and one that keeps its SIM needs no serial', async () => {
  const service = await startTestSimulator();
  const connectionDate = '2026-07-20T00:00:00';
  expect((await postRow(service, { pac: null }, { portType: 'MigrateIn', connectionDate })).status).toBe(201);
  const keep = await post(service, {
    portType: 'MigrateInKeep',
    connectionDate,
    rows: [portRow(2, { pac: null, serialNo: null })],
  });
  expect(keep.status).toBe(201);
});

test('one group name may not stand for two combinations of tariff, bolt-ons and services', async () => {
  const service = await startTestSimulator();
  const rows = [portRow(1), portRow(2, { boltOns: [102] })];
  const reply = await post(service, { rows });
  expect([reply.status, reply.body.errors[0].field]).toEqual([422, 'rows[1].groupName']);
  expect((await post(service, { rows: [portRow(1), portRow(2, { boltOns: [102], groupName: 'Other' })] })).status).toBe(
    201,
  );
});

test('the order of bolt-ons makes no other combination', async () => {
  const service = await startTestSimulator();
  const rows = [portRow(1, { boltOns: [101, 104] }), portRow(2, { boltOns: [104, 101] })];
  expect((await post(service, { rows })).status).toBe(201);
});

test('every finding of a request is in one answer, and the first is the message', async () => {
  const service = await startTestSimulator();
  const reply = await post(service, {
    sourceNetworkId: 6,
    rows: [portRow(1, { tariffId: 1, groupName: 'Other' }), portRow(2, { serialNo: '1' })],
  });
  expect(reply.body.errors.map(({ field }: { field: string }) => field)).toEqual([
    'sourceNetworkId',
    'rows[0].tariffId',
    'rows[1].serialNo',
  ]);
  expect(reply.body.message).toBe('there is no source network 6 for Port to UK Mobile A (and 2 more)');
});

test('a number twice in a request is an error that names the first row', async () => {
  const service = await startTestSimulator();
  const reply = await post(service, { rows: [portRow(1), portRow(2, { msisdn: '+44 7700 900001' })] });
  expect([reply.status, reply.body.errors[0]]).toEqual([
    422,
    { field: 'rows[1].msisdn', message: '+44 7700 900001 is also in rows[0]' },
  ]);
});

test('a number that was on the service and left is answered 409, saying it exists on the stock records', async () => {
  const service = await startTestSimulator();
  const reply = await postRow(service, { msisdn: '07700900995' });
  expect(reply.status).toBe(409);
  expect(reply.body.message).toBe(
    'MSISDN 07700900995 already exists on the stock records. Contact your account manager.',
  );
});

test('a number with a live port is answered 409, however it is written and whoever asks', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service);
  const again = await postRow(service, { msisdn: '447700900001' });
  expect([again.status, again.body.message]).toEqual([
    409,
    `MSISDN 447700900001 is already in a port that is not finished (${id}).`,
  ]);
  const other = await post(service, { rows: [portRow(1, { provisioningOrder: 5101 })] }, 1);
  expect([other.status, other.body.message]).toEqual([
    409,
    'MSISDN 07700900001 is already in a port that is not finished.',
  ]);
});

test('a number whose port has an invalid PAC can be ported again once that port is cancelled', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service, { rows: [portRow(1, { pac: 'INV123456' })] });
  service.pass(10 * minute);
  const declined = await post(service);
  expect([declined.status, declined.body.message]).toEqual([
    409,
    `MSISDN 07700900001 already has a port with an invalid PAC (${id}): cancel that port first.`,
  ]);
  await service.call('DELETE', portPath(service, id));
  expect((await post(service)).status).toBe(201);
});

test('a number whose row was cancelled is free while the rest of its port goes on', async () => {
  const service = await startTestSimulator();
  const id = await createPort(service, { rows: [portRow(1), portRow(2, { pac: 'INV123456' })] });
  service.pass(10 * minute);
  const body = { Rows: [{ Msisdn: '07700900002', PortRowStatus: 'CancellationRequested' }] };
  await service.call('PATCH', portPath(service, id), { body });
  expect((await post(service, { rows: [portRow(2)] })).status).toBe(409);
  service.pass(2 * minute);
  expect((await post(service, { rows: [portRow(2)] })).status).toBe(201);
});

test('a number whose port is complete is on the stock records', async () => {
  const service = await startTestSimulator();
  await createPort(service);
  service.pass(4 * day);
  const reply = await post(service, { connectionDate: '2026-07-15T00:00:00' });
  expect(reply.body.message).toContain('already exists on the stock records');
});

test('nothing is kept of a rejected request', async () => {
  const service = await startTestSimulator();
  await post(service, { rows: [portRow(1), portRow(2, { tariffId: 1 })] });
  expect((await service.call('GET', '/api/porting/1001')).body.total).toBe(0);
  expect((await post(service)).status).toBe(201);
});

test('of two simultaneous ports for one number one is kept', async () => {
  const service = await startTestSimulator();
  const replies = await Promise.all(Array.from({ length: 10 }, () => post(service)));
  expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array.from({ length: 9 }, () => 409)]);
});

test('no error answer contains a PAC', async () => {
  const service = await startTestSimulator();
  const reply = await postRow(service, { pac: 'SECRETPAC', msisdn: 'x' });
  expect(reply.text).not.toContain('SECRETPAC');
});

test('services of null and an empty list are one combination, and may share a group name', async () => {
  const service = await startTestSimulator();
  const rows = [portRow(1, { services: null }), portRow(2, { services: [] })];
  const id = await createPort(service, { rows });
  expect((await readPort(service, id)).rows.map(({ services }) => services)).toEqual([null, []]);
});

test('a row shows its services and bolt-ons in the order in which it was sent', async () => {
  const service = await startTestSimulator();
  const services = [
    { name: 'Voicemail', value: 'false' },
    { name: 'Roaming', value: 'true' },
  ];
  const rows = [
    portRow(1, { services, boltOns: [101, 102] }),
    portRow(2, { services: services.toReversed(), boltOns: [102, 101] }),
  ];
  const id = await createPort(service, { rows });
  const shown = (await readPort(service, id)).rows;
  expect(shown.map((row) => [row.services, row.boltOns])).toEqual([
    [services, [101, 102]],
    [services.toReversed(), [102, 101]],
  ]);
});
