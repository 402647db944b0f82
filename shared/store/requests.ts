// Requests in the results table: the ledger. A request is replaced only at the revision that was read.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { importKey } from '#shared/import/import.ts';
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
import { planned, storedRequest } from '#shared/request/waiting-request.ts';
import type { OnUnreadable } from '#shared/row/issue.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import { type ItemKey, shardsOf } from '#shared/text/stored-values.ts';
import { type Backoff, defaultBackoff } from './backoff.ts';
import { executeStatements, insertStatement } from './batch-statements.ts';
import {
  getItem,
  ifRevision,
  putItem,
  readChildren,
  readDue,
  readEach,
  readItem,
  readItems,
  readListed,
} from './table.ts';

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
  /**
   * Strongly consistent. @returns finds one of them; throws UnreadableItem for one that cannot be parsed
   */
  getMany(requests: readonly RequestNumber[]): Promise<(request: RequestNumber) => RequestItem | undefined>;
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

/** The write that replaces `seen`, and the item as it is stored then. */
export function replacementOf(seen: RequestItem, next: RequestItem) {
  const replaced: RequestItem = { ...next, revision: (seen.revision ?? 0) + 1 };
  return { replaced, item: storedRequest(replaced), condition: ifRevision(seen.revision) };
}

const idOf = ({ pk, sk }: Partial<Record<keyof ItemKey, unknown>>): string => `${pk} ${sk}`;

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
    getMany: async (many) => {
      const keys = new Map(
        many.map(({ importId, request }) => requestKey(importId, request)).map((key) => [idOf(key), key]),
      );
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

// Finds the import that moves a port to another day: its request waits until the port is cancelled.

/** Later than every request is due. */
const always = '9999-12-31T23:59:59.999Z';
/** More are hardly ever moved at once: each takes a call to cancel its port. */
const readLimit = 10_000;

/** The import that moves the port, until the port is cancelled; undefined where none does. */
export type FindMove = (portId: string) => Promise<string | undefined>;

/** Reads the waiting requests once, when the first port is asked for. Create one for each batch of requests. */
export function createFindMove(requests: Requests): FindMove {
  let moves: Promise<ReadonlyMap<string, string>> | undefined;
  const read = async () => {
    const waiting = await requests.held(always, readLimit, () => {});
    return new Map(waiting.flatMap(({ importId, replaces }) => (replaces ? [[replaces.portId, importId]] : [])));
  };
  return async (portId) => {
    moves ??= read();
    return (await moves).get(portId);
  };
}
