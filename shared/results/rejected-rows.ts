// The invalid rows of an import, as rejected.csv has them, also before the import is approved.

import { correctionColumns, ownColumns } from '#shared/files/added-columns.ts';
import { peekBatch, recordsOf } from '#shared/files/column-values.ts';
import { unguardFormula } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { findSecretColumns } from '#shared/files/secret-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { wasSent } from '#shared/outcome/fold.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import { type IssueCode, isDuplicate } from '#shared/row/issue.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import type { AccountReader, ResultFiles, ResultsReader } from '#shared/store/account.ts';
import type { ObjectReader, ObjectRef } from '#shared/store/files.ts';
import {
  isBelowPlan,
  isObjectGone,
  type ReadImport,
  readAgainIfReplaced,
  rejectedKey,
} from '#shared/store/object-keys.ts';
import { openFile } from './changed-file.ts';
import { createCellMask, maskHeader } from './mask-cells.ts';
import { readPartRows, readRowParts } from './parts.ts';
import { readIssues } from './read-issues.ts';
import { columnsForPeople, columnsToMask, layoutForPeople } from './results-csv.ts';
import {
  correctedLinesOf,
  type OpenedResults,
  openIndexedResults,
  type ReadRow,
  type ReadRowPage,
  type RowFilter,
  readRowPage,
} from './row-page.ts';

export const rejectedObject = ({ resources }: ResultFiles, item: ReadImport): ObjectRef => ({
  bucket: resources.resultsBucket,
  key: rejectedKey(item),
});

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
  /** A read ends after about this many characters of matching rows, of which there may be more. @default none */
  readonly maxCharacters?: number;
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

/** The rejected rows of an import that no correction has sent. */
export async function readOpenRows(reader: ResultsReader, item: ImportItem): Promise<OpenRows> {
  const sent = await readSentLines(reader, item);
  const codes = new Map<number, IssueCode[]>();
  for await (const { line, code, severity } of sent.size === 0 ? [] : readIssues(reader, item)) {
    if (severity === 'error' && sent.has(line)) codes.set(line, [...(codes.get(line) ?? []), code]);
  }
  const { rejected, duplicates = 0 } = item;
  const sentDuplicates = [...codes.values()].filter(isDuplicate).length;
  const open = { rejected: rejected - codes.size, duplicates: duplicates - sentDuplicates };
  return { item: { ...item, ...open }, sentLines: new Set(codes.keys()) };
}

/** The lines that a correction has sent; where the file of one is gone, those that report has written as such. */
async function readSentLines(reader: ResultsReader, item: ImportItem): Promise<ReadonlySet<number>> {
  try {
    const rows = await readPartRows(item, await readRowParts(item, reader.imports), reader);
    return new Set([...rows].flatMap(([line, { result }]) => (wasSent(result) ? [line] : [])));
  } catch (error) {
    if (!isObjectGone(error)) throw error;
    return correctedLinesOf(await openIndexedResults(reader, item.importId));
  }
}

/** undefined: no row is invalid, or the file has expired. */
export async function readRejectedRows(
  { resources, files }: ResultsReader,
  item: ImportItem,
  { afterLine, limit, maxCharacters = Number.POSITIVE_INFINITY, matches, codes }: RejectedRowFilter,
): Promise<RejectedRows | undefined> {
  const object = rejectedObject({ resources, files }, item);
  if ((await files.head(object)) === undefined) return undefined;
  const opened = await readCsv(await files.read(object), layoutForPeople(item));
  if (!opened.ok) return undefined;
  const { close } = opened.value;
  const { first, batches } = await peekBatch(opened.value.batches);
  // Behind the own columns, whatever their names, are the import, the line and the errors.
  const own = opened.value.header.length - correctionColumns.length;
  const header = opened.value.header.slice(0, own);
  const columns = columnsToMask(item, header);
  // The cells of a batch are gone once the next one is read.
  const sample = recordsOf(first);
  const maskCells = createCellMask(columns, sample);
  const shown = (cells: readonly string[]) => (codes === 'kept' ? cells : maskCells(cells, 'rejected'));
  const rows: RejectedRow[] = [];
  let characters = 0;
  let hasMore = false;
  for await (const { lines, cellsOf } of batches) {
    for (const index of lines.keys()) {
      const cells = cellsOf(index).map((cell) => unguardFormula(cell));
      const row = { line: Number(cells[own + 1]), cells: shown(cells.slice(0, own)), errors: cells[own + 2] ?? '' };
      if (row.line <= afterLine || !matches(row)) continue;
      rows.push(row);
      characters += row.errors.length + row.cells.reduce((sum, { length }) => sum + length, 0);
    }
    hasMore = rows.length > limit || characters > maxCharacters;
    if (!hasMore) continue;
    await close();
    break;
  }
  return {
    header: codes === 'kept' ? header : maskHeader(header, findSecretColumns(columns, sample)),
    rows: rows.slice(0, limit),
    hasMore,
  };
}

/** Further rows count as not corrected. */
const checkedRows = 1_000;

/**
 * A row is corrected when its number was sent since, by any import. Rows of other operations have no number: they are
 * corrected when a correction has sent them.
 */
export async function countUncorrectedRows(reader: AccountReader, item: ImportItem): Promise<number> {
  const { importId, operation, rejected, duplicates = 0, receivedAt, outcomes } = item;
  // Report counts the rows once it has written them, with what corrections did.
  const open = outcomes === undefined ? rejected - duplicates : (outcomes.rejected ?? 0);
  const { msisdn } = columnsForPeople(item);
  if (open === 0 || operation !== 'create-port' || msisdn === undefined) return open;
  const filter = { afterLine: -1, limit: checkedRows, matches: () => true, codes: 'kept' } as const;
  const read = await readRejectedRows(reader, item, filter);
  const lines = openLines(await openIndexedResults(reader, importId));
  const rowsByNumber = new Map<string, number>();
  for (const { line, cells } of read?.rows ?? []) {
    const parsed = parseMsisdn(cells[msisdn] ?? '', reader.resources);
    if (!parsed.ok || lines?.has(line) === false) continue;
    rowsByNumber.set(parsed.value, (rowsByNumber.get(parsed.value) ?? 0) + 1);
  }
  const claims = await reader.numbers.getMany([...rowsByNumber.keys()]);
  const corrected = claims
    .filter(({ claimedAt }) => claimedAt > receivedAt)
    .reduce((sum, { number }) => sum + (rowsByNumber.get(number) ?? 0), 0);
  // Duplicates are among the rows before report has written which they are.
  return lines === undefined ? Math.min(open, rejected - corrected) : Math.max(0, open - corrected);
}

/** The lines of the rows that are shown as invalid: no duplicates, and no rows that show a correction. */
function openLines(opened: OpenedResults | undefined): ReadonlySet<number> | undefined {
  if (opened === undefined) return undefined;
  const corrected = correctedLinesOf(opened);
  return new Set(unpackLines(opened.index.lines.rejected ?? '').filter((line) => !corrected.has(line)));
}

/**
 * Those of these lines that can be sent again. The porting code is empty where it must be entered again: the row was
 * taken out of its port, a correction has sent it, or the upload cannot be read here. undefined: none of them.
 * @throws ObjectGone when the upload has expired
 */
export async function readDeclinedRows(
  reader: ResultFiles,
  item: ImportItem,
  lines: readonly number[],
): Promise<Omit<RejectedRows, 'hasMore'> | undefined> {
  const found: ReadRow[] = [];
  let header: readonly string[] = [];
  let corrected: ReadonlySet<number> = new Set();
  for (let afterRow: number | null = -1; afterRow !== null && lines.length > 0; ) {
    const filter: RowFilter = { outcomes: ['declined', 'cancelled'], lines, afterRow, limit: lines.length };
    const page: ReadRowPage | undefined = await readAgainIfReplaced(() => readRowPage(reader, item, filter));
    if (page === undefined) return undefined;
    found.push(...page.rows.filter(({ correctedBy }) => correctedBy === item.operation));
    [header, corrected, afterRow] = [page.header, page.correctedLines, page.nextAfterRow];
  }
  if (found.length === 0) return undefined;
  const hasOwnCode = ({ line, outcome }: ReadRow) => outcome === 'declined' && !corrected.has(line);
  const wanted = new Set(isBelowPlan(item) ? found.filter(hasOwnCode).map(({ line }) => line) : []);
  const uploaded = await readUploadedCells(item, wanted, reader.files);
  const secret = findSecretColumns(columnsToMask(item, header));
  const rows = found.map(({ line, cells, message }): RejectedRow => {
    const withoutCode = cells.map((cell, index) => (secret.has(index) ? '' : cell));
    return { line, cells: uploaded.get(line) ?? withoutCode, errors: message };
  });
  return { header, rows };
}

async function readUploadedCells(
  item: ImportItem,
  wanted: ReadonlySet<number>,
  files: ObjectReader,
): Promise<ReadonlyMap<number, readonly string[]>> {
  const cells = new Map<number, readonly string[]>();
  if (wanted.size === 0) return cells;
  const opened = await openFile(item, files, item.layout);
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
