// The lookup pack as the command line reads it: the files that sync writes once a day, as records by column name.
import { lookupKey } from '#functions/sync/lookup-pack.ts';
import { readCsv } from '#shared/csv/reader.ts';
import { unguard } from '#shared/csv/writer.ts';
import { type LookupName, lookupNames } from '#shared/operations/lookup-pack.ts';
import type { Target } from './target.ts';

export type LookupRecord = Readonly<Record<string, string>>;
export type LookupTables = Readonly<Record<LookupName, readonly LookupRecord[]>>;

/** Every table; undefined where sync has not written them yet. */
export async function readLookupTables({
  files,
  resources,
}: Pick<Target, 'files' | 'resources'>): Promise<LookupTables | undefined> {
  const tables: Partial<Record<LookupName, readonly LookupRecord[]>> = {};
  for (const name of lookupNames) {
    const ref = { bucket: resources.resultsBucket, key: lookupKey(name) };
    if ((await files.head(ref)) === undefined) return undefined;
    tables[name] = await recordsOf(await files.read(ref));
  }
  return tables as LookupTables;
}

async function recordsOf(bytes: AsyncIterable<Uint8Array>): Promise<LookupRecord[]> {
  const opened = await readCsv(bytes);
  if (!opened.ok) return [];
  const { header, batches } = opened.value;
  const records: LookupRecord[] = [];
  for await (const { cells } of batches) {
    for (const record of cells) {
      records.push(Object.fromEntries(header.map((name, index) => [name, unguard(record[index] ?? '')])));
    }
  }
  return records;
}
