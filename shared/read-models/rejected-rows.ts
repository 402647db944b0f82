// The invalid rows of an import as rejected.csv has them: also before the import is approved.
import { correctionColumns } from '#shared/csv/correction-columns.ts';
import { unguardFormula } from '#shared/csv/csv-row.ts';
import { peekBatch, recordsOf } from '#shared/csv/peek-batch.ts';
import { readCsv } from '#shared/csv/read-csv.ts';
import { type IssueCode, isDuplicate } from '#shared/domain/imports/issue.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { type CorrectedRow, isInvalid, readCorrectedRows, readCorrections } from '#shared/results/answered-rows.ts';
import { createCellMask, maskHeader } from '#shared/results/mask-cells.ts';
import { columnsForPeople, layoutForPeople } from '#shared/results/results-csv.ts';
import { isObjectGone } from '#shared/store/files/object-gone.ts';
import { readIssues, rejectedObject } from './import-objects.ts';
import type { ResultSources } from './sources.ts';

export interface RejectedRow {
  readonly line: number;
  /** The file's own cells. */
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
  /** `kept`: their porting codes are sent, and no person sees them. */
  readonly codes: 'kept' | 'masked';
}

export interface OpenRows {
  /** Its counts are those of the rows that are still rejected. */
  readonly item: ImportItem;
  /** The lines of rejected rows that a correction has sent since. */
  readonly sentLines: ReadonlySet<number>;
}

/** The rejected rows of an import that no correction has sent; all of them where a correction has expired. */
export async function readOpenRows(sources: ResultSources, item: ImportItem): Promise<OpenRows> {
  const { resultsBucket } = sources.resources;
  const corrections = await readCorrections(item, sources.imports);
  const rows = await readCorrectedRows(corrections, { ...sources, resultsBucket }).catch((error: unknown) => {
    if (isObjectGone(error)) return new Map<number, CorrectedRow>();
    throw error;
  });
  const codes = new Map<number, IssueCode[]>();
  for await (const { line, code, severity } of rows.size === 0 ? [] : readIssues(sources, item)) {
    const row = rows.get(line);
    if (severity !== 'error' || row === undefined || isInvalid(row.result)) continue;
    codes.set(line, [...(codes.get(line) ?? []), code]);
  }
  const { rejected, duplicates = 0 } = item;
  const sentDuplicates = [...codes.values()].filter(isDuplicate).length;
  const open = { rejected: rejected - codes.size, duplicates: duplicates - sentDuplicates };
  return { item: { ...item, ...open }, sentLines: new Set(codes.keys()) };
}

/** undefined: no row is invalid, or the file has expired. */
export async function readRejectedRows(
  { resources, files }: ResultSources,
  item: ImportItem,
  { afterLine, limit, matches, codes }: RejectedRowFilter,
): Promise<RejectedRows | undefined> {
  const object = rejectedObject({ resources, files }, item.importId);
  if ((await files.head(object)) === undefined) return undefined;
  const opened = await readCsv(await files.read(object), layoutForPeople(item));
  if (!opened.ok) return undefined;
  const { close } = opened.value;
  const { first, batches } = await peekBatch(opened.value.batches);
  // Behind the own columns, whatever their names, are the import, the line and the errors.
  const own = opened.value.header.length - correctionColumns.length;
  const header = opened.value.header.slice(0, own);
  const maskCells = createCellMask({ header, columnIndexes: columnsForPeople(item) }, recordsOf(first));
  const shown = (cells: readonly string[]) => (codes === 'kept' ? cells : maskCells(cells, 'rejected'));
  const rows: RejectedRow[] = [];
  for await (const { lines, cellsOf } of batches) {
    for (const index of lines.keys()) {
      const cells = cellsOf(index).map((cell) => unguardFormula(cell));
      const row = { line: Number(cells[own + 1]), cells: shown(cells.slice(0, own)), errors: cells[own + 2] ?? '' };
      if (row.line > afterLine && matches(row)) rows.push(row);
    }
    if (rows.length > limit) {
      await close();
      break;
    }
  }
  return {
    header: codes === 'kept' ? header : maskHeader(header),
    rows: rows.slice(0, limit),
    hasMore: rows.length > limit,
  };
}
