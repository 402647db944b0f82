// Ports in the results table: the port, its rows in one item, and one event for every change of status.
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { type OnUnreadable, UnwritableItem } from '#shared/domain/requests/unreadable-item.ts';
import {
  type PortEvent,
  type PortItem,
  type PortRowState,
  portEvent,
  portItem,
  portRowState,
} from '#shared/items/port.ts';
import type { RequestItem } from '#shared/request/request.ts';
import {
  actionsListed,
  type ItemKey,
  portEventKey,
  portEventPrefix,
  portKey,
  portQueue,
  portQueueOf,
  portRowsKey,
  shardsOf,
} from '#shared/text/stored-values.ts';
import { type Backoff, defaultBackoff } from './backoff.ts';
import { replacementOf } from './requests.ts';
import {
  type Condition,
  getItem,
  ifNew,
  putItem,
  readAllListed,
  readChildren,
  readDue,
  readListed,
  type Table,
} from './table.ts';
import { isItemRefused, wasWritten } from './tables/conditional-write.ts';
import { readEach } from './tables/read-item.ts';
import { readItems } from './tables/read-items.ts';

/** All that one reading changed, written together or not at all. */
export interface PortChange {
  /** The port as it was before; absent when it is new. */
  readonly seen?: PortItem | undefined;
  readonly next: PortItem;
  readonly rows?: readonly PortRowState[] | undefined;
  readonly event?: PortEvent | undefined;
  readonly request?: { readonly seen: RequestItem; readonly next: RequestItem } | undefined;
}

export interface PortReader {
  /** Strongly consistent. */
  get(portId: string): Promise<PortItem | undefined>;
  /** undefined: the port's rows were never read. */
  rows(portId: string): Promise<PortRowState[] | undefined>;
  /** Many ports, in no order, strongly consistent. @throws UnreadableItem, unless `onUnreadable` is given */
  itemsOf(portIds: readonly string[], onUnreadable?: OnUnreadable): AsyncIterable<PortItem>;
  /** The rows of many ports, as `itemsOf`. @throws UnreadableItem, unless `onUnreadable` is given */
  rowsOf(
    portIds: readonly string[],
    onUnreadable?: OnUnreadable,
  ): AsyncIterable<{ portId: string; rows: PortRowState[] }>;
  /** Oldest first. */
  events(portId: string): Promise<PortEvent[]>;
  /** Ports that need action, the latest change first. @throws UnreadableItem */
  actionRequired(account: number, limit?: number): Promise<PortItem[]>;
}

export interface Ports extends PortReader {
  /** Writes only the port itself; false when a newer reading was written meanwhile. @throws UnwritableItem */
  touch(seen: PortItem, next: PortItem): Promise<boolean>;
  /** Writes what a reading changed; false when the port or the request changed meanwhile. @throws UnwritableItem */
  record(change: PortChange): Promise<boolean>;
  /**
   * What is due at `now` (calendar time, ISO), the longest due first, about `limit` of them.
   * @throws UnreadableItem, unless `onUnreadable` is given
   */
  due(now: string, limit: number, onUnreadable?: OnUnreadable): Promise<PortItem[]>;
  /** All ports that need action and did not change after `since` (calendar time, ISO), the longest unchanged first. */
  waiting(account: number, since: string, onUnreadable: OnUnreadable): AsyncIterable<PortItem>;
}

export const portRowsItem = z.object({ portId: z.string(), rows: z.array(portRowState) });

const storedPort = (item: PortItem) => {
  const needsAction = item.actionRequired > 0 || item.concern !== undefined;
  return {
    ...portKey(item.portId),
    ...item,
    dueQueue: item.dueAt === undefined ? undefined : portQueueOf(item.portId),
    ...(needsAction && { listed: actionsListed(item.account), listedAt: item.changedAt }),
  };
};

/** Other attributes of the item stay. */
const updateOfRows = (TableName: string, { portId, expiresAt }: PortItem, rows: readonly PortRowState[]) => {
  const values = Object.entries({ portId, rows, expiresAt }).filter(([, value]) => value !== undefined);
  return {
    TableName,
    Key: portRowsKey(portId),
    UpdateExpression: `SET ${values.map(([name]) => `#${name} = :${name}`).join(', ')}`,
    ExpressionAttributeNames: Object.fromEntries(values.map(([name]) => [`#${name}`, name])),
    ExpressionAttributeValues: Object.fromEntries(values.map(([name, value]) => [`:${name}`, value])),
  };
};

const ifNotReadSince = (seen: PortItem | undefined): Condition =>
  seen === undefined
    ? ifNew
    : { ConditionExpression: 'readAt = :seen', ExpressionAttributeValues: { ':seen': seen.readAt } };

/** The writes of one change, as one transaction. */
function writesOf(
  TableName: string,
  { seen, next, rows, event, request }: PortChange,
): NonNullable<TransactWriteCommandInput['TransactItems']> {
  const replacement = request && replacementOf(request.seen, request.next);
  return [
    { Put: { TableName, Item: storedPort(next), ...ifNotReadSince(seen) } },
    ...(rows ? [{ Update: updateOfRows(TableName, next, rows) }] : []),
    ...(event
      ? [{ Put: { TableName, Item: { ...portEventKey(event.portId, event.at, event.status), ...event } } }]
      : []),
    ...(replacement ? [{ Put: { TableName, Item: replacement.item, ...replacement.condition } }] : []),
  ];
}

/** @throws UnwritableItem, which names the port, where the table does not accept the item */
async function writeOf({ portId }: PortItem, write: () => Promise<boolean>): Promise<boolean> {
  try {
    return await write();
  } catch (error) {
    throw isItemRefused(error) ? new UnwritableItem(portKey(portId).pk, (error as Error).message) : error;
  }
}

/** Strongly consistent: files and plans are made from them, and a state that was missed would stay missing. */
async function* readMany<Shape extends z.ZodMiniType>(
  { client, name }: Table,
  shape: Shape,
  keys: readonly ItemKey[],
  { backoff, onUnreadable }: { readonly backoff: Backoff; readonly onUnreadable: OnUnreadable | undefined },
): AsyncGenerator<z.output<Shape>> {
  for await (const item of readItems(client, name, keys, { consistent: true, backoff }))
    yield* readEach(shape, [item], onUnreadable);
}

export function createPorts(client: DynamoDBDocumentClient, name: string, backoff: Backoff = defaultBackoff): Ports {
  const table = { client, name };
  const queues = shardsOf(portQueue);

  return {
    get: (portId) => getItem(table, portItem, portKey(portId)),
    rows: async (portId) => (await getItem(table, portRowsItem, portRowsKey(portId)))?.rows,
    itemsOf: (portIds, onUnreadable) => readMany(table, portItem, portIds.map(portKey), { backoff, onUnreadable }),
    rowsOf: (portIds, onUnreadable) =>
      readMany(table, portRowsItem, portIds.map(portRowsKey), { backoff, onUnreadable }),
    events: (portId) =>
      Array.fromAsync(readChildren(table, portEvent, { pk: portKey(portId).pk, prefix: portEventPrefix })),
    touch: (seen, next) => writeOf(next, () => putItem(table, storedPort(next), ifNotReadSince(seen))),
    record: (change) => {
      const write = () => client.send(new TransactWriteCommand({ TransactItems: writesOf(name, change) }));
      return writeOf(change.next, () => wasWritten(write));
    },
    due: async (now, limit, onUnreadable) => readEach(portItem, await readDue(table, queues, now, limit), onUnreadable),
    actionRequired: (account, limit = 100) =>
      readListed(table, portItem, { partition: actionsListed(account), order: 'newest first' }, limit),
    waiting: (account, since, onUnreadable) =>
      readAllListed(
        table,
        portItem,
        { partition: actionsListed(account), range: ['<=', since], order: 'oldest first' },
        onUnreadable,
      ),
  };
}
