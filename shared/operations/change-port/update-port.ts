// Update Port: gives rows of a port a new PAC, or cancels them (spec, Update Port; spec gaps 28 and 31).
import { pacAliases } from '#shared/files/secret-columns.ts';
import { changeSubmission } from '#shared/operations/change-port.ts';
import { CellReader } from '#shared/operations/columns/cell-reader.ts';
import type { Cells, ImportContext, Operation, Report, ValidatedShape } from '#shared/operations/operation.ts';
import { checkAmend } from '#shared/port/port-change.ts';
import { closest } from '#shared/row/did-you-mean.ts';
import { error } from '#shared/row/issue.ts';
import { column, referenceColumn, repeatingColumn } from '../kit/column.ts';
import { checkAmendRow, checkCancelRow } from './row.ts';
import { changeShape } from './shape.ts';
import { allowsCancel, checkTargetRow, findTarget, msisdnColumn, portIdColumn } from './target.ts';

const actions = ['amend', 'cancel'] as const;

export const updatePort: Operation = {
  name: 'update-port',
  columns: [
    { ...msisdnColumn, required: true },
    column('pac', {
      aliases: pacAliases,
      isSecret: true,
      help: 'The new PAC or RIO. Empty if the row is to be cancelled.',
      example: 'ABC123456',
    }),
    repeatingColumn('action', {
      help: 'amend sets the new PAC, cancel takes the row out of the port. Empty means amend.',
      example: 'amend',
    }),
    portIdColumn,
    referenceColumn,
  ],
  checkShape: checkUpdateShape,
  allowsChange: (cells, port, row) =>
    row !== undefined &&
    (cells('action').toLowerCase() === 'cancel' ? allowsCancel(port) : checkAmend(row, cells('pac')) === 'due'),
  submission: changeSubmission,
};

async function checkUpdateShape(cells: Cells, context: ImportContext): Promise<ValidatedShape> {
  const reader = new CellReader(cells);
  const action = cells('action') === '' ? 'amend' : reader.oneOf('action', actions);
  const likely = action ?? closest(cells('action'), actions)[0];
  const target = await findTarget(reader, context);
  const shape = action && target && changeShape({ action, whole: false }, target, reader);
  // The row check must not keep the port itself: thousands of shapes stay in memory.
  const portRow = target?.row;
  const check = checkTargetRow(target);
  const checkRow = (rowCells: Cells, rowReport: Report) => {
    if (likely === 'amend') return checkAmendRow(rowCells, portRow, rowReport, context);
    const row = checkCancelRow(rowCells, likely === undefined ? 'due' : check, rowReport, context);
    if (likely === undefined || rowCells('pac') === '') return row;
    rowReport('pac', error('CELL_NOT_ALLOWED', 'A row that is cancelled takes no pac. Leave pac or action empty'));
    return undefined;
  };
  return { ...(reader.hasErrors || shape === undefined ? {} : { shape }), findings: reader.findings, checkRow };
}
