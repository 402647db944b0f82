// A batch of writes as one transaction. The embedded DynamoDB waits for the disk after each write of a batch, and once
// for a whole transaction. What a batch may do includes what a transaction does: all of its writes succeed together.
import { isDeepStrictEqual } from 'node:util';
import type { BatchExecuteStatementInput, BatchWriteItemInput } from '@aws-sdk/client-dynamodb';

export interface JoinedBatch {
  readonly operation: 'TransactWriteItems' | 'ExecuteTransaction';
  readonly input: object;
  /** The answer to the batch where the transaction succeeds. Where it does not, the batch is passed on as it is. */
  readonly answer: object;
}

/** undefined: the call is no batch of writes, or its caller asks for more than its outcome. */
export const joinBatch = (operation: string, input: object): JoinedBatch | undefined => {
  if (operation === 'BatchWriteItem') return joinWrites(input as Partial<BatchWriteItemInput>);
  if (operation === 'BatchExecuteStatement') return joinStatements(input as Partial<BatchExecuteStatementInput>);
  return undefined;
};

const joinWrites = ({ RequestItems = {}, ...others }: Partial<BatchWriteItemInput>): JoinedBatch | undefined => {
  if (!isDeepStrictEqual(others, {})) return undefined;
  const TransactItems = Object.entries(RequestItems).flatMap(([TableName, writes = []]) =>
    writes.map(({ PutRequest, DeleteRequest }) =>
      PutRequest ? { Put: { TableName, ...PutRequest } } : { Delete: { TableName, ...DeleteRequest } },
    ),
  );
  if (TransactItems.length === 0) return undefined;
  return { operation: 'TransactWriteItems', input: { TransactItems }, answer: { UnprocessedItems: {} } };
};

const insertedTable = /^INSERT INTO "([^"]+)" VALUE /;

/** Inserts only: a statement that changes an item may answer it. */
const joinStatements = ({ Statements = [], ...others }: Partial<BatchExecuteStatementInput>) => {
  const tables = Statements.flatMap(({ Statement = '' }) => insertedTable.exec(Statement)?.[1] ?? []);
  if (!isDeepStrictEqual(others, {}) || tables.length < Statements.length || tables.length === 0) return undefined;
  return {
    operation: 'ExecuteTransaction',
    input: { TransactStatements: Statements },
    answer: { Responses: tables.map((TableName) => ({ TableName })) },
  } as const;
};
