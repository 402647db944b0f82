// The invalid rows of an import as rejected.csv has them: also before the import is approved, and with their PACs.
import { correctionColumns } from '#shared/csv/correction-columns.ts';
import { unguardFormula } from '#shared/csv/csv-row.ts';
import { readCsv } from '#shared/csv/read-csv.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { layoutForPeople } from '#shared/results/results-csv.ts';
import { rejectedObject } from './import-objects.ts';
import type { ReadSources } from './sources.ts';

export interface RejectedRow {
  readonly line: number;
  /** The file's own cells, not masked. */
  readonly cells: readonly string[];
  readonly errors: string;
}

export interface RejectedRows {
  readonly header: readonly string[];
  readonly rows: readonly RejectedRow[];
  readonly hasMore: boolean;
}

export interface RejectedRowFilter {
  /** Only rows behind this line. */
  readonly afterLine: number;
  readonly limit: number;
  readonly matches: (row: RejectedRow) => boolean;
}

/** undefined: no row is invalid, or the file has expired. */
export async function readRejectedRows(
  { resources, files }: Pick<ReadSources, 'resources' | 'files'>,
  item: Pick<ImportItem, 'importId' | 'layout'>,
  { afterLine, limit, matches }: RejectedRowFilter,
): Promise<RejectedRows | undefined> {
  const object = rejectedObject({ resources }, item.importId);
  if ((await files.head(object)) === undefined) return undefined;
  const opened = await readCsv(await files.read(object), layoutForPeople(item));
  if (!opened.ok) return undefined;
  const { header, batches, close } = opened.value;
  // Behind the own columns, whatever their names, are the import, the line and the errors.
  const own = header.length - correctionColumns.length;
  const rows: RejectedRow[] = [];
  for await (const { lines, cellsOf } of batches) {
    for (const index of lines.keys()) {
      const cells = cellsOf(index).map((cell) => unguardFormula(cell));
      const row = { line: Number(cells[own + 1]), cells: cells.slice(0, own), errors: cells[own + 2] ?? '' };
      if (row.line > afterLine && matches(row)) rows.push(row);
    }
    if (rows.length > limit) {
      await close();
      break;
    }
  }
  return { header: header.slice(0, own), rows: rows.slice(0, limit), hasMore: rows.length > limit };
}
