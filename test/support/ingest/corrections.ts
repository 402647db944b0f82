// A first import with two rejected rows, files that correct it, and what its readers see.
import { expect } from 'vitest';
import type { ImportItem } from '#shared/import/import.ts';
import { readRootProgress } from '#shared/results/progress.ts';
import type { ingestBench } from './ingest.ts';
import { csvOf } from './valid-rows.ts';

type Bench = ReturnType<typeof ingestBench>;

export const sourcesOf = (bench: Bench) => ({
  resources: { account: '1001@service', callingCode: '44', resultsBucket: 'results', workBucket: 'work' },
  files: bench.files,
  imports: bench.ledger.imports,
  requests: { ...bench.ledger.requests, get: async () => undefined, actionRequired: async () => [] },
  ports: {
    rowsOf: async function* () {},
    itemsOf: async function* () {},
    get: async () => undefined,
    rows: async () => undefined,
    events: async () => [],
    actionRequired: async () => [],
    ofDays: async function* () {},
  },
  comparisons: { get: async () => undefined, ofImport: async function* () {}, found: async () => [] },
});

export const progressOf = async (bench: Bench, item: ImportItem | undefined) => {
  const { root, progress } = await readRootProgress(sourcesOf(bench), current(bench, item));
  return { rows: root.rows, ...progress.outcomes };
};
export const current = (bench: Bench, item: ImportItem | undefined): ImportItem => {
  const found = bench.ledger.items.get(item?.importId ?? '');
  if (found === undefined) throw new Error('there is no such import');
  return found;
};

/** Five rows: rows 3 and 5 have an error. */
export async function uploadFirst(bench: Bench, metadata: Readonly<Record<string, string>> = {}) {
  const changes: Record<string, string>[] = [{}, { tariff: '9999' }, {}, { pac: 'nonsense' }, {}];
  const rows = changes.map((row) => ({
    ...row,
    connectionDate: '14/07/2026',
  }));
  const body = csvOf(rows).replace('reference', 'Cost centre');
  const item = await bench.upload(body, { metadata: { map: 'Cost centre=reference', ...metadata } });
  expect(item).toMatchObject({ rows: 5, accepted: 3, rejected: 2 });
  return { item, rejected: bench.rejected(item) };
}

export const correct = (bench: Bench, body: string, name: string) =>
  bench.upload(body, { key: `create-port/${name}.csv` });
