// Reads a page of rows with their outcomes from results.csv by its index, also of a million rows.

import { readCsv } from '#shared/files/csv/read-csv.ts';
import type { FileLayout } from '#shared/files/csv/record-batch.ts';
import { findSecretColumns } from '#shared/files/secret-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import { correctionOf, type RowResult } from '#shared/outcome/row-result.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { ResultFiles } from '#shared/store/account.ts';
import { bytesOf, type ObjectHead } from '#shared/store/files.ts';
import { resultsIndexKey, resultsKey } from '#shared/store/object-keys.ts';
import type { OperationName } from '#shared/text/identity.ts';
import {
  columnsToMask,
  type IndexedBlock,
  layoutForPeople,
  ownOf,
  type ResultsIndex,
  readWrittenRow,
  resultsIndex,
} from './results-csv.ts';

export interface RowFilter {
  /** Rows with one of these outcomes. @default all */
  readonly outcomes?: readonly Outcome[] | undefined;
  /** Whether what is searched for is among the cells that are not secret, the status and the message. @default all */
  readonly finds?: ((texts: readonly string[]) => boolean) | undefined;
  /** Exactly these lines, ascending. @default all */
  readonly lines?: readonly number[] | undefined;
  /** Only rows with a higher line. @default all */
  readonly afterLine?: number | undefined;
  /** Only rows behind this one, by its place in the file: a correction may have lines in any order. @default all */
  readonly afterRow?: number | undefined;
  readonly limit: number;
}

export interface ReadRow extends RowResult {
  /** In the file, from 0. */
  readonly place: number;
  readonly line: number;
  readonly cells: readonly string[];
  readonly correctedBy: OperationName | null;
}

export interface ReadRowPage {
  readonly header: readonly string[];
  /** The columns whose cells are codes: they are not searched. */
  readonly secret: ReadonlySet<number>;
  readonly rows: readonly ReadRow[];
  /** The place of the row behind which the next page begins; null on the last page. */
  readonly nextAfterRow: number | null;
  /** The lines of the import whose rows are shown as a correction sent them. */
  readonly correctedLines: ReadonlySet<number>;
  readonly asOf: Date;
}

/** The most bytes of results.csv that one page reads: about 40,000 rows. */
const maxBytes = 6 * 1024 * 1024;

export interface OpenedResults {
  readonly head: ObjectHead;
  readonly index: ResultsIndex;
}

/** undefined: results.csv is not written yet, has expired, or is being replaced. */
export async function openIndexedResults(
  { files, resources }: ResultFiles,
  importId: string,
): Promise<OpenedResults | undefined> {
  const bucket = resources.resultsBucket;
  const index = { bucket, key: resultsIndexKey(importId) };
  const [head, found] = await Promise.all([files.head({ bucket, key: resultsKey(importId) }), files.head(index)]);
  if (head === undefined || found === undefined) return undefined;
  const parsed = resultsIndex.parse(JSON.parse((await bytesOf(files.read(index))).toString()));
  return parsed.bytes === head.bytes ? { head, index: parsed } : undefined;
}

/** The lines whose rows are shown as a correction sent them. */
export const correctedLinesOf = (opened: OpenedResults | undefined): ReadonlySet<number> =>
  new Set(unpackLines(opened?.index.corrected ?? ''));

/** @throws ObjectGone when results.csv is replaced meanwhile: read the page again */
export async function readRowPage(
  reader: ResultFiles,
  item: ImportItem,
  filter: RowFilter,
): Promise<ReadRowPage | undefined> {
  const opened = await openIndexedResults(reader, item.importId);
  if (opened === undefined) return undefined;
  const { head, index } = opened;
  const ref = { bucket: head.bucket, key: head.key, etag: head.etag };
  const headerBytes = await bytesOf(reader.files.read(ref, { start: 0, end: index.headerEnd }));
  const layout = layoutForPeople(item);
  const removed = new Set(unpackLines(index.removed));
  const secret = findSecretColumns(columnsToMask(item, []));
  const matches = matcherOf(filter, secret);
  const { afterLine = -1, afterRow = -1 } = filter;
  const end = { secret, correctedLines: correctedLinesOf(opened), asOf: head.lastModified };
  const rows: ReadRow[] = [];
  let header: readonly string[] = [];
  let readBytes = 0;
  let lastRow = afterRow;
  for (const block of joinAdjacent(blocksFor(index, filter))) {
    const isEnough =
      rows.length > filter.limit || (header.length > 0 && readBytes + block.end - block.start > maxBytes);
    if (isEnough) return pageOf(rows, filter.limit, { ...end, header, lastRow });
    readBytes += block.end - block.start;
    const bytes = Buffer.concat([headerBytes, await bytesOf(reader.files.read(ref, block))]);
    let place = block.firstRow - 1;
    header = await readBlock(bytes, layout, (cells) => {
      place += 1;
      const row = { place, ...rowOf(cells, item.operation, removed) };
      if (place > afterRow && row.line > afterLine && matches(row)) rows.push(row);
    });
    lastRow = block.lastRow;
  }
  if (header.length === 0) header = await readBlock(headerBytes, layout, () => undefined);
  return pageOf(rows, filter.limit, { ...end, header, lastRow: null });
}

interface PageEnd extends Omit<ReadRowPage, 'rows' | 'nextAfterRow'> {
  /** The place of the last row that was read; null at the end of the file. */
  readonly lastRow: number | null;
}

function pageOf(rows: readonly ReadRow[], limit: number, { header, lastRow, ...end }: PageEnd): ReadRowPage {
  const shown = rows.slice(0, limit);
  const nextAfterRow = rows.length > limit ? (shown.at(-1)?.place ?? null) : lastRow;
  return { ...end, header: ownOf(header), rows: shown, nextAfterRow };
}

/** Bytes of results.csv, with the places of their first and their last row. */
interface Range {
  readonly start: number;
  readonly end: number;
  readonly firstRow: number;
  readonly lastRow: number;
}

/** The blocks that may have a match, in file order. */
function* blocksFor({ blocks }: ResultsIndex, filter: RowFilter): Iterable<Range> {
  const { outcomes, lines, afterLine = -1, afterRow = -1 } = filter;
  let lastRow = -1;
  for (const block of blocks) {
    const firstRow = lastRow + 1;
    lastRow += Object.values(block.outcomes).reduce((sum, rows) => sum + rows, 0);
    if (lastRow <= afterRow || block.lastLine <= afterLine) continue;
    if (outcomes?.some((outcome) => (block.outcomes[outcome] ?? 0) > 0) === false) continue;
    if (lines !== undefined && !hasLineIn(lines, block)) continue;
    yield { start: block.start, end: block.end, firstRow, lastRow };
  }
}

/** A binary search: a correction may have thousands of lines, and a file thousands of blocks. */
function hasLineIn(lines: readonly number[], { line, lastLine }: IndexedBlock): boolean {
  let low = 0;
  let high = lines.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((lines[middle] as number) < line) low = middle + 1;
    else high = middle;
  }
  return low < lines.length && (lines[low] as number) <= lastLine;
}

/** Ranges of adjacent blocks, each of twice as many as the one before: a long search costs few reads. */
function* joinAdjacent(blocks: Iterable<Range>): Iterable<Range> {
  let range: Range | undefined;
  let joined = 0;
  let most = 1;
  for (const block of blocks) {
    if (range !== undefined && range.end === block.start && joined < most) {
      range = { ...block, start: range.start, firstRow: range.firstRow };
      joined += 1;
      continue;
    }
    if (range !== undefined) {
      yield range;
      most *= 2;
    }
    range = block;
    joined = 1;
  }
  if (range !== undefined) yield range;
}

function matcherOf({ outcomes, lines, finds }: RowFilter, secret: ReadonlySet<number>): (row: ReadRow) => boolean {
  const wanted = lines && new Set(lines);
  return (row) => {
    if (outcomes !== undefined && !outcomes.includes(row.outcome)) return false;
    if (wanted !== undefined && !wanted.has(row.line)) return false;
    if (finds === undefined) return true;
    return finds([...row.cells.filter((_, index) => !secret.has(index)), row.status, row.message]);
  };
}

/** Returns the header. */
async function readBlock(
  bytes: Buffer,
  layout: FileLayout,
  take: (cells: readonly string[]) => void,
): Promise<readonly string[]> {
  const opened = await readCsv(once(bytes), layout);
  // A file with a header only is not a file of rows, but here it is the end of a filter.
  if (!opened.ok) return [];
  const { header, batches } = opened.value;
  for await (const { lines, cellsOf } of batches) for (const row of lines.keys()) take(cellsOf(row));
  return header;
}

function rowOf(
  record: readonly string[],
  operation: OperationName | null,
  removed: ReadonlySet<number>,
): Omit<ReadRow, 'place'> {
  const { line, cells, result } = readWrittenRow(record, removed);
  const { isRemoved: _, ...shown } = result;
  return { line, ...shown, cells, correctedBy: correctionOf(result, operation) };
}

async function* once(bytes: Buffer): AsyncIterable<Uint8Array> {
  yield bytes;
}
