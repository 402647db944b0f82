// The parts of an import and what they did with its rows: corrections and moves name rows of the first file.
import { distinctNames, ownColumns } from '#shared/files/added-columns.ts';
import type { ReadColumns } from '#shared/files/secret-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { isArchived, mayBeSent } from '#shared/import/import-state.ts';
import { firstImportOf, sendsRows } from '#shared/import/part.ts';
import { foldResults } from '#shared/outcome/fold.ts';
import type { Outcome } from '#shared/outcome/outcome.ts';
import type { RowResult } from '#shared/outcome/row-result.ts';
import { collectResults } from '#shared/outcome/rows-of-requests.ts';
import { unpackLines } from '#shared/request/packed-lines.ts';
import type { ResultsReader } from '#shared/store/account.ts';
import { chunksOf } from '#shared/store/backoff.ts';
import type { ImportReader } from '#shared/store/imports.ts';
import type { PartKind } from '#shared/text/identity.ts';
import { type FileOutcomes, openOutcomes, type RowOutcome, readFileHead } from './file-rows.ts';

/** An import that is a part of another one. */
export interface Part extends ImportItem {
  readonly partOf: NonNullable<ImportItem['partOf']>;
}

/** The import to which the rows of this one belong: for a part its first import. */
export async function readFirst({ get }: ImportReader, item: ImportItem): Promise<ImportItem> {
  return item.partOf === undefined ? item : ((await get(firstImportOf(item))) ?? item);
}

const partsAtOnce = 100;

/**
 * The parts of an import as they are now, oldest first. One query in the partition of the import names them, so none is
 * missed (decision 27).
 */
export async function readParts(first: ImportItem, imports: ImportReader): Promise<Part[]> {
  const parts: Part[] = [];
  for (const chunk of chunksOf(await imports.parts(first), partsAtOnce)) {
    const items = await Promise.all(chunk.map(({ partId }) => imports.get(partId)));
    parts.push(...items.filter(isPart));
  }
  return parts;
}

const isPart = (item: ImportItem | undefined): item is Part => item?.partOf !== undefined;

/**
 * The parts that decide results of rows. One that is still being read, or waits for its approval, changes none.
 * @param except the import that is being planned
 */
export async function readRowParts(first: ImportItem, imports: ImportReader, except?: string): Promise<Part[]> {
  const parts = await readParts(first, imports);
  return parts.filter(
    (part) => sendsRows(part.partOf.kind) && mayBeSent(part) && part.state !== 'planning' && part.importId !== except,
  );
}

/** How many parts wait for an approval, by kind. An archived one is discarded. */
export function waitingParts(parts: readonly Part[]): { readonly [Kind in PartKind]?: number } {
  const waiting: { [Kind in PartKind]?: number } = {};
  for (const part of parts) {
    if (part.state !== 'planned' || mayBeSent(part) || isArchived(part)) continue;
    waiting[part.partOf.kind] = (waiting[part.partOf.kind] ?? 0) + 1;
  }
  return waiting;
}

export interface PartRow {
  readonly importId: string;
  readonly result: RowResult;
  /** As `KeepCells` returned them. */
  readonly cells: string | undefined;
  /** The part is a move that has not taken the row over: it only says when its port moves, or why it does not. */
  readonly isNote?: true;
  /** What such a move says; of an earlier part's row, what a later move says. */
  readonly note?: string;
  /** The import whose port such a move moves. */
  readonly moves?: string | undefined;
}

/** What is kept of the cells of a part: they may be too many for the memory. */
export type KeepCells = (file: FileOutcomes) => (row: RowOutcome) => string | undefined;

/**
 * What the parts did with each row of the first file that one of them has, by its line there.
 * @param parts oldest first
 * @param seen called with every result of the parts
 */
export async function readPartRows(
  first: ImportItem,
  parts: readonly Part[],
  reader: ResultsReader,
  keepCells: KeepCells = () => () => undefined,
  seen: (line: number, result: RowResult) => void = () => undefined,
): Promise<ReadonlyMap<number, PartRow>> {
  const rows = new Map<number, PartRow>();
  for (const part of parts) {
    const rowOf = createPartRows(part, await linesNotMoved(part, reader));
    for await (const found of resultsOfPart(first, part, reader, keepCells)) {
      seen(found.line, found.result);
      const earlier = rows.get(found.rootLine);
      const row = rowOf(found);
      rows.set(found.rootLine, earlier === undefined ? row : foldPartRows(earlier, row));
    }
  }
  return rows;
}

interface ResultOfPart extends Pick<RowOutcome, 'line' | 'rootLine' | 'result'> {
  readonly cells: string | undefined;
}

/** A move has the rows of the file from which it was planned. Where that is the first file, it is not read again. */
async function* resultsOfPart(
  first: ImportItem,
  part: Part,
  reader: ResultsReader,
  keepCells: KeepCells,
): AsyncIterable<ResultOfPart> {
  if (part.partOf.kind === 'move' && isSameFile(first, part)) {
    const { requests, ports, comparisons } = reader;
    const { importId } = part;
    const results = await collectResults(requests.ofImport(importId), ports, comparisons.ofImport(importId));
    for (const [line, result] of results.entries()) yield { line, rootLine: line, result, cells: undefined };
    return;
  }
  const file = await openOutcomes(part, reader);
  const cellsOf = keepCells(file);
  for await (const batch of file.batches) {
    for (const row of batch) yield { line: row.line, rootLine: row.rootLine, result: row.result, cells: cellsOf(row) };
  }
}

/** The lines that a move has not taken over: their old port was not cancelled for it, so far or at all. */
async function linesNotMoved({ importId, partOf }: Part, { requests }: ResultsReader): Promise<ReadonlySet<number>> {
  const lines = new Set<number>();
  if (partOf.kind !== 'move') return lines;
  for await (const { replaces, lines: packed = '' } of requests.ofImport(importId)) {
    if (replaces?.cancelledAt === undefined) for (const line of unpackLines(packed)) lines.add(line);
  }
  return lines;
}

const isSameFile = (one: ImportItem, other: ImportItem): boolean =>
  one.bucket === other.bucket && one.key === other.key && one.versionId === other.versionId && one.etag === other.etag;

/** Thousands of rows share a result, and one object where no cells are kept. */
function createPartRows(part: Part, notMoved: ReadonlySet<number>) {
  const { importId } = part;
  const known = new Map<RowResult, PartRow>();
  return ({ line, result, cells }: ResultOfPart): PartRow => {
    if (cells !== undefined && !notMoved.has(line)) return { importId, result, cells };
    const row = known.get(result) ?? {
      importId,
      result,
      cells: undefined,
      ...(notMoved.has(line) && { isNote: true, note: describeMove(result, part), moves: part.reschedules?.importId }),
    };
    known.set(result, row);
    return row;
  };
}

function foldPartRows(earlier: PartRow, later: PartRow): PartRow {
  // Another move has taken the row over: it is in the port of that one.
  if (later.isNote && !earlier.isNote && later.moves !== earlier.importId) return earlier;
  if (later.isNote) return { ...earlier, note: later.note ?? '' };
  if (earlier.isNote) return later;
  return foldResults(earlier.result, later.result) === later.result ? later : earlier;
}

function describeMove({ outcome, message }: RowResult, { reschedules }: ImportItem): string {
  const { date = 'auto' } = reschedules ?? {};
  const day = date === 'auto' ? 'another day' : date;
  if (outcome === 'waiting' || outcome === 'scheduled') return `Moves to ${day}`;
  return message === '' ? `Was not moved to ${day}` : `Was not moved to ${day}: ${message}`;
}

// The rows of a first import as every surface shows them: each folded over the parts, and with the cells that were sent
// (docs/decisions/0027).

/** About 150,000 corrected rows: report has 512 MB. Further rows show the cells of the first file. */
const mostCharacters = 32 * 1024 * 1024;

/** @throws ObjectGone when the file of the import or of a part has expired */
export async function openFoldedOutcomes(
  first: ImportItem,
  parts: readonly Part[],
  reader: ResultsReader,
): Promise<FileOutcomes> {
  if (parts.length === 0) return openOutcomes(first, reader);
  const head = await readFileHead(first, reader.files);
  const hidden = new Map<Outcome, number>();
  const count = (outcome: Outcome, rows: number): void => {
    hidden.set(outcome, (hidden.get(outcome) ?? 0) + rows);
  };
  // Line 0 is a file whose rows could not be read.
  const seen = (line: number, { outcome }: RowResult) => count(outcome, line === 0 ? 0 : 1);
  const rows = await readPartRows(first, parts, reader, keepCellsFor(head), seen);
  // Opened again: S3 ends a connection whose bytes wait until large parts are read.
  const outcomes = await openOutcomes(first, reader);
  return { ...outcomes, hidden, batches: foldBatches(outcomes.batches, rows, count) };
}

async function* foldBatches(
  batches: FileOutcomes['batches'],
  rows: ReadonlyMap<number, PartRow>,
  count: (outcome: Outcome, rows: number) => void,
): FileOutcomes['batches'] {
  for await (const batch of batches) {
    yield batch.map((row) => {
      const shown = foldRow(row, rows.get(row.line));
      count(row.result.outcome, 1);
      count(shown.result.outcome, -1);
      return shown;
    });
  }
}

/** The result of a row of the first file with what its parts did. */
export const foldWithPart = <Row extends { readonly outcome: Outcome }>(
  own: Row,
  part: { readonly result: Row; readonly isNote?: true } | undefined,
): Row => (part === undefined || part.isNote ? own : foldResults(own, part.result));

export function foldRow(row: RowOutcome, part: PartRow | undefined): RowOutcome {
  if (part === undefined) return row;
  if (foldWithPart(row.result, part) === row.result) return addNote(row, part.note);
  const cells: readonly string[] = part.cells === undefined ? row.cells : JSON.parse(part.cells);
  return addNote({ ...row, cells, result: part.result, ownOutcome: row.result.outcome }, part.note);
}

/** A move that was not made says nothing about a row that has ended. */
function addNote(row: RowOutcome, note: string | undefined): RowOutcome {
  const { outcome, message } = row.result;
  if (note === undefined || (outcome !== 'in-progress' && outcome !== 'action-required')) return row;
  return { ...row, result: { ...row.result, message: message === '' ? note : `${note}; ${message}` } };
}

/** A correction may have its columns in another order and under other names. */
export function keepCellsFor(root: ReadColumns): KeepCells {
  const names = new Map(Object.entries(root.columnIndexes).map(([name, index]) => [index, name]));
  const headers = headersOf(root);
  let characters = 0;
  return (file) => {
    const indexes = new Map([...headersOf(file)].map(([index, text]) => [text, index]));
    const indexOf = (index: number): number => {
      const known = file.columnIndexes[names.get(index) ?? ''];
      const found = known ?? indexes.get(headers.get(index) ?? '') ?? -1;
      // Only the column of PACs is masked.
      return known === undefined && found === file.columnIndexes.pac ? -1 : found;
    };
    const places = root.header.map((_, index) => indexOf(index));
    return ({ cells }) => {
      if (characters > mostCharacters) return undefined;
      const text = JSON.stringify(places.map((place) => cells[place] ?? ''));
      characters += text.length;
      return text;
    };
  };
}

/** The names of the file's own columns in files for people, by index. */
function headersOf({ header }: ReadColumns): ReadonlyMap<number, string> {
  const own = ownColumns(header);
  const names = distinctNames(own.map((index) => header[index] ?? ''));
  return new Map(own.map((index, place) => [index, names[place] ?? '']));
}
