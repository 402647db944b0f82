// results.csv: every row of the uploaded file, with its outcome behind its own cells.
import { addedColumns, distinctNames } from '#shared/csv/added-columns.ts';
import { unguardFormula } from '#shared/csv/csv-row.ts';
import type { OutcomeCsv } from './outcome-csv.ts';
import type { FileOutcomes } from './row-outcomes.ts';

/** How results.csv is read again: nothing is detected. */
export const resultsLayout = { delimiter: ',', encoding: 'utf-8', headerLine: 1 } as const;

/** The last columns of results.csv, behind those of the file. */
export const outcomeColumns = ['line', 'outcome', 'portId', 'status', 'message', 'whatToDo'] as const;

export function resultsCsv({ header, columnIndexes }: Pick<FileOutcomes, 'header' | 'columnIndexes'>): OutcomeCsv {
  const own = distinctNames(header);
  return {
    header: [...own, ...addedColumns(own, outcomeColumns)],
    cellsOf: ({ line, cells, result: { outcome, portId, status, message, whatToDo } }) => [
      ...maskPac(cells.map(unguardFormula), columnIndexes.pac),
      ...[String(line), outcome, portId, status, message, whatToDo],
    ],
  };
}

/** The last three characters let a person recognise the PAC; the rest stays in the upload (decision 44). */
export function maskPac(cells: string[], pacIndex: number | undefined): string[] {
  const pac = pacIndex === undefined ? '' : (cells[pacIndex] ?? '').trim();
  if (pacIndex !== undefined && pac !== '') cells[pacIndex] = pac.length < 6 ? '***' : `***${pac.slice(-3)}`;
  return cells;
}
