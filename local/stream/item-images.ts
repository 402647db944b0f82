// Reads items by key: a stream record shows an item before and after a write.
import {
  BatchGetItemCommand,
  type BatchGetItemCommandInput,
  type BatchGetItemCommandOutput,
  type DynamoDBClient,
} from '@aws-sdk/client-dynamodb';
import type { Attributes, ItemWrite, KeyNames } from './writes.ts';

/** By the `itemId` of each; an item that does not exist is missing. */
export type Images = ReadonlyMap<string, Attributes>;

type Keyed = Pick<ItemWrite, 'table' | 'key'>;

export const itemId = ({ table, key }: Keyed): string => JSON.stringify([table, key]);

/** BatchGetItem takes a hundred keys. */
const keysPerCall = 100;

export const readImages = async (
  client: DynamoDBClient,
  items: readonly Keyed[],
  keyNames: KeyNames,
): Promise<Images> => {
  const images = new Map<string, Attributes>();
  for (let start = 0; start < items.length; start += keysPerCall) {
    for await (const [table, item] of readBatch(client, items.slice(start, start + keysPerCall))) {
      images.set(itemId({ table, key: keyOf(item, keyNames(table) ?? []) }), item);
    }
  }
  return images;
};

async function* readBatch(client: DynamoDBClient, items: readonly Keyed[]): AsyncIterable<[string, Attributes]> {
  const tables = Object.entries(Object.groupBy(items, ({ table }) => table));
  let unread: BatchGetItemCommandInput['RequestItems'] = Object.fromEntries(
    tables.map(([table, some = []]) => [table, { Keys: some.map(({ key }) => ({ ...key })), ConsistentRead: true }]),
  );
  while (Object.keys(unread ?? {}).length > 0) {
    const answer: BatchGetItemCommandOutput = await client.send(new BatchGetItemCommand({ RequestItems: unread }));
    for (const [table, found] of Object.entries(answer.Responses ?? {})) for (const item of found) yield [table, item];
    unread = answer.UnprocessedKeys;
  }
}

const keyOf = (item: Attributes, names: readonly string[]): Attributes =>
  Object.fromEntries(names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])));
