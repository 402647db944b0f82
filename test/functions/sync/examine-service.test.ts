// simporter doctor's questions to the service, answered by simulators that differ in every choice that a read shows.
import { expect, test } from 'vitest';
import { examineService } from '#functions/sync/examine-service.ts';
import { createPortingClient } from '#shared/service/client.ts';
import { type ChoiceName, choiceTable } from '#simulator/choices.ts';
import { monday, portBody, portRow, startTestSimulator, type TestSimulator } from '../../support/service/simulator.ts';

type Choices = Parameters<typeof startTestSimulator>[0];

const settings = { msisdnFormat: 'national', callingCode: '44' } as const;

/** With ports on two days; dates of the simulator are those of its clock, HTTP's those of this machine. */
async function startWithPorts(options: Choices = {}): Promise<TestSimulator> {
  const simulator = await startTestSimulator(options);
  for (const [index, day] of ['2026-07-08', '2026-07-09'].entries()) {
    const body = portBody({ connectionDate: `${day}T00:00:00`, rows: [portRow(index + 1)] });
    expect((await simulator.call('POST', '/api/porting/1001', { body })).status).toBe(201);
  }
  return simulator;
}

const examine = async (
  { baseUrl, authUrl, clients }: Pick<TestSimulator, 'baseUrl' | 'authUrl' | 'clients'>,
  changes: { readonly secret?: string; readonly wall?: () => number } = {},
) => {
  const [client] = clients;
  const credentials = async () => ({
    clientId: client?.clientId ?? '',
    clientSecret: changes.secret ?? client?.clientSecret ?? '',
  });
  const { checks } = await examineService({
    openClient: (settings) => createPortingClient({ baseUrl, authUrl, accountId: 1001, credentials, ...settings }),
    wall: changes.wall ?? Date.now,
    settings,
  });
  return Object.fromEntries(checks.map(({ check, ...finding }) => [check, finding]));
};

test('a service as simporter expects it: nothing to do, and every answer is shown', async () => {
  const found = await examine(await startWithPorts());
  expect(Object.values(found).filter(({ state }) => state === 'warning' || state === 'error')).toEqual([]);
  expect(Object.entries(found).map(([check, { answer }]) => `${check}: ${answer}`)).toMatchInlineSnapshot(`
    [
      "access: the service accepts the secret",
      "clock: the clocks agree",
      "networks: 12 networks",
      "holidays: bank holidays are listed",
      "page-base: the first page is 1",
      "page-size: a page has up to 50 ports",
      "list-total: 2 ports on 1 page",
      "list-order: by date, newest first",
      "dates: dates have no time zone",
      "statuses: every status is one of the specification",
      "status-ids: the same in every call",
      "numbers: numbers are written as national",
      "unknown-port: 404",
      "orders: 3 Type-A networks, 3 Type-B networks",
      "call-limit: the service names no limit",
    ]
  `);
});

/** Every choice of the simulator that a read shows, the other way, and what the command answers then. */
const shown: Partial<Record<ChoiceName, string>> = {
  'first-page': 'the first page is 0',
  'list-order': 'by date, oldest first',
  dates: 'dates are midnight in UTC',
  'status-ids': 'different in the list and in the port',
  holidays: 'bank holidays and weekends are listed',
};

test('every choice the other way: simporter works with it, and the answers name it', async () => {
  const others = Object.entries(choiceTable).map(([name, { values }]) => [name, values.at(-1)]);
  // The ports of the test have SIMs that nobody used before.
  const choices = { ...Object.fromEntries(others), 'unknown-serials': 'accept' };
  const found = await examine(await startWithPorts({ choices }));
  expect(Object.values(found).filter(({ state }) => state === 'warning' || state === 'error')).toEqual([]);
  const answers = Object.values(found).map(({ answer }) => answer);
  expect(answers).toEqual(expect.arrayContaining(Object.values(shown)));
});

test('an account without ports: what a port would show is unknown, not fine', async () => {
  const found = await examine(await startTestSimulator());
  const unknown = Object.keys(found).filter((check) => found[check]?.state === 'unknown');
  expect(unknown).toEqual([
    'page-base',
    'page-size',
    'list-order',
    'dates',
    'statuses',
    'status-ids',
    'numbers',
    'call-limit',
  ]);
  expect(found.dates?.answer).toBe('no port of the account shows it yet');
});

test('a wrong secret, and an address without a service, are the only answer, with what to do', async () => {
  const simulator = await startTestSimulator();
  const rejected = await examine(simulator, { secret: 'wrong' });
  expect(Object.keys(rejected)).toEqual(['access']);
  expect(rejected.access).toMatchObject({ state: 'error', advice: expect.stringMatching(/^Store the client id/) });
  await simulator.stop();
  const unreachable = await examine(simulator);
  expect(unreachable.access).toMatchObject({ state: 'error', advice: expect.stringContaining('service.baseUrl') });
});

test('a clock that is two minutes off is a warning with the difference', async () => {
  const found = await examine(await startTestSimulator(), { wall: () => Date.now() - 120_000 });
  expect(found.clock).toMatchObject({ state: 'warning', answer: expect.stringMatching(/1[12]\d s ahead/) });
});

test('the time that later calls take does not count as a difference of clocks', async () => {
  let now = Date.now();
  // Each reading of the clock is 20 seconds after the one before.
  const wall = () => {
    now += 20_000;
    return now - 20_000;
  };
  const found = await examine(await startWithPorts(), { wall });
  expect(found.clock?.state).toBe('ok');
});

test('numbers in another form name the setting that follows', async () => {
  const simulator = await startTestSimulator({ start: monday });
  const rows = [portRow(1, { msisdn: '447700900001' })];
  expect((await simulator.call('POST', '/api/porting/1001', { body: portBody({ rows }) })).status).toBe(201);
  expect((await examine(simulator)).numbers).toMatchObject({
    state: 'warning',
    advice: 'If the portal made this port, set account.msisdnFormat to e164.',
  });
});
