// Imports in the results table: begun once, changed under the state that was expected, listed by account and time.
import { type DynamoDBDocumentClient, GetCommand, PutCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type ImportItem, type ImportState, importItem } from '#shared/domain/ledger.ts';
import type { OnUnreadable } from '#shared/domain/unreadable-item.ts';
import { isConditionFailure, whetherWritten } from './conditional.ts';
import { importKey, importsListed, listedIndex } from './keys.ts';
import { queryFirst } from './query.ts';
import { readEach, readItem } from './read-item.ts';

export interface ListOptions {
  readonly limit?: number;
  /** Only what was received before this instant. */
  readonly before?: string;
  /** Only what was received at this instant or later; a query has one range, so `before` is then left out. */
  readonly since?: string;
  /** @default - an import that cannot be read is thrown as UnreadableItem */
  readonly onUnreadable?: OnUnreadable;
}

export interface Imports {
  /** Writes the item unless the import exists already; then answers the existing one. */
  begin(item: ImportItem): Promise<{ item: ImportItem; isNew: boolean }>;
  /** Sets the given attributes. undefined: there is no such import, or it is in none of the expected states. */
  update(
    importId: string,
    changes: Partial<ImportItem>,
    expected?: readonly ImportState[],
  ): Promise<ImportItem | undefined>;
  /** Writes a roll-up of the requests, unless a newer one was written or the import has not been released. */
  rollUp(importId: string, rolledUp: Partial<ImportItem>, ledgerRevision: number): Promise<ImportItem | undefined>;
  get(importId: string): Promise<ImportItem | undefined>;
  /** Newest first. */
  list(account: number, options?: ListOptions): Promise<ImportItem[]>;
}

const stored = (item: ImportItem) => ({
  ...importKey(item.importId),
  ...item,
  listed: importsListed(item.account),
  listedAt: item.receivedAt,
});

/** `SET #a = :a, …` for every attribute that has a value. */
function settings(changes: Partial<ImportItem>) {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  return {
    expression: `SET ${entries.map((_, index) => `#set${index} = :set${index}`).join(', ')}`,
    names: Object.fromEntries(entries.map(([name], index) => [`#set${index}`, name])),
    values: Object.fromEntries(entries.map(([, value], index) => [`:set${index}`, value])),
  };
}

interface Guard {
  readonly condition: string;
  readonly names: Readonly<Record<string, string>>;
  readonly values: Readonly<Record<string, unknown>>;
}

/** The condition that the import is in one of the states. */
function inStates(expected: readonly ImportState[]) {
  const values = Object.fromEntries(expected.map((state, index) => [`:expected${index}`, state]));
  return { condition: ` AND #state IN (${Object.keys(values).join(', ')})`, names: { '#state': 'state' }, values };
}

export function createImports(client: DynamoDBDocumentClient, table: string): Imports {
  const get = async (importId: string): Promise<ImportItem | undefined> => {
    const found = await client.send(
      new GetCommand({ TableName: table, Key: importKey(importId), ConsistentRead: true }),
    );
    return found.Item && readItem(importItem, found.Item);
  };

  const begin = async (item: ImportItem): Promise<{ item: ImportItem; isNew: boolean }> => {
    const put = new PutCommand({
      TableName: table,
      Item: stored(item),
      ConditionExpression: 'attribute_not_exists(pk)',
    });
    if (await whetherWritten(() => client.send(put))) return { item, isNew: true };
    return { item: (await get(item.importId)) ?? item, isNew: false };
  };

  const change = async (importId: string, changes: Partial<ImportItem>, guard: Guard) => {
    const set = settings(changes);
    try {
      const written = await client.send(
        new UpdateCommand({
          TableName: table,
          Key: importKey(importId),
          UpdateExpression: set.expression,
          ConditionExpression: `attribute_exists(pk)${guard.condition}`,
          ExpressionAttributeNames: { ...set.names, ...guard.names },
          ExpressionAttributeValues: { ...set.values, ...guard.values },
          ReturnValues: 'ALL_NEW',
        }),
      );
      return readItem(importItem, written.Attributes ?? {});
    } catch (error) {
      if (isConditionFailure(error)) return undefined;
      throw error;
    }
  };

  const update = (importId: string, changes: Partial<ImportItem>, expected: readonly ImportState[] = []) => {
    if (expected.length === 0) return change(importId, changes, { condition: '', names: {}, values: {} });
    return change(importId, changes, inStates(expected));
  };

  const rollUp = (importId: string, rolledUp: Partial<ImportItem>, ledgerRevision: number) => {
    const { condition, names, values } = inStates(['submitting', 'following', 'completed']);
    return change(
      importId,
      { ...rolledUp, ledgerRevision },
      {
        condition: `${condition} AND (attribute_not_exists(ledgerRevision) OR ledgerRevision <= :newest)`,
        names,
        values: { ...values, ':newest': ledgerRevision },
      },
    );
  };

  const list = async (account: number, options: ListOptions = {}): Promise<ImportItem[]> => {
    const { since, before } = options;
    const range = since === undefined ? before && ' AND listedAt < :before' : ' AND listedAt >= :since';
    const items = await queryFirst(
      client,
      {
        TableName: table,
        IndexName: listedIndex,
        KeyConditionExpression: `listed = :listed${range ?? ''}`,
        ExpressionAttributeValues: {
          ':listed': importsListed(account),
          ...(since === undefined ? { ':before': before } : { ':since': since }),
        },
        ScanIndexForward: false,
      },
      options.limit ?? 50,
    );
    return readEach(importItem, items, options.onUnreadable);
  };

  return { begin, update, rollUp, get, list };
}
