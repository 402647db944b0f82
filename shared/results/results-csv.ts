// results.csv: every row of the uploaded file, with its outcome behind its own cells.
import { addedColumns, distinctNames } from '#shared/csv/added-columns.ts';
import { ownColumns } from '#shared/csv/correction-columns.ts';
import type { FileLayout } from '#shared/csv/record-batch.ts';
import type { ImportItem } from '#shared/domain/requests/ledger.ts';
import { maskHeader } from './mask-cells.ts';
import type { OutcomeCsv } from './outcome-csv.ts';
import type { FileOutcomes } from './row-outcomes.ts';

/** How a file for people is read again: nothing is detected. */
export const layoutForPeople = ({ layout }: Pick<ImportItem, 'layout'>): FileLayout => ({
  delimiter: layout?.delimiter ?? ',',
  encoding: 'utf-8',
  headerLine: 1,
});

/** Canonical column name to the index of its cell in a file for people. */
export const columnsForPeople = ({
  columnIndexes = {},
  columnIndexesForPeople = columnIndexes,
}: Pick<ImportItem, 'columnIndexes' | 'columnIndexesForPeople'>): Readonly<Record<string, number>> =>
  columnIndexesForPeople;

/** The names of the operation for the columns of a file for people, by their index. */
export const columnNamesForPeople = (item: Parameters<typeof columnsForPeople>[0]): ReadonlyMap<number, string> =>
  new Map(Object.entries(columnsForPeople(item)).map(([name, index]) => [index, name]));

/** The last columns of results.csv, behind those of the file. */
export const outcomeColumns = [
  ...['importId', 'line', 'outcome', 'portId', 'status', 'message', 'whatToDo'],
  ...['bookedDate', 'submittedAt', 'completedAt'],
];

export interface ResultsCsv extends OutcomeCsv {
  /** How many columns are those of the file. */
  readonly ownCount: number;
}

export function resultsCsv({ importId, header, delimiter, maskCells }: Omit<FileOutcomes, 'batches'>): ResultsCsv {
  const own = ownColumns(header);
  const visibleHeader = maskHeader(header);
  const names = distinctNames(own.map((index) => visibleHeader[index] ?? ''));
  return {
    header: [...names, ...addedColumns(names, outcomeColumns)],
    delimiter,
    ownCount: own.length,
    cellsOf: ({ rootLine, cells, result }) => {
      const masked = maskCells(cells, result.outcome);
      const ownCells = own.map((index) => masked[index] ?? '');
      const { outcome, portId, status, message, whatToDo, bookedDate, submittedAt, completedAt } = result;
      const texts = [outcome, portId, status, message, whatToDo, bookedDate, submittedAt, completedAt];
      return [...ownCells, importId, String(rootLine), ...texts];
    },
  };
}
