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

/**
 * Writes of followed tables; none for a call that only reads.
 * @throws UnseenWrite for a call whose writes cannot be told
 */
export function writesOf(operation: string, call: Call, keyNames: KeyNames): readonly ItemWrite[] {
  if (reading.includes(operation)) return [];
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

/** Statements as shared/aws writes them: `INSERT INTO "t" VALUE {'a': ?, …}` and `UPDATE "t" SET … WHERE pk = ? AND sk = ? …`. */
function partOf(statement: string, parameters: readonly AttributeValue[]): Part {
  const [, inserted, fields = ''] = /^INSERT INTO "([^"]+)" VALUE \{(.*)\}$/s.exec(statement) ?? [];
  if (inserted !== undefined) {
    const names = [...fields.matchAll(/'([^']+)': \?/g)].map(([, name = '']) => name);
    return { TableName: inserted, Item: named(names, parameters) };
  }
  const [, updated, before = '', condition = ''] = /^UPDATE "([^"]+)" (SET .*) WHERE (.*)$/s.exec(statement) ?? [];
  if (updated === undefined) throw new UnseenWrite(`the engine cannot tell what this statement writes: ${statement}`);
  const names = [...condition.matchAll(/(\S+) (?:=|<=|>=|<|>) \?/g)].map(([, name = '']) => name);
  return { TableName: updated, Key: named(names, parameters.slice(before.split('?').length - 1)) };
}

const named = (names: readonly string[], values: readonly AttributeValue[]): Attributes =>
  Object.fromEntries(names.map((name, index) => [name, values[index] as AttributeValue]));
