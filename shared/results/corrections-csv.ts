// Correction files: the rows that a new PAC would fix, ready to fill in and import. correct-update-port.csv amends rows
// of ports that wait; correct-create-port.csv ports rows again that were taken out of their port.
import { correctionColumnsBeside, ownColumns } from '#shared/csv/correction-columns.ts';
import { unguardFormula } from '#shared/csv/csv-row.ts';
import type { CorrectionKind } from '#shared/domain/imports/outcome.ts';
import type { OutcomeCsv } from './outcome-csv.ts';
import type { FileOutcomes, RowOutcome } from './row-outcomes.ts';

type FileHead = Pick<FileOutcomes, 'importId' | 'header' | 'delimiter' | 'columnIndexes'>;

export function correctionCsv(kind: CorrectionKind, file: FileHead): OutcomeCsv {
  const { header, cellsOf } = layouts[kind](file);
  return {
    header,
    delimiter: file.delimiter,
    cellsOf: (outcome) => (outcome.result.correctedBy === kind ? cellsOf(outcome) : undefined),
  };
}

type Layout = Pick<OutcomeCsv, 'header' | 'cellsOf'>;

const layouts: Readonly<Record<CorrectionKind, (file: FileHead) => Layout>> = {
  'update-port': amendLayout,
  'create-port': createLayout,
};

/** The user fills in `pac`; update-port ignores the columns behind it. */
const amendColumns = ['msisdn', 'portId', 'pac', 'reason', 'importId', 'line', 'reference'];

/** The number is as the user wrote it: it was understood once, and their spreadsheet keeps it. */
function amendLayout({ importId, columnIndexes }: FileHead): Layout {
  const own = (cells: readonly string[], column: string): string =>
    unguardFormula(cells[columnIndexes[column] ?? -1] ?? '');
  return {
    header: amendColumns,
    cellsOf: (outcome) => [
      own(outcome.cells, 'msisdn'),
      outcome.result.portId,
      '',
      reasonOf(outcome),
      importId,
      String(outcome.rootLine),
      own(outcome.cells, 'reference'),
    ],
  };
}

/** The row as it was uploaded, laid out like rejected.csv, but without its PAC: that one is known to be invalid. */
function createLayout({ importId, header, columnIndexes }: FileHead): Layout {
  const own = ownColumns(header);
  const names = own.map((index) => header[index] ?? '');
  const added = columnIndexes.pac === undefined ? ['pac'] : [];
  return {
    header: [...names, ...added, ...correctionColumnsBeside(names)],
    cellsOf: (outcome) => [
      ...own.map((index) => (index === columnIndexes.pac ? '' : unguardFormula(outcome.cells[index] ?? ''))),
      ...added.map(() => ''),
      importId,
      String(outcome.rootLine),
      reasonOf(outcome),
    ],
  };
}

export const reasonOf = ({ result: { status, message } }: RowOutcome): string =>
  message === '' ? status : `${status}: ${message}`;
