// PartiQL statements, 25 a call: each is a separate insert of a new item, with a fraction of the calls.
import type { BatchStatementError } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Backoff, chunksOf, defaultBackoff, sendUntilTaken } from './backoff.ts';

const batchSize = 25;
/** The 100 numbers of a request are claimed in the time of one call. */
const batchesAtOnce = 4;

export interface BatchStatement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** `declined`: the item exists already. */
export type StatementOutcome = 'done' | 'declined';

/** Inserts the item unless its key exists. Attributes that are undefined are left out. */
export function insertStatement(table: string, item: Readonly<Record<string, unknown>>): BatchStatement {
  const attributes = Object.entries(item).filter(([, value]) => value !== undefined);
  const fields = attributes.map(([name]) => `'${name}': ?`).join(', ');
  return { text: `INSERT INTO "${table}" VALUE {${fields}}`, parameters: attributes.map(([, value]) => value) };
}

/** Inserts the items whose keys do not exist. Returns the outcome of each, in order. @throws as `executeStatements` */
export const insertItems = (
  client: DynamoDBDocumentClient,
  table: string,
  items: readonly Readonly<Record<string, unknown>>[],
  backoff?: Backoff,
): Promise<StatementOutcome[]> =>
  executeStatements(
    client,
    items.map((item) => insertStatement(table, item)),
    backoff,
  );

const declinedCodes: readonly string[] = ['DuplicateItem', 'ConditionalCheckFailed'];
/** The same write can succeed the next moment: the table was busy, or another transaction had the item. */
export const temporaryCodes: readonly string[] = [
  'RequestLimitExceeded',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'InternalServerError',
  'TransactionConflict',
];

const outcomeOf = (error: BatchStatementError | undefined): StatementOutcome | 'retry' => {
  if (error === undefined) return 'done';
  const code = String(error.Code);
  if (declinedCodes.includes(code)) return 'declined';
  if (temporaryCodes.includes(code)) return 'retry';
  throw new Error(`a statement failed with ${code}: ${error.Message}`);
};

/**
 * Executes the statements one by one, and returns the outcome of each, in order. Throttled statements are sent again.
 * @throws Error when a statement cannot be executed at all, or is still throttled after the last attempt
 */
export async function executeStatements(
  client: DynamoDBDocumentClient,
  statements: readonly BatchStatement[],
  backoff: Backoff = defaultBackoff,
): Promise<StatementOutcome[]> {
  const outcomes: StatementOutcome[] = [];
  const executeBatch = async (batch: readonly (readonly [number, BatchStatement])[]) => {
    const Statements = batch.map(([, { text, parameters }]) => ({ Statement: text, Parameters: [...parameters] }));
    const { Responses = [] } = await client.send(new BatchExecuteStatementCommand({ Statements }));
    return batch.filter(([index], place) => {
      const outcome = outcomeOf(Responses[place]?.Error);
      if (outcome !== 'retry') outcomes[index] = outcome;
      return outcome === 'retry';
    });
  };
  const execute = async (waiting: readonly (readonly [number, BatchStatement])[]) => {
    const throttled = [];
    for (const batches of chunksOf([...chunksOf(waiting, batchSize)], batchesAtOnce))
      throttled.push(...(await Promise.all(batches.map(executeBatch))).flat());
    return throttled;
  };
  const left = await sendUntilTaken([...statements.entries()], execute, backoff);
  if (left.length > 0) throw new Error(`${left.length} writes are still throttled`);
  return outcomes;
}
