// The items of one kind in the double of the table, as a test reads, plants and deletes them.
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod/mini';
import { importItem, importKey, importsListed } from '#shared/import/import.ts';
import { requestItem, requestKey } from '#shared/request/request.ts';
import { storedRequest } from '#shared/request/waiting-request.ts';
import { readItem } from '#shared/store/table.ts';
import type { ItemKey } from '#shared/text/stored-values.ts';
import type { TableTwin } from './table.ts';

/** Like a map of what is stored now. */
export interface StoredItems<Value> extends Iterable<[string, Value]> {
  readonly size: number;
  get(key: string): Value | undefined;
  values(): IterableIterator<Value>;
  /** Writes it whatever is stored, with the next revision where it has one. */
  set(key: string, value: Value): void;
  delete(key: string): void;
  clear(): void;
}

interface Kind<Schema extends z.ZodMiniType> {
  readonly schema: Schema;
  readonly isOf: (sk: string) => boolean;
  readonly nameOf: (value: z.output<Schema>) => string;
  readonly keyOf: (name: string) => ItemKey;
  readonly stored: (value: z.output<Schema>, before: z.output<Schema> | undefined) => object;
}

const TableName = 'results';

function storedItems<Schema extends z.ZodMiniType>(table: TableTwin, kind: Kind<Schema>) {
  type Value = z.output<Schema>;
  const { schema, isOf, nameOf, keyOf, stored } = kind;
  const all = (): Map<string, Value> => {
    const own = table.items().filter(({ sk }) => isOf(String(sk)));
    return new Map(own.map((item) => readItem(schema, item)).map((value) => [nameOf(value), value]));
  };
  const items: StoredItems<Value> = {
    get size() {
      return all().size;
    },
    get: (key) => all().get(key),
    values: () => all().values(),
    [Symbol.iterator]: () => all().entries(),
    // The double has written when it returns.
    set: (key, value) => {
      const Item = { ...keyOf(key), ...stored(value, items.get(key)) };
      void table.send(new PutCommand({ TableName, Item }));
    },
    clear: () => {
      for (const key of all().keys()) items.delete(key);
    },
    delete: (key) => void table.send(new DeleteCommand({ TableName, Key: keyOf(key) })),
  };
  return items;
}

/** By their ids. */
export const storedImports = (table: TableTwin) =>
  storedItems(table, {
    schema: importItem,
    isOf: (sk) => sk === 'import',
    nameOf: ({ importId }) => importId,
    keyOf: importKey,
    stored: (item) => ({ ...item, listed: importsListed, listedAt: item.receivedAt }),
  });

/** By `import/request`. */
export const storedRequests = (table: TableTwin) =>
  storedItems(table, {
    schema: requestItem,
    isOf: (sk) => sk.startsWith('request#'),
    nameOf: ({ importId, request }) => `${importId}/${request}`,
    keyOf: (name) => requestKey(name.slice(0, name.lastIndexOf('/')), Number(name.slice(name.lastIndexOf('/') + 1))),
    stored: (item, before) => storedRequest({ ...item, revision: before === undefined ? 0 : before.revision + 1 }),
  });
