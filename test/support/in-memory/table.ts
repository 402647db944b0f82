// DynamoDB in memory: the commands that simporter sends to its results table, with conditions, transactions, pages and
// indexes that lag. A read that is not strongly consistent lags as much.
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { limits } from '#local/limits.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { type Bindings, type Item, rememberConditions } from './expression.ts';

/** The part of a command's input that is read. */
interface Write {
  readonly Key?: Item;
  readonly Item?: Item;
  readonly UpdateExpression?: string;
  readonly ConditionExpression?: string;
  readonly ReturnValues?: string;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>>;
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>;
}

interface Query extends Omit<Write, 'Item' | 'Key'> {
  readonly ConsistentRead?: boolean;
  readonly IndexName?: string;
  readonly KeyConditionExpression: string;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly ExclusiveStartKey?: Item;
}

interface BatchGet {
  readonly Keys: readonly Item[];
  readonly ConsistentRead?: boolean;
}

export interface TableTwinOptions {
  readonly now: Clock;
  /** How far the indexes lag, and reads that are not strongly consistent, in milliseconds. @default 0 */
  readonly indexLagMs?: number;
  /** The maximum number of items in a page of a query. @default 1000 */
  readonly pageSize?: number;
  /** Whether one statement of a batch, or one key of a read, is throttled. @default never */
  readonly throttles?: () => boolean;
  /** Called for every write. */
  readonly onWrite?: OnWrite;
}

export type OnWrite = (before: Item | undefined, after: Item | undefined) => void;

export interface TableTwin {
  send(command: { readonly input: unknown }): Promise<unknown>;
  /** Every item, as stored. */
  items(): Item[];
}

const indexKeys: Readonly<Record<string, readonly [string, string]>> = {
  due: ['dueQueue', 'dueAt'],
  listed: ['listed', 'listedAt'],
  days: ['account', 'portDay'],
};

/** The partition keys of the table and of its indexes. */
const partitionKeys = ['pk', ...Object.values(indexKeys).map(([partition]) => partition)];

const keyOf = (item: Item): string => `${String(item.pk)}\u0000${String(item.sk)}`;

const invalid = (message: string) => Object.assign(new Error(message), { name: 'ValidationException' });
function checkCount(entries: readonly unknown[], { name, value }: { readonly name: string; readonly value: number }) {
  if (entries.length > value) throw invalid(`${name}: ${entries.length}`);
}

const sum = (sizes: readonly number[]): number => sizes.reduce((total, size) => total + size, 0);
const memberBytes = (value: object): number =>
  sum(Object.entries(value).map(([name, member]) => Buffer.byteLength(name) + bytesOf(member)));
/** As DynamoDB counts them, of numbers without a zero at either end. */
function bytesOf(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return 1 + Math.ceil(String(value).replaceAll(/\D/g, '').length / 2);
  if (typeof value !== 'object' || value === null) return 1;
  if (Array.isArray(value)) return 3 + sum(value.map((member) => 1 + bytesOf(member)));
  return 3 + Object.keys(value).length + memberBytes(value);
}

/** What is stored cannot be changed, so every reader gets the same object. */
function stored(item: Item): Item {
  const json = JSON.stringify(item);
  const copy = JSON.parse(json) as Item;
  const { value: mostBytes } = limits.dynamodbItemBytes;
  // No item is larger than four bytes for each character of its JSON, and counting takes longer than writing it.
  if (4 * json.length <= mostBytes || memberBytes(copy) <= mostBytes) return freeze(copy);
  throw invalid('Item size has exceeded the maximum allowed size');
}
const freeze = <Value>(value: Value): Value => {
  if (typeof value !== 'object' || value === null) return value;
  for (const member of Object.values(value)) freeze(member);
  return Object.freeze(value);
};
const bindingsOf = (input: Omit<Write, 'Item' | 'Key'>): Bindings => ({
  names: input.ExpressionAttributeNames,
  values: input.ExpressionAttributeValues,
});

const declined = () =>
  new ConditionalCheckFailedException({ message: 'The conditional request failed', $metadata: {} });

/** Items by their keys, and those of each partition: a query reads no others. */
class ItemsByPartition {
  readonly #all = new Map<string, Item>();
  readonly #partitions = new Map<string, Map<string, Item>>();

  get(key: string): Item | undefined {
    return this.#all.get(key);
  }

  values(): IterableIterator<Item> {
    return this.#all.values();
  }

  /** @param item undefined where there is none any more */
  put(key: string, item: Item | undefined): void {
    for (const partition of this.#partitionsOf(this.#all.get(key))) partition.delete(key);
    if (item === undefined) this.#all.delete(key);
    else this.#all.set(key, item);
    for (const partition of this.#partitionsOf(item)) partition.set(key, item ?? {});
  }

  #partitionsOf(item: Item = {}): Map<string, Item>[] {
    return partitionKeys.flatMap((name) => (item[name] === undefined ? [] : [this.partition(name, item[name])]));
  }

  partition(name: string, value: unknown): Map<string, Item> {
    const place = `${name}\u0000${String(value)}`;
    const found = this.#partitions.get(place) ?? new Map<string, Item>();
    this.#partitions.set(place, found);
    return found;
  }
}

/** The value that a key condition gives to the partition key. @throws as DynamoDB where it gives none */
function partitionOf(asked: Query, partitionKey: string): unknown {
  for (const [, name = '', value = ''] of asked.KeyConditionExpression.matchAll(/(#?\w+) = (:\w+)/g)) {
    const meant = asked.ExpressionAttributeNames?.[name] ?? name;
    if (meant === partitionKey) return asked.ExpressionAttributeValues?.[value];
  }
  throw invalid(`Query condition missed key schema element: ${partitionKey}`);
}

export function createTableTwin(options: TableTwinOptions): TableTwin {
  const { now, indexLagMs = 0, pageSize = 1000, throttles = () => false, onWrite = () => {} } = options;
  const items = new ItemsByPartition();
  /** What the indexes show, and what they will show when they have caught up. */
  const indexed = new ItemsByPartition();
  let late: { readonly at: number; readonly key: string; readonly item: Item | undefined }[] = [];
  const condition = rememberConditions();

  const put = (key: string, item: Item | undefined): void => {
    onWrite(items.get(key), item);
    items.put(key, item);
    late.push({ at: now() + indexLagMs, key, item });
  };

  const catchUp = (): void => {
    if (late.length === 0) return;
    const seen = late.filter(({ at }) => at <= now());
    for (const { key, item } of seen) indexed.put(key, item);
    late = late.filter(({ at }) => at > now());
  };

  const holds = (write: Write, key: string): boolean =>
    condition(write.ConditionExpression)(items.get(key), bindingsOf(write));

  const putItem = (write: Write) => {
    const item = stored(write.Item ?? {});
    const key = keyOf(item);
    const before = items.get(key);
    if (!holds(write, key)) throw declined();
    put(key, item);
    return write.ReturnValues === 'ALL_OLD' && before !== undefined ? { Attributes: before } : {};
  };

  const updateItem = (write: Write) => {
    const key = keyOf(write.Key ?? {});
    if (!holds(write, key)) throw declined();
    const { assignments, removed } = updateOf(write);
    const before = Object.entries(items.get(key) ?? write.Key ?? {}).filter(([name]) => !removed.includes(name));
    const after = stored({ ...Object.fromEntries(before), ...Object.fromEntries(assignments) });
    put(key, after);
    return { Attributes: after };
  };

  const deleteItem = (write: Write): void => {
    const key = keyOf(write.Key ?? {});
    if (!holds(write, key)) throw declined();
    if (items.get(key) !== undefined) put(key, undefined);
  };

  const query = (asked: Query) => {
    catchUp();
    const [partition, sort] = asked.IndexName === undefined ? ['pk', 'sk'] : (indexKeys[asked.IndexName] ?? ['', '']);
    const source = asked.IndexName === undefined && asked.ConsistentRead ? items : indexed;
    const matches = condition(asked.KeyConditionExpression);
    const bindings = bindingsOf(asked);
    const place = (item: Item) => `${String(item[sort])}\u0000${keyOf(item)}`;
    const direction = asked.ScanIndexForward === false ? -1 : 1;
    const from = asked.ExclusiveStartKey && place(asked.ExclusiveStartKey);
    const found = [...source.partition(partition, partitionOf(asked, partition)).values()]
      .filter((item) => matches(item, bindings))
      .map((item) => ({ item, place: place(item) }))
      .sort((left, right) => (left.place < right.place ? -direction : direction))
      .filter((each) => from === undefined || (direction > 0 ? each.place > from : each.place < from));
    const page = found.slice(0, Math.min(asked.Limit ?? pageSize, pageSize)).map(({ item }) => item);
    return { Items: page, LastEvaluatedKey: page.length < found.length ? page.at(-1) : undefined };
  };

  const get = (key: Item, isConsistent: boolean | undefined): Item | undefined => {
    catchUp();
    return (isConsistent ? items : indexed).get(keyOf(key));
  };

  const batchGet = ({ RequestItems }: { RequestItems: Readonly<Record<string, BatchGet>> }) => {
    const [[table, { Keys, ConsistentRead }] = ['', { Keys: [] }]] = Object.entries<BatchGet>(RequestItems);
    checkCount(Keys, limits.dynamodbReads);
    const unread = Keys.filter(() => throttles());
    const found = Keys.flatMap((key): Item[] => {
      const item = unread.includes(key) ? undefined : get(key, ConsistentRead);
      return item === undefined ? [] : [item];
    });
    return {
      Responses: { [table]: found },
      UnprocessedKeys:
        unread.length === 0 ? {} : { [table]: { Keys: unread, ...(ConsistentRead && { ConsistentRead }) } },
    };
  };

  const transact = ({ TransactItems }: { TransactItems: readonly { Put?: Write; Update?: Write }[] }) => {
    checkCount(TransactItems, limits.dynamodbTransaction);
    const reasons = TransactItems.map(({ Put, Update }) => {
      const write = Put ?? Update ?? {};
      return holds(write, keyOf(write.Item ?? write.Key ?? {})) ? { Code: 'None' } : { Code: 'ConditionalCheckFailed' };
    });
    if (reasons.some(({ Code }) => Code !== 'None')) {
      throw new TransactionCanceledException({ message: 'cancelled', CancellationReasons: reasons, $metadata: {} });
    }
    for (const { Put, Update } of TransactItems) stored(Put?.Item ?? Update?.ExpressionAttributeValues ?? {});
    for (const { Put, Update } of TransactItems) {
      if (Put !== undefined) putItem(Put);
      if (Update !== undefined) updateItem(Update);
    }
    return {};
  };

  /** `INSERT INTO "t" VALUE {…}`. Returns the error code. */
  const execute = (statement: string, parameters: readonly unknown[]): string | undefined => {
    if (throttles()) return 'ThrottlingError';
    if (!statement.startsWith('INSERT INTO ')) throw new Error(`the twin cannot execute ${statement}`);
    const names = [...statement.matchAll(/'(\w+)': \?/g)].map(([, name]) => name ?? '');
    const item = stored(Object.fromEntries(names.map((name, index) => [name, parameters[index]])));
    if (items.get(keyOf(item)) !== undefined) return 'DuplicateItem';
    put(keyOf(item), item);
    return undefined;
  };

  const batchExecute = ({ Statements }: { Statements: readonly { Statement: string; Parameters: unknown[] }[] }) => {
    checkCount(Statements, limits.dynamodbStatements);
    const Responses = Statements.map(({ Statement, Parameters }) => {
      const code = execute(Statement, Parameters);
      return code === undefined ? {} : { Error: { Code: code, Message: code } };
    });
    return { Responses };
  };

  const commands: Readonly<Record<string, (input: never) => unknown>> = {
    PutCommand: putItem,
    UpdateCommand: updateItem,
    DeleteCommand: deleteItem,
    QueryCommand: query,
    BatchGetCommand: batchGet,
    TransactWriteCommand: transact,
    BatchExecuteStatementCommand: batchExecute,
    GetCommand: ({ Key, ConsistentRead }: { Key: Item; ConsistentRead?: boolean }) => ({
      Item: get(Key, ConsistentRead),
    }),
  };

  return {
    send: async (command) => {
      const run = commands[command.constructor.name];
      if (run === undefined) throw new Error(`the twin of DynamoDB knows no ${command.constructor.name}`);
      return run(command.input as never) ?? {};
    },
    items: () => [...items.values()],
  };
}

/** `SET #a = :a, #b = :b REMOVE #c, #d` */
function updateOf({ UpdateExpression = '', ExpressionAttributeNames, ExpressionAttributeValues }: Write) {
  const found = /^SET (.+?)(?: REMOVE (.+))?$/.exec(UpdateExpression);
  if (found === null) throw new Error(`the twin cannot update by ${UpdateExpression}`);
  const nameOf = (name: string): string => ExpressionAttributeNames?.[name] ?? name;
  const assignments = (found[1] ?? '').split(', ').map((assignment): [string, unknown] => {
    const [name = '', value = ''] = assignment.split(' = ');
    return [nameOf(name), ExpressionAttributeValues?.[value]];
  });
  return { assignments, removed: (found[2] ?? '').split(', ').map(nameOf) };
}
