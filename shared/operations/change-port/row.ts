// The number of a file row, and the PAC that its port row gets.

import type { Cells, ImportContext, Report, ValidatedRow } from '#shared/operations/operation.ts';
import { type ChangeCheck, checkAmend, type PortRowReading } from '#shared/port/port-change.ts';
import { error, warning } from '#shared/row/issue.ts';
import { parseLonePac, parsePac } from '#shared/row/pac.ts';
import { accept, likelyCountry, readMsisdn, uniqueMsisdn } from '../kit/unique-values.ts';

/** `pac` is null where the row is to be cancelled. */
export interface ChangeRowWire {
  readonly pac: string | null;
}

/**
 * A row to be cancelled (spec gaps 20 and 22). `check` is whether its port row can be cancelled while others stay: if
 * it cannot, only the cancellation of every row of the port helps, which is decided just before the call.
 */
export function checkCancelRow(
  cells: Cells,
  check: ChangeCheck,
  report: Report,
  context: ImportContext,
): ValidatedRow | undefined {
  if (typeof check === 'object') {
    const message = `${check.impossible}. The row is skipped unless this file cancels every row of the port`;
    report('msisdn', warning('LINE_NOT_CHANGEABLE', message));
  }
  const subject = uniqueMsisdn(cells('msisdn'), report, context);
  return subject === undefined ? undefined : { subject, wire: { pac: null } satisfies ChangeRowWire };
}

/** A row that gets a new PAC (spec gap 19). `portRow` is undefined where it was not found, which was reported. */
export function checkAmendRow(
  cells: Cells,
  portRow: PortRowReading | undefined,
  report: Report,
  context: ImportContext,
): ValidatedRow | undefined {
  const { number, isUnique } = readMsisdn(cells('msisdn'), report, context);
  const text = cells('pac');
  if (text === '') {
    report('pac', error('PAC_REQUIRED', 'pac must not be empty. Enter the new PAC, or write cancel as the action'));
    return undefined;
  }
  const country = likelyCountry(cells('msisdn'), context.settings);
  const pac = accept('pac', number === undefined ? parseLonePac(text, country) : parsePac(text, number), report);
  if (pac === undefined) return undefined;
  const check = portRow === undefined ? 'due' : checkAmend(portRow, pac);
  if (typeof check === 'object') {
    report('pac', error('LINE_NOT_CHANGEABLE', check.impossible));
    return undefined;
  }
  return number !== undefined && isUnique ? { subject: number, wire: { pac } satisfies ChangeRowWire } : undefined;
}
