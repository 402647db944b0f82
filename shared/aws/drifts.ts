// Comparisons of services in the results table: beside the requests of their import.
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { type DriftItem, driftItem } from '#shared/domain/drift.ts';
import type { OnUnreadable } from '#shared/domain/unreadable-item.ts';
import { whetherWritten } from './conditional.ts';
import { driftKey, driftListed, driftPrefix, driftQueue, dueIndex, importKey, listedIndex } from './keys.ts';
import { queryFirst, queryItems } from './query.ts';
import { readEach, readItem } from './read-item.ts';

export interface Drifts {
  /** Inserts the item, unless there is one for this request already. */
  expect(item: DriftItem): Promise<void>;
  /** In the order of the plan, strongly consistent. */
  ofImport(importId: string): AsyncIterable<DriftItem>;
  /** Writes `next` in the place of `seen`; false when `seen` is not what stands there any more. */
  replace(seen: DriftItem, next: DriftItem): Promise<boolean>;
  /** What is due at `now` (wall time, ISO), the longest due first. @throws UnreadableItem where nobody is told of it */
  due(now: string, limit: number, onUnreadable?: OnUnreadable): Promise<DriftItem[]>;
  /** Requests with SIMs that differ, the latest first. */
  found(account: number, limit: number): Promise<DriftItem[]>;
}

const stored = (item: DriftItem) => ({
  ...driftKey(item.importId, item.request),
  ...item,
  dueQueue: item.dueAt === undefined ? undefined : driftQueue,
  listed: item.sims.length === 0 ? undefined : driftListed(item.account),
  listedAt: item.sims.length === 0 ? undefined : item.changedAt,
});

export function createDrifts(client: DynamoDBDocumentClient, table: string): Drifts {
  const expect = async (item: DriftItem): Promise<void> => {
    const insert = { TableName: table, Item: stored(item), ConditionExpression: 'attribute_not_exists(pk)' };
    await whetherWritten(() => client.send(new PutCommand(insert)));
  };

  async function* ofImport(importId: string): AsyncIterable<DriftItem> {
    const query = {
      TableName: table,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
      ExpressionAttributeValues: { ':pk': importKey(importId).pk, ':prefix': driftPrefix },
      ConsistentRead: true,
    };
    for await (const item of queryItems(client, query)) yield readItem(driftItem, item);
  }

  const replace = (seen: DriftItem, next: DriftItem): Promise<boolean> =>
    whetherWritten(() =>
      client.send(
        new PutCommand({
          TableName: table,
          Item: stored({ ...next, revision: seen.revision + 1 }),
          ConditionExpression: 'revision = :revision',
          ExpressionAttributeValues: { ':revision': seen.revision },
        }),
      ),
    );

  const due = async (now: string, limit: number, onUnreadable?: OnUnreadable): Promise<DriftItem[]> => {
    const query = {
      TableName: table,
      IndexName: dueIndex,
      KeyConditionExpression: 'dueQueue = :queue AND dueAt <= :now',
      ExpressionAttributeValues: { ':queue': driftQueue, ':now': now },
    };
    return readEach(driftItem, await queryFirst(client, query, limit), onUnreadable);
  };

  const found = async (account: number, limit: number): Promise<DriftItem[]> => {
    const query = {
      TableName: table,
      IndexName: listedIndex,
      KeyConditionExpression: 'listed = :listed',
      ExpressionAttributeValues: { ':listed': driftListed(account) },
      ScanIndexForward: false,
    };
    return readEach(driftItem, await queryFirst(client, query, limit));
  };

  return { expect, ofImport, replace, due, found };
}
