// Records which import first used the content of a file, and which request the name of a provisioning order.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import type { RequestItem } from '#shared/request/request.ts';
import { isStopped, isUndecided } from '#shared/request/request-state.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import { type ItemKey, optionalText, ordinal } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import { type Backoff, defaultBackoff } from './backoff.ts';
import { insertItems } from './batch-statements.ts';
import { gatherCalls } from './gather-calls.ts';
import { createRequests } from './requests.ts';
import { deleteItem, getItem, putItem } from './table.ts';

// Which import had the same content: the rows that would be sent, without their lines and PACs.

export const contentItem = z.object({ importId: z.string(), expiresAt: z.int() });

export interface Content {
  readonly account: string;
  readonly contentHash: string;
  readonly importId: string;
  /** Wall time, epoch ms. */
  readonly now: number;
}

export interface Contents {
  /** The other import that has the content; undefined where there is none. */
  find(content: Content): Promise<string | undefined>;
  /** Claims the content in place of `seen`; false if another import was first. */
  claim(content: Content, seen: string | undefined): Promise<boolean>;
}

/** A file that is uploaded twice by mistake is uploaded soon; a later upload is intended. */
const keptSeconds = 7 * 24 * 60 * 60;

export function createContents(client: DynamoDBDocumentClient, name: string): Contents {
  const table = { client, name };
  return {
    find: async ({ account, contentHash, importId, now }) => {
      const item = await getItem(table, contentItem, contentKey(account, contentHash));
      // DynamoDB deletes an expired item up to two days late.
      const isOther = item !== undefined && item.importId !== importId && item.expiresAt * 1000 > now;
      return isOther ? item.importId : undefined;
    },
    claim: ({ account, contentHash, importId, now }, seen = importId) => {
      const seconds = Math.floor(now / 1000);
      return putItem(
        table,
        { ...contentKey(account, contentHash), importId, expiresAt: seconds + keptSeconds },
        {
          ConditionExpression: 'attribute_not_exists(pk) OR importId = :seen OR importId = :own OR expiresAt <= :now',
          ExpressionAttributeValues: { ':seen': seen, ':own': importId, ':now': seconds },
        },
      );
    },
  };
}

// The names of new provisioning orders that requests have used of late: one request creates the order, and the others
// wait until its call was answered. A request whose name nobody has used needs no lookup of the orders.

/** Longer than any list is kept and any call takes: an older order is in every list. */
const rememberedMs = 60 * 60_000;

/** The request that uses the name first. */
const orderNameItem = z.object({ usedUntil: z.string(), importId: optionalText, request: z.optional(ordinal) });

const isOnItsWay = (item: RequestItem): boolean =>
  (item.state === 'planned' && !isStopped(item) && !isUndecided(item)) ||
  item.state === 'in-flight' ||
  item.state === 'unknown';

/** It used the name, and the service has created nothing for it. */
const isWithoutOrder = ({ state }: RequestItem): boolean => !['created', 'accepted', 'action-required'].includes(state);

/** A request that wants to use the name. */
interface OrderUse {
  readonly orderName: string;
  readonly networkNumber: number;
  readonly request: RequestNumber;
}

/** Names are remembered for an hour. Names that are asked for at the same moment are written with one call. */
export function createIsFirstUse(
  client: DynamoDBDocumentClient,
  name: string,
  wall: () => number,
  backoff: Backoff = defaultBackoff,
) {
  const table = { client, name };
  const requests = createRequests(client, name);

  const itemOf = ({ orderName, networkNumber, request: { importId, request } }: OrderUse) => {
    const until = wall() + rememberedMs;
    const expiresAt = Math.ceil(until / 1000);
    return { ...orderNameKey(networkNumber, orderName), importId, request, usedUntil: isoTime(until), expiresAt };
  };
  const putUse = (use: OrderUse): Promise<boolean> => {
    const { importId, request } = use.request;
    return putItem(table, itemOf(use), {
      ConditionExpression:
        'attribute_not_exists(pk) OR usedUntil <= :now OR (importId = :importId AND #request = :request)',
      ExpressionAttributeNames: { '#request': 'request' },
      ExpressionAttributeValues: { ':now': isoTime(wall()), ':importId': importId, ':request': request },
    });
  };
  const use = gatherCalls(putUse, async (uses) => {
    const items = uses.map(itemOf);
    if (new Set(items.map(({ pk }) => pk)).size < items.length) return undefined;
    const outcomes = await insertItems(client, name, items, backoff);
    // A name that is stored may have been used long ago, or by this request.
    return (one) => outcomes[uses.indexOf(one)] === 'done' || putUse(one);
  });
  const isFirstUse = (orderName: string, networkNumber: number, request: RequestNumber): Promise<boolean> =>
    use({ orderName, networkNumber, request });

  const isComing = async (orderName: string, networkNumber: number): Promise<boolean> => {
    const key = orderNameKey(networkNumber, orderName);
    const { importId, request } = (await getItem(table, orderNameItem, key)) ?? {};
    if (importId === undefined || request === undefined) return false;
    const first = await requests.get(importId, request);
    if (first === undefined || isOnItsWay(first) || !isWithoutOrder(first))
      return first !== undefined && isOnItsWay(first);
    // Another request may use the name first now.
    await deleteItem(table, key, {
      ConditionExpression: 'importId = :importId AND #request = :request',
      ExpressionAttributeNames: { '#request': 'request' },
      ExpressionAttributeValues: { ':importId': importId, ':request': request },
    });
    return true;
  };

  return Object.assign(isFirstUse, { isComing });
}

/** The import that last had this content. */
export const contentKey = (account: string, contentHash: string): ItemKey => ({
  pk: `content#${account}#${contentHash}`,
  sk: 'content',
});
/** A name that a request has used for a new provisioning order. */
export const orderNameKey = (networkNumber: number, name: string): ItemKey => ({
  pk: `orderName#${networkNumber}#${name}`,
  sk: 'used',
});
