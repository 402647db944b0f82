// results.csv: every row of the uploaded file, with its outcome behind its own cells.
import { addedColumns, distinctNames } from '#shared/csv/added-columns.ts';
import { ownColumns } from '#shared/csv/correction-columns.ts';
import { unguardFormula } from '#shared/csv/csv-row.ts';
import type { OutcomeCsv } from './outcome-csv.ts';
import type { FileOutcomes } from './row-outcomes.ts';

/** How results.csv is read again: nothing is detected. */
export const resultsLayout = { delimiter: ',', encoding: 'utf-8', headerLine: 1 } as const;

/** The last columns of results.csv, behind those of the file. */
export const outcomeColumns = ['importId', 'line', 'outcome', 'portId', 'status', 'message', 'whatToDo'];

export interface ResultsCsv extends OutcomeCsv {
  /** How many columns are those of the file. */
  readonly ownCount: number;
}

type FileHead = Pick<FileOutcomes, 'importId' | 'header' | 'columnIndexes'>;

export function resultsCsv({ importId, header, columnIndexes }: FileHead): ResultsCsv {
  const own = ownColumns(header);
  const names = distinctNames(own.map((index) => header[index] ?? ''));
  return {
    header: [...names, ...addedColumns(names, outcomeColumns)],
    ownCount: own.length,
    cellsOf: ({ rootLine, cells, result: { outcome, portId, status, message, whatToDo } }) => {
      const masked = maskPac(cells.map(unguardFormula), columnIndexes.pac);
      const ownCells = own.map((index) => masked[index] ?? '');
      return [...ownCells, importId, String(rootLine), outcome, portId, status, message, whatToDo];
    },
  };
}

/** The last three characters let a person recognise the PAC; the rest stays in the upload (decision 44). */
export function maskPac(cells: string[], pacIndex: number | undefined): string[] {
  const pac = pacIndex === undefined ? '' : (cells[pacIndex] ?? '').trim();
  if (pacIndex !== undefined && pac !== '') cells[pacIndex] = pac.length < 6 ? '***' : `***${pac.slice(-3)}`;
  return cells;
}
