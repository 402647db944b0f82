// The column that every operation on SIMs has: which SIM. The serial is the row's subject, each once in a file.
import { parseIccid } from '#shared/domain/iccid.ts';
import { error } from '#shared/domain/issue.ts';
import { column } from './column.ts';
import type { Cells, ImportContext, JudgedRow, Report } from './operation.ts';

export const serialNumberColumn = column('serialNumber', {
  aliases: ['serialNo', 'iccid', 'sim', 'sim number', 'sim serial', 'sim serial number', 'serial'],
  required: true,
  form: 'iccid',
  help: 'The serial number of the SIM (ICCID), 19 or 20 digits from 89. A SIM may stand in a file once.',
  example: '8944110068123456787',
});

/** A row that is about a SIM and nothing more: the call needs only its serial. */
export function judgeSimRow(cells: Cells, report: Report, context: ImportContext): JudgedRow | undefined {
  const subject = judgeSerialNumber(cells, report, context);
  return subject === undefined ? undefined : { subject, wire: null };
}

/** Judges the column `serialNumber` (decision 21); undefined where it was reported. */
export function judgeSerialNumber(cells: Cells, report: Report, { memory }: ImportContext): string | undefined {
  const text = cells('serialNumber');
  if (text === '') {
    report('serialNumber', error('CELL_REQUIRED', 'serialNumber is empty'));
    return undefined;
  }
  const parsed = parseIccid(text);
  if (parsed.finding !== undefined) report('serialNumber', parsed.finding);
  if (!parsed.ok) return undefined;
  const earlier = memory.earlierLine('serialNumber', parsed.value);
  if (earlier === undefined) return parsed.value;
  report('serialNumber', error('ICCID_DUPLICATE_IN_FILE', `the SIM ${parsed.value} stands on line ${earlier} already`));
  return undefined;
}
