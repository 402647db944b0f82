// Update Port: lines of a port are given a new PAC, or cancelled (spec, Update Port; decisions 28 and 31).
import { error } from '#shared/domain/issue.ts';
import { judgeAmendRow, judgeCancelRow } from './change-row.ts';
import { changeShape } from './change-shape.ts';
import { changeSubmission } from './change-submission.ts';
import { findTarget, msisdnColumn, portIdColumn } from './change-target.ts';
import { column, referenceColumn } from './column.ts';
import type { Cells, ImportContext, JudgedShape, Operation, Report } from './operation.ts';
import { createShapeReport } from './shape-report.ts';
import { wordCell } from './typed-cells.ts';

const actions = ['amend', 'cancel'] as const;

export const updatePort: Operation = {
  name: 'update-port',
  columns: [
    { ...msisdnColumn, required: true },
    column('pac', {
      aliases: ['new pac', 'pac code', 'porting authorisation code', 'porting code', 'rio', 'rio code'],
      help: 'The new porting code; empty where the line is to be cancelled.',
      example: 'ABC123456',
    }),
    column('action', {
      repeats: true,
      help: 'amend gives the line its new PAC, cancel takes it out of the port; empty means amend.',
      example: 'amend',
    }),
    portIdColumn,
    referenceColumn,
  ],
  judgeShape,
  submission: changeSubmission,
};

async function judgeShape(cells: Cells, context: ImportContext): Promise<JudgedShape> {
  const report = createShapeReport();
  const action = cells('action') === '' ? 'amend' : wordCell(cells, 'action', actions, report);
  const target = await findTarget(cells, context, report);
  const shape = action && target && changeShape({ action, whole: false }, target, report);
  // The port itself is let go of: thousands of shapes are remembered.
  const line = target?.line;
  const judgeRow = (rowCells: Cells, rowReport: Report) => {
    if (action !== 'cancel') return judgeAmendRow(rowCells, line, rowReport, context);
    if (rowCells('pac') === '') return judgeCancelRow(rowCells, rowReport, context);
    rowReport('pac', error('CELL_NOT_ALLOWED', 'a line that is cancelled takes no pac: leave one of the two empty'));
    return undefined;
  };
  return { ...(report.broken || shape === undefined ? {} : { shape }), findings: report.findings, judgeRow };
}
