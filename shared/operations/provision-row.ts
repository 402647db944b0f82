// One SIM of a provision file: its serial, and the number it is to have where it has none yet.
import { error } from '#shared/domain/issue.ts';
import { formatMsisdn, parseMsisdn } from '#shared/domain/msisdn.ts';
import { column } from './column.ts';
import type { Cells, ImportContext, JudgedRow, Report } from './operation.ts';
import type { ProvisionRowWire } from './provision-call.ts';
import { judgeSerialNumber } from './sim-row.ts';

export const msisdnColumn = column('msisdn', {
  aliases: ['mobile number', 'mobile', 'phone number', 'number', 'telephone number', 'ctn'],
  form: 'msisdn',
  help: 'The number of the SIM; only where the SIM has none yet.',
  example: '07700 900123',
});

/** Judges `serialNumber` and `msisdn` (decisions 20 to 22). */
export function judgeProvisionRow(cells: Cells, report: Report, context: ImportContext): JudgedRow | undefined {
  const subject = judgeSerialNumber(cells, report, context);
  const wire = judgeNumber(cells('msisdn'), report, context);
  return subject === undefined || wire === undefined ? undefined : { subject, wire };
}

function judgeNumber(text: string, report: Report, { settings, memory }: ImportContext): ProvisionRowWire | undefined {
  if (text === '') return {};
  const parsed = parseMsisdn(text, settings);
  if (parsed.finding !== undefined) report('msisdn', parsed.finding);
  if (!parsed.ok) return undefined;
  const earlier = memory.earlierLine('msisdn', parsed.value);
  if (earlier === undefined) {
    return { msisdn: formatMsisdn(parsed.value, settings.msisdnFormat, settings.callingCode) };
  }
  report('msisdn', error('MSISDN_DUPLICATE_IN_FILE', `the number ${parsed.value} stands on line ${earlier} already`));
  return undefined;
}
