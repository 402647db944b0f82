// One number, one SIM: what the spec implies is always enforced, what it leaves open only in strict mode.
import { describe, expect, test } from 'vitest';
import {
  createPort,
  day,
  hour,
  minute,
  portBody,
  portRow,
  startTestSimulator,
  stockSerials,
  type TestSimulator,
} from '../../support/service/simulator.ts';

const provision = (service: TestSimulator, serialNumber: string, msisdn?: string, client = 0) =>
  service.call('POST', '/api/simSubmission/Provision', {
    body: {
      stock: [{ serialNumber, ...(msisdn && { msisdn }) }],
      tariffNumber: 2001,
      ...(client === 0 && { provisioningOrderNumber: 5001 }),
    },
    client,
  });

const port = (service: TestSimulator, changes: Parameters<typeof portRow>[1], index = 1) =>
  service.call('POST', `/api/porting/${service.accountId}`, { body: portBody({ rows: [portRow(index, changes)] }) });

const serial = (index: number): string => `894422${String(index).padStart(14, '0')}`;
const onRecords = expect.stringContaining('already exists on the stock records');

describe('a number', () => {
  test('is provisioned to one SIM: the next is answered 409', async () => {
    const service = await startTestSimulator();
    const statuses = [];
    for (let index = 0; index < 30; index += 1) {
      statuses.push((await provision(service, serial(index), '07700900123')).status);
    }
    expect(statuses).toEqual([200, ...Array(29).fill(409)]);
  });

  test('is provisioned to one of many SIMs at the same time', async () => {
    const service = await startTestSimulator();
    const replies = await Promise.all(
      Array.from({ length: 10 }, (_, index) => provision(service, serial(index), '07700900123')),
    );
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(9);
  });

  test('is given once in a request: 422', async () => {
    const service = await startTestSimulator();
    const stock = [0, 1].map((index) => ({
      serialNumber: serial(index),
      msisdn: index === 0 ? '07700900123' : '+447700900123',
    }));
    const reply = await service.call('POST', '/api/simSubmission/Provision', { body: { stock, tariffNumber: 2001 } });
    expect([reply.status, reply.body.errors]).toEqual([
      422,
      [{ field: 'stock[1].msisdn', message: '+447700900123 is also in stock[0].msisdn' }],
    ]);
  });

  test('that a SIM was provisioned with cannot be ported in: 409', async () => {
    const service = await startTestSimulator();
    await provision(service, serial(1), '07700900123');
    const reply = await port(service, { msisdn: '07700900123' });
    expect([reply.status, reply.body.message]).toEqual([409, onRecords]);
  });

  test('of a SIM in the catalogue cannot be ported in or provisioned: 409', async () => {
    const service = await startTestSimulator();
    expect((await port(service, { msisdn: '07700900801' })).status).toBe(409);
    expect((await provision(service, serial(1), '07700900801')).status).toBe(409);
  });

  test('in a port in progress cannot be provisioned; after the cancellation it can', async () => {
    const service = await startTestSimulator();
    const id = await createPort(service, { rows: [portRow(1, { msisdn: '07700900123' })] });
    const reply = await provision(service, serial(1), '07700900123');
    expect([reply.status, reply.body.errors[0].field]).toEqual([409, 'stock[0].msisdn']);
    await service.call('DELETE', `/api/porting/1001/port/${id}`);
    expect((await provision(service, serial(1), '07700900123')).status).toBe(200);
  });

  test('that a completed port brought cannot be provisioned to another SIM', async () => {
    const service = await startTestSimulator();
    await createPort(service, { rows: [portRow(1, { msisdn: '07700900123' })] });
    service.pass(5 * day);
    expect((await provision(service, serial(9), '07700900123')).body.message).toEqual(onRecords);
  });

  test('a rejected Provision claims no number', async () => {
    const service = await startTestSimulator();
    const stock = [{ serialNumber: serial(1), msisdn: '07700900123' }, { serialNumber: 'no serial' }];
    await service.call('POST', '/api/simSubmission/Provision', { body: { stock, tariffNumber: 2001 } });
    expect((await port(service, { msisdn: '07700900123' })).status).toBe(201);
  });
});

describe('a SIM that is in use', () => {
  const uses: readonly (readonly [string, (service: TestSimulator) => Promise<unknown>])[] = [
    ['in a port in progress', (service) => createPort(service, { rows: [portRow(7, { serialNo: serial(7) })] })],
    [
      'of the port of another account',
      (service) =>
        service.call('POST', '/api/porting/1002', {
          body: portBody({
            rows: [portRow(7, { serialNo: serial(7), provisioningOrder: null, provisioningOrderName: 'a' })],
          }),
          client: 1,
        }),
    ],
    [
      'on hire',
      async (service) => {
        await provision(service, serial(7));
        service.pass(2 * minute);
      },
    ],
  ];

  test.each(uses)('%s may be named by another port, but not in strict mode', async (_where, use) => {
    for (const strict of ['off', 'on'] as const) {
      const service = await startTestSimulator({ choices: { strict } });
      await use(service);
      const reply = await port(service, { serialNo: serial(7) });
      expect(reply.status).toBe(strict === 'off' ? 201 : 409);
    }
  });

  test('twice in a port is a 422 in strict mode only', async () => {
    for (const strict of ['off', 'on'] as const) {
      const service = await startTestSimulator({ choices: { strict } });
      const rows = [portRow(1, { serialNo: serial(7) }), portRow(2, { serialNo: serial(7) })];
      const reply = await service.call('POST', '/api/porting/1001', { body: portBody({ rows }) });
      expect(reply.status).toBe(strict === 'off' ? 201 : 422);
    }
  });

  test('in parallel ports is in one of them in strict mode', async () => {
    const service = await startTestSimulator({ choices: { strict: 'on' } });
    const replies = await Promise.all([1, 2, 3, 4].map((index) => port(service, { serialNo: serial(7) }, index)));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409]);
  });

  test('has the number of the port that completes last', async () => {
    const service = await startTestSimulator({ sandbox: true });
    await createPort(service, { rows: [portRow(1, { serialNo: serial(7) })] });
    await createPort(service, { connectionDate: '2026-07-13', rows: [portRow(2, { serialNo: serial(7) })] });
    service.pass(14 * day);
    const { sims } = (await service.call('GET', '/_sandbox/dump')).body;
    expect(sims).toMatchObject([{ serialNumber: serial(7), status: 'on-hire', msisdn: '447700900002' }]);
  });
});

test.each([
  ['international', 'International Calls', 101],
  ['gprs', 'Mobile Data', 101],
  ['smsIncoming', 'SMS Incoming', 102],
  ['admin', 'Admin Bar', 102],
])('the legacy Bar %s sets the service "%s" to false, and Unbar to true', async (flag, name, network) => {
  const service = await startTestSimulator({ sandbox: true });
  const [serialNumber = ''] = stockSerials(network);
  const send = (type: 'bar' | 'unbar') =>
    service.call('POST', '/api/simSubmission', {
      body: {
        type,
        commands: [
          { serialNumbers: [serialNumber], commandOptions: { type: `vendor-detailed-${type}`, [flag]: true } },
        ],
      },
    });
  const value = async () => {
    const groups = (await service.call('GET', `/api/sim/${serialNumber}/services`)).body as {
      services: { name: string; optionValue: string }[];
    }[];
    return groups.flatMap(({ services }) => services).find((each) => each.name === name)?.optionValue;
  };
  expect((await send('bar')).status).toBe(200);
  service.pass(2 * minute);
  expect(await value()).toBe('false');
  expect((await service.call('GET', '/_sandbox/dump')).body.sims[0].bars).toEqual([flag]);
  await send('unbar');
  service.pass(2 * minute);
  expect(await value()).toBe('true');
  expect((await service.call('GET', '/_sandbox/dump')).body.sims[0].bars).toEqual([]);
});

test('the dump has the SIMs that requests named, as they are now', async () => {
  const service = await startTestSimulator({ sandbox: true });
  await createPort(service, { rows: [portRow(1, { serialNo: serial(1) })] });
  await provision(service, serial(2), '07700900456');
  service.pass(hour);
  const { sims } = (await service.call('GET', '/_sandbox/dump')).body;
  expect(sims).toMatchObject([
    { serialNumber: serial(1), status: 'Port-In Started', msisdn: null },
    { serialNumber: serial(2), status: 'on-hire', msisdn: '447700900456', tariffNumber: 2001 },
  ]);
});
