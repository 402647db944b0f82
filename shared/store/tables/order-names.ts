// The names of new provisioning orders that requests have used of late. A request whose name nobody has used needs no
// lookup to find out whether another request has created the order meanwhile.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { orderNameKey } from './item-keys.ts';
import { putItem } from './table.ts';

/** Longer than any list is kept and any call takes: an older order is in every list. */
const rememberedMs = 60 * 60_000;

/** Returns whether no request has used the name within the last hour, and remembers that this one does. */
export function createIsFirstUse(
  client: DynamoDBDocumentClient,
  name: string,
  wall: () => number,
): (orderName: string, networkNumber: number) => Promise<boolean> {
  const table = { client, name };
  return (orderName, networkNumber) => {
    const until = wall() + rememberedMs;
    const item = { ...orderNameKey(networkNumber, orderName), usedUntil: isoTime(until) };
    return putItem(
      table,
      { ...item, expiresAt: Math.ceil(until / 1000) },
      {
        ConditionExpression: 'attribute_not_exists(pk) OR usedUntil <= :now',
        ExpressionAttributeValues: { ':now': isoTime(wall()) },
      },
    );
  };
}
