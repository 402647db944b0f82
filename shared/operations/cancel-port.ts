// Cancel Port: whole ports by their id, or the ports and lines of numbers (spec, Cancel Port; decisions 28 and 31).
import { error } from '#shared/domain/issue.ts';
import { judgeCancelRow } from './change-row.ts';
import { changeShape } from './change-shape.ts';
import { changeSubmission } from './change-submission.ts';
import { findTarget, msisdnColumn, portIdColumn } from './change-target.ts';
import { referenceColumn } from './column.ts';
import type { Cells, ImportContext, JudgedShape, Operation } from './operation.ts';
import { createShapeReport } from './shape-report.ts';

export const cancelPort: Operation = {
  name: 'cancel-port',
  columns: [
    {
      ...msisdnColumn,
      help: 'A number to cancel. When every line of a port is cancelled, the whole port is; empty for a port by its id.',
    },
    portIdColumn,
    referenceColumn,
  ],
  judgeShape,
  submission: changeSubmission,
};

async function judgeShape(cells: Cells, context: ImportContext): Promise<JudgedShape> {
  const report = createShapeReport();
  const whole = cells('msisdn') === '';
  if (whole && cells('portId') === '') {
    report.add('portId', error('CELL_REQUIRED', 'give a portId for the whole port, or the msisdn of a line'));
  }
  const target = await findTarget(cells, context, report);
  // The port itself is let go of: thousands of shapes are remembered.
  const wholePort = target && { subject: target.port.id, wire: { pac: null } };
  const shape = target && changeShape({ action: 'cancel', whole }, target, report);
  return {
    ...(report.broken || shape === undefined ? {} : { shape }),
    findings: report.findings,
    judgeRow: (rowCells, rowReport) => (whole ? wholePort : judgeCancelRow(rowCells, rowReport, context)),
  };
}
