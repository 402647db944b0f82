// Requests in the results table: the ledger. A request is replaced only at the revision that was read.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { isStopped } from '#shared/domain/imports/stop.ts';
import type { OnUnreadable } from '#shared/domain/requests/unreadable-item.ts';
import { type RequestItem, requestItem } from '#shared/request/request.ts';
import { lostMessageMs, waitsForCancellation } from '#shared/request/request-state.ts';
import {
  heldQueue,
  importKey,
  plannedQueue,
  plannedQueueOf,
  requestKey,
  requestPrefix,
  requestQueue,
  requestQueueOf,
  requestsListed,
  scheduledQueue,
  shardsOf,
} from '#shared/text/stored-values.ts';
import { type Backoff, defaultBackoff } from './backoff.ts';
import { executeStatements, insertStatement } from './batch-statements.ts';
import { getItem, ifRevision, putItem, readChildren, readDue, readListed } from './table.ts';
import { readEach } from './tables/read-item.ts';

/**
 * Requests that are due at `now` (wall time, ISO), the longest due first, about `limit` of them.
 * @throws UnreadableItem, unless `onUnreadable` is given
 */
type DueRequests = (now: string, limit: number, onUnreadable?: OnUnreadable) => Promise<RequestItem[]>;

export interface RequestReader {
  /** Strongly consistent. */
  get(importId: string, request: number): Promise<RequestItem | undefined>;
  /**
   * In the order of the plan, strongly consistent.
   * @param after the number of the request before the first.
   * @default 0
   */
  ofImport(importId: string, after?: number): AsyncIterable<RequestItem>;
  /** Requests for which action is required, the longest first. @throws UnreadableItem */
  actionRequired(limit: number): Promise<RequestItem[]>;
}

export interface Requests extends RequestReader {
  /** Inserts the requests. Those that exist already stay as they are. */
  plan(items: readonly RequestItem[]): Promise<void>;
  /**
   * Writes `next` in place of `seen`. Returns the item as it is stored; undefined when `seen` is not the stored item
   * any more.
   */
  replace(seen: RequestItem, next: RequestItem): Promise<RequestItem | undefined>;
  /** Requests whose outcome is unknown, or whose port is to be read. */
  readonly due: DueRequests;
  /** Planned requests whose message was not handled in time. */
  readonly lost: DueRequests;
  /** Requests that wait for a port to be cancelled. */
  readonly held: DueRequests;
  /** Requests whose day has come: `now` is calendar time. */
  readonly scheduled: DueRequests;
}

/** With its keys; in the due queue while it has a due time, and listed while action is required. */
export const storedRequest = (item: RequestItem) => ({
  ...requestKey(item.importId, item.request),
  ...item,
  dueQueue: item.dueAt === undefined ? undefined : queueOf(item),
  ...(item.state === 'action-required' && { listed: requestsListed, listedAt: item.changedAt }),
});

/** A request that waits for a cancellation is in a separate queue: its message is not lost. */
const queueOf = (item: RequestItem): string => {
  if (waitsForCancellation(item)) return heldQueue;
  if (item.state === 'scheduled') return scheduledQueue;
  return item.state === 'planned' ? plannedQueueOf(item.token) : requestQueueOf(item.token);
};

/** The write that replaces `seen`, and the item as it is stored then. */
export function replacementOf(seen: RequestItem, next: RequestItem) {
  const replaced: RequestItem = { ...next, revision: (seen.revision ?? 0) + 1 };
  return { replaced, item: storedRequest(replaced), condition: ifRevision(seen.revision) };
}

/**
 * A planned request is due once its message is lost. One that waits until its import is resumed has none, and one of an
 * adopted port is due only while it has a due time.
 */
const planned = (item: RequestItem): RequestItem => ({
  ...item,
  revision: item.revision ?? 0,
  ...(item.state === 'planned' &&
    !isStopped(item) && { dueAt: item.dueAt ?? isoTime(Date.parse(item.changedAt) + lostMessageMs) }),
});

export function createRequests(
  client: DynamoDBDocumentClient,
  name: string,
  backoff: Backoff = defaultBackoff,
): Requests {
  const table = { client, name };
  const dueIn =
    (queues: readonly string[]): DueRequests =>
    async (now, limit, onUnreadable) =>
      readEach(requestItem, await readDue(table, queues, now, limit), onUnreadable);

  return {
    plan: async (items) => {
      const statements = items.map((item) => insertStatement(name, storedRequest(planned(item))));
      await executeStatements(client, statements, backoff);
    },
    get: (importId, request) => getItem(table, requestItem, requestKey(importId, request)),
    ofImport: (importId, after = 0) =>
      readChildren(table, requestItem, {
        pk: importKey(importId).pk,
        prefix: requestPrefix,
        after: after === 0 ? undefined : requestKey(importId, after),
      }),
    replace: async (seen, next) => {
      const { replaced, item, condition } = replacementOf(seen, next);
      return (await putItem(table, item, condition)) ? replaced : undefined;
    },
    due: dueIn(shardsOf(requestQueue)),
    lost: dueIn(shardsOf(plannedQueue)),
    held: dueIn([heldQueue]),
    scheduled: dueIn([scheduledQueue]),
    actionRequired: (limit) =>
      readListed(table, requestItem, { partition: requestsListed, order: 'oldest first' }, limit),
  };
}
