// Rows that can be sent again after they were sent: declined, or taken out of their port. Their cells are those of the
// upload, porting codes included: no person sees them.
import { ownColumns } from '#shared/csv/correction-columns.ts';
import type { ImportItem } from '#shared/items/import.ts';
import { columnsForPeople } from '#shared/results/results-csv.ts';
import type { ObjectReader } from '#shared/store/files/files.ts';
import { openUpload } from '#shared/workbook/open-upload.ts';
import type { RejectedRow, RejectedRows } from './rejected-rows.ts';
import { type ReadRow, readRowPage } from './row-page.ts';
import type { ResultFiles } from './sources.ts';

/**
 * Those of these lines that can be sent again. The porting code is empty where it must be entered again: the row was
 * taken out of its port, a correction has sent it, or the upload cannot be read here. undefined: none of them.
 * @throws ObjectGone when the upload has expired, or the results are replaced meanwhile
 */
export async function readDeclinedRows(
  sources: ResultFiles,
  item: ImportItem,
  lines: readonly number[],
): Promise<Omit<RejectedRows, 'hasMore'> | undefined> {
  const found: ReadRow[] = [];
  let header: readonly string[] = [];
  let corrected: ReadonlySet<number> = new Set();
  for (let afterRow: number | null = -1; afterRow !== null && lines.length > 0; ) {
    const filter = { outcomes: ['declined', 'cancelled'] as const, lines, afterRow, limit: lines.length };
    const page = await readRowPage(sources, item, filter);
    if (page === undefined) return undefined;
    found.push(...page.rows.filter(({ correctedBy }) => correctedBy === item.operation));
    [header, corrected, afterRow] = [page.header, page.correctedLines, page.nextAfterRow];
  }
  if (found.length === 0) return undefined;
  const hasOwnCode = ({ line, outcome }: ReadRow) => outcome === 'declined' && !corrected.has(line);
  const wanted = new Set(item.planOnly ? found.filter(hasOwnCode).map(({ line }) => line) : []);
  const uploaded = await readUploadedCells(item, wanted, sources.files);
  const { pac } = columnsForPeople(item);
  const rows = found.map(({ line, cells, message }): RejectedRow => {
    const withoutCode = cells.map((cell, index) => (index === pac ? '' : cell));
    return { line, cells: uploaded.get(line) ?? withoutCode, errors: message };
  });
  return { header, rows };
}

async function readUploadedCells(
  { bucket, key, versionId, etag, layout }: ImportItem,
  wanted: ReadonlySet<number>,
  files: ObjectReader,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const cells = new Map<number, readonly string[]>();
  if (wanted.size === 0) return cells;
  const opened = await openUpload(await files.read({ bucket, key, versionId, etag }), layout);
  if (!opened.ok) return cells;
  const own = ownColumns(opened.value.header);
  for await (const { lines, cellsOf } of opened.value.batches) {
    for (const [index, line] of lines.entries()) {
      if (wanted.has(line))
        cells.set(
          line,
          own.map((column) => cellsOf(index)[column] ?? ''),
        );
    }
    if (cells.size < wanted.size) continue;
    await opened.value.close();
    break;
  }
  return cells;
}
