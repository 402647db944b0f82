// Ports, their rows and events, and the snapshot that is written in one transaction.
import {
  type DynamoDBDocumentClient,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { importKey } from '#shared/import/import.ts';
import type { PortSnapshot } from '#shared/outcome/port-snapshot.ts';
import {
  type ComparisonItem,
  comparisonItem,
  comparisonKey,
  comparisonPrefix,
  comparisonQueue,
  mismatchesListed,
  newComparison,
  storedComparison,
} from '#shared/outcome/service-comparison.ts';
import {
  actionsListed,
  dayOfPort,
  type PortEvent,
  type PortItem,
  type PortOfDay,
  type PortRowState,
  portEvent,
  portEventKey,
  portEventPrefix,
  portItem,
  portKey,
  portOfDay,
  portQueue,
  portQueueOf,
  portRowState,
  portRowsKey,
} from '#shared/port/port.ts';
import { isPortStatus } from '#shared/port/port-status.ts';
import type { RequestItem } from '#shared/request/request.ts';
import { type OnUnreadable, UnwritableItem } from '#shared/row/issue.ts';
import { type ItemKey, shardsOf } from '#shared/text/stored-values.ts';
import { type Backoff, defaultBackoff } from './backoff.ts';
import type { Numbers } from './numbers.ts';
import { replacementOf } from './requests.ts';
import {
  type Condition,
  getItem,
  ifNew,
  ifRevision,
  isItemRefused,
  putItem,
  putItems,
  queryDays,
  readAllListed,
  readChildren,
  readDue,
  readEach,
  readItems,
  readListed,
  type Table,
  wasWritten,
} from './table.ts';

// Ports in the results table: the port, its rows in one item, and one event for every change of status.

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
  actionRequired(limit?: number): Promise<PortItem[]>;
  /** Those of the account with a day in the period (YYYY-MM-DD, both included), by day. Leaves unreadable items out. */
  ofDays(account: string, period: Period): AsyncIterable<PortOfDay>;
}

export interface Period {
  readonly from: string;
  readonly to: string;
}

export interface Ports extends PortReader {
  /** Writes only the port itself; false when a newer reading was written meanwhile. @throws UnwritableItem */
  touch(seen: PortItem, next: PortItem): Promise<boolean>;
  /** Writes what a reading changed; false when the port or the request changed meanwhile. @throws UnwritableItem */
  record(change: PortChange): Promise<boolean>;
  /**
   * What is due of the account at `now` (calendar time, ISO), the longest due first, about `limit` of them.
   * @throws UnreadableItem, unless `onUnreadable` is given
   */
  due(account: string, now: string, limit: number, onUnreadable?: OnUnreadable): Promise<PortItem[]>;
  /**
   * All ports of the account that need action and did not change after `since` (calendar time, ISO), the longest
   * unchanged first.
   */
  waiting(account: string, since: string, onUnreadable: OnUnreadable): AsyncIterable<PortItem>;
}

export const portRowsItem = z.object({ portId: z.string(), rows: z.array(portRowState) });

const storedPort = (item: PortItem) => {
  const needsAction = item.actionRequired > 0 || item.concern !== undefined;
  return {
    ...portKey(item.portId),
    ...item,
    portDay: dayOfPort(item),
    dueQueue: item.dueAt === undefined ? undefined : portQueueOf(item),
    ...(needsAction && { listed: actionsListed, listedAt: item.changedAt }),
  };
};

/** Other attributes of the item stay. */
const updateOfRows = (TableName: string, { portId, expiresAt }: PortItem, rows: readonly PortRowState[]) => {
  const values = Object.entries({ portId, rows, expiresAt });
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
    due: async (account, now, limit, onUnreadable) => {
      const queues = shardsOf((shard) => portQueue(account, shard));
      return readEach(portItem, await readDue(table, queues, now, limit), onUnreadable);
    },
    actionRequired: (limit = 100) =>
      readListed(table, portItem, { partition: actionsListed, order: 'newest first' }, limit),
    ofDays: async function* (account, period) {
      const leaveOut = () => {}; // Sync names the items that cannot be read.
      for await (const item of queryDays(table, account, period)) yield* readEach(portOfDay, [item], leaveOut);
    },
    waiting: async function* (account, since, onUnreadable) {
      const listing = { partition: actionsListed, range: ['<=', since], order: 'oldest first' } as const;
      for await (const port of readAllListed(table, portItem, listing, onUnreadable))
        if (port.account === account) yield port;
    },
  };
}

// Writes a snapshot of a port: first its numbers, and the comparison of its services when it is complete, then the port
// with its rows, event and request in one transaction.

export interface PortSnapshots {
  /**
   * Safe to repeat. The port is written last: after a crash in between it is still due, so the rest is written again.
   * false: the port or its request changed meanwhile.
   */
  record(snapshot: PortSnapshot): Promise<boolean>;
}

export function createPortSnapshots(ports: Ports, numbers: Numbers, comparisons: Comparisons): PortSnapshots {
  const expectComparison = async ({ next, request }: PortSnapshot): Promise<void> => {
    if (request === undefined || !isPortStatus(next.status, 'Complete')) return;
    const { importId, request: number, account, portId, expiresAt } = next;
    // The time of the request is wall time and in the past, so the comparison is due at once.
    const now = Date.parse(request.next.changedAt);
    await comparisons.expect(newComparison({ importId, request: number, account, portId, expiresAt }, now));
  };

  return {
    record: async (snapshot) => {
      await numbers.record(snapshot.numberUpdates);
      await expectComparison(snapshot);
      const { seen, next, rows, event, request } = snapshot;
      const isUnchanged = rows === undefined && event === undefined && request === undefined;
      if (seen !== undefined && isUnchanged) return ports.touch(seen, next);
      return ports.record({ seen, next, rows, event, request });
    },
  };
}

// Comparisons of services in the results table, beside the requests of their import.

export interface ComparisonReader {
  /** Strongly consistent. */
  get(importId: string, request: number): Promise<ComparisonItem | undefined>;
  /** In the order of the plan, strongly consistent. */
  ofImport(importId: string): AsyncIterable<ComparisonItem>;
  /** Requests with SIMs that differ, the latest first. */
  found(limit: number): Promise<ComparisonItem[]>;
}

export interface Comparisons extends ComparisonReader {
  /** Inserts the item, unless the request has one already. */
  expect(item: ComparisonItem): Promise<void>;
  /**
   * Writes `next` in place of `seen`, together with its request where that changes; false when one of them is not the
   * stored item any more.
   */
  replace(
    seen: ComparisonItem,
    next: ComparisonItem,
    request?: { readonly seen: RequestItem; readonly next: RequestItem },
  ): Promise<boolean>;
  /**
   * What is due of the account at `now` (wall time, ISO), the longest due first.
   * @throws UnreadableItem, unless `onUnreadable` is given
   */
  due(account: string, now: string, limit: number, onUnreadable?: OnUnreadable): Promise<ComparisonItem[]>;
}

export function createComparisons(client: DynamoDBDocumentClient, name: string): Comparisons {
  const table = { client, name };
  return {
    expect: async (item) => {
      await putItem(table, storedComparison(item), ifNew);
    },
    get: (importId, request) => getItem(table, comparisonItem, comparisonKey(importId, request)),
    ofImport: (importId) =>
      readChildren(table, comparisonItem, { pk: importKey(importId).pk, prefix: comparisonPrefix }),
    replace: (seen, next, request) => {
      const item = storedComparison({ ...next, revision: seen.revision + 1 });
      const replacement = request && replacementOf(request.seen, request.next);
      return putItems(table, [{ item, condition: ifRevision(seen.revision) }, ...(replacement ? [replacement] : [])]);
    },
    due: async (account, now, limit, onUnreadable) =>
      readEach(comparisonItem, await readDue(table, [comparisonQueue(account)], now, limit), onUnreadable),
    found: (limit) => readListed(table, comparisonItem, { partition: mismatchesListed, order: 'newest first' }, limit),
  };
}
