// One DynamoDB table, as this service uses it: its shape, and calls that finish what a batch left over.
import { type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DynamoDBDocumentClient,
  QueryCommand,
} from '@aws-sdk/lib-dynamodb';

/** The table, for whoever creates it. */
export const tableDefinition = (tableName: string): CreateTableCommandInput => ({
  TableName: tableName,
  BillingMode: 'PAY_PER_REQUEST',
  KeySchema: [
    { AttributeName: 'pk', KeyType: 'HASH' },
    { AttributeName: 'sk', KeyType: 'RANGE' },
  ],
  AttributeDefinitions: [
    { AttributeName: 'pk', AttributeType: 'S' },
    { AttributeName: 'sk', AttributeType: 'S' },
  ],
});

export interface Key {
  readonly pk: string;
  readonly sk: string;
}
export type Item = Key & Readonly<Record<string, unknown>>;

export interface Table {
  readonly name: string;
  readonly client: DynamoDBDocumentClient;
  /** Every item of a partition, in the order of `sk`; `from` and `prefix` narrow `sk`. */
  query(pk: string, range?: { readonly prefix?: string; readonly from?: string }): Promise<Item[]>;
  batchGet(keys: readonly Key[]): Promise<Item[]>;
  batchPut(items: readonly Item[]): Promise<void>;
  batchDelete(keys: readonly Key[]): Promise<void>;
}

/** Region, credentials and endpoint come from the environment, as for any SDK client. */
export const documentClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } });

export const chunksOf = <Element>(elements: readonly Element[], size: number): Element[][] =>
  Array.from({ length: Math.ceil(elements.length / size) }, (_, index) =>
    elements.slice(index * size, (index + 1) * size),
  );

/** Runs `work` on every element, at most `width` at a time; answers in the order of the elements. */
export async function inParallel<Element, Result>(
  elements: readonly Element[],
  width: number,
  work: (element: Element) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (const chunk of chunksOf(elements, width)) results.push(...(await Promise.all(chunk.map(work))));
  return results;
}

type Range = NonNullable<Parameters<Table['query']>[1]>;

function keyCondition(pk: string, { prefix, from }: Range) {
  if (from !== undefined) {
    return {
      condition: 'pk = :pk AND sk BETWEEN :from AND :to',
      values: { ':pk': pk, ':from': from, ':to': `${prefix}\uffff` },
    };
  }
  return prefix === undefined
    ? { condition: 'pk = :pk', values: { ':pk': pk } }
    : { condition: 'pk = :pk AND begins_with(sk, :prefix)', values: { ':pk': pk, ':prefix': prefix } };
}

export function createTable(name: string, client: DynamoDBDocumentClient): Table {
  async function query(pk: string, range: Range = {}): Promise<Item[]> {
    const { condition, values } = keyCondition(pk, range);
    const items: Item[] = [];
    let start: Record<string, unknown> | undefined;
    do {
      const page = await client.send(
        new QueryCommand({
          TableName: name,
          KeyConditionExpression: condition,
          ExpressionAttributeValues: values,
          ConsistentRead: true,
          ...(start && { ExclusiveStartKey: start }),
        }),
      );
      items.push(...((page.Items ?? []) as Item[]));
      start = page.LastEvaluatedKey;
    } while (start);
    return items;
  }

  async function getAll(keys: readonly Key[]): Promise<Item[]> {
    const items: Item[] = [];
    let left: Record<string, unknown>[] = keys.map(({ pk, sk }) => ({ pk, sk }));
    while (left.length > 0) {
      const request = { [name]: { Keys: left, ConsistentRead: true } };
      const answer = await client.send(new BatchGetCommand({ RequestItems: request }));
      items.push(...((answer.Responses?.[name] ?? []) as Item[]));
      left = answer.UnprocessedKeys?.[name]?.Keys ?? [];
    }
    return items;
  }

  type Write = NonNullable<BatchWriteCommandInput['RequestItems']>[string][number];
  async function writeAll(writes: readonly Write[]): Promise<void> {
    let left = [...writes];
    while (left.length > 0) {
      const answer = await client.send(new BatchWriteCommand({ RequestItems: { [name]: left } }));
      left = answer.UnprocessedItems?.[name] ?? [];
    }
  }

  return {
    name,
    client,
    query,
    batchGet: async (keys) => (await inParallel(chunksOf(keys, 100), 4, getAll)).flat(),
    async batchPut(items) {
      const writes = items.map((item) => ({ PutRequest: { Item: item } }));
      await inParallel(chunksOf(writes, 25), 4, writeAll);
    },
    async batchDelete(keys) {
      const writes = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
      await inParallel(chunksOf(writes, 25), 4, writeAll);
    },
  };
}
