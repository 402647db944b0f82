// Items as they stand, read by key: what a stream shows of them before and after a write.
import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Attributes, ItemWrite, KeyNames } from './writes.ts';

/** By `idOf` their key; an item that does not exist is not among them. */
export type Images = ReadonlyMap<string, Attributes>;

type Keyed = Pick<ItemWrite, 'table' | 'key'>;

export const idOf = ({ table, key }: Keyed): string => JSON.stringify([table, key]);

/** BatchGetItem takes a hundred keys. */
const keysAtATime = 100;

export async function readImages(client: DynamoDBClient, items: readonly Keyed[], keyNames: KeyNames): Promise<Images> {
  const images = new Map<string, Attributes>();
  for (let start = 0; start < items.length; start += keysAtATime) {
    for await (const [table, item] of readBatch(client, items.slice(start, start + keysAtATime))) {
      images.set(idOf({ table, key: keyOf(item, keyNames(table) ?? []) }), item);
    }
  }
  return images;
}

async function* readBatch(client: DynamoDBClient, items: readonly Keyed[]): AsyncIterable<[string, Attributes]> {
  const tables = Object.entries(Object.groupBy(items, ({ table }) => table));
  let left: BatchGetItemCommandInput['RequestItems'] = Object.fromEntries(
    tables.map(([table, some = []]) => [table, { Keys: some.map(({ key }) => ({ ...key })), ConsistentRead: true }]),
  );
  while (Object.keys(left ?? {}).length > 0) {
    const answer: BatchGetItemCommandOutput = await client.send(new BatchGetItemCommand({ RequestItems: left }));
    for (const [table, found] of Object.entries(answer.Responses ?? {})) for (const item of found) yield [table, item];
    left = answer.UnprocessedKeys;
  }
}

const keyOf = (item: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
