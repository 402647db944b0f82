// Every operation from its example file to its effect: imported, validated, submitted, and read back from the service.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '#shared/operations/registry.ts';
import type { ServiceGroup } from '#shared/service/contract.ts';
import { type OperationsEngine, type ResultLine, startOperationsEngine } from '../support/emulator/operations.ts';

let engine: OperationsEngine;
beforeAll(async () => {
  // Fast enough that a cancel takes effect at once, and slow enough that no port is locked.
  engine = await startOperationsEngine(4320);
});
afterAll(() => engine.stop());

const example = (operation: string) =>
  readFileSync(new URL(`../../examples/${operation}.csv`, import.meta.url), 'utf8');

/** Lines of the example whose own text contains that they are rejected. */
const documentedFaults = (operation: string): number[] =>
  example(operation)
    .split('\n')
    .flatMap((text, index) => (text.includes('Rejected: ') ? [index + 1] : []));

const areDecided = (lines: readonly ResultLine[]): boolean =>
  lines.every(({ outcome }) => ['rejected', 'accepted', 'complete', 'declined', 'skipped'].includes(outcome));

const optionOf = (groups: readonly ServiceGroup[], name: string) =>
  groups.flatMap(({ services }) => services).find((service) => service.name === name)?.optionValue;

/** Operation, the requests its example makes, and the name under which the service keeps them. */
const tickets = [
  ['provision', 5, 'Provision'],
  ['change-provision', 3, 'ChangeProvision'],
  ['bar-service-config', 2, 'BarServiceConfig'],
  ['send-sms', 4, 'SendSms'],
  ['create-bundle', 2, 'vendor-create-bundle'],
  ['configure-bundle-control', 2, 'ConfigureBundleControl'],
  ['bar', 2, 'bar'],
  ['unbar', 2, 'unbar'],
] as const;

test('every operation with tickets has its row above', () => {
  const all = [...operations.values()].filter(({ submission }) => submission.makes === 'ticket');
  expect(tickets.map(([operation]) => operation)).toEqual(all.map(({ name }) => name));
});

describe('an example of an operation with tickets is accepted, and the service stores its values', () => {
  const imports = new Map<string, string>();
  beforeAll(async () => {
    for (const [operation] of tickets)
      imports.set(operation, (await engine.drop(operation, example(operation))).importId);
  });

  test.each(tickets)('%s: %i requests', async (operation, requests, kept) => {
    const importId = imports.get(operation) ?? '';
    const end = await engine.until(importId, ({ state }) => state === 'finished');
    const lines = await engine.results(importId, areDecided);
    const submissions = (await engine.submissions()).filter((one) => one.operation === kept);
    const success = operation === 'bar-service-config' ? 'complete' : 'accepted';
    const accepted = lines.filter(({ outcome }) => outcome === success);
    const rejected = lines.filter(({ outcome }) => outcome === 'rejected').map(({ line }) => line);

    expect(rejected).toEqual(documentedFaults(operation));
    expect(end.requests).toEqual({ accepted: requests });
    expect(new Set(accepted.map(({ portId }) => portId))).toEqual(
      new Set(submissions.map(({ ticketNumber }) => ticketNumber)),
    );
    expect(submissions.flatMap(({ serialNumbers }) => serialNumbers)).toHaveLength(accepted.length);
  });

  test('bar-service-config: the SIM reads back what was set', async () => {
    await expect
      .poll(async () => optionOf(await engine.client.simServices('89440030210010001007'), 'Premium Rate Calls'))
      .toBe('false');
    expect(optionOf(await engine.client.simServices('89440040110010001304'), 'Content Control')).toBe('strict');
  });

  test('provision: the new order is there', async () => {
    const orders = await engine.client.provisioningOrders(101);
    expect(orders === 'not-available' ? [] : orders.map(({ name }) => name)).toContain('DepotNorth');
  });

  test('a SIM that the service declines declines no other: its row has the reason, the other is sent', async () => {
    const own = '89440023210010002509';
    const stranger = '89440023210020003703';
    const text = ['serialNumber,network,message', `${own},232,STATUS?`, `${stranger},232,STATUS?`].join('\n');
    const { importId } = await engine.drop('send-sms', text);
    const end = await engine.until(importId, ({ state }) => state === 'finished');
    const lines = await engine.results(importId, areDecided);
    expect(lines).toMatchObject([
      { outcome: 'accepted', portId: expect.stringMatching(/./), message: '' },
      { outcome: 'declined', portId: '', message: expect.stringContaining(`no SIM ${stranger}`) },
    ]);
    expect(end.requests).toEqual({ accepted: 1 });
    const submissions = await engine.submissions();
    const sent = submissions.filter(({ ticketNumber }) => ticketNumber === lines[0]?.portId);
    expect(sent).toMatchObject([{ operation: 'SendSms', serialNumbers: [own] }]);
    expect(submissions.flatMap(({ serialNumbers }) => serialNumbers)).not.toContain(stranger);
  });
});

describe('an existing port is changed by number, and the import that created it shows the new state', () => {
  /** Number, PAC and tariff of the rows of a create-port file that creates three ports. */
  const wanted = [
    ...['700', '701', '702', '703', '704'].map((number) => [number, `INV104${number}`, '2001'] as const),
    ['705', 'ABC104705', '2001'] as const,
    ...['710', '711', '712'].map((number) => [number, `ABC104${number}`, '2002'] as const),
    ...['713', '714'].map((number) => [number, `ABC104${number}`, '2004'] as const),
  ];
  const lineOf = (number: string): number => wanted.findIndex(([each]) => each === number) + 2;
  let created: string;

  /** Weeks ahead, so that nothing is locked while the test runs. */
  async function dayAhead(): Promise<string> {
    const types = await engine.client.networks();
    const target = types[0]?.targetNetworks.find(({ id }) => id === 11);
    const holidays = new Set(target?.upcomingHolidays.map((day) => day.slice(0, 10)));
    const days = [20, 21, 22, 23, 24, 25].map((ahead) => new Date(engine.calendar() + ahead * 86_400_000));
    const free = days.find((day) => day.getUTCDay() % 6 !== 0 && !holidays.has(day.toISOString().slice(0, 10)));
    return free?.toISOString().slice(0, 10) ?? '';
  }

  const statusesAre = (expected: Readonly<Record<string, string>>) => (lines: readonly ResultLine[]) =>
    Object.entries(expected).every(
      ([number, status]) => lines.find(({ line }) => line === lineOf(number))?.status === status,
    );

  beforeAll(async () => {
    const head = 'msisdn,serialNo,pac,portType,targetNetwork,sourceNetwork,connectionDate,tariff,provisioningOrder';
    const day = await dayAhead();
    const rows = wanted.map(([number, pac, tariff]) =>
      [`07700 900${number}`, `8944001011001900${number}`, pac, 'Port', '11', '1', day, tariff, '5001'].join(','),
    );
    created = (await engine.drop('create-port', `${[head, ...rows].join('\n')}\n`)).importId;
    await engine.results(created, statusesAre({ '700': 'PacInvalid', '710': 'Submitted', '714': 'Submitted' }));
  });

  test('update-port: new PACs and a cancelled row', async () => {
    const { importId } = await engine.drop('update-port', example('update-port'));
    const lines = await engine.results(importId, areDecided);
    expect(lines.flatMap(({ line, outcome }) => (outcome === 'rejected' ? line : []))).toEqual(
      documentedFaults('update-port'),
    );
    expect(lines.slice(0, 3).map(({ outcome, message }) => [outcome, message])).toEqual([
      ['accepted', 'The new PAC is set'],
      ['accepted', 'The new PAC is set'],
      ['accepted', 'Cancelled. The other rows of the port continue'],
    ]);
    const after = await engine.results(created, statusesAre({ '702': 'Cancelled', '703': 'PacInvalid' }));
    const portId = after[0]?.portId ?? '';
    expect(lines[0]?.portId).toBe(portId);
    await expect
      .poll(async () => (await engine.client.port(portId)).rows.map(({ statusName }) => statusName))
      .toEqual(['PacValid', 'PacValid', 'Cancelled', 'PacInvalid', 'PacInvalid', 'PacValid']);
  });

  test('cancel-port: a row by PATCH, a port with all its rows by DELETE', async () => {
    const { importId } = await engine.drop('cancel-port', example('cancel-port'));
    const lines = await engine.results(importId, areDecided);
    expect(lines.flatMap(({ line, outcome }) => (outcome === 'rejected' ? line : []))).toEqual(
      documentedFaults('cancel-port'),
    );
    expect(lines.slice(0, 3).map(({ outcome, message }) => [outcome, message])).toEqual([
      ['accepted', 'Cancelled. The other rows of the port continue'],
      ['accepted', 'Cancelled with the whole port'],
      ['accepted', 'Cancelled with the whole port'],
    ]);
    const after = await engine.results(
      created,
      statusesAre({ '710': 'Cancelled', '711': 'Submitted', '713': 'Cancelled', '714': 'Cancelled' }),
    );
    const ports = new Map(after.map(({ line, portId }) => [line, portId]));
    expect((await engine.client.port(ports.get(lineOf('713')) ?? '')).statusName).toBe('Cancelled');
    expect((await engine.client.port(ports.get(lineOf('711')) ?? '')).statusName).toBe('Submitted');
  });

  test('cancel-port: imported again, nothing is sent', async () => {
    const again = example('cancel-port').split('\n').slice(0, 4).join('\n');
    const { importId } = await engine.drop('cancel-port', again);
    const lines = await engine.results(importId, areDecided);
    const message = expect.stringContaining('was cancelled before, so nothing was sent');
    expect(lines).toMatchObject(lines.map(() => ({ outcome: 'skipped', message })));
  });
});
