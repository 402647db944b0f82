// Imports in the results table: begun once, changed under the state that was expected, listed by account and time.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { releasedStates } from '#shared/domain/imports/may-be-sent.ts';
import type { OnUnreadable } from '#shared/domain/requests/unreadable-item.ts';
import { type ImportItem, type ImportState, importItem } from '#shared/import/import.ts';
import { importKey, importsListed } from '#shared/text/stored-values.ts';
import { type Condition, getItem, ifNew, putItem, readListed } from './table.ts';
import { isConditionFailure } from './tables/conditional-write.ts';
import { readItem } from './tables/read-item.ts';

export interface ListOptions {
  readonly limit?: number;
  /** Only what was received before this instant. */
  readonly before?: string;
  /** Only what was received at this instant or later; `before` is ignored then. */
  readonly since?: string;
  /** @default - an import that cannot be read is thrown as UnreadableItem */
  readonly onUnreadable?: OnUnreadable;
}

export interface ImportReader {
  get(importId: string): Promise<ImportItem | undefined>;
  /** Newest first. */
  list(account: number, options?: ListOptions): Promise<ImportItem[]>;
}

const pageSize = 100;

/** Every import of the account, newest first. */
export async function* eachImport(imports: ImportReader, account: number): AsyncIterable<ImportItem> {
  let seen = new Set<string>();
  for (let before: string | undefined; ; ) {
    const limit = pageSize + seen.size;
    const page = await imports.list(account, { limit, ...(before && { before }) });
    yield* page.filter(({ importId }) => !seen.has(importId));
    const last = page.at(-1);
    if (last === undefined || page.length < limit) return;
    // Others may have come in the same millisecond: the next page begins with all of it.
    seen = new Set(page.flatMap(({ importId, receivedAt }) => (receivedAt === last.receivedAt ? [importId] : [])));
    before = `${last.receivedAt}~`;
  }
}

export interface Imports extends ImportReader {
  /** Writes the item, unless the import exists already: then returns the existing one. */
  begin(item: ImportItem): Promise<{ item: ImportItem; isNew: boolean }>;
  /** Sets the given attributes. undefined: there is no such import, or it is in none of the expected states. */
  update(
    importId: string,
    changes: Partial<ImportItem>,
    expected?: readonly ImportState[],
  ): Promise<ImportItem | undefined>;
  /** Writes a roll-up of the requests, unless a newer one is written or the import has not been released. */
  rollUp(importId: string, rolledUp: Partial<ImportItem>, ledgerRevision: number): Promise<ImportItem | undefined>;
}

const stored = (item: ImportItem) => ({
  ...importKey(item.importId),
  ...item,
  listed: importsListed(item.account),
  listedAt: item.receivedAt,
});

/** The condition that the import exists, and is in one of the states if any are given. */
function inStates(states: readonly ImportState[]) {
  if (states.length === 0) return { ConditionExpression: 'attribute_exists(pk)' };
  const values = Object.fromEntries(states.map((state, index) => [`:expected${index}`, state]));
  return {
    ConditionExpression: `attribute_exists(pk) AND #state IN (${Object.keys(values).join(', ')})`,
    ExpressionAttributeNames: { '#state': 'state' },
    ExpressionAttributeValues: values,
  };
}

/** Sets every attribute that has a value: `SET #set0 = :set0, ...`. */
function updateOf(changes: Partial<ImportItem>, condition: Condition) {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  const names = entries.map(([name], index) => [`#set${index}`, name]);
  const values = entries.map(([, value], index) => [`:set${index}`, value]);
  return {
    UpdateExpression: `SET ${entries.map((_, index) => `#set${index} = :set${index}`).join(', ')}`,
    ConditionExpression: condition.ConditionExpression,
    ExpressionAttributeNames: { ...Object.fromEntries(names), ...condition.ExpressionAttributeNames },
    ExpressionAttributeValues: { ...Object.fromEntries(values), ...condition.ExpressionAttributeValues },
  };
}

export function createImports(client: DynamoDBDocumentClient, name: string): Imports {
  const table = { client, name };
  const get = (importId: string) => getItem(table, importItem, importKey(importId));

  const change = async (importId: string, changes: Partial<ImportItem>, condition: Condition) => {
    const update = { TableName: name, Key: importKey(importId), ReturnValues: 'ALL_NEW' } as const;
    try {
      const written = await client.send(new UpdateCommand({ ...update, ...updateOf(changes, condition) }));
      return readItem(importItem, written.Attributes ?? {});
    } catch (error) {
      if (isConditionFailure(error)) return undefined;
      throw error;
    }
  };

  return {
    get,
    begin: async (item) => {
      if (await putItem(table, stored(item), ifNew)) return { item, isNew: true };
      return { item: (await get(item.importId)) ?? item, isNew: false };
    },
    update: (importId, changes, expected = []) => change(importId, changes, inStates(expected)),
    rollUp: (importId, rolledUp, ledgerRevision) => {
      const released = inStates(releasedStates);
      return change(
        importId,
        { ...rolledUp, ledgerRevision },
        {
          ...released,
          ConditionExpression: `${released.ConditionExpression} AND (attribute_not_exists(ledgerRevision) OR ledgerRevision <= :newest)`,
          ExpressionAttributeValues: { ...released.ExpressionAttributeValues, ':newest': ledgerRevision },
        },
      );
    },
    list: (account, { since, before, limit = 50, onUnreadable } = {}) => {
      const range = since === undefined ? before && (['<', before] as const) : (['>=', since] as const);
      const listing = { partition: importsListed(account), range: range || undefined, order: 'newest first' } as const;
      return readListed(table, importItem, listing, limit, onUnreadable);
    },
  };
}
