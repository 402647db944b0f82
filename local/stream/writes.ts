// Which items a call of DynamoDB may change, read from the call itself.
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface ItemWrite {
  readonly table: string;
  readonly key: Attributes;
  /** The whole item as it is put; undefined where only a part of it is changed, or it is deleted. */
  readonly item: Attributes | undefined;
}

/** Names of the key attributes of a table; undefined for a table that nobody follows. */
export type KeyNames = (table: string) => readonly string[] | undefined;

interface Part {
  readonly TableName: string;
  readonly Item?: Attributes;
  readonly Key?: Attributes;
}
interface Call extends Partial<Part> {
  readonly TransactItems?: readonly Readonly<Record<string, Part>>[];
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters?: readonly AttributeValue[] }[];
}

/** A write that would go by without its event. */
export class UnseenWrite extends Error {
  override readonly name = 'UnseenWrite';
}

const single = ['PutItem', 'UpdateItem', 'DeleteItem'];
const reading = ['GetItem', 'BatchGetItem', 'Query', 'Scan', 'TransactGetItems', 'DescribeTable', 'ListTables'];

export const isReading = (operation: string): boolean => reading.includes(operation);

/** A put that was taken stands as it was sent: one of these is taken as a whole, or not at all. */
export const isAllOrNothing = (operation: string): boolean => ['PutItem', 'TransactWriteItems'].includes(operation);

/**
 * Writes of followed tables by a call that does not only read.
 * @throws UnseenWrite for a call whose writes cannot be told
 */
export function writesOf(operation: string, call: Call, keyNames: KeyNames): readonly ItemWrite[] {
  if (single.includes(operation)) return writeOf(call as Part, keyNames);
  if (operation === 'TransactWriteItems') {
    const writes = (call.TransactItems ?? []).map(({ ConditionCheck, ...write }) => write);
    return writes.flatMap((write) => Object.values(write).flatMap((part) => writeOf(part, keyNames)));
  }
  if (operation === 'BatchExecuteStatement') {
    return (call.Statements ?? []).flatMap(({ Statement, Parameters = [] }) =>
      writeOf(partOf(Statement, Parameters), keyNames),
    );
  }
  throw new UnseenWrite(`the engine cannot tell what ${operation} writes`);
}

function writeOf({ TableName: table, Item: item, Key }: Part, keyNames: KeyNames): readonly ItemWrite[] {
  const names = keyNames(table);
  if (names === undefined) return [];
  const from = Key ?? item ?? {};
  return [{ table, key: Object.fromEntries(names.map((name) => [name, from[name] as AttributeValue])), item }];
}

/** What the text of a statement says: a table, and the names of its parameters from the place where they matter. */
interface Shape {
  readonly table: string;
  readonly names: readonly string[];
  readonly inserts: boolean;
  readonly from: number;
}

/** Thousands of statements have the same few texts. */
const shapes = new Map<string, Shape>();

function partOf(statement: string, parameters: readonly AttributeValue[]): Part {
  const shape = shapes.get(statement) ?? shapeOf(statement);
  shapes.set(statement, shape);
  const attributes = named(shape.names, parameters.slice(shape.from));
  return { TableName: shape.table, ...(shape.inserts ? { Item: attributes } : { Key: attributes }) };
}

/** Statements as shared/aws writes them: `INSERT INTO "t" VALUE {'a': ?, …}` and `UPDATE "t" SET … WHERE pk = ? AND sk = ? …`. */
function shapeOf(statement: string): Shape {
  const [, inserted, fields = ''] = /^INSERT INTO "([^"]+)" VALUE \{(.*)\}$/s.exec(statement) ?? [];
  if (inserted !== undefined) {
    const names = [...fields.matchAll(/'([^']+)': \?/g)].map(([, name = '']) => name);
    return { table: inserted, names, inserts: true, from: 0 };
  }
  const [, updated, before = '', condition = ''] = /^UPDATE "([^"]+)" (SET .*) WHERE (.*)$/s.exec(statement) ?? [];
  if (updated === undefined) throw new UnseenWrite(`the engine cannot tell what this statement writes: ${statement}`);
  const names = [...condition.matchAll(/(\S+) (?:=|<=|>=|<|>) \?/g)].map(([, name = '']) => name);
  return { table: updated, names, inserts: false, from: before.split('?').length - 1 };
}

const named = (names: readonly string[], values: readonly AttributeValue[]): Attributes =>
  Object.fromEntries(names.map((name, index) => [name, values[index] as AttributeValue]));
