// States that a test asks for, and snapshots: both stores give the same.
import { describe, expect, test } from 'vitest';
import { portStatusIds } from '#simulator/ports/port.ts';
import { storeKinds, useStores } from '../../support/embedded/simulator-stores.ts';
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

const newStore = useStores();

const seed = (service: TestSimulator, body: object, client = 0) =>
  service.call('PUT', '/_sandbox/state', { body, client });

const dump = async (service: TestSimulator) => (await service.call('GET', '/_sandbox/dump')).body;

describe.each(storeKinds)('with the %s store', (kind) => {
  const start = async (): Promise<TestSimulator> => startTestSimulator({ sandbox: true, store: await newStore(kind) });

  test('a port is in the status that was asked for, with rows, date and SIM that fit', async () => {
    const service = await start();
    const reply = await seed(service, { ports: [{ status: 'Locked', rows: [{ msisdn: '07700900123' }] }] });
    expect(reply.status).toBe(200);
    expect(await readPort(service, reply.body.portIds[0])).toMatchObject({
      statusName: 'Locked',
      connectionDate: '2026-07-07T00:00:00',
      portTypeName: 'Port',
      rows: [{ msisdn: '07700900123', statusName: 'Submitted' }],
    });
    expect((await dump(service)).sims).toMatchObject([{ status: 'Port-In Started' }]);
    service.pass(3 * day);
    expect((await dump(service)).ports[0].status).toBe('Complete');
    expect((await dump(service)).sims).toMatchObject([{ status: 'on-hire', msisdn: '447700900123' }]);
  });

  test.each(Object.keys(portStatusIds))('a port can be seeded in %s, and the service can read it', async (status) => {
    const service = await start();
    const portType = status === 'Network Validating' ? 'MigrateInKeep' : 'Port';
    const { portIds } = (await seed(service, { ports: [{ status, portType, rows: [{ msisdn: '07700900123' }] }] }))
      .body;
    expect((await readPort(service, portIds[0])).statusName).toBe(status);
  });

  test.each([
    ['Pac Check Failed', 'Port'],
    ['Network Rejected', 'MigrateInKeep'],
    ['Error', 'Port'],
    ['SubmittedWithErrors', 'Port'],
  ])('a port seeded in %s waits there for a client or the operator', async (status, portType) => {
    const service = await start();
    const { portIds } = (await seed(service, { ports: [{ status, portType, rows: [{ msisdn: '07700900123' }] }] }))
      .body;
    service.pass(day);
    expect((await readPort(service, portIds[0])).statusName).toBe(status);
  });

  test('everything that a seed names is as it names it', async () => {
    const service = await start();
    const id = '11111111-2222-4333-8444-555555555555';
    const rows = [
      { msisdn: '07700900001', pac: 'INV123456', groupName: 'One', tariffId: 2002, boltOns: [101] },
      { msisdn: '07700900002', status: 'CancellationRequested', serialNo: '8944110000000000777', message: 'A reason' },
    ];
    const port = { id, name: 'Mine', status: 'Pac Check Failed', targetNetworkId: 11, sourceNetworkId: 2, rows };
    await seed(service, { ports: [{ ...port, connectionDate: '2026-07-15' }] });
    expect(await readPort(service, id)).toMatchObject({
      id,
      name: 'Mine',
      sourceNetworkId: 2,
      connectionDate: '2026-07-15T00:00:00',
      rows: [
        { statusName: 'PacInvalid', groupName: 'One', tariffId: 2002, boltOns: [101] },
        { statusName: 'CancellationRequested', serialNo: '8944110000000000777', message: 'A reason' },
      ],
    });
  });

  test('a seed replaces what was there, and its numbers are taken', async () => {
    const service = await start();
    await createPort(service);
    const sim = { serialNumber: '8944110000000000555', networkNumber: 101, msisdn: '07700900555', tariffNumber: 2001 };
    await seed(service, { ports: [{ rows: [{ msisdn: '07700900123' }] }], sims: [sim] });
    expect((await dump(service)).ports).toHaveLength(1);
    const attempt = async (msisdn: string, index: number) =>
      (await service.call('POST', '/api/porting/1001', { body: portBodyOf(msisdn, index) })).status;
    expect([await attempt('07700900123', 1), await attempt('07700900555', 2), await attempt('07700900001', 3)]).toEqual(
      [409, 409, 201],
    );
    const services = await service.call('GET', '/api/sim/8944110000000000555/services');
    expect(services.status).toBe(200);
  });

  test('a number of another account is answered 409, and nothing changes', async () => {
    const service = await start();
    await seed(service, { ports: [{ rows: [{ msisdn: '07700900123' }] }] }, 1);
    await seed(service, { ports: [{ name: 'before', rows: [{ msisdn: '07700900001' }] }] });
    expect((await seed(service, { ports: [{ rows: [{ msisdn: '07700900123' }] }] })).status).toBe(409);
    expect((await dump(service)).ports).toMatchObject([{ name: 'before' }]);
  });

  test('a snapshot restores the account, in another simulator too', async () => {
    const service = await start();
    const id = await createPort(service, { rows: [portRow(1), portRow(2, { pac: 'INV000002' })] });
    const serial = '8944110000000000900';
    const stock = [{ serialNumber: serial, msisdn: '07700900900' }];
    const provision = {
      stock,
      tariffNumber: 2001,
      createNewProvisioningOrder: true,
      newProvisioningOrderName: 'Depot',
    };
    await service.call('POST', '/api/simSubmission/Provision', { body: provision });
    await service.call('POST', '/_sandbox/clock', { body: { advanceMs: hour } });
    const before = await dump(service);
    const snapshot = (await service.call('GET', '/_sandbox/snapshot')).body;

    await service.call('POST', '/_sandbox/clock', { body: { advanceMs: 30 * day } });
    await service.call('DELETE', portPath(service, id));
    expect((await service.call('PUT', '/_sandbox/snapshot', { body: snapshot })).status).toBe(204);
    expect(await dump(service)).toEqual(before);

    const second = await startTestSimulator({ sandbox: true });
    expect((await second.call('PUT', '/_sandbox/snapshot', { body: snapshot })).status).toBe(204);
    expect(await dump(second)).toEqual(before);
    for (const each of [service, second]) {
      const body = { Rows: [{ Msisdn: portRow(2).msisdn, Pac: 'NEW123456', PortRowStatus: 'Amended' }] };
      expect((await each.call('PATCH', portPath(each, id), { body })).status).toBe(202);
      each.pass(10 * minute);
      expect((await readPort(each, id)).statusName).toBe('Submitted');
      const orders = (await each.call('GET', '/api/account/1001/network/101/provisioningOrder')).body;
      expect(orders.map(({ name }: { name: string }) => name)).toContain('Depot');
      expect((await each.call('POST', '/api/porting/1001', { body: portBodyOf('07700900900', 5) })).status).toBe(409);
    }
  });
});

const portBodyOf = (msisdn: string, index: number) => ({
  name: 'p',
  targetNetworkId: 11,
  sourceNetworkId: 1,
  connectionDate: '2026-07-08',
  portType: 'Port',
  rows: [portRow(index, { msisdn })],
});

test.each([
  ['an unknown field', { ports: [{ colour: 'red', rows: [{ msisdn: '07700900001' }] }] }, 400],
  ['no row', { ports: [{ rows: [] }] }, 400],
  ['an unknown status', { ports: [{ status: 'Lost', rows: [{ msisdn: '07700900001' }] }] }, 400],
  ['a number twice', { ports: [{ rows: [{ msisdn: '07700900001' }] }, { rows: [{ msisdn: '+447700900001' }] }] }, 422],
  ['no number', { ports: [{ rows: [{ msisdn: 'seven' }] }] }, 422],
  ['an unknown target', { ports: [{ targetNetworkId: 99, rows: [{ msisdn: '07700900001' }] }] }, 422],
  ['no date', { ports: [{ connectionDate: '2026-02-31', rows: [{ msisdn: '07700900001' }] }] }, 422],
])('a seed with %s is answered %j', async (_what, body, status) => {
  const service = await startTestSimulator({ sandbox: true });
  expect((await seed(service, body)).status).toBe(status);
});

test('a snapshot of another account, or something else, is not restored', async () => {
  const service = await startTestSimulator({ sandbox: true });
  const snapshot = (await service.call('GET', '/_sandbox/snapshot', { client: 1 })).body;
  expect((await service.call('PUT', '/_sandbox/snapshot', { body: snapshot })).status).toBe(422);
  const body = { accountId: 1001, now: '2026-07-06T09:00:00Z', data: { ports: 'many' } };
  expect((await service.call('PUT', '/_sandbox/snapshot', { body })).status).toBe(400);
});
