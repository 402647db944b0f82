// simporter query on a deployed stack, with a double of Athena, and what it declines.
import type { AthenaClient } from '@aws-sdk/client-athena';
import { describe, expect, it } from 'vitest';
import type { CliContext } from '#cli/context/cli-context.ts';
import { queryAthena } from '#cli/query/query-athena.ts';
import { loadDuckDb } from '#cli/query/query-files.ts';
import type { Resources } from '#cli/target/stack-outputs.ts';
import { runInFolder } from '../../support/cli/emulator.ts';
import { double } from '../../support/double.ts';

const place = double<Resources>({ analyticsDatabase: 'database', analyticsWorkgroup: 'workgroup' });

/** A virtual clock that `wait` moves. */
function createContext(): CliContext {
  let now = 0;
  const wait = async (milliseconds: number) => {
    now += milliseconds;
  };
  return double<CliContext>({ clock: () => now, wait });
}

/** Answers a query in the given states, one for each poll, and its rows in two pages. */
function athena(...states: string[]) {
  const sent: { name: string; input: object }[] = [];
  const send = async (command: { input: object }) => {
    const name = command.constructor.name.replace('Command', '');
    sent.push({ name, input: command.input });
    if (name === 'StartQueryExecution') return { QueryExecutionId: 'q1' };
    if (name === 'StopQueryExecution') return {};
    if (name === 'GetQueryExecution') {
      const State = states.length > 1 ? states.shift() : states[0];
      return { QueryExecution: { Status: { State, StateChangeReason: 'COLUMN_NOT_FOUND: line 1:8' } } };
    }
    const row = (...cells: (string | undefined)[]) => ({ Data: cells.map((VarCharValue) => ({ VarCharValue })) });
    const ColumnInfo = [
      { Name: 'operation', Type: 'varchar' },
      { Name: 'numbers', Type: 'bigint' },
    ];
    const isSecond = 'NextToken' in command.input && command.input.NextToken !== undefined;
    return isSecond
      ? { ResultSet: { Rows: [row(undefined, '3')] } }
      : {
          NextToken: 'more',
          ResultSet: {
            ResultSetMetadata: { ColumnInfo },
            Rows: [row('operation', 'numbers'), row('create-port', '12')],
          },
        };
  };
  return { client: { send } as unknown as AthenaClient, sent };
}

describe('a query on a stack', () => {
  it('runs in the workgroup and the database of the stack, and answers all pages', async () => {
    const { client, sent } = athena('QUEUED', 'RUNNING', 'SUCCEEDED');
    const waits: number[] = [];
    const wait = async (milliseconds: number) => {
      waits.push(milliseconds);
    };
    const { columns, rows } = await queryAthena(client, place, double({ clock: () => 0, wait }), 'SELECT 1');
    expect(sent[0]?.input).toEqual({
      QueryString: 'SELECT 1',
      QueryExecutionContext: { Database: 'database' },
      WorkGroup: 'workgroup',
    });
    expect(waits).toEqual([1_000, 1_000]);
    expect(columns).toEqual([
      { name: 'operation', isNumber: false },
      { name: 'numbers', isNumber: true },
    ]);
    expect((await Array.fromAsync(rows)).flat()).toEqual([
      ['create-port', '12'],
      [null, '3'],
    ]);
  });

  it('reports why a query failed', async () => {
    const { client } = athena('FAILED');
    await expect(queryAthena(client, place, createContext(), 'SELECT x')).rejects.toThrow(
      'Athena: COLUMN_NOT_FOUND: line 1:8',
    );
  });

  it('is stopped when it does not end, and when a person interrupts it', async () => {
    const endless = athena('RUNNING');
    await expect(queryAthena(endless.client, place, createContext(), 'SELECT 1')).rejects.toThrow(
      'did not end within ten minutes',
    );
    expect(endless.sent.at(-1)?.name).toBe('StopQueryExecution');
    const interrupted = athena('RUNNING');
    const wait = () => Promise.reject(new Error('interrupted'));
    await expect(queryAthena(interrupted.client, place, double({ clock: () => 0, wait }), 'SELECT 1')).rejects.toThrow(
      'interrupted',
    );
    expect(interrupted.sent.at(-1)).toEqual({ name: 'StopQueryExecution', input: { QueryExecutionId: 'q1' } });
  });

  it('names the setting where the stack has no analytics', async () => {
    const { client, sent } = athena();
    const none = double<Resources>({});
    await expect(queryAthena(client, none, createContext(), 'SELECT 1')).rejects.toThrow(/`analytics`.* is off/);
    expect(sent).toEqual([]);
  });
});

it('names the package where DuckDB is missing', async () => {
  const missing = loadDuckDb(() => Promise.reject(new Error('Cannot find module')));
  await expect(missing).rejects.toMatchObject({ advice: expect.stringContaining('npm install @duckdb/node-api@') });
});

describe('the command', () => {
  const run = (...words: string[]) => runInFolder('/nonexistent', ['query', ...words]);

  it.each([
    [['SELECT 1', '--ready', 'declines'], 'Name one query'],
    [[], 'Name one query'],
    [['--ready', 'decline'], 'There is no ready query "decline"'],
    [['DROP TABLE results'], 'A query begins with SELECT or WITH'],
  ])('declines %j', async (words, message) => {
    const { exitCode, stderr } = await run(...words);
    expect(stderr).toContain(message);
    expect(exitCode).toBe(2);
  });

  it('lists the ready queries without a stack or an emulator', async () => {
    const { exitCode, stdout } = await run('--list');
    expect(exitCode).toBe(0);
    expect(stdout).toMatch(/^success-by-network {2,}ports by source network/m);
    const { queries } = JSON.parse((await run('--list', '--json')).stdout);
    expect(queries[0]).toMatchObject({ name: 'success-by-network', sql: expect.stringContaining('FROM results') });
  });
});
