// The store on one DynamoDB table: durable, and shared by every process that uses the table.
//
//   pk                      sk                    holds
//   port#<id>               body#<n>              a part of the port (dynamodb/zipped-items.ts)
//   account#<id>            port#<time>#..        the id of a port, in the order of creation (dynamodb/port-order.ts)
//   account#<id>            ticket#<time>#..#<n>  a part of a submission
//   number#<e164>           claim                 the owner of the number (dynamodb/number-claims.ts)
//   sim#<serial>            <time>#..             something that happened to a SIM
//   orders#<account>#<net>  <name>                a provisioning order that a client named
//   controls                state                 clocks and faults of the test controls
//
// A port of up to about 95 rows is written with its claims in one transaction. A larger one claims first. If the
// process dies between, claims of a port that was never written remain; after `orphanMs` any request may take them.
import { ConditionalCheckFailedException } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Port } from '../ports/port.ts';
import { readAccount, replaceAccount } from './dynamodb/account-data.ts';
import {
  type ClaimRequest,
  claimInChunks,
  claimKey,
  claimWrites,
  maxWrites,
  releaseNumbers,
  transact,
  type Write,
} from './dynamodb/number-claims.ts';
import { createPortCache, type PortCache } from './dynamodb/port-cache.ts';
import {
  claimSchema,
  createPortOrder,
  eventItems,
  eventSchema,
  listItem,
  listKey,
  orderItem,
  orderSchema,
  ordersKey,
  type PortOrder,
} from './dynamodb/port-order.ts';
import { chunksOf, inParallel, lastOfEachKey, type Table } from './dynamodb/table.ts';
import {
  firstPart,
  portItems,
  portKey,
  portOfItems,
  submissionItems,
  submissionsOfItems,
  versionOfItem,
} from './dynamodb/zipped-items.ts';
import {
  type Holder,
  ownersOfPort,
  ownersOfSims,
  type PortInsert,
  type Store,
  StoreBusy,
  type SubmissionInsert,
} from './store.ts';

const orphanMs = 5 * 60_000;

const controlsKey = { pk: 'controls', sk: 'state' };
const controlsItem = z.object({ state: z.string(), version: z.int() });

async function readPort(table: Table, id: string): Promise<Port | null> {
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const items = await table.query(portKey(id), { prefix: 'body#' });
    if (items.length === 0) return null;
    const port = await portOfItems(items);
    if (port) return port;
  }
  throw new StoreBusy(`Port ${id} is being changed by other requests.`);
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

/** Claims numbers, then writes what needs them. Without the write the claims must not stay. */
async function claimThenWrite(table: Table, request: ClaimRequest, write: () => Promise<unknown>): Promise<string[]> {
  const taken = await claimInChunks(table, request);
  if (taken.length > 0) return taken;
  try {
    await write();
    return [];
  } catch (error) {
    await releaseNumbers(table, request.owners);
    throw error;
  }
}

async function insertPort(table: Table, { port, simEvents, released }: PortInsert, now: number): Promise<string[]> {
  const request = { accountId: port.accountId, owners: ownersOfPort(port), released, claimedAt: now };
  const portWrites: Write[] = [...(await portItems(port)), listItem(port, now)].map((Item) => ({
    Put: { TableName: table.name, Item },
  }));
  // Before the port: an event of a port that does not exist has no effect. In transactions: the embedded DynamoDB waits
  // for the disk after each write of a batch.
  const eventWrites = lastOfEachKey(eventItems(simEvents, now)).map(
    (Item): Write => ({ Put: { TableName: table.name, Item } }),
  );
  for (const chunk of chunksOf(eventWrites, maxWrites)) await transact(table, chunk);
  if (request.owners.size + portWrites.length > maxWrites) {
    return claimThenWrite(table, request, () => transact(table, portWrites));
  }
  const failed = await transact(table, [...claimWrites(table, request), ...portWrites]);
  const numbers = [...request.owners.keys()];
  return failed.map((index) => numbers[index] ?? '');
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

async function addSubmission(table: Table, insert: SubmissionInsert, now: number): Promise<string[]> {
  const { submission, simEvents, numbers, released } = insert;
  const request = { accountId: submission.accountId, owners: ownersOfSims(numbers), released, claimedAt: now };
  return claimThenWrite(table, request, async () => {
    await table.batchPut([...(await submissionItems(submission)), ...eventItems(simEvents, now)]);
  });
}

const portMethods = (table: Table, wall: Clock, cache: PortCache, order: PortOrder) => ({
  insertPort: (insert: PortInsert) => insertPort(table, insert, wall()),
  savePort: (port: Port) => savePort(table, port),
  port: (id: string) => readPort(table, id),
  async ports(accountId: number, offset: number, limit: number) {
    const ids = await order.ids(accountId);
    const end = Math.max(0, ids.length - offset);
    const page = ids.slice(Math.max(0, end - limit), end).reverse();
    return { total: ids.length, ports: await readPorts(table, cache, page) };
  },
  async holders(numbers: readonly string[]) {
    const items = await table.batchGet([...new Set(numbers)].map(claimKey));
    const orphanedBefore = wall() - orphanMs;
    const holders = z.array(claimSchema).parse(items);
    return new Map(
      holders.map(({ pk, owner, claimedAt }): [string, Holder] => [
        pk.slice('number#'.length),
        { owner, isOld: claimedAt < orphanedBefore },
      ]),
    );
  },
});

const controlsMethods = (table: Table): Pick<Store, 'controls' | 'saveControls'> => ({
  async controls() {
    const { Item } = await table.client.send(
      new GetCommand({ TableName: table.name, Key: controlsKey, ConsistentRead: true }),
    );
    if (Item === undefined) return null;
    const { state, version } = controlsItem.parse(Item);
    return { state: JSON.parse(state), version };
  },
  async saveControls({ state, version }) {
    try {
      await table.client.send(
        new PutCommand({
          TableName: table.name,
          Item: { ...controlsKey, state: JSON.stringify(state), version },
          ConditionExpression: version === 1 ? 'attribute_not_exists(pk)' : 'version = :before',
          ...(version > 1 && { ExpressionAttributeValues: { ':before': version - 1 } }),
        }),
      );
      return true;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) return false;
      throw error;
    }
  },
});

/** @param wall orders the list and ages the claims; the clocks of the ports may show any time */
export function createDynamoDbStore(table: Table, wall: Clock): Store {
  const order = createPortOrder(table);
  const cache = createPortCache();
  return {
    ...portMethods(table, wall, cache, order),
    ...controlsMethods(table),
    async simEvents(serialNumbers) {
      const found = await inParallel(serialNumbers, 10, async (serialNumber) => {
        const items = z.array(eventSchema).parse(await table.query(`sim#${serialNumber}`));
        return [serialNumber, items.map(({ event }) => event)] as const;
      });
      return new Map(found.filter(([, events]) => events.length > 0));
    },
    provisioningOrders: async (accountId, networkNumber) =>
      z.array(orderSchema).parse(await table.query(ordersKey(accountId, networkNumber))),
    addProvisioningOrder: (provisioningOrder) => table.batchPut([orderItem(provisioningOrder)]),
    addSubmission: (insert) => addSubmission(table, insert, wall()),
    submissions: async (accountId) => submissionsOfItems(await table.query(listKey(accountId), { prefix: 'ticket#' })),
    readAccount: (accountId) => readAccount(table, accountId),
    async replaceAccount(accountId, data) {
      const foreign = await replaceAccount(table, accountId, data, wall());
      order.forget();
      cache.clear();
      return foreign;
    },
  };
}
