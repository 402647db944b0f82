// The column of all operations on SIMs: the serial of the SIM, which is the subject of the row.

import type { Cells, ImportContext, Report, ValidatedRow } from '#shared/operations/operation.ts';
import { column, simAliases } from './column.ts';
import { reportEmpty, uniqueIccid } from './unique-values.ts';

export const serialNumberColumn = column('serialNumber', {
  aliases: ['serialNo', ...simAliases],
  required: true,
  canonicalFormat: 'iccid',
  help: 'The serial number of the SIM (ICCID): 19 or 20 digits from 89. Each SIM may be in a file once.',
  example: '8944110068123456787',
});

/** A row that has only the serial of the SIM. */
export function checkSimRow(cells: Cells, report: Report, context: ImportContext): ValidatedRow | undefined {
  const subject = checkSerialNumber(cells, report, context);
  return subject === undefined ? undefined : { subject, wire: null };
}

/** Validates the column `serialNumber` (spec gap 21). @param zone see `uniqueIccid` */
export function checkSerialNumber(
  cells: Cells,
  report: Report,
  context: ImportContext,
  zone?: string,
): string | undefined {
  const text = cells('serialNumber');
  return text === '' ? reportEmpty('serialNumber', report) : uniqueIccid('serialNumber', text, report, context, zone);
}
