// Each choice where the specification is open: its default, and every other value.
import { describe, expect, test } from 'vitest';
import { type ChoiceName, choiceNames, choiceTable, readChoices } from '#simulator/choices.ts';
import {
  createPort,
  hour,
  minute,
  portBody,
  portPath,
  portRow,
  requestToken,
  startTestSimulator,
  stockSerials,
  type TestSimulator,
} from '../support/service/simulator.ts';

interface Sample {
  readonly name: ChoiceName;
  /** What each value of the choice leads to. */
  readonly expected: Readonly<Record<string, unknown>>;
  readonly act: (service: TestSimulator) => Promise<unknown>;
}

const status = async (reply: Promise<{ status: number }>): Promise<number> => (await reply).status;

const twoPorts = async (service: TestSimulator): Promise<string[]> => [
  await createPort(service, { name: 'first', rows: [portRow(1)] }),
  await createPort(service, { name: 'second', rows: [portRow(2)] }),
];

const listed = async (service: TestSimulator, headers: Record<string, string> = {}) =>
  (await service.call('GET', '/api/porting/1001', { headers })).body;

const failedPort = async (service: TestSimulator): Promise<string> => {
  const id = await createPort(service, { rows: [portRow(1, { pac: 'INV000001' }), portRow(2)] });
  service.pass(5 * minute);
  return id;
};

const rowChange = (index: number) => ({ Msisdn: portRow(index).msisdn, PortRowStatus: 'CancellationRequested' });

const samples: readonly Sample[] = [
  {
    name: 'list-order',
    expected: { 'newest-first': ['second', 'first'], 'oldest-first': ['first', 'second'] },
    act: async (service) => {
      await twoPorts(service);
      return (await listed(service)).data.map(({ name }: { name: string }) => name);
    },
  },
  {
    name: 'first-page',
    expected: { 1: [400, 200], 0: [200, 200] },
    act: async (service) => {
      const page = (number: string) =>
        status(service.call('GET', '/api/porting/1001', { headers: { 'x-pagenumber': number } }));
      return [await page('0'), await page('1')];
    },
  },
  {
    name: 'default-page-size',
    expected: { 50: 12, 25: 12, 10: 10 },
    act: async (service) => {
      for (let index = 1; index <= 12; index += 1) await createPort(service, { rows: [portRow(index)] });
      return (await listed(service)).data.length;
    },
  },
  {
    name: 'oversized-pages',
    expected: { reject: 400, clamp: 200 },
    act: (service) => status(service.call('GET', '/api/porting/1001', { headers: { 'x-pagesize': '51' } })),
  },
  {
    name: 'submission-status',
    expected: { 200: 200, 201: 201, 202: 202 },
    act: (service) => {
      const body = { serialNumbers: stockSerials(240).slice(0, 1), message: 'Hello' };
      return status(service.call('POST', '/api/simSubmission/SendSms', { body }));
    },
  },
  {
    name: 'error-details',
    expected: { fields: ['message', 'errors'], message: ['message'] },
    act: async (service) => Object.keys((await service.call('POST', '/api/porting/1001', { body: {} })).body),
  },
  {
    name: 'type-b-ip-groups',
    expected: { 409: 409, 404: 404, 200: 200 },
    act: (service) => status(service.call('GET', '/api/account/1001/PublicIpGroups/302')),
  },
  {
    name: 'holidays',
    expected: { 'bank-holidays': false, 'with-weekends': true },
    act: async (service) => {
      const types = (await service.call('GET', '/api/porting/1001/networks')).body;
      return types[0].targetNetworks[0].upcomingHolidays.includes('2026-07-11T00:00:00');
    },
  },
  {
    name: 'cancel-all-rows',
    expected: { reject: [422, 'Pac Check Failed'], accept: [202, 'Cancelled'] },
    act: async (service) => {
      const id = await createPort(service, {
        rows: [portRow(1, { pac: 'INV000001' }), portRow(2, { pac: 'INV000002' })],
      });
      service.pass(5 * minute);
      const reply = await service.call('PATCH', portPath(service, id), {
        body: { Rows: [rowChange(1), rowChange(2)] },
      });
      return [reply.status, (await service.call('GET', portPath(service, id))).body.statusName];
    },
  },
  {
    name: 'partial-updates',
    expected: { reject: [409, 'PacInvalid'], accept: [202, 'CancellationRequested'] },
    act: async (service) => {
      const id = await failedPort(service);
      // The second row is PacValid: it cannot be cancelled alone here.
      const reply = await service.call('PATCH', portPath(service, id), {
        body: { Rows: [rowChange(1), rowChange(2)] },
      });
      return [reply.status, (await service.call('GET', portPath(service, id))).body.rows[0].statusName];
    },
  },
  {
    name: 'repeated-cancel',
    expected: { accept: [202, 202], reject: [202, 409] },
    act: async (service) => {
      const id = await createPort(service);
      service.pass(5 * minute);
      const cancel = () => status(service.call('DELETE', portPath(service, id)));
      return [await cancel(), await cancel()];
    },
  },
  {
    name: 'cancel-in-error',
    expected: { accept: 202, reject: 409 },
    act: async (service) => {
      const id = await createPort(service, { rows: [portRow(1, { pac: 'ERR000001' })] });
      service.pass(hour);
      return status(service.call('DELETE', portPath(service, id)));
    },
  },
  {
    name: 'unknown-serials',
    expected: { accept: [201, 200], reject: [422, 422] },
    act: async (service) => {
      const stock = [{ serialNumber: '8944110000000009999' }];
      const provision = { stock, tariffNumber: 2001 };
      return [
        await status(service.call('POST', '/api/porting/1001', { body: portBody() })),
        await status(service.call('POST', '/api/simSubmission/Provision', { body: provision })),
      ];
    },
  },
  {
    name: 'status-ids',
    expected: { stable: true, 'per-call': false },
    act: async (service) => {
      const id = await createPort(service);
      const detail = (await service.call('GET', portPath(service, id))).body;
      return detail.status === (await listed(service)).data[0].status;
    },
  },
  {
    name: 'dates',
    expected: { local: '2026-07-08T00:00:00', utc: '2026-07-08T00:00:00.000Z' },
    act: async (service) => {
      await createPort(service);
      return (await listed(service)).data[0].connectionDate;
    },
  },
  {
    name: 'token-clock',
    expected: { wall: 200, account: 401 },
    act: (service) => {
      service.pass(2 * hour);
      return status(service.call('GET', '/api/company'));
    },
  },
  {
    name: 'rule-status',
    expected: { 422: 422, 400: 400 },
    act: (service) => status(service.call('POST', '/api/porting/1001', { body: portBody({ targetNetworkId: 999 }) })),
  },
  {
    name: 'single-lookups',
    expected: { off: true, on: false },
    act: async (service) => Array.isArray((await service.call('GET', '/api/account/1001/tariff/2001/boltons')).body),
  },
];

const cases = samples.flatMap(({ name, expected, act }) =>
  choiceTable[name].values.map((value) => ({ name, value, outcome: expected[value], act })),
);

test.each(cases)('$name $value', async ({ name, value, outcome, act }) => {
  const service = await startTestSimulator({ choices: { [name]: value } });
  expect(await act(service)).toEqual(outcome);
});

test.each(samples)('$name: the first value is the default', async ({ name, expected, act }) => {
  expect(await act(await startTestSimulator())).toEqual(expected[choiceTable[name].values[0]]);
});

test('every choice is tested; strict mode has a file', () => {
  expect(['strict', ...samples.map(({ name }) => name)].sort()).toEqual([...choiceNames].sort());
});

test('pages of the oldest ports first are complete and in order', async () => {
  const service = await startTestSimulator({ choices: { 'list-order': 'oldest-first' } });
  for (let index = 1; index <= 5; index += 1)
    await createPort(service, { name: `port ${index}`, rows: [portRow(index)] });
  const names: string[] = [];
  for (const page of ['1', '2', '3', '4']) {
    const { data } = await listed(service, { 'x-pagenumber': page, 'x-pagesize': '2' });
    names.push(...data.map(({ name }: { name: string }) => name));
  }
  expect(names).toEqual(['port 1', 'port 2', 'port 3', 'port 4', 'port 5']);
});

describe('a choice that does not exist', () => {
  test('is an error that names it', () => {
    expect(() => readChoices({ colour: 'red' })).toThrow('There is no choice "colour".');
    expect(() => readChoices({ 'list-order': 'random' })).toThrow('list-order: expected newest-first or oldest-first');
  });
});

test('tokens last as long as asked, by the clock that was chosen', async () => {
  const service = await startTestSimulator({ tokenSeconds: 60, choices: { 'token-clock': 'account' } });
  const form = { client_id: service.clientId, client_secret: service.clientSecret, grant_type: 'client_credentials' };
  expect((await requestToken(service, form)).body.expires_in).toBe(60);
  service.pass(59_999);
  expect((await service.call('GET', '/api/company')).status).toBe(200);
  service.pass(1);
  expect((await service.call('GET', '/api/company')).status).toBe(401);
});

test('a rate limit answers 429 with Retry-After, for each account alone, and fills up again', async () => {
  let wall = Date.parse('2026-07-06T09:00:00Z');
  const service = await startTestSimulator({ requestsPerSecond: 2, wall: () => wall });
  const ask = (client = 0) => service.call('GET', '/api/company', { client });
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 200]);
  const limited = await ask();
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
  expect((await ask(1)).status).toBe(200);
  wall += 500;
  expect([(await ask()).status, (await ask()).status]).toEqual([200, 429]);
});
