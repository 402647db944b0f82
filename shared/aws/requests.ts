// Requests in the results table: the ledger. Every change is made on the very revision that its author saw.
import { type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type RequestItem, requestItem } from '#shared/domain/ledger.ts';
import { isHeld, lostMessageMs, withNextRevision } from '#shared/domain/request-state.ts';
import type { OnUnreadable } from '#shared/domain/unreadable-item.ts';
import { type Backoff, defaultBackoff } from './backoff.ts';
import { whetherWritten } from './conditional.ts';
import { readDue } from './due.ts';
import {
  dueIndex,
  dueShards,
  heldQueue,
  importKey,
  listedIndex,
  plannedQueue,
  plannedQueueOf,
  requestKey,
  requestPrefix,
  requestQueue,
  requestQueueOf,
  requestsListed,
} from './keys.ts';
import { queryFirst, queryItems } from './query.ts';
import { readEach, readItem } from './read-item.ts';
import { executeStatements, insertStatement } from './statements.ts';

export interface Requests {
  /** Inserts the requests; those that are there already stay as they are. */
  plan(items: readonly RequestItem[]): Promise<void>;
  /** Strongly consistent. */
  get(importId: string, request: number): Promise<RequestItem | undefined>;
  /** In the order of the plan, strongly consistent. @param after the request behind which they begin. @default 0 */
  ofImport(importId: string, after?: number): AsyncIterable<RequestItem>;
  /** Writes `next` in the place of `seen`; false when `seen` is not what stands there any more. */
  replace(seen: RequestItem, next: RequestItem): Promise<boolean>;
  /** In doubt, or not read yet, and due at `now` (wall time, ISO), the longest due first, at most about `limit`. @throws UnreadableItem where nobody is told of it */
  due(now: string, limit: number, onUnreadable?: OnUnreadable): Promise<RequestItem[]>;
  /** Planned ones whose message was not acted upon in time, the longest due first, at most about `limit`. @throws UnreadableItem where nobody is told of it */
  lost(now: string, limit: number, onUnreadable?: OnUnreadable): Promise<RequestItem[]>;
  /** Requests that wait for a port to be cancelled, the longest due first. @throws UnreadableItem where nobody is told of it */
  held(now: string, limit: number, onUnreadable?: OnUnreadable): Promise<RequestItem[]>;
  /** Requests that are left to people, the longest first. @throws UnreadableItem */
  leftToPeople(limit: number): Promise<RequestItem[]>;
}

/** A request as the table holds it: with its keys, in the due queue while it has a due time, and listed while it is left to people. */
export const storedRequest = (item: RequestItem) => ({
  ...requestKey(item.importId, item.request),
  ...item,
  dueQueue: item.dueAt === undefined ? undefined : queueOf(item),
  ...(item.state === 'needs-human' && { listed: requestsListed, listedAt: item.changedAt }),
});

/** A held request must not be taken for one whose message got lost. */
const queueOf = (item: RequestItem): string => {
  if (isHeld(item)) return heldQueue;
  return item.state === 'planned' ? plannedQueueOf(item.token) : requestQueueOf(item.token);
};

/** The condition under which an item may replace the revision that was seen. */
export const unchangedSince = (seen: RequestItem) => ({
  ConditionExpression: seen.revision === undefined ? 'attribute_not_exists(revision)' : 'revision = :revision',
  ...(seen.revision === undefined ? {} : { ExpressionAttributeValues: { ':revision': seen.revision } }),
});

const planned = (item: RequestItem): RequestItem => ({
  ...item,
  revision: item.revision ?? 0,
  dueAt: item.dueAt ?? new Date(Date.parse(item.changedAt) + lostMessageMs).toISOString(),
});

export function createRequests(
  client: DynamoDBDocumentClient,
  table: string,
  backoff: Backoff = defaultBackoff,
): Requests {
  const plan = async (items: readonly RequestItem[]): Promise<void> => {
    await executeStatements(
      client,
      items.map((item) => insertStatement(table, storedRequest(planned(item)))),
      backoff,
    );
  };

  const get = async (importId: string, request: number): Promise<RequestItem | undefined> => {
    const found = await client.send(
      new GetCommand({ TableName: table, Key: requestKey(importId, request), ConsistentRead: true }),
    );
    return found.Item && readItem(requestItem, found.Item);
  };

  async function* ofImport(importId: string, after = 0): AsyncIterable<RequestItem> {
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': importKey(importId).pk, ':prefix': requestPrefix },
      ConsistentRead: true,
      ...(after === 0 ? {} : { ExclusiveStartKey: requestKey(importId, after) }),
    };
    for await (const item of queryItems(client, query)) yield readItem(requestItem, item);
  }

  const replace = (seen: RequestItem, next: RequestItem): Promise<boolean> =>
    whetherWritten(() =>
      client.send(
        new PutCommand({
          TableName: table,
          Item: storedRequest(withNextRevision(seen, next)),
          ...unchangedSince(seen),
        }),
      ),
    );

  const dueIn =
    (queue: (shard: number) => string) =>
    async (now: string, limit: number, onUnreadable?: OnUnreadable): Promise<RequestItem[]> => {
      const queues = Array.from({ length: dueShards }, (_, shard) => queue(shard));
      return readEach(requestItem, await readDue(client, table, queues, now, limit), onUnreadable);
    };

  const held = async (now: string, limit: number, onUnreadable?: OnUnreadable): Promise<RequestItem[]> => {
    const query = {
      TableName: table,
      IndexName: dueIndex,
      KeyConditionExpression: 'dueQueue = :queue AND dueAt <= :now',
      ExpressionAttributeValues: { ':queue': heldQueue, ':now': now },
    };
    return readEach(requestItem, await queryFirst(client, query, limit), onUnreadable);
  };

  const leftToPeople = async (limit: number): Promise<RequestItem[]> => {
    const query = {
      TableName: table,
      IndexName: listedIndex,
      KeyConditionExpression: 'listed = :listed',
      ExpressionAttributeValues: { ':listed': requestsListed },
    };
    return readEach(requestItem, await queryFirst(client, query, limit));
  };

  return { plan, get, ofImport, replace, due: dueIn(requestQueue), lost: dueIn(plannedQueue), held, leftToPeople };
}
