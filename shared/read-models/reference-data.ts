// The reference data as the command line reads it: the files that sync writes once a day, as records by column name.

import { type ReferenceTableName, referenceTableNames } from '#shared/domain/reference-tables.ts';
import { unguardFormula } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { referenceDataKey } from '#shared/store/object-keys.ts';
import type { ResultFiles } from './sources.ts';

export type ReferenceRecord = Readonly<Record<string, string>>;
export type ReferenceTables = Readonly<Record<ReferenceTableName, readonly ReferenceRecord[]>>;

/** Every table; undefined where sync has not written them yet. One that an earlier release did not write is empty. */
export async function readReferenceTables({ files, resources }: ResultFiles): Promise<ReferenceTables | undefined> {
  const tables: Partial<Record<ReferenceTableName, readonly ReferenceRecord[]>> = {};
  for (const name of referenceTableNames) {
    const ref = { bucket: resources.resultsBucket, key: referenceDataKey(name) };
    const isWritten = (await files.head(ref)) !== undefined;
    if (!isWritten && name === referenceTableNames[0]) return undefined;
    tables[name] = isWritten ? await recordsOf(await files.read(ref)) : [];
  }
  return tables as ReferenceTables;
}

async function recordsOf(bytes: AsyncIterable<Uint8Array>): Promise<ReferenceRecord[]> {
  const opened = await readCsv(bytes);
  if (!opened.ok) return [];
  const { header, batches } = opened.value;
  const records: ReferenceRecord[] = [];
  for await (const { lines, cellsOf } of batches) {
    for (const row of lines.keys()) {
      const cells = cellsOf(row);
      records.push(Object.fromEntries(header.map((name, index) => [name, unguardFormula(cells[index] ?? '')])));
    }
  }
  return records;
}
