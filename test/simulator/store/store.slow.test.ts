// The two stores give the same answers to the same requests, one after another and in parallel.
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDynamoDbStore } from '#simulator/store/dynamodb-store.ts';
import { createMemoryStore } from '#simulator/store/memory-store.ts';
import type { Store } from '#simulator/store/store.ts';
import { startDynamoDb, type TestDynamoDb } from '../../support/embedded/simulator-dynamodb.ts';
import {
  createPort,
  minute,
  portBody,
  portPath,
  portRow,
  type Reply,
  readPort,
  startTestSimulator,
  type TestSimulator,
} from '../../support/service/simulator.ts';

let dynamoDb: TestDynamoDb;
let wall = Date.parse('2026-07-06T09:00:00Z');
beforeAll(async () => {
  dynamoDb = await startDynamoDb();
});
afterAll(() => dynamoDb.stop());

const durableStore = async (): Promise<Store> => createDynamoDbStore(await dynamoDb.newTable(), () => wall++);

/** Ids in the order in which they are asked for, so that two simulators give the same. */
function numberedIds() {
  let next = 0;
  return { uuid: () => `00000000-0000-4000-8000-${String(next++).padStart(12, '0')}` };
}

const startWith = (store: Store): Promise<TestSimulator> =>
  startTestSimulator({ store, sandbox: true, random: numberedIds(), wall: () => 0 });

type Request = (service: TestSimulator, portIds: string[]) => Promise<Reply>;

const index = fc.integer({ min: 1, max: 6 });
const pac = fc.constantFrom('ABC000001', 'INV000001', 'REJ000001', 'ERR000001');
const serial = (place: number): string => `894422${String(place).padStart(14, '0')}`;
const idAt = (portIds: readonly string[], place: number): string =>
  portIds[place % Math.max(1, portIds.length)] ?? '00000000-0000-4000-8000-999999999999';

const create = fc
  .array(fc.record({ index, pac, serial: index, account: fc.constantFrom(0, 0, 0, 1) }), { minLength: 1, maxLength: 3 })
  .map(
    (rows): Request =>
      async (service, portIds) => {
        const client = rows[0]?.account ?? 0;
        const order = client === 0 ? {} : { provisioningOrder: null, provisioningOrderName: 'Depot' };
        const body = portBody({
          connectionDate: new Date(service.now() + 4 * 86_400_000).toISOString(),
          rows: rows.map((row) => portRow(row.index, { ...order, pac: row.pac, serialNo: serial(row.serial) })),
        });
        const reply = await service.call('POST', `/api/porting/${1001 + client}`, { body, client });
        if (reply.status === 201) portIds.push(reply.body);
        return reply;
      },
  );

const updateRow = fc.record({ port: fc.nat(5), index, pac: fc.option(pac) }).map(
  ({ port, index: row, pac: newPac }): Request =>
    (service, portIds) => {
      const change =
        newPac === null ? { PortRowStatus: 'CancellationRequested' } : { Pac: newPac, PortRowStatus: 'Amended' };
      const body = { Rows: [{ Msisdn: portRow(row).msisdn, ...change }] };
      return service.call('PATCH', portPath(service, idAt(portIds, port)), { body });
    },
);

const cancel = fc.nat(5).map(
  (port): Request =>
    (service, portIds) =>
      service.call('DELETE', portPath(service, idAt(portIds, port))),
);

const read = fc.nat(5).map(
  (port): Request =>
    (service, portIds) =>
      service.call('GET', portPath(service, idAt(portIds, port))),
);

const provision = fc
  .record({ serial: index, msisdn: fc.option(index), name: fc.option(fc.constantFrom('Depot', 'Shop')) })
  .map(
    ({ serial: place, msisdn, name }): Request =>
      (service) => {
        const stock = [{ serialNumber: serial(place), ...(msisdn && { msisdn: portRow(msisdn).msisdn }) }];
        const order = name ? { createNewProvisioningOrder: true, newProvisioningOrderName: name } : {};
        return service.call('POST', '/api/simSubmission/Provision', { body: { stock, tariffNumber: 2001, ...order } });
      },
  );

const configure = fc.record({ serial: index, value: fc.constantFrom('true', 'false') }).map(
  ({ serial: place, value }): Request =>
    (service) => {
      const body = { serialNumbers: [serial(place)], services: [{ name: 'Roaming', value }] };
      return service.call('POST', '/api/simSubmission/BarServiceConfig', { body });
    },
);

const bar = fc.record({ serial: index, type: fc.constantFrom('bar', 'unbar') }).map(
  ({ serial: place, type }): Request =>
    (service) => {
      const commandOptions = { type: `vendor-detailed-${type}`, voiceRoaming: true };
      const body = { type, commands: [{ serialNumbers: [serial(place)], commandOptions }] };
      return service.call('POST', '/api/simSubmission', { body });
    },
);

const list = fc.record({ page: fc.integer({ min: 1, max: 3 }), size: fc.integer({ min: 1, max: 4 }) }).map(
  ({ page, size }): Request =>
    (service) => {
      const headers = { 'x-pagenumber': String(page), 'x-pagesize': String(size) };
      return service.call('GET', '/api/porting/1001', { headers });
    },
);

const lookUp = fc.constantFrom(
  ...[1, 2, 3, 4, 5, 6].map(
    (place): Request =>
      (service) =>
        service.call('GET', `/api/sim/${serial(place)}/services`),
  ),
  ((service) => service.call('GET', '/api/account/1001/network/101/provisioningOrder')) as Request,
);

const wait = fc.constantFrom(minute, 10 * minute, 180 * minute, 1440 * minute).map(
  (milliseconds): Request =>
    (service) => {
      service.pass(milliseconds);
      return service.call('GET', '/_sandbox/clock');
    },
);

const reset = fc.constant(((service) => service.call('POST', '/_sandbox/reset')) as Request);

const requests = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: create },
    { weight: 3, arbitrary: fc.oneof(updateRow, cancel, read) },
    { weight: 3, arbitrary: fc.oneof(provision, configure, bar) },
    { weight: 3, arbitrary: fc.oneof(list, lookUp) },
    { weight: 3, arbitrary: wait },
    { weight: 1, arbitrary: reset },
  ),
  { minLength: 5, maxLength: 25 },
);

test('the same requests get the same answers, and leave the same behind', async () => {
  await fc.assert(
    fc.asyncProperty(requests, async (story) => {
      const [memory, durable] = [await startWith(createMemoryStore()), await startWith(await durableStore())];
      const ids: [string[], string[]] = [[], []];
      for (const request of story) {
        const [left, right] = [await request(memory, ids[0]), await request(durable, ids[1])];
        expect([right.status, right.text]).toEqual([left.status, left.text]);
      }
      const dumps = await Promise.all([memory, durable].map((service) => service.call('GET', '/_sandbox/dump')));
      expect(dumps[1]?.body).toEqual(dumps[0]?.body);
    }),
    { numRuns: 25 },
  );
});

const stores: Readonly<Record<string, () => Promise<Store>>> = {
  memory: async () => createMemoryStore(),
  DynamoDB: durableStore,
};

const twentyOne = Array.from({ length: 21 }, (_, place) => portRow(place + 1));

const cancelRow = (service: TestSimulator, id: string, place: number) =>
  service.call('PATCH', portPath(service, id), {
    body: { Rows: [{ Msisdn: twentyOne[place]?.msisdn, PortRowStatus: 'CancellationRequested' }] },
  });

describe.each(Object.keys(stores))('in parallel, with the %s store', (kind) => {
  const start = async (): Promise<TestSimulator> => startWith(await (stores[kind] as () => Promise<Store>)());

  test('twenty cancellations of rows of one port are all accepted, and all happen', async () => {
    const service = await start();
    const id = await createPort(service, { rows: twentyOne });
    service.pass(5 * minute);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, place) => cancelRow(service, id, place)));
    expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(202));
    const { rows } = await readPort(service, id);
    expect(rows.filter(({ statusName }) => statusName === 'CancellationRequested')).toHaveLength(20);
  });

  test('one of many ports with the same number is created', async () => {
    const service = await start();
    const replies = await Promise.all(
      Array.from({ length: 10 }, () => service.call('POST', '/api/porting/1001', { body: portBody() })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(9).fill(409)]);
  });

  test('one of a port and a Provision gets a number', async () => {
    const service = await start();
    const [row] = twentyOne;
    const stock = [{ serialNumber: serial(1), msisdn: row?.msisdn }];
    const replies = await Promise.all([
      service.call('POST', '/api/porting/1001', { body: portBody() }),
      service.call('POST', '/api/simSubmission/Provision', { body: { stock, tariffNumber: 2001 } }),
    ]);
    expect(replies.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 409)).toHaveLength(1);
  });
});

test('two processes on one table: a change is accepted, or answered 503 with Retry-After and can be repeated', async () => {
  const table = await dynamoDb.newTable();
  const [first, second] = [
    await startTestSimulator({ store: createDynamoDbStore(table, () => wall++) }),
    await startTestSimulator({ store: createDynamoDbStore(table, () => wall++) }),
  ];
  const id = await createPort(first, { rows: twentyOne });
  for (const service of [first, second]) service.pass(5 * minute);
  const accept = async (place: number): Promise<void> => {
    for (;;) {
      const reply = await cancelRow(place % 2 === 0 ? first : second, id, place);
      if (reply.status === 202) return;
      expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, place) => accept(place)));
  const { rows } = await readPort(second, id);
  expect(rows.filter(({ statusName }) => statusName === 'CancellationRequested')).toHaveLength(20);
});

test('a store that never accepts a change is answered 503 with Retry-After', async () => {
  const store = createMemoryStore();
  const service = await startTestSimulator({ store: { ...store, savePort: async () => false } });
  const id = await createPort(service);
  const reply = await service.call('DELETE', portPath(service, id));
  expect([reply.status, reply.headers.get('retry-after')]).toEqual([503, '1']);
});
