// Requests in the results table: the ledger. A request is replaced only at the revision that was read.
import { randomBytes } from 'node:crypto';
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { importKey } from '#shared/import/import.ts';
import { comparisonOfSims, storedComparison } from '#shared/outcome/service-comparison.ts';
import { partsOf } from '#shared/request/packed-lines.ts';
import {
  heldQueue,
  plannedQueue,
  type RequestItem,
  requestItem,
  requestKey,
  requestPrefix,
  requestQueue,
  requestsListed,
  scheduledQueue,
} from '#shared/request/request.ts';
import { measureWait, planned, storedRequest } from '#shared/request/waiting-request.ts';
import type { OnUnreadable } from '#shared/row/issue.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import { type ItemKey, shardsOf } from '#shared/text/stored-values.ts';
import { type Backoff, defaultBackoff } from './backoff.ts';
import { insertItems } from './batch-statements.ts';
import {
  getItem,
  ifNew,
  ifRevision,
  putItems,
  readChildren,
  readDue,
  readEach,
  readItem,
  readItems,
  readLeast,
  readListed,
} from './table.ts';

/**
 * Requests of the account that are due at `now` (wall time, ISO), the longest due first, about `limit` of them.
 * @throws UnreadableItem, unless `onUnreadable` is given
 */
type DueRequests = (account: string, now: string, limit: number, onUnreadable?: OnUnreadable) => Promise<RequestItem[]>;

export interface RequestReader {
  /** Strongly consistent. */
  get(importId: string, request: number): Promise<RequestItem | undefined>;
  /** Strongly consistent. @returns finds one of them; throws UnreadableItem for one that cannot be parsed */
  getMany(requests: readonly RequestNumber[]): Promise<(request: RequestNumber) => RequestItem | undefined>;
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
  /** Inserts the requests. Those that exist already stay as they are. Returns the others, as they are stored. */
  plan(items: readonly RequestItem[]): Promise<RequestItem[]>;
  /**
   * Writes `next` in place of `seen`. Returns the item as it is stored; undefined when `seen` is not the stored item
   * any more. A write that DynamoDB took, and whose answer was lost, counts as written. A request that is divided is
   * written together with its parts, and one whose SIMs are read back together with their comparison.
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

/** The write that replaces `seen`, and the item as it is stored then. */
export function replacementOf(seen: RequestItem, next: RequestItem) {
  const replaced = measureWait({ ...next, revision: seen.revision + 1 });
  return { replaced, item: storedRequest(replaced), condition: ifRevision(seen.revision) };
}

const idOf = ({ pk, sk }: Partial<Record<keyof ItemKey, unknown>>): string => `${pk} ${sk}`;

export function createRequests(
  client: DynamoDBDocumentClient,
  name: string,
  backoff: Backoff = defaultBackoff,
  newId: () => string = () => randomBytes(6).toString('base64url'),
): Requests {
  const table = { client, name };
  const get: Requests['get'] = (importId, request) => getItem(table, requestItem, requestKey(importId, request));
  const dueIn =
    (queuesOf: (account: string) => readonly string[]): DueRequests =>
    async (account, now, limit, onUnreadable) =>
      readEach(requestItem, await readDue(table, queuesOf(account), now, limit), onUnreadable);

  return {
    plan: async (items) => {
      const next = items.map(planned);
      const inserted = await insertItems(client, name, next.map(storedRequest), backoff);
      return next.filter((_, index) => inserted[index] === 'done');
    },
    get,
    getMany: async (many) => {
      const wanted = many.map(({ importId, request }) => requestKey(importId, request));
      const keys = new Map(wanted.map((key) => [idOf(key), key]));
      const found = await Array.fromAsync(readItems(client, name, [...keys.values()], { consistent: true, backoff }));
      const items = new Map(found.map((item) => [idOf(item), item]));
      return ({ importId, request }) => {
        const item = items.get(idOf(requestKey(importId, request)));
        return item && readItem(requestItem, item);
      };
    },
    ofImport: (importId, after = 0) =>
      readChildren(table, requestItem, {
        pk: importKey(importId).pk,
        prefix: requestPrefix,
        after: after === 0 ? undefined : requestKey(importId, after),
      }),
    replace: async (seen, next) => {
      const writtenBy = newId();
      const { replaced, item, condition } = replacementOf(seen, { ...next, writtenBy });
      const parts = seen.parts === undefined ? partsOf(replaced) : [];
      const comparison = seen.simRows === undefined ? comparisonOfSims(replaced) : undefined;
      const puts = [
        { item, condition },
        ...parts.map((part) => ({ item: storedRequest(planned(part)), condition: ifNew })),
        ...(comparison ? [{ item: storedComparison(comparison) }] : []),
      ];
      if (await putItems(table, puts)) return replaced;
      // The SDK repeats a write whose answer was lost, and the repetition finds the revision that it wrote itself. Both
      // are compared: a port that is recorded writes the request again, and keeps the text.
      const stored = await get(seen.importId, seen.request);
      return stored?.writtenBy === writtenBy && stored.revision === replaced.revision ? replaced : undefined;
    },
    due: dueIn((account) => shardsOf((shard) => requestQueue(account, shard))),
    lost: dueIn((account) => shardsOf((shard) => plannedQueue(account, shard))),
    held: dueIn((account) => [heldQueue(account)]),
    scheduled: dueIn((account) => [scheduledQueue(account)]),
    actionRequired: (limit) =>
      readListed(table, requestItem, { partition: requestsListed, order: 'oldest first' }, limit),
  };
}

/**
 * Since when the oldest of the account's requests that are unsent, of unknown outcome or without a reading of their
 * port has been so, due or not (wall time, ISO); undefined without any. Reads about `limit` of them, those first that
 * are due first.
 */
export type UnfinishedSince = (limit: number) => Promise<string | undefined>;

export const createUnfinishedSince =
  (client: DynamoDBDocumentClient, name: string, account: string): UnfinishedSince =>
  (limit) =>
    readLeast(
      { client, name },
      [requestQueue, plannedQueue].flatMap((queue) => shardsOf((shard) => queue(account, shard))),
      'unfinishedSince' satisfies keyof RequestItem,
      limit,
    );
