// How many rejected rows of an import still wait for a correction.
import { unguardFormula } from '#shared/csv/csv-row.ts';
import { readCsv } from '#shared/csv/read-csv.ts';
import type { FileLayout } from '#shared/csv/record-batch.ts';
import { parseMsisdn } from '#shared/domain/numbers/msisdn.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { columnsForPeople, layoutForPeople } from '#shared/results/results-csv.ts';
import { rejectedObject } from './import-objects.ts';
import type { ReadSources } from './sources.ts';

/** Further rows count as not corrected. */
const checkedRows = 1_000;

/**
 * A row is corrected when its number was sent since, by any import. Rows of other operations have no number: they are
 * corrected when a correction has sent them.
 */
export async function countUncorrectedRows(sources: ReadSources, item: ImportItem): Promise<number> {
  const { resources, files, numbers } = sources;
  const { importId, operation, rejected, duplicates = 0, receivedAt, outcomes } = item;
  // Report counts the rows once it has written them, with what corrections did.
  const open = outcomes === undefined ? rejected - duplicates : (outcomes.rejected ?? 0);
  const { msisdn } = columnsForPeople(item);
  const object = rejectedObject(sources, importId);
  if (operation !== 'create-port' || msisdn === undefined) return open;
  if ((await files.head(object)) === undefined) return open;
  const rowsByNumber = new Map<string, number>();
  for await (const cell of readColumn(await files.read(object), layoutForPeople(item), msisdn)) {
    const parsed = parseMsisdn(cell, resources);
    if (parsed.ok) rowsByNumber.set(parsed.value, (rowsByNumber.get(parsed.value) ?? 0) + 1);
  }
  const claims = await numbers.getMany([...rowsByNumber.keys()]);
  const corrected = claims
    .filter(({ claimedAt }) => claimedAt > receivedAt)
    .reduce((sum, { number }) => sum + (rowsByNumber.get(number) ?? 0), 0);
  return Math.min(open, rejected - corrected);
}

async function* readColumn(bytes: AsyncIterable<Uint8Array>, layout: FileLayout, index: number): AsyncIterable<string> {
  const opened = await readCsv(bytes, layout);
  if (!opened.ok) return;
  let rows = 0;
  for await (const { lines, cellsOf } of opened.value.batches) {
    for (const row of lines.keys()) {
      if (rows === checkedRows) return await opened.value.close();
      rows += 1;
      yield unguardFormula(cellsOf(row)[index] ?? '');
    }
  }
}
