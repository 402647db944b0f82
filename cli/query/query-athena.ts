// Queries of a deployed stack: Athena runs them, with the permissions of the person.
import {
  type AthenaClient,
  GetQueryExecutionCommand,
  GetQueryResultsCommand,
  type GetQueryResultsOutput,
  type QueryExecution,
  StartQueryExecutionCommand,
  StopQueryExecutionCommand,
} from '@aws-sdk/client-athena';
import { type CliContext, waitFor } from '../context/cli-context.ts';
import { CliError } from '../context/cli-error.ts';
import type { Resources } from '../target/stack-outputs.ts';
import type { QueryAnswer } from './ready-queries.ts';

const pollMs = 1_000;
/** A query that reads as much as the workgroup allows takes less than a minute. */
const timeoutMs = 10 * 60_000;

/** @throws CliError where the stack has no analytics, and for a query that fails or does not end */
export async function queryAthena(
  client: AthenaClient,
  { analyticsDatabase, analyticsWorkgroup }: Resources,
  context: CliContext,
  sql: string,
): Promise<QueryAnswer> {
  if (analyticsWorkgroup === undefined) {
    const advice = 'Set `analytics` to true in cdk.json and deploy. Imports that finish from then on are included.';
    throw new CliError('The setting `analytics` of this stack is off.', { advice });
  }
  const { QueryExecutionId: id } = await client.send(
    new StartQueryExecutionCommand({
      QueryString: sql,
      QueryExecutionContext: { Database: analyticsDatabase },
      WorkGroup: analyticsWorkgroup,
    }),
  );
  const execution = await waitForEnd(client, id, context);
  const { State, StateChangeReason = State } = execution.Status ?? {};
  if (State !== 'SUCCEEDED') throw new CliError(`Athena: ${StateChangeReason}`);
  const readPage: ReadPage = (NextToken) =>
    client.send(new GetQueryResultsCommand({ QueryExecutionId: id, NextToken }));
  const first = await readPage(undefined);
  const columns = first.ResultSet?.ResultSetMetadata?.ColumnInfo ?? [];
  return {
    columns: columns.map(({ Name = '', Type = '' }) => ({ name: Name, isNumber: numberTypes.has(Type) })),
    rows: readRows(first, readPage),
  };
}

const numberTypes = new Set(['tinyint', 'smallint', 'integer', 'bigint', 'float', 'double', 'decimal']);

async function waitForEnd(client: AthenaClient, id: string | undefined, context: CliContext): Promise<QueryExecution> {
  const readEnd = async () => {
    const { QueryExecution: execution = {} } = await client.send(
      new GetQueryExecutionCommand({ QueryExecutionId: id }),
    );
    return ['QUEUED', 'RUNNING'].includes(execution.Status?.State ?? '') ? undefined : execution;
  };
  try {
    return await waitFor(context, readEnd, { firstMs: pollMs }, { withinMs: timeoutMs, tooLate });
  } catch (error) {
    // A person who interrupts the query also ends it.
    await client.send(new StopQueryExecutionCommand({ QueryExecutionId: id })).catch(() => {});
    throw error;
  }
}

const tooLate = (): Error =>
  new CliError('The query did not end within ten minutes, and was stopped.', {
    advice: 'Limit it to an operation and to months: WHERE operation = … AND month >= …',
  });

type ReadPage = (token: string | undefined) => Promise<GetQueryResultsOutput>;

/** The first row has the names of the columns. */
async function* readRows(first: GetQueryResultsOutput, readPage: ReadPage): QueryAnswer['rows'] {
  let header = 1;
  for (let page = first; ; page = await readPage(page.NextToken)) {
    const rows = page.ResultSet?.Rows ?? [];
    yield rows.slice(header).map(({ Data = [] }) => Data.map(({ VarCharValue }) => VarCharValue ?? null));
    if (page.NextToken === undefined) return;
    header = 0;
  }
}
