// Many items by key, a hundred a call. Keys that a call left unread are read again.
import { BatchGetCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Backoff, chunksOf } from '#shared/store/backoff.ts';
import type { ItemKey } from '#shared/text/stored-values.ts';
import type { RawItem } from './query.ts';

const batchSize = 100;

export interface ReadOptions {
  readonly consistent: boolean;
  readonly backoff: Backoff;
}

/** The items that exist, in no order. @throws Error when reads are still throttled after the last attempt */
export async function* readItems(
  client: DynamoDBDocumentClient,
  table: string,
  keys: readonly ItemKey[],
  options: ReadOptions,
): AsyncIterable<RawItem> {
  for (const batch of chunksOf(keys, batchSize)) yield* readBatch(client, table, batch, options);
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
    // A full answer (16 MB) leaves keys unread as well, so only an answer without any progress counts as throttled.
    const stuck = unread.length === waiting.length;
    if (stuck && attempt >= backoff.attempts) throw new Error(`${unread.length} reads are still throttled`);
    if (stuck) await backoff.pause(attempt);
    waiting = unread;
  }
}
