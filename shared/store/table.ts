// The results table as the stores use it: items are parsed when they are read, and a condition that fails is an answer.
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  type QueryCommandInput,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { type OnUnreadable, UnreadableItem } from '#shared/row/issue.ts';
import { dayIndex, dueIndex, type ItemKey, listedIndex, withoutKeys } from '#shared/text/stored-values.ts';
import { type Backoff, chunksOf, defaultBackoff } from './backoff.ts';
import { temporaryCodes } from './batch-statements.ts';

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

/** The item is still at the revision that was read. */
export const ifRevision = (revision: number): Condition => ({
  ConditionExpression: 'revision = :revision',
  ExpressionAttributeValues: { ':revision': revision },
});

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

/** All of them in one transaction, or a single one as it is. false: a condition failed, and none was written. */
export function putItems(
  { client, name: TableName }: Table,
  puts: readonly { readonly item: RawItem; readonly condition?: Condition }[],
): Promise<boolean> {
  const writes = puts.map(({ item: Item, condition }) => ({ TableName, Item, ...condition }));
  const [only, ...others] = writes;
  return wasWritten(() =>
    only !== undefined && others.length === 0
      ? client.send(new PutCommand(only))
      : client.send(new TransactWriteCommand({ TransactItems: writes.map((Put) => ({ Put })) })),
  );
}

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

/** What the index of days has of the ports of this account with a day in the period, both days included, in order. */
export const queryDays = (
  { client, name }: Table,
  account: string,
  { from, to }: { readonly from: string; readonly to: string },
): AsyncIterable<RawItem> =>
  queryItems(client, {
    TableName: name,
    IndexName: dayIndex,
    KeyConditionExpression: 'account = :account AND portDay BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':account': account, ':from': from, ':to': to },
  });

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

/** The least text in an attribute of what these partitions have, due or not; those that are due first share `limit`. */
export async function readLeast(
  { client, name }: Table,
  queues: readonly string[],
  attribute: string,
  limit: number,
): Promise<string | undefined> {
  const share = Math.ceil(limit / queues.length);
  const leastIn = async (partition: string): Promise<string[]> => {
    const query = indexQuery(name, dueIndex, { partition, order: 'oldest first' });
    const items = await queryFirst(client, { ...query, ProjectionExpression: attribute }, share);
    return items.flatMap((item) => (typeof item[attribute] === 'string' ? [item[attribute]] : []));
  };
  const [least] = (await Promise.all(queues.map(leastIn))).flat().sort();
  return least;
}

const dueAtOf = ({ dueAt }: RawItem): string => (typeof dueAt === 'string' ? dueAt : '');

// The pages of a query as one sequence.

export type RawItem = Record<string, unknown>;

/** Every item of the query, after its `ExclusiveStartKey`. `Limit` is the size of a page. */
export async function* queryItems(client: DynamoDBDocumentClient, query: QueryCommandInput): AsyncIterable<RawItem> {
  let from: RawItem | undefined = query.ExclusiveStartKey;
  do {
    const page = await client.send(new QueryCommand({ ...query, ExclusiveStartKey: from }));
    yield* page.Items ?? [];
    from = page.LastEvaluatedKey;
  } while (from !== undefined);
}

/** At most `limit` items of the query, with as few pages as possible. */
async function queryFirst(client: DynamoDBDocumentClient, query: QueryCommandInput, limit: number): Promise<RawItem[]> {
  const items: RawItem[] = [];
  if (limit <= 0) return items;
  for await (const item of queryItems(client, { ...query, Limit: limit })) {
    items.push(item);
    if (items.length >= limit) break;
  }
  return items;
}

// Parses the items of the table: the only place that does. Two versions run on one table during a canary release and
// after a rollback, so an item keeps what this version does not know: a write that replaces the item writes it again.

/**
 * The item as it is stored, with the attributes of a newer version at every level, and without the keys of the table.
 * The schemas only check: none of them changes a value.
 * @throws UnreadableItem
 */
export function readItem<Schema extends z.ZodMiniType>(schema: Schema, raw: RawItem): z.output<Schema> {
  const read = schema.safeParse(raw);
  if (read.success) return withoutKeys(raw) as z.output<Schema>;
  const problems = read.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`);
  throw new UnreadableItem(placeOf(raw), problems.slice(0, 3).join('; '));
}

/**
 * The items that can be read, in their order.
 * @param onUnreadable is called with the others; if absent, the first is thrown
 */
export function readEach<Schema extends z.ZodMiniType>(
  schema: Schema,
  items: readonly RawItem[],
  onUnreadable?: OnUnreadable,
): z.output<Schema>[] {
  return items.flatMap((raw) => {
    try {
      return [readItem(schema, raw)];
    } catch (error) {
      if (!(error instanceof UnreadableItem) || onUnreadable === undefined) throw error;
      onUnreadable(error);
      return [];
    }
  });
}

/** Without the phone number in the key of a claim: no log may have it. */
const placeOf = ({ pk, sk }: RawItem): string => `${String(pk).replace(/^(number#).*/s, '$1…')} ${String(sk)}`;

// Many items by key, a hundred a call. Keys that a call left unread are read again.

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

// Conditional writes: a condition that fails is a result, not an error. A write that conflicts with another transaction
// is repeated.

/** A condition of the write, or of any write of the transaction, failed. */
export const isConditionFailure = (error: unknown): boolean =>
  error instanceof ConditionalCheckFailedException || reasonsOf(error).includes('ConditionalCheckFailed');

/** DynamoDB will never accept this item, for example because it is too large. Other items can be written. */
export const isItemRefused = (error: unknown): boolean =>
  (error instanceof Error && error.name === 'ValidationException') || reasonsOf(error).includes('ValidationError');

/** Nothing was written, but the same write can succeed the next moment. */
function isTemporary(error: unknown): boolean {
  if (error instanceof TransactionConflictException) return true;
  const reasons = reasonsOf(error);
  return reasons.length > 0 && reasons.every((reason) => temporaryCodes.includes(reason));
}

/** Why each write of a transaction failed, without those that did not fail. */
const reasonsOf = (error: unknown): readonly string[] =>
  error instanceof TransactionCanceledException
    ? (error.CancellationReasons ?? []).flatMap(({ Code = 'None' }) => (Code === 'None' ? [] : [Code]))
    : [];

/** Returns whether the write was made. The SDK does not repeat a cancelled transaction, so this does. */
export async function wasWritten(write: () => Promise<unknown>, backoff: Backoff = defaultBackoff): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await write();
      return true;
    } catch (error) {
      if (isConditionFailure(error)) return false;
      if (!isTemporary(error) || attempt >= backoff.attempts) throw error;
      await backoff.pause(attempt);
    }
  }
}
