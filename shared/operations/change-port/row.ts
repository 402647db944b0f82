// The number of a file row, and the PAC that its port row gets.
import { error } from '#shared/domain/imports/issue.ts';
import { parsePac } from '#shared/domain/numbers/pac.ts';
import { checkAmend, type PortRowReading } from '#shared/domain/ports/port-change.ts';
import type { Cells, ImportContext, Report, ValidatedRow } from '../kit/operation.ts';
import { accept, reportEmpty, uniqueMsisdn } from '../kit/unique-values.ts';

/** `pac` is null where the row is to be cancelled. */
export interface ChangeRowWire {
  readonly pac: string | null;
}

/** A row to be cancelled (decisions 20 and 22). */
export function checkCancelRow(cells: Cells, report: Report, context: ImportContext): ValidatedRow | undefined {
  const subject = checkNumber(cells, report, context);
  return subject === undefined ? undefined : { subject, wire: { pac: null } satisfies ChangeRowWire };
}

/** A row that gets a new PAC (decision 19). `portRow` is undefined where it was not found, which was reported. */
export function checkAmendRow(
  cells: Cells,
  portRow: PortRowReading | undefined,
  report: Report,
  context: ImportContext,
): ValidatedRow | undefined {
  const subject = checkNumber(cells, report, context);
  const text = cells('pac');
  if (text === '') {
    report('pac', error('PAC_REQUIRED', 'pac must not be empty. Enter the new PAC, or write cancel as the action'));
    return undefined;
  }
  const pac = subject && accept('pac', parsePac(text, subject), report);
  if (subject === undefined || pac === undefined) return undefined;
  const check = portRow === undefined ? 'due' : checkAmend(portRow, pac);
  if (typeof check === 'object') {
    report('pac', error('LINE_NOT_CHANGEABLE', check.impossible));
    return undefined;
  }
  return { subject, wire: { pac } satisfies ChangeRowWire };
}

function checkNumber(cells: Cells, report: Report, context: ImportContext) {
  const text = cells('msisdn');
  return text === '' ? reportEmpty('msisdn', report) : uniqueMsisdn(text, report, context);
}
