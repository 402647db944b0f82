// One SIM of a provision file: its serial, and the number that it gets if it has none yet.
import { formatMsisdn } from '#shared/domain/numbers/msisdn.ts';
import { column, msisdnAliases } from '../kit/column.ts';
import type { Cells, ImportContext, Report, ValidatedRow } from '../kit/operation.ts';
import { checkSerialNumber } from '../kit/sim-row.ts';
import { uniqueMsisdn } from '../kit/unique-values.ts';
import type { ProvisionRowWire } from './call.ts';

export const msisdnColumn = column('msisdn', {
  aliases: msisdnAliases,
  canonicalFormat: 'msisdn',
  help: 'The number of the SIM, only if the SIM has none yet.',
  example: '07700 900123',
});

/** Validates `serialNumber` and `msisdn` (spec gaps 20 to 22). */
export function checkProvisionRow(cells: Cells, report: Report, context: ImportContext): ValidatedRow | undefined {
  const subject = checkSerialNumber(cells, report, context);
  const wire = checkNumber(cells('msisdn'), report, context);
  return subject === undefined || wire === undefined ? undefined : { subject, wire };
}

function checkNumber(text: string, report: Report, context: ImportContext): ProvisionRowWire | undefined {
  if (text === '') return {};
  const { msisdnFormat, callingCode } = context.settings;
  const msisdn = uniqueMsisdn(text, report, context);
  return msisdn && { msisdn: formatMsisdn(msisdn, msisdnFormat, callingCode) };
}
