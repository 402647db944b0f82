// The line of a port that a row changes, and the PAC it is given.
import { error } from '#shared/domain/issue.ts';
import { parseMsisdn } from '#shared/domain/msisdn.ts';
import { parsePac } from '#shared/domain/pac.ts';
import { judgeAmend, type LineReading } from '#shared/domain/port-change.ts';
import type { Cells, ImportContext, JudgedRow, Report } from './operation.ts';

/** `pac` is null where the line is to be cancelled. */
export interface ChangeRowWire {
  readonly pac: string | null;
}

/** A line to be cancelled (decisions 20 and 22). */
export function judgeCancelRow(cells: Cells, report: Report, context: ImportContext): JudgedRow | undefined {
  const subject = judgeNumber(cells, report, context);
  return subject === undefined ? undefined : { subject, wire: { pac: null } satisfies ChangeRowWire };
}

/** A row that gives its line a PAC (decision 19). `line` is undefined where it could not be found, which has been reported. */
export function judgeAmendRow(
  cells: Cells,
  line: LineReading | undefined,
  report: Report,
  context: ImportContext,
): JudgedRow | undefined {
  const subject = judgeNumber(cells, report, context);
  const text = cells('pac');
  if (text === '') {
    report('pac', error('PAC_REQUIRED', 'pac is empty; fill in the new porting code, or write cancel as the action'));
    return undefined;
  }
  if (subject === undefined) return undefined;
  const pac = parsePac(text, subject);
  if (!pac.ok) {
    report('pac', pac.finding);
    return undefined;
  }
  const verdict = line === undefined ? 'due' : judgeAmend(line, pac.value);
  if (typeof verdict === 'object') {
    report('pac', error('LINE_NOT_CHANGEABLE', verdict.never));
    return undefined;
  }
  return { subject, wire: { pac: pac.value } satisfies ChangeRowWire };
}

function judgeNumber(cells: Cells, report: Report, { settings, memory }: ImportContext) {
  const text = cells('msisdn');
  if (text === '') {
    report('msisdn', error('CELL_REQUIRED', 'msisdn is empty'));
    return undefined;
  }
  const parsed = parseMsisdn(text, settings);
  if (parsed.finding !== undefined) report('msisdn', parsed.finding);
  if (!parsed.ok) return undefined;
  const earlier = memory.earlierLine('msisdn', parsed.value);
  if (earlier === undefined) return parsed.value;
  report('msisdn', error('MSISDN_DUPLICATE_IN_FILE', `the number ${parsed.value} stands on line ${earlier} already`));
  return undefined;
}
