// The stored imports: each begins once, is changed and listed. Also when report is notified of it again.
import { type DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import {
  type ImportItem,
  type ImportState,
  importItem,
  importKey,
  importPk,
  importsListed,
} from '#shared/import/import.ts';
import { releasedStates } from '#shared/import/import-state.ts';
import { type PartItem, partItem, partKey, partPrefix } from '#shared/import/part.ts';
import type { OnUnreadable } from '#shared/row/issue.ts';
import type { ItemKey } from '#shared/text/stored-values.ts';
import { isoTime } from '#shared/text/wording.ts';
import type { ReadImport } from './object-keys.ts';
import {
  type Condition,
  deleteItem,
  getItem,
  ifNew,
  isConditionFailure,
  putItem,
  readChildren,
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
  /** What people did with the file of this import later, oldest first: none for a part. Strongly consistent. */
  parts(first: ImportItem): Promise<PartItem[]>;
  /** Newest first. */
  list(options?: ListOptions): Promise<ImportItem[]>;
}

const pageSize = 100;

/** Every import, newest first. @param start only those that were received before this time. @default all */
export async function* eachImport(imports: ImportReader, start?: string): AsyncIterable<ImportItem> {
  let seen = new Set<string>();
  for (let before = start; ; ) {
    const limit = pageSize + seen.size;
    const page = await imports.list({ limit, ...(before && { before }) });
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
  /**
   * Records a part of an import. May be repeated. false: the file of the import was read again since, so the part may
   * have the same rows.
   */
  addPart(part: PartItem, first: ReadImport): Promise<boolean>;
  /** Sets the given attributes. undefined: there is no such import, or it is in none of the expected states. */
  update(
    importId: string,
    changes: Partial<ImportItem>,
    expected?: readonly ImportState[],
  ): Promise<ImportItem | undefined>;
  /** The same, while the given reading of the file counts. */
  updateReading(
    item: ReadImport,
    changes: Partial<ImportItem>,
    expected: readonly ImportState[],
  ): Promise<ImportItem | undefined>;
  /** The same, while the import waits with the plan of this hash. */
  approve(item: ImportItem, changes: Partial<ImportItem>): Promise<ImportItem | undefined>;
  /**
   * Begins to read a draft again, without what its last reading found. undefined: it is no draft any more, or another
   * reading was first.
   */
  readAgain(draft: ImportItem, changes: Partial<ImportItem>): Promise<ImportItem | undefined>;
  /**
   * Writes a roll-up of the requests. undefined: a newer one is written, the import has not been released, or since the
   * item was read a person stopped or resumed it, so its state may be another one, or its files were written, which
   * counted its rows with those of its parts.
   */
  rollUp(item: ImportItem, rolledUp: Partial<ImportItem>, ledgerRevision: number): Promise<ImportItem | undefined>;
}

const stored = (item: ImportItem) => ({
  ...importKey(item.importId),
  ...item,
  listed: importsListed,
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

/** Both conditions. */
const and = (one: Condition, other: Condition): Condition => ({
  ConditionExpression: `${one.ConditionExpression} AND ${other.ConditionExpression}`,
  ExpressionAttributeNames: { ...one.ExpressionAttributeNames, ...other.ExpressionAttributeNames },
  ExpressionAttributeValues: { ...one.ExpressionAttributeValues, ...other.ExpressionAttributeValues },
});

/** The file was read as often as this item shows. */
const ifReading = ({ reading }: ReadImport): Condition =>
  reading === undefined
    ? { ConditionExpression: 'attribute_not_exists(reading)' }
    : {
        ConditionExpression: 'reading.#count = :count',
        ExpressionAttributeNames: { '#count': 'count' },
        ExpressionAttributeValues: { ':count': reading.count },
      };

/** Nobody stopped or resumed the import since the item was read. */
const ifStop = ({ stop }: ImportItem): Condition =>
  stop === undefined
    ? { ConditionExpression: 'attribute_not_exists(stop)' }
    : {
        ConditionExpression: 'stop.#at = :at AND stop.kind = :kind',
        ExpressionAttributeNames: { '#at': 'at' },
        ExpressionAttributeValues: { ':at': stop.at, ':kind': stop.kind },
      };

/** No files were written since the item was read. */
const ifReported = ({ reported }: ImportItem): Condition =>
  reported === undefined
    ? { ConditionExpression: 'attribute_not_exists(reported)' }
    : { ConditionExpression: 'reported = :reported', ExpressionAttributeValues: { ':reported': reported } };

/** Nothing of the import is sent: it waits for its approval, or was rejected, and has no part. */
const ifDraft: Condition = {
  ConditionExpression:
    'attribute_not_exists(approvedAt) AND attribute_not_exists(hasParts) AND (planOnly = :yes OR #state = :rejected)',
  ExpressionAttributeNames: { '#state': 'state' },
  ExpressionAttributeValues: { ':yes': true, ':rejected': 'rejected' },
};

/** What a reading finds in a file, and what people and report made of it. */
const ofReading = [
  ...(['planHash', 'contentHash', 'columnIndexes', 'columnIndexesForPeople', 'optionColumns', 'layout'] as const),
  ...(['dateOrders', 'startsIn1904', 'columnValues', 'meanings', 'onInvalidPac', 'dayCycle', 'duplicates'] as const),
  'leftOut',
  ...([
    'reported',
    'corrections',
    'outcomes',
    'merged',
    'declinedApproval',
    'dismissedRejected',
    'dismissedDeclined',
  ] as const),
] satisfies readonly (keyof ImportItem)[];

/** Sets every attribute that has a value: `SET #set0 = :set0, ...`. */
function updateOf(changes: Partial<ImportItem>, condition: Condition, removed: readonly string[]) {
  const entries = Object.entries(changes).filter(([, value]) => value !== undefined);
  const names = entries.map(([name], index) => [`#set${index}`, name]);
  const values = entries.map(([, value], index) => [`:set${index}`, value]);
  return {
    UpdateExpression: [
      `SET ${entries.map((_, index) => `#set${index} = :set${index}`).join(', ')}`,
      ...(removed.length === 0 ? [] : [`REMOVE ${removed.map((_, index) => `#removed${index}`).join(', ')}`]),
    ].join(' '),
    ConditionExpression: condition.ConditionExpression,
    ExpressionAttributeNames: {
      ...Object.fromEntries([...names, ...removed.map((name, index) => [`#removed${index}`, name])]),
      ...condition.ExpressionAttributeNames,
    },
    ExpressionAttributeValues: { ...Object.fromEntries(values), ...condition.ExpressionAttributeValues },
  };
}

/** undefined: the condition failed. */
const createChange =
  (client: DynamoDBDocumentClient, name: string) =>
  async (
    importId: string,
    changes: Partial<ImportItem>,
    condition: Condition,
    removed: readonly (keyof ImportItem)[] = [],
  ): Promise<ImportItem | undefined> => {
    const update = { TableName: name, Key: importKey(importId), ReturnValues: 'ALL_NEW' } as const;
    try {
      const written = await client.send(new UpdateCommand({ ...update, ...updateOf(changes, condition, removed) }));
      return readItem(importItem, written.Attributes ?? {});
    } catch (error) {
      if (isConditionFailure(error)) return undefined;
      throw error;
    }
  };

export function createImports(client: DynamoDBDocumentClient, name: string): Imports {
  const table = { client, name };
  const get = (importId: string) => getItem(table, importItem, importKey(importId));
  const change = createChange(client, name);

  return {
    get,
    parts: ({ importId, hasParts }) =>
      hasParts
        ? Array.fromAsync(readChildren(table, partItem, { pk: importPk(importId), prefix: partPrefix }))
        : Promise.resolve([]),
    addPart: async (part, first) => {
      // First, so that a reader who finds no mark misses no part, and the file is not read again with it.
      if (!(await change(part.importId, { hasParts: true }, and(inStates([]), ifReading(first))))) return false;
      await putItem(table, { ...partKey(part), ...part });
      return true;
    },
    begin: async (item) => {
      if (await putItem(table, stored(item), ifNew)) return { item, isNew: true };
      return { item: (await get(item.importId)) ?? item, isNew: false };
    },
    update: (importId, changes, expected = []) => change(importId, changes, inStates(expected)),
    updateReading: (item, changes, expected) =>
      change(item.importId, changes, and(inStates(expected), ifReading(item))),
    approve: ({ importId, planHash }, changes) => {
      const ifPlan = {
        ConditionExpression: 'planHash = :planHash',
        ExpressionAttributeValues: { ':planHash': planHash },
      };
      return change(importId, changes, and(inStates(['planned']), ifPlan));
    },
    readAgain: (draft, changes) => {
      const ifUnchanged = and(inStates(['planned', 'rejected']), ifReading(draft));
      return change(draft.importId, changes, and(ifUnchanged, ifDraft), ofReading);
    },
    rollUp: (item, rolledUp, ledgerRevision) => {
      const ifNewest = {
        ConditionExpression: '(attribute_not_exists(ledgerRevision) OR ledgerRevision <= :newest)',
        ExpressionAttributeValues: { ':newest': ledgerRevision },
      };
      const condition = and(and(and(inStates(releasedStates), ifNewest), ifStop(item)), ifReported(item));
      return change(item.importId, { ...rolledUp, ledgerRevision }, condition);
    },
    list: ({ since, before, limit = 50, onUnreadable } = {}) => {
      const range = since === undefined ? before && (['<', before] as const) : (['>=', since] as const);
      const listing = { partition: importsListed, range: range || undefined, order: 'newest first' } as const;
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
