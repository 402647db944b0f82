// Ports in the results table: the port, its rows in one item, and one event for every change of status.
import {
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import {
  type PortEvent,
  type PortItem,
  type PortRowState,
  portEvent,
  portItem,
  portRowState,
  type RequestItem,
} from '#shared/domain/ledger.ts';
import { withNextRevision } from '#shared/domain/request-state.ts';
import { type OnUnreadable, UnwritableItem } from '#shared/domain/unreadable-item.ts';
import { type Backoff, defaultBackoff } from './backoff.ts';
import { isItemRefused, whetherWritten } from './conditional.ts';
import { readDue } from './due.ts';
import {
  attentionListed,
  dueShards,
  listedIndex,
  portEventKey,
  portEventPrefix,
  portKey,
  portQueue,
  portQueueOf,
  portRowsKey,
} from './keys.ts';
import { queryFirst, queryItems } from './query.ts';
import { readEach, readItem } from './read-item.ts';
import { readItems } from './read-items.ts';
import { storedRequest, unchangedSince } from './requests.ts';

/** All that one look changed, written together or not at all. */
export interface PortChange {
  /** The port as it was before; absent when it is new. */
  readonly seen?: PortItem | undefined;
  readonly next: PortItem;
  readonly rows?: readonly PortRowState[] | undefined;
  readonly event?: PortEvent | undefined;
  readonly request?: { readonly seen: RequestItem; readonly next: RequestItem } | undefined;
}

export interface Ports {
  /** Strongly consistent. */
  get(portId: string): Promise<PortItem | undefined>;
  /** undefined: the port's rows were never read. */
  rows(portId: string): Promise<PortRowState[] | undefined>;
  /** The rows of many ports, in no order. */
  rowsOf(portIds: readonly string[]): AsyncIterable<{ portId: string; rows: PortRowState[] }>;
  /** Oldest first. */
  events(portId: string): Promise<PortEvent[]>;
  /**
   * Writes a look that changed nothing but when to look again; false when a newer look was written meanwhile.
   * @throws UnwritableItem
   */
  touch(seen: PortItem, next: PortItem): Promise<boolean>;
  /** Writes what a look changed; false when the port or the request is not as it was seen any more. @throws UnwritableItem */
  record(change: PortChange): Promise<boolean>;
  /** What is due at `now` (calendar time, ISO), the longest due first, at most about `limit`. @throws UnreadableItem where nobody is told of it */
  due(now: string, limit: number, onUnreadable?: OnUnreadable): Promise<PortItem[]>;
  /** Ports that wait for a person, the latest change first. @throws UnreadableItem where nobody is told of it */
  attention(account: number, limit?: number, onUnreadable?: OnUnreadable): Promise<PortItem[]>;
  /** All of those whose last change was no later than `since` (calendar time, ISO), the longest unchanged first. */
  waiting(account: number, since: string, onUnreadable: OnUnreadable): AsyncIterable<PortItem>;
}

type TransactItems = NonNullable<TransactWriteCommandInput['TransactItems']>;

const rowsItem = z.object({ portId: z.string(), rows: z.array(portRowState) });

const stored = (item: PortItem) => {
  const waits = item.attention > 0 || item.concern !== undefined;
  return {
    ...portKey(item.portId),
    ...item,
    dueQueue: item.dueAt === undefined ? undefined : portQueueOf(item.portId),
    listed: waits ? attentionListed(item.account) : undefined,
    listedAt: waits ? item.changedAt : undefined,
  };
};

const unlessLookedAtSince = (seen: PortItem | undefined) =>
  seen === undefined
    ? { ConditionExpression: 'attribute_not_exists(pk)' }
    : { ConditionExpression: 'lookedAt = :seen', ExpressionAttributeValues: { ':seen': seen.lookedAt } };

/** The writes of one change, as one transaction. */
function writesOf(table: string, { seen, next, rows, event, request }: PortChange): TransactItems {
  const writes: TransactItems = [{ Put: { TableName: table, Item: stored(next), ...unlessLookedAtSince(seen) } }];
  if (rows) {
    writes.push({ Put: { TableName: table, Item: { ...portRowsKey(next.portId), portId: next.portId, rows } } });
  }
  if (event) {
    const key = portEventKey(event.portId, event.at, event.status);
    writes.push({ Put: { TableName: table, Item: { ...key, ...event } } });
  }
  if (request) {
    const item = storedRequest(withNextRevision(request.seen, request.next));
    writes.push({ Put: { TableName: table, Item: item, ...unchangedSince(request.seen) } });
  }
  return writes;
}

/** @throws UnwritableItem, which names the port, where the table does not take what was seen of it */
async function writeOf({ portId }: PortItem, write: () => Promise<unknown>): Promise<boolean> {
  try {
    return await whetherWritten(write);
  } catch (error) {
    throw isItemRefused(error) ? new UnwritableItem(portKey(portId).pk, (error as Error).message) : error;
  }
}

export function createPorts(client: DynamoDBDocumentClient, table: string, backoff: Backoff = defaultBackoff): Ports {
  const get = async (portId: string): Promise<PortItem | undefined> => {
    const found = await client.send(
      new GetCommand({ TableName: table, Key: { ...portKey(portId) }, ConsistentRead: true }),
    );
    return found.Item && readItem(portItem, found.Item);
  };

  const rows = async (portId: string): Promise<PortRowState[] | undefined> => {
    const found = await client.send(
      new GetCommand({ TableName: table, Key: { ...portRowsKey(portId) }, ConsistentRead: true }),
    );
    return found.Item && readItem(rowsItem, found.Item).rows;
  };

  async function* rowsOf(portIds: readonly string[]): AsyncIterable<{ portId: string; rows: PortRowState[] }> {
    const keys = portIds.map(portRowsKey);
    for await (const item of readItems(client, table, keys, { consistent: false, backoff }))
      yield readItem(rowsItem, item);
  }

  const events = async (portId: string): Promise<PortEvent[]> => {
    const found: PortEvent[] = [];
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': portKey(portId).pk, ':prefix': portEventPrefix },
    };
    for await (const item of queryItems(client, query)) found.push(readItem(portEvent, item));
    return found;
  };

  const touch = (seen: PortItem, next: PortItem): Promise<boolean> =>
    writeOf(next, () =>
      client.send(new PutCommand({ TableName: table, Item: stored(next), ...unlessLookedAtSince(seen) })),
    );

  const record = (change: PortChange): Promise<boolean> =>
    writeOf(change.next, () => client.send(new TransactWriteCommand({ TransactItems: writesOf(table, change) })));

  const due = async (now: string, limit: number, onUnreadable?: OnUnreadable): Promise<PortItem[]> => {
    const queues = Array.from({ length: dueShards }, (_, shard) => portQueue(shard));
    return readEach(portItem, await readDue(client, table, queues, now, limit), onUnreadable);
  };

  const attention = async (account: number, limit = 100, onUnreadable?: OnUnreadable): Promise<PortItem[]> => {
    const items = await queryFirst(
      client,
      {
        TableName: table,
        IndexName: listedIndex,
        KeyConditionExpression: 'listed = :listed',
        ExpressionAttributeValues: { ':listed': attentionListed(account) },
        ScanIndexForward: false,
      },
      limit,
    );
    return readEach(portItem, items, onUnreadable);
  };

  async function* waiting(account: number, since: string, onUnreadable: OnUnreadable): AsyncIterable<PortItem> {
    const query = {
      TableName: table,
      IndexName: listedIndex,
      KeyConditionExpression: 'listed = :listed AND listedAt <= :since',
      ExpressionAttributeValues: { ':listed': attentionListed(account), ':since': since },
    };
    for await (const item of queryItems(client, query)) yield* readEach(portItem, [item], onUnreadable);
  }

  return { get, rows, rowsOf, events, touch, record, due, attention, waiting };
}
