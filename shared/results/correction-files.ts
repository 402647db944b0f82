// Correction files: the rows that can be imported again, ready to fix. correct-update-port.csv of create-port amends
// rows of ports that wait for a PAC. The file of the import's own operation has the rows that were declined, and those
// that were taken out of their port.

import type { OperationName } from '#shared/domain/imports/operation-name.ts';
import { correctionColumnsBeside, ownColumns } from '#shared/files/correction-columns.ts';
import { unguardFormula } from '#shared/files/csv/csv-row.ts';
import { correctionOf } from '#shared/outcome/row-result.ts';
import type { FileOutcomes, RowOutcome } from './file-rows.ts';
import type { OutcomeCsv } from './outcome-csv.ts';

type FileHead = Omit<FileOutcomes, 'batches'>;

/**
 * The PACs of declined rows, which may be right. `kept`: in a file for the person who may read the upload. `empty`: in
 * the results bucket and on the screen (spec gap 44). The PAC of a row that was taken out of its port is never kept.
 */
export type Pacs = 'kept' | 'empty';

export function correctionCsv(kind: OperationName, file: FileHead, pacs: Pacs = 'empty'): OutcomeCsv {
  const { header, cellsOf } = kind === file.operation ? uploadedLayout(file, pacs) : amendLayout(file);
  return {
    header,
    delimiter: file.delimiter,
    cellsOf: (outcome) => (correctionOf(outcome.result, file.operation) === kind ? cellsOf(outcome) : undefined),
  };
}

interface Layout {
  readonly header: readonly string[];
  readonly cellsOf: (outcome: RowOutcome) => readonly string[];
}

/** The user fills in `pac`; update-port ignores the columns behind it. */
const amendColumns = ['msisdn', 'portId', 'pac', 'reason', 'importId', 'line', 'reference'];

/** The number is as the user wrote it: it was understood once, and their spreadsheet keeps it. */
function amendLayout({ importId, columnIndexes, maskCells }: FileHead): Layout {
  const own = ({ cells, result }: RowOutcome, column: string): string =>
    maskCells(cells, result.outcome)[columnIndexes[column] ?? -1] ?? '';
  return {
    header: amendColumns,
    cellsOf: (outcome) => [
      own(outcome, 'msisdn'),
      outcome.result.portId,
      '',
      reasonOf(outcome),
      importId,
      String(outcome.rootLine),
      own(outcome, 'reference'),
    ],
  };
}

/** The row as it was uploaded, laid out like rejected.csv. */
function uploadedLayout({ importId, operation, header, columnIndexes, maskCells }: FileHead, pacs: Pacs): Layout {
  const own = ownColumns(header);
  const names = own.map((index) => header[index] ?? '');
  const added = operation === 'create-port' && columnIndexes.pac === undefined ? ['pac'] : [];
  const cellsOf = ({ cells, result }: RowOutcome): string[] =>
    pacs === 'kept' ? cells.map(unguardFormula) : maskCells(cells, result.outcome);
  const keepsPac = ({ result }: RowOutcome): boolean => pacs === 'kept' && result.outcome === 'declined';
  return {
    header: [...names, ...added, ...correctionColumnsBeside(names)],
    cellsOf: (outcome) => {
      const cells = cellsOf(outcome);
      const shown = own.map((index) => (index === columnIndexes.pac && !keepsPac(outcome) ? '' : (cells[index] ?? '')));
      return [...shown, ...added.map(() => ''), importId, String(outcome.rootLine), reasonOf(outcome)];
    },
  };
}

export const reasonOf = ({ result: { status, message } }: RowOutcome): string =>
  [status, message].filter((text) => text !== '').join(': ');
