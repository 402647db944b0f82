// The store on one DynamoDB table: durable, shared by every process that serves it.
//
//   pk                      sk              holds
//   port#<id>               body#<n>        a part of the port (dynamodb/port-items.ts)
//   account#<id>            port#<time>#..  the id of a port, in the order of creation (dynamodb/port-order.ts)
//   number#<e164>           claim           the port that last claimed the number (dynamodb/claims.ts)
//   sim#<serial>            <time>#<cause>  something that happened to a SIM
//   orders#<account>#<net>  <name>          a provisioning order that a client named
//   account#<id>            ticket#<time>#. a submission
//   sandbox                 state           the sandbox's clock and faults
//
// A port of up to about 95 rows is written with its claims in one transaction. A larger one claims first; a process that
// dies between leaves claims of a port that was never written, and after `orphanMs` anybody may take those over.
import { GetCommand, PutCommand, ScanCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Clock } from '#shared/runtime/clock.ts';
import { claimInChunks, claimKey, claimWrites, maxWrites, transact, type Write } from './dynamodb/claims.ts';
import { createPortCache, type PortCache } from './dynamodb/port-cache.ts';
import { firstPart, portItems, portKey, portOfItems, versionOfItem } from './dynamodb/port-items.ts';
import { createPortOrder, listKey, listSort } from './dynamodb/port-order.ts';
import { type Item, inParallel, type Table } from './dynamodb/table.ts';
import type { Port } from './port.ts';
import type { Holder, NewProvisioningOrder, SimEvent, Store, Submission } from './store.ts';

const orphanMs = 5 * 60_000;

const claimItem = z.object({ pk: z.string(), portId: z.string(), claimedAt: z.number() });
const eventItem = z.object({ event: z.custom<SimEvent>((value) => typeof value === 'object' && value !== null) });
const orderItem = z.object({ accountId: z.int(), networkNumber: z.int(), number: z.int(), name: z.string() });
const ticketItem = z.object({
  submission: z.custom<Submission>((value) => typeof value === 'object' && value !== null),
});
const sandboxItem = z.object({ state: z.string() });

const ordersKey = (accountId: number, networkNumber: number): string => `orders#${accountId}#${networkNumber}`;
const timeText = (epochMs: number): string => String(epochMs).padStart(15, '0');

const eventItemOf = (event: SimEvent): Item => {
  const cause = 'portId' in event.cause ? event.cause.portId : event.cause.ticketNumber;
  return { pk: `sim#${event.serialNumber}`, sk: `${timeText(event.at)}#${cause}`, event };
};

async function readPort(table: Table, id: string): Promise<Port | null> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const items = await table.query(portKey(id), { prefix: 'body#' });
    if (items.length === 0) return null;
    const port = await portOfItems(items);
    if (port) return port;
  }
  throw new Error(`Port ${id} is being rewritten too often to be read.`);
}

async function readPorts(table: Table, cache: PortCache, ids: readonly string[]): Promise<Port[]> {
  const first = await table.batchGet(ids.map((id) => ({ pk: portKey(id), sk: firstPart })));
  const byKey = new Map(first.map((item) => [item.pk, item]));
  const ports = await inParallel(ids, 25, async (id) => {
    const item = byKey.get(portKey(id));
    const known = item && cache.get(id, versionOfItem(item));
    if (known !== undefined) return known;
    const port = (item && (await portOfItems([item]))) ?? (await readPort(table, id));
    if (port !== null) cache.keep(port);
    return port;
  });
  return ports.flatMap((port) => port ?? []);
}

async function insertPort(table: Table, insert: Parameters<Store['insertPort']>[0], now: number): Promise<string[]> {
  const { port, simEvents } = insert;
  const list = { pk: listKey(port.accountId), sk: listSort(now, port.id), portId: port.id };
  const portWrites: Write[] = [...(await portItems(port)), list].map((Item) => ({
    Put: { TableName: table.name, Item },
  }));
  // Before the port: an event of a port that does not exist has no effect.
  await table.batchPut(simEvents.map(eventItemOf));
  if (port.rows.length + portWrites.length <= maxWrites) {
    const failed = await transact(table, [...claimWrites(table, insert, now), ...portWrites]);
    return failed.map((index) => port.rows[index]?.number ?? '');
  }
  const taken = await claimInChunks(table, insert, now);
  if (taken.length === 0) await transact(table, portWrites);
  return taken;
}

async function savePort(table: Table, port: Port): Promise<boolean> {
  const [first, ...others] = await portItems(port);
  const failed = await transact(table, [
    {
      Put: {
        TableName: table.name,
        Item: { ...first },
        ConditionExpression: 'version = :before',
        ExpressionAttributeValues: { ':before': port.version - 1 },
      },
    },
    ...others.map((Item) => ({ Put: { TableName: table.name, Item } })),
  ]);
  return failed.length === 0;
}

async function deleteAll(table: Table): Promise<void> {
  let start: Record<string, unknown> | undefined;
  do {
    const page = await table.client.send(
      new ScanCommand({
        TableName: table.name,
        ProjectionExpression: 'pk, sk',
        ...(start && { ExclusiveStartKey: start }),
      }),
    );
    await table.batchDelete(((page.Items ?? []) as Item[]).filter(({ pk }) => pk !== 'sandbox'));
    start = page.LastEvaluatedKey;
  } while (start);
}

/** @param wall orders the list and ages the claims; the ports' own clock may be anywhere */
export function createDynamoDbStore(table: Table, wall: Clock): Store {
  const order = createPortOrder(table);
  const cache = createPortCache();
  return {
    insertPort: (insert) => insertPort(table, insert, wall()),
    savePort: (port) => savePort(table, port),
    port: (id) => readPort(table, id),
    async ports(accountId, offset, limit) {
      const ids = await order.ids(accountId);
      const end = Math.max(0, ids.length - offset);
      const page = ids.slice(Math.max(0, end - limit), end).reverse();
      return { total: ids.length, ports: await readPorts(table, cache, page) };
    },
    async holders(numbers) {
      const items = await table.batchGet([...new Set(numbers)].map(claimKey));
      const orphanedBefore = wall() - orphanMs;
      return new Map(
        z
          .array(claimItem)
          .parse(items)
          .map(({ pk, portId, claimedAt }): [string, Holder] => [
            pk.slice('number#'.length),
            { portId, isOld: claimedAt < orphanedBefore },
          ]),
      );
    },
    async simEvents(serialNumbers) {
      const found = await inParallel(serialNumbers, 10, async (serialNumber) => {
        const items = await table.query(`sim#${serialNumber}`);
        return [
          serialNumber,
          z
            .array(eventItem)
            .parse(items)
            .map(({ event }) => event),
        ] as const;
      });
      return new Map(found.filter(([, events]) => events.length > 0));
    },
    provisioningOrders: async (accountId, networkNumber) =>
      z.array(orderItem).parse(await table.query(ordersKey(accountId, networkNumber))),
    async addProvisioningOrder(order: NewProvisioningOrder) {
      const item = { pk: ordersKey(order.accountId, order.networkNumber), sk: order.name, ...order };
      await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
    },
    async addSubmission(submission, simEvents) {
      const { accountId, createdAt, ticketNumber } = submission;
      const ticket = { pk: listKey(accountId), sk: `ticket#${timeText(createdAt)}#${ticketNumber}`, submission };
      await table.batchPut([ticket]);
      await table.batchPut(simEvents.map(eventItemOf));
    },
    async submissions(accountId) {
      const items = await table.query(listKey(accountId), { prefix: 'ticket#' });
      return z
        .array(ticketItem)
        .parse(items)
        .map(({ submission }) => submission);
    },
    async sandbox() {
      const key = { pk: 'sandbox', sk: 'state' };
      const { Item } = await table.client.send(
        new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
      );
      return Item === undefined ? null : JSON.parse(sandboxItem.parse(Item).state);
    },
    async saveSandbox(state) {
      const item = { pk: 'sandbox', sk: 'state', state: JSON.stringify(state) };
      await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
    },
    async reset() {
      await deleteAll(table);
      order.forget();
    },
  };
}
