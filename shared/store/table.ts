// The results table as the stores use it: items are parsed when they are read, and a condition that fails is an answer.
import { DeleteCommand, type DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import type { OnUnreadable } from '#shared/domain/requests/unreadable-item.ts';
import { dueIndex, type ItemKey, listedIndex } from '#shared/text/stored-values.ts';
import { wasWritten } from './tables/conditional-write.ts';
import { queryFirst, queryItems, type RawItem } from './tables/query.ts';
import { readEach, readItem } from './tables/read-item.ts';

export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
}

export interface Condition {
  readonly ConditionExpression: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

export const ifNew: Condition = { ConditionExpression: 'attribute_not_exists(pk)' };

/** The item is still at the revision that was read. Only older versions wrote items without a revision. */
export const ifRevision = (revision: number | undefined): Condition =>
  revision === undefined
    ? { ConditionExpression: 'attribute_not_exists(revision)' }
    : { ConditionExpression: 'revision = :revision', ExpressionAttributeValues: { ':revision': revision } };

/** Strongly consistent. @throws UnreadableItem */
export async function getItem<Schema extends z.ZodMiniType>(
  { client, name }: Table,
  schema: Schema,
  key: ItemKey,
): Promise<z.output<Schema> | undefined> {
  const { Item } = await client.send(new GetCommand({ TableName: name, Key: { ...key }, ConsistentRead: true }));
  return Item && readItem(schema, Item);
}

/** false: the condition failed. */
export const putItem = ({ client, name }: Table, item: RawItem, condition: Partial<Condition> = {}): Promise<boolean> =>
  wasWritten(() => client.send(new PutCommand({ TableName: name, Item: item, ...condition })));

/** false: the condition failed. */
export const deleteItem = (
  { client, name }: Table,
  key: ItemKey,
  condition: Partial<Condition> = {},
): Promise<boolean> =>
  wasWritten(() => client.send(new DeleteCommand({ TableName: name, Key: { ...key }, ...condition })));

/** Items of the partition `pk` whose sort keys begin with `prefix`. */
interface Children {
  readonly pk: string;
  readonly prefix: string;
  /** The key before the first item. @default - all items */
  readonly after?: ItemKey | undefined;
}

/** In order, strongly consistent. @throws UnreadableItem */
export async function* readChildren<Schema extends z.ZodMiniType>(
  { client, name }: Table,
  schema: Schema,
  { pk, prefix, after }: Children,
): AsyncIterable<z.output<Schema>> {
  const query = {
    TableName: name,
    KeyConditionExpression: 'pk = :pk AND begins_with(sk, :prefix)',
    ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix },
    ConsistentRead: true,
    ...(after && { ExclusiveStartKey: { ...after } }),
  };
  for await (const item of queryItems(client, query)) yield readItem(schema, item);
}

/** Items of one partition of the index of listed items, by time. */
export interface Listing {
  readonly partition: string;
  /** Limits the time, as in `['<', now]`. @default - all items */
  readonly range?: readonly ['<' | '<=' | '>=' | '>', string] | undefined;
  readonly order: 'oldest first' | 'newest first';
}

const indexQuery = (
  TableName: string,
  IndexName: typeof dueIndex | typeof listedIndex,
  { partition, range, order }: Listing,
) => {
  const [hash, sort] = IndexName === dueIndex ? ['dueQueue', 'dueAt'] : ['listed', 'listedAt'];
  const [operator, bound] = range ?? [];
  return {
    TableName,
    IndexName,
    KeyConditionExpression: `${hash} = :partition${operator === undefined ? '' : ` AND ${sort} ${operator} :bound`}`,
    ExpressionAttributeValues: { ':partition': partition, ':bound': bound },
    ScanIndexForward: order === 'oldest first',
  };
};

/** @throws UnreadableItem, unless `onUnreadable` is given */
export async function readListed<Schema extends z.ZodMiniType>(
  { client, name }: Table,
  schema: Schema,
  listing: Listing,
  limit: number,
  onUnreadable?: OnUnreadable,
): Promise<z.output<Schema>[]> {
  return readEach(schema, await queryFirst(client, indexQuery(name, listedIndex, listing), limit), onUnreadable);
}

/** Every item of the listing, page after page. */
export async function* readAllListed<Schema extends z.ZodMiniType>(
  { client, name }: Table,
  schema: Schema,
  listing: Listing,
  onUnreadable: OnUnreadable,
): AsyncIterable<z.output<Schema>> {
  for await (const item of queryItems(client, indexQuery(name, listedIndex, listing)))
    yield* readEach(schema, [item], onUnreadable);
}

/**
 * What is due at `now` (ISO) in these partitions, the longest due first; with `>` what is due later. They share
 * `limit`, which is rounded up.
 */
export async function readDue(
  { client, name }: Table,
  queues: readonly string[],
  now: string,
  limit: number,
): Promise<RawItem[]> {
  const share = Math.ceil(limit / queues.length);
  const dueIn = (partition: string) => {
    const listing = { partition, range: ['<=', now], order: 'oldest first' } as const;
    return queryFirst(client, indexQuery(name, dueIndex, listing), share);
  };
  const partitions = await Promise.all(queues.map(dueIn));
  return partitions.flat().sort((left, right) => (dueAtOf(left) < dueAtOf(right) ? -1 : 1));
}

const dueAtOf = ({ dueAt }: RawItem): string => (typeof dueAt === 'string' ? dueAt : '');
