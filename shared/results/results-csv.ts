// results.csv: every row of the uploaded file, with its outcome behind its own cells.
import { addedColumns, distinctNames } from '#shared/csv/added-columns.ts';
import { secretReadingsOf } from '#shared/csv/import-settings.ts';
import type { FileLayout } from '#shared/csv/record-batch.ts';
import { outcomeColumns, ownColumns } from '#shared/files/correction-columns.ts';
import { unguardFormula } from '#shared/files/csv/csv-row.ts';
import { type ReadColumns, secretPlaces } from '#shared/files/secret-columns.ts';
import type { ImportItem } from '#shared/import/import.ts';
import type { Outcome, RowResult } from '#shared/outcome/row-result.ts';
import type { FileOutcomes } from './file-rows.ts';
import { maskHeader } from './mask-cells.ts';
import type { OutcomeCsv } from './outcome-csv.ts';

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
export const columnNamesForPeople = (item: Parameters<typeof columnsForPeople>[0]): ReadonlyMap<number, string> =>
  new Map(Object.entries(columnsForPeople(item)).map(([name, index]) => [index, name]));

type OutcomeColumn = (typeof outcomeColumns)[number];

/** The cells or the names of the file's own columns. */
export const ownOf = (record: readonly string[]): readonly string[] => record.slice(0, -outcomeColumns.length);

/** One of the cells behind them. */
export const outcomeCell = (record: readonly string[], name: OutcomeColumn): string =>
  unguardFormula(record.at(outcomeColumns.indexOf(name) - outcomeColumns.length) ?? '');

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
