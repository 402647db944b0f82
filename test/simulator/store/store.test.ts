// One contract for both stores: what the service relies on, whichever keeps its ports.
import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromWireDate } from '#shared/row/calendar-date.ts';
import type { Port, Row } from '#simulator/ports/port.ts';
import { createPortCache } from '#simulator/store/dynamodb/port-cache.ts';
import { createDynamoDbStore } from '#simulator/store/dynamodb-store.ts';
import { createMemoryStore } from '#simulator/store/memory-store.ts';
import { emptyAccount, ownerKey, type SimEvent, type Store } from '#simulator/store/store.ts';
import { startDynamoDb, type TestDynamoDb } from '../../support/embedded/simulator-dynamodb.ts';

const start = Date.parse('2026-07-06T09:00:00Z');

const rowOf = (number: string): Row => ({
  id: randomUUID(),
  msisdn: number,
  number,
  serialNo: `8944${number.padStart(15, '0')}`,
  pac: 'ABC123456',
  status: 'PacValid',
  since: start,
  message: null,
  groupName: 'Business',
  boltOns: [101],
  tariffId: 2001,
  esim: false,
  provisioningOrder: null,
  provisioningOrderName: 'Office',
  services: [{ name: 'Roaming', value: 'true' }],
});

const portOf = (numbers: readonly string[], changes: Partial<Port> = {}): Port => ({
  id: randomUUID(),
  accountId: 1001,
  version: 1,
  name: 'A port',
  portTypeName: 'Port',
  targetNetworkId: 11,
  sourceNetworkId: 1,
  connectionDate: fromWireDate('2026-07-08'),
  status: 'Created',
  since: start,
  cancelRequestedAt: null,
  lockedAt: null,
  resolvedAt: null,
  history: [{ status: 'Created', at: start }],
  rows: numbers.map(rowOf),
  ...changes,
});

const numbersFrom = (first: number, count: number): string[] =>
  Array.from({ length: count }, (_, index) => `44770090${String(first + index).padStart(5, '0')}`);

const none = new Map<string, string>();
const insert = (store: Store, port: Port, released = none, simEvents: readonly SimEvent[] = []) =>
  store.insertPort({
    port,
    simEvents,
    released: new Map([...released].map(([number, portId]) => [number, ownerKey({ portId })])),
  });

let dynamoDb: TestDynamoDb;
let wall = start;
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
  DynamoDB: async () => createDynamoDbStore(await dynamoDb.newTable(), () => wall++),
};

describe.each(Object.keys(stores))('the %s store', (kind) => {
  const newStore = (): Promise<Store> => (stores[kind] as () => Promise<Store>)();

  test('returns a port as it was stored', async () => {
    const store = await newStore();
    const port = portOf(numbersFrom(0, 3));
    expect(await insert(store, port)).toEqual([]);
    expect(await store.port(port.id)).toEqual(port);
  });

  test('knows no port that was not kept', async () => {
    expect(await (await newStore()).port(randomUUID())).toBeNull();
  });

  test('keeps nothing of a port whose number is taken, and names the number', async () => {
    const store = await newStore();
    const [first, second, third] = numbersFrom(10, 3) as [string, string, string];
    await insert(store, portOf([second]));
    const late = portOf([first, second, third]);
    expect(await insert(store, late)).toEqual([second]);
    expect(await store.port(late.id)).toBeNull();
    expect([...(await store.holders([first, third])).keys()]).toEqual([]);
    expect((await store.ports(1001, 0, 10)).total).toBe(1);
  });

  test('lets one of many simultaneous ports have a number', async () => {
    const store = await newStore();
    const rivals = Array.from({ length: 8 }, () => portOf(['447700900050']));
    const results = await Promise.all(rivals.map((port) => insert(store, port)));
    expect(results.filter((taken) => taken.length === 0)).toHaveLength(1);
  });

  test('hands a released number over, but only from the holder that let go of it', async () => {
    const store = await newStore();
    const holder = portOf(['447700900060']);
    await insert(store, holder);
    expect(await insert(store, portOf(['447700900060']), new Map([['447700900060', randomUUID()]]))).toEqual([
      '447700900060',
    ]);
    const heir = portOf(['447700900060']);
    expect(await insert(store, heir, new Map([['447700900060', holder.id]]))).toEqual([]);
    expect((await store.holders(['447700900060'])).get('447700900060')?.owner).toEqual({ portId: heir.id });
  });

  test('keeps a port whole that needs several items', async () => {
    const store = await newStore();
    const names = numbersFrom(0, 1000).map(rowOf);
    const provisioningOrderName = () => randomBytes(500).toString('base64');
    const port = portOf([], { rows: names.map((row) => ({ ...row, provisioningOrderName: provisioningOrderName() })) });
    expect(await insert(store, port)).toEqual([]);
    expect((await store.port(port.id))?.rows).toEqual(port.rows);
  });

  test('releases every claim of a large port that could not be stored', async () => {
    const store = await newStore();
    const numbers = numbersFrom(0, 250);
    await insert(store, portOf(numbers.slice(220, 221)));
    expect(await insert(store, portOf(numbers))).toEqual(numbers.slice(220, 221));
    expect((await store.holders(numbers)).size).toBe(1);
  });

  test('replaces a port once for each version', async () => {
    const store = await newStore();
    const port = portOf(numbersFrom(0, 2));
    await insert(store, port);
    const changed = { ...port, name: 'Changed', version: 2 };
    expect(await store.savePort(changed)).toBe(true);
    expect(await store.savePort({ ...port, name: 'Too late', version: 2 })).toBe(false);
    expect(await store.port(port.id)).toEqual(changed);
  });

  test('lists a port as it was last saved, however often the page was read before', async () => {
    const store = await newStore();
    const port = portOf(numbersFrom(300, 2));
    await insert(store, port);
    expect((await store.ports(1001, 0, 10)).ports).toEqual([port]);
    const changed = { ...port, name: 'Changed', version: 2 };
    await store.savePort(changed);
    expect((await store.ports(1001, 0, 10)).ports).toEqual([changed]);
  });

  test('lists the newest port first, in pages, for one account', async () => {
    const store = await newStore();
    const ids: string[] = [];
    for (const number of numbersFrom(100, 7)) {
      const port = portOf([number]);
      await insert(store, port);
      ids.unshift(port.id);
    }
    await insert(store, portOf(numbersFrom(200, 1), { accountId: 1002 }));
    const idsOf = async (offset: number, limit: number) =>
      (await store.ports(1001, offset, limit)).ports.map(({ id }) => id);
    expect(await idsOf(0, 3)).toEqual(ids.slice(0, 3));
    expect(await idsOf(3, 3)).toEqual(ids.slice(3, 6));
    expect(await idsOf(6, 3)).toEqual(ids.slice(6));
    expect(await idsOf(9, 3)).toEqual([]);
    expect((await store.ports(1001, 0, 3)).total).toBe(7);
  });

  test('gives the events of a SIM in the order of their time', async () => {
    const store = await newStore();
    const port = portOf(['447700900070']);
    const event = (at: number, cause: SimEvent['cause']): SimEvent => ({
      serialNumber: '8944110000000000070',
      accountId: 1001,
      networkNumber: 101,
      at,
      cause,
    });
    const named = event(start, { portId: port.id });
    const changed = event(start + 5, { ticketNumber: randomUUID(), change: { services: { Roaming: 'false' } } });
    const ticket = {
      ticketNumber: randomUUID(),
      accountId: 1001,
      operation: 'BarServiceConfig',
      createdAt: start,
      serialNumbers: [],
      body: {},
    };
    await store.addSubmission({ submission: ticket, simEvents: [changed], numbers: new Map(), released: none });
    await insert(store, port, none, [named]);
    const events = await store.simEvents(['8944110000000000070', '8944110000000000071']);
    expect(Object.fromEntries(events)).toEqual({ '8944110000000000070': [named, changed] });
    expect((await store.readAccount(1001)).simEvents).toEqual([named, changed]);
    expect(await store.submissions(1001)).toEqual([ticket]);
    expect(await store.submissions(1002)).toEqual([]);
  });

  test('keeps a provisioning order once, by account, network and name', async () => {
    const store = await newStore();
    const order = { accountId: 1001, networkNumber: 101, number: 7001, name: 'Depot' };
    await store.addProvisioningOrder(order);
    await store.addProvisioningOrder(order);
    expect(await store.provisioningOrders(1001, 101)).toMatchObject([order]);
    expect(await store.provisioningOrders(1001, 102)).toEqual([]);
  });

  test('replaces an account by nothing, and keeps the state of the test controls', async () => {
    const store = await newStore();
    const port = portOf(['447700900080']);
    await insert(store, port);
    await store.saveControls({ state: { offsetMs: 5 }, version: 1 });
    await store.replaceAccount(1001, emptyAccount);
    expect(await store.port(port.id)).toBeNull();
    expect(await store.ports(1001, 0, 10)).toEqual({ total: 0, ports: [] });
    expect((await store.holders(['447700900080'])).size).toBe(0);
    expect(await store.controls()).toEqual({ state: { offsetMs: 5 }, version: 1 });
  });
});

test('a number claimed by a process that died before it wrote the port is old after five minutes', async () => {
  const table = await dynamoDb.newTable();
  const store = createDynamoDbStore(table, () => wall);
  await table.batchPut([
    {
      pk: 'number#447700900090',
      sk: 'claim',
      accountId: 1001,
      claimedAt: wall,
      owner: { portId: 'never-written' },
      holder: 'port#never-written',
    },
  ]);
  expect((await store.holders(['447700900090'])).get('447700900090')).toEqual({
    owner: { portId: 'never-written' },
    isOld: false,
  });
  wall += 6 * 60_000;
  expect((await store.holders(['447700900090'])).get('447700900090')).toEqual({
    owner: { portId: 'never-written' },
    isOld: true,
  });
});

test('a second process on the same table sees the ports of the first', async () => {
  const table = await dynamoDb.newTable();
  const [first, second] = [createDynamoDbStore(table, () => wall++), createDynamoDbStore(table, () => wall++)];
  await second.ports(1001, 0, 10);
  const port = portOf(['447700900095']);
  await insert(first, port);
  expect((await second.ports(1001, 0, 10)).ports).toEqual([port]);
});

// Ports that were read already: an old version is never given for a new one, and the cache does not grow without end.
describe('the cache of ports', () => {
  const portOf = (id: string, version: number, rows = 1): Port =>
    ({ id, version, rows: Array.from({ length: rows }, () => ({})) }) as unknown as Port;

  test('a port is known by its version only', () => {
    const cache = createPortCache();
    const first = portOf('a', 1);
    cache.keep(first);
    expect(cache.get('a', 1)).toBe(first);
    expect(cache.get('a', 2)).toBeUndefined();
    cache.keep(portOf('a', 2));
    expect(cache.get('a', 1)).toBeUndefined();
  });

  test('beyond so many rows the port that was asked for least recently goes, and its rows count no more', () => {
    const cache = createPortCache(100);
    for (const id of ['a', 'b', 'c', 'd']) cache.keep(portOf(id, 1, 25));
    cache.get('a', 1);
    cache.keep(portOf('e', 1, 25));
    expect(['a', 'b', 'c', 'd', 'e'].filter((id) => cache.get(id, 1) !== undefined)).toEqual(['a', 'c', 'd', 'e']);
    for (let version = 2; version < 50; version += 1) cache.keep(portOf('a', version, 25));
    expect(['c', 'd', 'e'].filter((id) => cache.get(id, 1) !== undefined)).toEqual(['c', 'd', 'e']);
  });
});
