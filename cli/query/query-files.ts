// Queries of the local emulator: DuckDB reads the files that report wrote, copied from the emulator's S3.
import { createWriteStream } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import packageJson from '#package.json' with { type: 'json' };
import { analyticsColumns, analyticsPartitions, analyticsTableName } from '#shared/results/analytics-table.ts';
import { listVersions } from '#shared/store/files.ts';
import { analyticsPrefix } from '#shared/store/object-keys.ts';
import { CliError } from '../context/cli-error.ts';
import type { Target } from '../target/target.ts';
import type { QueryAnswer } from './ready-queries.ts';

type Duck = typeof import('@duckdb/node-api');

const library = '@duckdb/node-api';
const version = packageJson.optionalDependencies[library];

/** @throws CliError where the library is not installed */
export async function loadDuckDb(load: () => Promise<Duck> = () => import('@duckdb/node-api')): Promise<Duck> {
  try {
    return await load();
  } catch (cause) {
    throw new CliError('Queries on this machine need DuckDB, which is not installed, or not for this system.', {
      advice: `Install it: npm install ${library}@${version}. Or query a deployed stack: --stack NAME`,
      cause,
    });
  }
}

/** @throws CliError where DuckDB is missing, or declines the query */
export async function queryFiles<Result>(
  target: Target,
  sql: string,
  use: (answer: QueryAnswer) => Promise<Result>,
): Promise<Result> {
  const { DuckDBInstance, DuckDBTypeId } = await loadDuckDb();
  const folder = await mkdtemp(join(tmpdir(), 'simporter-query-'));
  const instance = await DuckDBInstance.create(':memory:', { autoinstall_known_extensions: 'false' });
  const connection = await instance.connect();
  try {
    const copied = await copyFiles(target, folder);
    await connection.run(copied > 0 ? viewOf(folder) : emptyTable);
    // A query reads these files, no others, and nothing from the network.
    await connection.run(`SET allowed_directories = ['${quoted(folder)}']`);
    await connection.run('SET enable_external_access = false');
    const result = await connection.stream(sql).catch((cause: unknown) => {
      throw new CliError(cause instanceof Error ? cause.message : String(cause), { cause });
    });
    const numbers: readonly number[] = [
      DuckDBTypeId.TINYINT,
      DuckDBTypeId.SMALLINT,
      DuckDBTypeId.INTEGER,
      DuckDBTypeId.BIGINT,
      DuckDBTypeId.HUGEINT,
      DuckDBTypeId.FLOAT,
      DuckDBTypeId.DOUBLE,
      DuckDBTypeId.DECIMAL,
    ];
    const columns = result
      .columnNames()
      .map((name, index) => ({ name, isNumber: numbers.includes(result.columnTypeId(index)) }));
    return await use({ columns, rows: textRows(result) });
  } finally {
    connection.closeSync();
    instance.closeSync();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Returns how many there are. */
async function copyFiles({ s3, files, resources }: Target, folder: string): Promise<number> {
  let copied = 0;
  for await (const { bucket, key } of listVersions(s3, resources.resultsBucket, analyticsPrefix)) {
    if (!key.startsWith(analyticsPrefix)) break;
    const path = join(folder, key);
    await mkdir(dirname(path), { recursive: true });
    await pipeline(Readable.from(await files.read({ bucket, key })), createWriteStream(path, { mode: 0o600 }));
    copied += 1;
  }
  return copied;
}

type Result = Awaited<ReturnType<Awaited<ReturnType<InstanceType<Duck['DuckDBInstance']>['connect']>>['stream']>>;

async function* textRows(result: Result): QueryAnswer['rows'] {
  for await (const rows of result.yieldRows()) {
    yield rows.map((row) => row.map((value) => (value === null ? null : String(value))));
  }
}

const quoted = (text: string): string => text.replaceAll("'", "''");

const partitionNames = Object.keys(analyticsPartitions);

const viewOf = (folder: string): string =>
  `CREATE VIEW ${analyticsTableName} AS SELECT * FROM read_parquet(` +
  `'${quoted(join(folder, analyticsPrefix))}/*/*/*.parquet', hive_partitioning = true, hive_types_autocast = false)`;

const emptyTable = `CREATE TABLE ${analyticsTableName} (${[
  ...analyticsColumns.map(({ name, type }) => `${name} ${type === 'string' ? 'varchar' : type}`),
  ...partitionNames.map((name) => `${name} varchar`),
].join(', ')})`;
