// results.csv: every row of the uploaded file, with its outcome behind its own cells.
import * as z from 'zod/mini';
import { addedColumns, distinctNames, outcomeColumns, ownColumns } from '#shared/files/added-columns.ts';
import { csvHeader, csvRow, unguardFormula } from '#shared/files/csv/csv-row.ts';
import type { Delimiter, FileLayout } from '#shared/files/csv/record-batch.ts';
import { type ReadColumns, secretPlaces } from '#shared/files/secret-columns.ts';
import { secretReadingsOf } from '#shared/files/upload-settings.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { type Outcome, outcomes, sendableAgain } from '#shared/outcome/outcome.ts';
import type { RowResult } from '#shared/outcome/row-result.ts';
import { packLines, unpackLines } from '#shared/request/packed-lines.ts';
import { count } from '#shared/text/stored-values.ts';
import type { FileOutcomes, RowOutcome } from './file-rows.ts';
import { maskHeader } from './mask-cells.ts';

export interface WithLayout {
  readonly layout?: ImportItem['layout'];
}

/** How a file for people is read again: nothing is detected. */
export const layoutForPeople = ({ layout }: WithLayout): FileLayout => ({
  delimiter: layout?.delimiter ?? ',',
  encoding: 'utf-8',
  headerLine: 1,
});

/** Canonical column name to the index of its cell in a file for people. */
export const columnsForPeople = ({
  columnIndexes = {},
  columnIndexesForPeople = columnIndexes,
}: ImportItem): Readonly<Record<string, number>> => columnIndexesForPeople;

/** What decides which columns of a file for people are secret. */
export function columnsToMask(item: ImportItem, header: readonly string[]): ReadColumns {
  const { layout } = item;
  const earlier = layout === undefined ? [] : secretPlaces(secretReadingsOf(item), layout, header.length);
  return { header, columnIndexes: columnsForPeople(item), earlier };
}

/** The names of the operation for the columns of a file for people, by their index. */
export const columnNamesForPeople = (item: ImportItem): ReadonlyMap<number, string> =>
  new Map(Object.entries(columnsForPeople(item)).map(([name, index]) => [index, name]));

type OutcomeColumn = (typeof outcomeColumns)[number];

/** The cells or the names of the file's own columns. */
export const ownOf = (record: readonly string[]): readonly string[] => record.slice(0, -outcomeColumns.length);

/** One of the cells behind them. */
export const outcomeCell = (record: readonly string[], name: OutcomeColumn): string =>
  unguardFormula(record.at(outcomeColumns.indexOf(name) - outcomeColumns.length) ?? '');

/** A row of results.csv. @param removed the lines of rows that left their ports: only the index has these */
export function readWrittenRow(record: readonly string[], removed: ReadonlySet<number>) {
  const line = Number(outcomeCell(record, 'line'));
  const result: RowResult = { ...readRowResult(record), ...(removed.has(line) && { isRemoved: true }) };
  return { line, cells: ownOf(record).map(unguardFormula), result };
}

/** What a record of results.csv contains of the row's result. */
export const readRowResult = (record: readonly string[]): RowResult => ({
  outcome: outcomeCell(record, 'outcome') as Outcome,
  portId: outcomeCell(record, 'portId'),
  status: outcomeCell(record, 'status'),
  message: outcomeCell(record, 'message'),
  whatToDo: outcomeCell(record, 'whatToDo'),
  bookedDate: outcomeCell(record, 'bookedDate'),
  submittedAt: outcomeCell(record, 'submittedAt'),
  completedAt: outcomeCell(record, 'completedAt'),
});

export interface ResultsCsv extends OutcomeCsv {
  /** How many columns are those of the file. */
  readonly ownCount: number;
}

export function resultsCsv({
  importId,
  header,
  delimiter,
  secret,
  maskCells,
}: Omit<FileOutcomes, 'batches'>): ResultsCsv {
  const own = ownColumns(header);
  const visibleHeader = maskHeader(header, secret);
  const names = distinctNames(own.map((index) => visibleHeader[index] ?? ''));
  return {
    header: [...names, ...addedColumns(names, outcomeColumns)],
    delimiter,
    ownCount: own.length,
    cellsOf: ({ rootLine, cells, result }) => {
      const masked = maskCells(cells, result.outcome);
      const texts: Readonly<Record<OutcomeColumn, string>> = { importId, line: String(rootLine), ...result };
      return [...own.map((index) => masked[index] ?? ''), ...outcomeColumns.map((name) => texts[name])];
    },
  };
}

// A CSV file made from the outcomes of rows: results.csv and the correction files.

export interface OutcomeCsv {
  readonly delimiter: Delimiter;
  readonly header: readonly string[];
  /** undefined: the row does not belong in this file. */
  readonly cellsOf: (outcome: RowOutcome) => readonly string[] | undefined;
}

export function rowsText({ cellsOf, delimiter }: OutcomeCsv, outcomes: readonly RowOutcome[]): string {
  let text = '';
  for (const outcome of outcomes) {
    const cells = cellsOf(outcome);
    if (cells !== undefined) text += csvRow(cells, delimiter);
  }
  return text;
}

export const headerText = ({ header, delimiter }: OutcomeCsv): string => csvHeader(header, delimiter);

/** The cells of the file, in batches. */
export async function* cellBatches(
  { cellsOf }: OutcomeCsv,
  { batches }: FileOutcomes,
): AsyncIterable<(readonly string[])[]> {
  for await (const outcomes of batches) {
    yield outcomes.map((outcome) => cellsOf(outcome)).filter((cells) => cells !== undefined);
  }
}

/** The whole file, in pieces. */
export async function* csvText(csv: OutcomeCsv, { batches }: FileOutcomes): AsyncIterable<string> {
  yield headerText(csv);
  for await (const outcomes of batches) yield rowsText(csv, outcomes);
}

// The index beside results.csv: where each block of rows is, and which outcomes it has. A page of rows then reads some
// blocks instead of a file of a million rows.

const tally = z.partialRecord(z.enum(outcomes), count);

/** Bytes `start` (inclusive) to `end` (exclusive) of results.csv. */
const byteRange = { start: count, end: count };

export const indexedBlock = z.object({
  ...byteRange,
  /** The lowest and the highest line of the block, as results.csv has them. */
  line: count,
  lastLine: count,
  /** Rows by outcome. */
  outcomes: tally,
});
export type IndexedBlock = z.infer<typeof indexedBlock>;

export const resultsIndex = z.object({
  /** The size of the whole file: an index that belongs to an older results.csv is not used. */
  bytes: count,
  headerEnd: count,
  outcomes: tally,
  /** Lines of rows that may be sent again, by their outcome in this import itself, packed by `packLines`. */
  lines: z.partialRecord(z.enum(outcomes), z.string()),
  /** Packed lines of rows that are shown as a correction sent them. */
  corrected: z.string(),
  /** Packed lines of rows that were removed from their ports because they blocked others. */
  removed: z.string(),
  blocks: z.array(indexedBlock),
});
export type ResultsIndex = z.infer<typeof resultsIndex>;

type IndexedRow = Pick<RowOutcome, 'rootLine' | 'result' | 'ownOutcome'>;

export interface ResultsIndexBuilder {
  /** The rows of one block and the bytes of their text. */
  add(rows: readonly IndexedRow[], bytes: number): void;
  /** @param before the index of the same rows and of those at the lines `erased`: it knows more about them */
  build(before?: ResultsIndex, erased?: ReadonlySet<number>): ResultsIndex;
}

/** @param headerEnd the bytes of the header */
export function createResultsIndex(headerEnd: number): ResultsIndexBuilder {
  const blocks: IndexedBlock[] = [];
  const all: Partial<Record<Outcome, number>> = {};
  const linesOf = new Map<Outcome, number[]>([...sendableAgain].map((outcome) => [outcome, []]));
  const corrected: number[] = [];
  const removed: number[] = [];
  let end = headerEnd;
  return {
    add(rows, bytes) {
      if (rows.length === 0) return;
      const ofBlock: Partial<Record<Outcome, number>> = {};
      for (const { rootLine, result, ownOutcome } of rows) {
        ofBlock[result.outcome] = (ofBlock[result.outcome] ?? 0) + 1;
        all[result.outcome] = (all[result.outcome] ?? 0) + 1;
        linesOf.get(ownOutcome ?? result.outcome)?.push(rootLine);
        if (ownOutcome !== undefined) corrected.push(rootLine);
        if (result.isRemoved) removed.push(rootLine);
      }
      const lines = rows.map(({ rootLine }) => rootLine);
      const [line, lastLine] = [Math.min(...lines), Math.max(...lines)];
      blocks.push({ start: end, end: end + bytes, line, lastLine, outcomes: ofBlock });
      end += bytes;
    },
    build: (before, erased = new Set()) => {
      const without = (packed = '') => packLines(unpackLines(packed).filter((line) => !erased.has(line)));
      const ofOutcomes = [...linesOf].map(([outcome, list]): [Outcome, string] => [
        outcome,
        before === undefined ? packLines(list) : without(before.lines[outcome]),
      ]);
      const lines = Object.fromEntries(ofOutcomes.filter(([, packed]) => packed !== ''));
      const packed =
        before === undefined
          ? { corrected: packLines(corrected), removed: packLines(removed) }
          : { corrected: without(before.corrected), removed: without(before.removed) };
      return { bytes: end, headerEnd, outcomes: all, lines, ...packed, blocks };
    },
  };
}
