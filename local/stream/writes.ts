// Which items a call of DynamoDB may change, read from the call itself.
import type { AttributeValue } from '@aws-sdk/client-dynamodb';

export type Attributes = Readonly<Record<string, AttributeValue>>;

export interface ItemWrite {
  readonly table: string;
  readonly key: Attributes;
  /** The whole item that is put; undefined where the call changes a part of it, or deletes it. */
  readonly item: Attributes | undefined;
}

/** The names of a table's key attributes; undefined for a table whose stream has no consumer. */
export type KeyNames = (table: string) => readonly string[] | undefined;

interface Change {
  readonly TableName: string;
  readonly Item?: Attributes | undefined;
  readonly Key?: Attributes | undefined;
}
interface Statement {
  readonly Statement: string;
  readonly Parameters?: readonly AttributeValue[];
}
interface BatchWrite {
  readonly PutRequest?: { readonly Item: Attributes };
  readonly DeleteRequest?: { readonly Key: Attributes };
}
type Call = Partial<Change> &
  Partial<Statement> & {
    readonly RequestItems?: Readonly<Record<string, readonly BatchWrite[]>>;
    readonly TransactItems?: readonly Readonly<Record<string, Change>>[];
    readonly Statements?: readonly Statement[];
    readonly TransactStatements?: readonly Statement[];
  };

/** A write that would make no stream record. */
export class UnreadableWriteError extends Error {
  override readonly name = 'UnreadableWriteError';
}

/** A put that succeeded stored what was sent: these calls succeed as a whole or not at all. */
export const isAllOrNothing = (operation: string): boolean => ['PutItem', 'TransactWriteItems'].includes(operation);

const changesOf = (operation: string, call: Call): readonly Change[] => {
  switch (operation) {
    case 'PutItem':
    case 'UpdateItem':
    case 'DeleteItem':
      return [call as Change];
    case 'BatchWriteItem':
      return Object.entries(call.RequestItems ?? {}).flatMap(([TableName, writes]) =>
        writes.map(({ PutRequest, DeleteRequest }) => ({ TableName, ...PutRequest, ...DeleteRequest })),
      );
    case 'TransactWriteItems':
      return (call.TransactItems ?? []).flatMap(({ ConditionCheck, ...changes }) => Object.values(changes));
    case 'ExecuteStatement':
      return changesOfStatements([call as Statement]);
    case 'BatchExecuteStatement':
      return changesOfStatements(call.Statements);
    case 'ExecuteTransaction':
      return changesOfStatements(call.TransactStatements);
    default:
      return [];
  }
};

/**
 * What a call writes to the followed tables.
 * @throws UnreadableWriteError for a statement that the emulator cannot read
 */
export const writesOf = (operation: string, call: Call, keyNames: KeyNames): readonly ItemWrite[] =>
  changesOf(operation, call).flatMap(({ TableName: table, Item: item, Key }) => {
    const source = Key ?? item ?? {};
    const key = keyNames(table)?.map((name) => [name, source[name] as AttributeValue] as const);
    return key === undefined ? [] : [{ table, key: Object.fromEntries(key), item }];
  });

/** What the text of a statement contains: a table, and the names of its parameters from the first one that matters. */
interface Shape {
  readonly table: string;
  readonly names: readonly string[];
  readonly kind: 'Item' | 'Key';
  readonly firstParameter: number;
}

/** Thousands of statements have the same few texts. */
const shapes = new Map<string, Shape>();

const changesOfStatements = (statements: readonly Statement[] = []): readonly Change[] =>
  statements
    .filter(({ Statement }) => !/^\s*SELECT\s/i.test(Statement))
    .map(({ Statement, Parameters = [] }) => {
      const { table, names, kind, firstParameter } = shapes.get(Statement) ?? readShape(Statement);
      const values = Parameters.slice(firstParameter);
      const attributes = names.map((name, index) => [name, values[index] as AttributeValue]);
      return { TableName: table, [kind]: Object.fromEntries(attributes) };
    });

/** It reads `INSERT INTO "t" VALUE {'a': ?, …}` and `UPDATE "t" SET … WHERE pk = ? AND sk = ? …`. */
const readShape = (statement: string): Shape => {
  const [, inserted, fields = ''] = /^INSERT INTO "([^"]+)" VALUE \{(.*)\}$/s.exec(statement) ?? [];
  const [, updated, before = '', condition = ''] = /^UPDATE "([^"]+)" (SET .*) WHERE (.*)$/s.exec(statement) ?? [];
  const table = inserted ?? updated;
  if (table === undefined) {
    throw new UnreadableWriteError(`The emulator cannot read what this statement writes: ${statement}`);
  }
  const names = inserted === undefined ? /(\S+) (?:=|<=|>=|<|>) \?/g : /'([^']+)': \?/g;
  const shape: Shape = {
    table,
    names: [...(inserted === undefined ? condition : fields).matchAll(names)].map(([, name = '']) => name),
    kind: inserted === undefined ? 'Key' : 'Item',
    firstParameter: before.split('?').length - 1,
  };
  shapes.set(statement, shape);
  return shape;
};
