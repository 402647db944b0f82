// The names of new provisioning orders that requests have used of late: one request creates the order, and the others
// wait until its call was answered. A request whose name nobody has used needs no lookup of the orders.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import * as z from 'zod/mini';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { isStopped } from '#shared/domain/imports/stop.ts';
import { ordinal } from '#shared/domain/schemas.ts';
import { optionalText } from '#shared/items/fields.ts';
import type { RequestItem } from '#shared/request/request.ts';
import type { RequestNumber } from '#shared/text/identity.ts';
import { orderNameKey } from '#shared/text/stored-values.ts';
import { createRequests } from './requests.ts';
import { deleteItem, getItem, putItem } from './table.ts';

/** Longer than any list is kept and any call takes: an older order is in every list. */
const rememberedMs = 60 * 60_000;

/** The request that uses the name first. */
const orderNameItem = z.object({ usedUntil: z.string(), importId: optionalText, request: z.optional(ordinal) });

const isOnItsWay = (item: RequestItem): boolean =>
  (item.state === 'planned' && !isStopped(item)) || item.state === 'in-flight' || item.state === 'unknown';

/** It used the name, and the service has created nothing for it. */
const isWithoutOrder = ({ state }: RequestItem): boolean => !['created', 'accepted', 'action-required'].includes(state);

/** Names are remembered for an hour. */
export function createIsFirstUse(client: DynamoDBDocumentClient, name: string, wall: () => number) {
  const table = { client, name };
  const requests = createRequests(client, name);

  const isFirstUse = (orderName: string, networkNumber: number, { importId, request }: RequestNumber) => {
    const until = wall() + rememberedMs;
    const item = { ...orderNameKey(networkNumber, orderName), importId, request, usedUntil: isoTime(until) };
    const values = { ':now': isoTime(wall()), ':importId': importId, ':request': request };
    return putItem(
      table,
      { ...item, expiresAt: Math.ceil(until / 1000) },
      {
        ConditionExpression:
          'attribute_not_exists(pk) OR usedUntil <= :now OR (importId = :importId AND #request = :request)',
        ExpressionAttributeNames: { '#request': 'request' },
        ExpressionAttributeValues: values,
      },
    );
  };

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
