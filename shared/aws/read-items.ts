// Many items by key, a hundred a call; what a call left unread is asked for again.
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { Backoff } from './backoff.ts';
import type { ItemKey } from './keys.ts';
import type { RawItem } from './query.ts';

const batchSize = 100;

export interface ReadOptions {
  readonly consistent: boolean;
  readonly backoff: Backoff;
}

/** The items that exist under the keys, in no order. @throws Error when reads are still throttled after the last try */
export async function* readItems(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly ItemKey[],
  options: ReadOptions,
): AsyncIterable<RawItem> {
  for (let start = 0; start < keys.length; start += batchSize) {
    yield* readBatch(client, table, keys.slice(start, start + batchSize), options);
  }
}

async function* readBatch(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly ItemKey[],
  { consistent, backoff }: ReadOptions,
): AsyncIterable<RawItem> {
  let waiting: RawItem[] = keys.map((key) => ({ ...key }));
  for (let attempt = 1; waiting.length > 0; attempt += 1) {
    const request = { [table]: { Keys: waiting, ConsistentRead: consistent } };
    const answer = await client.send(new BatchGetCommand({ RequestItems: request }));
    yield* answer.Responses?.[table] ?? [];
    const unread = answer.UnprocessedKeys?.[table]?.Keys ?? [];
    // An answer that is full (16 MB) leaves keys unread as well: only one without any progress counts as throttled.
    const stuck = unread.length === waiting.length;
    if (stuck && attempt >= backoff.attempts) throw new Error(`${unread.length} reads are still throttled`);
    if (stuck) await backoff.pause(attempt);
    waiting = unread;
  }
}
