// Imports: begun once, changed, listed; when report is notified again.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { type ImportItem, type ImportState, importItem, importKey, importsListed } from '#shared/import/import.ts';
import { releasedStates } from '#shared/import/import-state.ts';
import type { OnUnreadable } from '#shared/row/issue.ts';
import type { ItemKey } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import {
  type Condition,
  deleteItem,
  getItem,
  ifNew,
  isConditionFailure,
  putItem,
  readDue,
  readItem,
  readListed,
} from './table.ts';

// Imports in the results table: begun once, changed under the state that was expected, listed by account and time.

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

// Times at which report is to be notified of an import again: whatever message was lost, no import stays behind its
// requests.

export interface ReportNotifications {
  /** Sets the time of the import's notification (wall time, epoch milliseconds), whether or not it has one. */
  set(importId: string, dueAt: number): Promise<void>;
  /** Report needs no further notification of the import. */
  remove(importId: string): Promise<void>;
  /** Imports whose notification is due at `now`, the longest due first. */
  due(now: number, limit: number): Promise<string[]>;
}

export function createReportNotifications(client: DynamoDBDocumentClient, name: string): ReportNotifications {
  const table = { client, name };
  return {
    set: async (importId, dueAt) => {
      await putItem(table, {
        ...notificationKey(importId),
        importId,
        dueQueue: notificationQueue,
        dueAt: isoTime(dueAt),
      });
    },
    remove: async (importId) => {
      await deleteItem(table, notificationKey(importId));
    },
    due: async (now, limit) => {
      const items = await readDue(table, [notificationQueue], isoTime(now), limit);
      return items.map(({ importId }) => String(importId));
    },
  };
}

export const notificationKey = (importId: string): ItemKey => ({ pk: `notification#${importId}`, sk: 'notification' });
/** One partition: an import writes to it a few times a day. */
export const notificationQueue = 'notifications';
