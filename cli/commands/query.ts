// simporter query SQL: asks a question of the results of all imports.

import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { count } from '#shared/text/wording.ts';
import type { CliContext } from '../context/cli-context.ts';
import { usageError } from '../context/cli-error.ts';
import { type ConfigureCommand, type ExitCode, exitCodes } from '../context/command.ts';
import { saveTable } from '../imports/save-report.ts';
import { printJson, printJsonLine } from '../output/json.ts';
import { formatTable, type TableColumn } from '../output/table.ts';
import { type QueryAnswer, readyQueries } from '../query/ready-queries.ts';
import type { Session } from '../target/target.ts';
import { withTarget } from '../target/with-target.ts';

interface QueryOptions {
  readonly ready?: string;
  readonly list?: boolean;
  readonly csv?: string;
}

export const configure: ConfigureCommand = (command, { run }) =>
  command
    .argument('[sql]', 'a SELECT on the table results')
    .option('--ready <name>', 'run a query that --list names')
    .option('--list', 'list the ready queries')
    .option('--csv <file>', 'write all rows of the answer')
    .action(
      run<[string | undefined, QueryOptions]>(async (context, text, options) => {
        if (options.list) return list(context);
        const sql = chooseQuery(text, options.ready);
        return withTarget(context, async (session) => {
          await runQuery(session, sql, (answer) => show(session, answer, options));
          return exitCodes.done;
        });
      }),
    );

async function list(context: CliContext): Promise<ExitCode> {
  const { json, terminal } = context;
  const queries = Object.entries(readyQueries).map(([name, query]) => ({ name, ...query }));
  const cells = queries.map(({ name, summary }) => [name, summary]);
  if (json) await printJson(context, { queries });
  else await terminal.lines(formatTable([{ header: 'name' }, { header: 'answers', wraps: true }], cells, terminal));
  return exitCodes.done;
}

function chooseQuery(text: string | undefined, ready: string | undefined): string {
  if ((text === undefined) === (ready === undefined)) {
    throw usageError('Name one query: a SELECT in quotes, or --ready NAME.', 'The ready queries: query --list');
  }
  if (ready !== undefined) {
    const found = readyQueries[ready];
    if (found !== undefined) return found.sql;
    throw usageError(`There is no ready query "${ready}".`, `Use one of ${Object.keys(readyQueries).join(', ')}.`);
  }
  if (/^\s*(select|with)\b/i.test(text ?? '')) return text ?? '';
  throw usageError(
    'A query begins with SELECT or WITH: it only reads.',
    'For example: query "SELECT count(*) FROM results"',
  );
}

/** Athena and DuckDB are loaded only here. */
async function runQuery(session: Session, sql: string, use: (answer: QueryAnswer) => Promise<void>): Promise<void> {
  const { target } = session;
  if (target.kind !== 'stack') return (await import('../query/query-files.ts')).queryFiles(target, sql, use);
  const [{ AthenaClient }, { queryAthena }] = await Promise.all([
    import('@aws-sdk/client-athena'),
    import('../query/query-athena.ts'),
  ]);
  const client = new AthenaClient(clientTimeouts);
  try {
    await use(await queryAthena(client, target.resources, session, sql));
  } finally {
    client.destroy();
  }
}

/** Rows of a table on a terminal. */
const shownRows = 100;
/** Characters. */
const longCell = 40;

async function show(session: Session, { columns, rows }: QueryAnswer, { csv }: QueryOptions): Promise<void> {
  const { json, terminal } = session;
  const names = columns.map(({ name }) => name);
  if (csv !== undefined) return saveTable(session, { header: names, rows: filledRows(rows) }, { csv }, 0);
  const shown: string[][] = [];
  let total = 0;
  for await (const batch of rows) {
    total += batch.length;
    if (json) for (const row of batch) await printJsonLine(session, toObject(columns, row));
    else shown.push(...batch.slice(0, shownRows - shown.length).map(filled));
  }
  if (json) return;
  const isLong = (index: number) => shown.some((row) => (row[index] ?? '').length > longCell);
  const headers = columns.map(({ name, isNumber }, index): TableColumn => {
    return { header: name, align: isNumber ? 'right' : 'left', wraps: isLong(index) };
  });
  await terminal.lines(formatTable(headers, shown, terminal));
  if (total > shown.length) terminal.note(`Showing ${count(shown.length)} of ${count(total)} rows; all: --csv FILE`);
}

const toObject = (columns: QueryAnswer['columns'], row: readonly (string | null)[]) =>
  Object.fromEntries(
    columns.map(({ name, isNumber }, index) => {
      const cell = row[index] ?? null;
      return [name, isNumber && cell !== null ? Number(cell) : cell];
    }),
  );

const filled = (row: readonly (string | null)[]): string[] => row.map((cell) => cell ?? '');

async function* filledRows(rows: QueryAnswer['rows']): AsyncIterable<string[][]> {
  for await (const batch of rows) yield batch.map(filled);
}
