// PartiQL statements, 25 a call: each is a conditional write of its own, at a fraction of the calls.
import type { BatchStatementError } from '@aws-sdk/client-dynamodb';
import { BatchExecuteStatementCommand, type DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Backoff, defaultBackoff } from './backoff.ts';

const batchSize = 25;
/** The numbers of a request of 100 rows are claimed in the time of one call. */
const batchesAtOnce = 4;

export interface Statement {
  readonly text: string;
  readonly parameters: readonly unknown[];
}

/** done: it was written. refused: its condition did not hold, or the item was there already. */
export type StatementOutcome = 'done' | 'refused';

/** Inserts the item unless one with its key exists. Attributes that are undefined are left out. */
export function insertStatement(table: string, item: Readonly<Record<string, unknown>>): Statement {
  const attributes = Object.entries(item).filter(([, value]) => value !== undefined);
  const fields = attributes.map(([name]) => `'${name}': ?`).join(', ');
  return { text: `INSERT INTO "${table}" VALUE {${fields}}`, parameters: attributes.map(([, value]) => value) };
}

const refusedCodes: readonly string[] = ['DuplicateItem', 'ConditionalCheckFailed'];
/** Of what failed for want of room or of peace: the same may be done the next moment. */
export const passingCodes: readonly string[] = [
  'RequestLimitExceeded',
  'ProvisionedThroughputExceeded',
  'ThrottlingError',
  'InternalServerError',
  'TransactionConflict',
];

const outcomeOf = (error: BatchStatementError | undefined): StatementOutcome | 'again' => {
  if (error === undefined) return 'done';
  const code = String(error.Code);
  if (refusedCodes.includes(code)) return 'refused';
  if (passingCodes.includes(code)) return 'again';
  throw new Error(`a statement failed with ${code}: ${error.Message}`);
};

interface Waiting {
  readonly statement: Statement;
  readonly index: number;
}

/**
 * Executes the statements, each for itself, and answers what became of each, in order. What was throttled is sent again.
 * @throws Error when a statement cannot be executed at all, or is still throttled after the last try
 */
export async function executeStatements(
  client: DynamoDBDocumentClient,
  statements: readonly Statement[],
  backoff: Backoff = defaultBackoff,
): Promise<StatementOutcome[]> {
  const outcomes: StatementOutcome[] = [];
  let waiting: readonly Waiting[] = statements.map((statement, index) => ({ statement, index }));
  for (let attempt = 1; waiting.length > 0; attempt += 1) {
    waiting = await executeOnce(client, waiting, outcomes);
    if (waiting.length > 0 && attempt >= backoff.attempts)
      throw new Error(`${waiting.length} writes are still throttled`);
    if (waiting.length > 0) await backoff.pause(attempt);
  }
  return outcomes;
}

/** Answers what was throttled. */
async function executeOnce(
  client: DynamoDBDocumentClient,
  waiting: readonly Waiting[],
  outcomes: StatementOutcome[],
): Promise<Waiting[]> {
  const throttled: Waiting[] = [];
  const executeBatch = async (batch: readonly Waiting[]): Promise<void> => {
    const answer = await client.send(
      new BatchExecuteStatementCommand({
        Statements: batch.map(({ statement: { text, parameters } }) => ({
          Statement: text,
          Parameters: [...parameters],
        })),
      }),
    );
    for (const [place, entry] of batch.entries()) {
      const outcome = outcomeOf(answer.Responses?.[place]?.Error);
      if (outcome === 'again') throttled.push(entry);
      else outcomes[entry.index] = outcome;
    }
  };
  const atATime = batchSize * batchesAtOnce;
  for (let start = 0; start < waiting.length; start += atATime) {
    const batches = Array.from({ length: batchesAtOnce }, (_, batch) => {
      const first = start + batch * batchSize;
      return waiting.slice(first, Math.min(first + batchSize, waiting.length));
    });
    await Promise.all(batches.filter((batch) => batch.length > 0).map(executeBatch));
  }
  return throttled;
}
