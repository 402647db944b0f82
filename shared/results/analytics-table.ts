// The table of every row of every finished import, for queries: its columns, in the Parquet files and in Glue.

import { outcomeColumns } from '#shared/files/added-columns.ts';
import { operationNames } from '#shared/text/identity.ts';

export interface AnalyticsColumn {
  readonly name: string;
  /** As Glue names it. Cells are texts, so that they are those of results.csv, byte for byte; an empty one is NULL. */
  readonly type: 'string' | 'int' | 'bigint';
}

const text = (name: string): AnalyticsColumn => ({ name, type: 'string' });

/** Athena has lower-case names only. */
const inSnakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** In the order of the files. The first ones are about the import, and what its file has of the number. */
export const analyticsColumns: readonly AnalyticsColumn[] = [
  { name: 'account', type: 'bigint' },
  ...['uploaded_at', 'number', 'source_network', 'target_network'].map(text),
  ...outcomeColumns.map(inSnakeCase).map((name) => (name === 'line' ? { name, type: 'int' as const } : text(name))),
];

/** In the keys of the files, `operation=create-port/month=2026-07/`: the month of the upload, in UTC. */
export const analyticsPartitions = { operation: operationNames, month: 'yyyy-MM' } as const;

export const analyticsTableName = 'results';
