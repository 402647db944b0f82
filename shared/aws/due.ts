// What stands in the index of due items, read from several of its partitions at once.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { dueIndex } from './keys.ts';
import { queryFirst, type RawItem } from './query.ts';

/** What is due at `now` (ISO) in the given partitions, the longest due first, at most about `limit`. */
export async function readDue(
  client: DynamoDBDocumentClient,
  table: string,
  queues: readonly string[],
  now: string,
  limit: number,
): Promise<RawItem[]> {
  const share = Math.ceil(limit / queues.length);
  const partitions = await Promise.all(queues.map((queue) => queryFirst(client, dueIn(table, queue, now), share)));
  return partitions.flat().sort((left, right) => (dueAtOf(left) < dueAtOf(right) ? -1 : 1));
}

const dueIn = (table: string, queue: string, now: string) => ({
  TableName: table,
  IndexName: dueIndex,
  KeyConditionExpression: 'dueQueue = :queue AND dueAt <= :now',
  ExpressionAttributeValues: { ':queue': queue, ':now': now },
});

const dueAtOf = ({ dueAt }: RawItem): string => (typeof dueAt === 'string' ? dueAt : '');
