// Cancel Port: cancels whole ports by their id, or the rows of numbers (spec, Cancel Port; spec gaps 28 and 31).

import { changeSubmission } from '#shared/operations/change-port.ts';
import { CellReader } from '#shared/operations/columns/cell-reader.ts';
import type { Cells, ImportContext, Operation, ValidatedShape } from '#shared/operations/operation.ts';
import { referenceColumn } from '../kit/column.ts';
import { checkCancelRow } from './row.ts';
import { changeShape } from './shape.ts';
import { allowsCancel, checkTargetRow, findTarget, msisdnColumn, portIdColumn } from './target.ts';

export const cancelPort: Operation = {
  name: 'cancel-port',
  columns: [
    {
      ...msisdnColumn,
      help: 'A number to cancel. Empty to cancel a whole port by its id. Naming every row also cancels the whole port.',
    },
    portIdColumn,
    referenceColumn,
  ],
  checkShape: checkCancelShape,
  allowsChange: (cells, port, row) => (cells('msisdn') === '' || row !== undefined) && allowsCancel(port),
  submission: changeSubmission,
};

async function checkCancelShape(cells: Cells, context: ImportContext): Promise<ValidatedShape> {
  const reader = new CellReader(cells);
  const whole = cells('msisdn') === '';
  if (whole && cells('portId') === '') {
    reader.error('portId', 'CELL_REQUIRED', 'Enter a portId to cancel a whole port, or an msisdn to cancel a row');
  }
  const target = await findTarget(reader, context);
  // The row check must not keep the port itself: thousands of shapes stay in memory.
  const wholePort = target && { subject: target.port.id, wire: { pac: null } };
  const shape = target && changeShape({ action: 'cancel', whole }, target, reader);
  const check = checkTargetRow(target);
  return {
    ...(reader.hasErrors || shape === undefined ? {} : { shape }),
    findings: reader.findings,
    checkRow: (rowCells, rowReport) => (whole ? wholePort : checkCancelRow(rowCells, check, rowReport, context)),
  };
}
