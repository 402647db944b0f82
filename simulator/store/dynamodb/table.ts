// The DynamoDB table of the simulator: its shape, and batch calls that repeat what DynamoDB left unprocessed.
import { type CreateTableCommandInput, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  BatchWriteCommand,
  type BatchWriteCommandInput,
  DynamoDBDocumentClient,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/lib-dynamodb';

/** The definition, for CreateTable. */
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
  /** Writes the last one of items with the same key. */
  batchPut(items: readonly Item[]): Promise<void>;
  batchDelete(keys: readonly Key[]): Promise<void>;
  /** Every item of an account. Reads the whole table: only for the test controls. */
  scanAccount(accountId: number): Promise<Item[]>;
}

/** Region, credentials and endpoint come from the environment. */
export const documentClient = (): DynamoDBDocumentClient =>
  DynamoDBDocumentClient.from(new DynamoDBClient({}), { marshallOptions: { removeUndefinedValues: true } });

export const chunksOf = <Element>(elements: readonly Element[], size: number): Element[][] =>
  Array.from({ length: Math.ceil(elements.length / size) }, (_, index) =>
    elements.slice(index * size, (index + 1) * size),
  );

/** Runs `work` on every element, at most `width` at a time. The results are in the order of the elements. */
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

interface Page {
  readonly Items?: Record<string, unknown>[] | undefined;
  readonly LastEvaluatedKey?: Record<string, unknown> | undefined;
}

/** DynamoDB rejects a batch, and a transaction, that has the same key twice. */
export const lastOfEachKey = (items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [`${item.pk}\n${item.sk}`, item])).values(),
];

/** Every item of a query or a scan. */
async function readPages(
  read: (start: { readonly ExclusiveStartKey?: Record<string, unknown> }) => Promise<Page>,
): Promise<Item[]> {
  const items: Item[] = [];
  let start: Record<string, unknown> | undefined;
  do {
    const page = await read(start ? { ExclusiveStartKey: start } : {});
    items.push(...((page.Items ?? []) as Item[]));
    start = page.LastEvaluatedKey;
  } while (start);
  return items;
}

export function createTable(name: string, client: DynamoDBDocumentClient): Table {
  const shared = { TableName: name, ConsistentRead: true };

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
    query(pk, range = {}) {
      const { condition, values } = keyCondition(pk, range);
      const query = { ...shared, KeyConditionExpression: condition, ExpressionAttributeValues: values };
      return readPages((start) => client.send(new QueryCommand({ ...query, ...start })));
    },
    scanAccount(accountId) {
      const filter = { FilterExpression: 'accountId = :account', ExpressionAttributeValues: { ':account': accountId } };
      return readPages((start) => client.send(new ScanCommand({ ...shared, ...filter, ...start })));
    },
    batchGet: async (keys) => (await inParallel(chunksOf(keys, 100), 4, getAll)).flat(),
    async batchPut(items) {
      const writes = lastOfEachKey(items).map((item) => ({ PutRequest: { Item: item } }));
      await inParallel(chunksOf(writes, 25), 4, writeAll);
    },
    async batchDelete(keys) {
      const writes = keys.map(({ pk, sk }) => ({ DeleteRequest: { Key: { pk, sk } } }));
      await inParallel(chunksOf(writes, 25), 4, writeAll);
    },
  };
}
