// The columns of a create-port row that are its own: number, SIM and porting code.
import { type CalendarDate, parseCalendarDate } from '#shared/domain/calendar-date.ts';
import { parseIccid } from '#shared/domain/iccid.ts';
import { error, type Finding } from '#shared/domain/issue.ts';
import { formatMsisdn, type Msisdn, parseMsisdn } from '#shared/domain/msisdn.ts';
import { parsePac } from '#shared/domain/pac.ts';
import type { Parsed } from '#shared/domain/parsed.ts';
import type { Cells, ImportContext, JudgedRow, Report } from './operation.ts';

/** What the repeating columns say that decides about the others; what is not known is not judged. */
export interface RowFacts {
  readonly portType: string | undefined;
  readonly connectionDate: CalendarDate | undefined;
  readonly esim: boolean;
}

/** One row as it stands in the plan: `serialNo` and `pac` in their wire form, the number as `msisdnFormat` says. */
export interface CreatePortRowWire {
  readonly msisdn: string;
  readonly serialNo: string | null;
  readonly pac: string | null;
  readonly esim: boolean;
  readonly pacExpiry?: CalendarDate;
}

/** Judges `msisdn`, `serialNo`, `pac` and `pacExpiry` (decisions 12, 18 to 22). */
export function judgeCreatePortRow(
  cells: Cells,
  facts: RowFacts,
  report: Report,
  context: ImportContext,
): JudgedRow | undefined {
  const msisdn = judgeMsisdn(cells('msisdn'), report, context);
  const serialNo = judgeSerialNo(cells('serialNo'), facts, report, context);
  // Without a readable number the account's own country says which code is due.
  const pac = judgePac(cells('pac'), msisdn ?? (context.settings.callingCode as Msisdn), facts, report);
  const pacExpiry = judgePacExpiry(cells('pacExpiry'), facts, report);
  if (msisdn === undefined || serialNo === undefined || pac === undefined || pacExpiry === undefined) return undefined;
  const { msisdnFormat, callingCode } = context.settings;
  const number = formatMsisdn(msisdn, msisdnFormat, callingCode);
  const wire: CreatePortRowWire = { msisdn: number, serialNo, pac, esim: facts.esim };
  return { subject: msisdn, wire: pacExpiry === null ? wire : { ...wire, pacExpiry } };
}

function judgeMsisdn(text: string, report: Report, context: ImportContext): Msisdn | undefined {
  if (text === '') {
    report('msisdn', error('CELL_REQUIRED', 'msisdn is empty'));
    return undefined;
  }
  const msisdn = accept('msisdn', parseMsisdn(text, context.settings), report);
  if (msisdn === undefined) return undefined;
  const earlier = context.memory.earlierLine('msisdn', msisdn);
  if (earlier === undefined) return msisdn;
  report('msisdn', error('MSISDN_DUPLICATE_IN_FILE', `the number ${msisdn} stands on line ${earlier} already`));
  return undefined;
}

/** null: the row has none and needs none. undefined: it was reported. */
function judgeSerialNo(
  text: string,
  facts: RowFacts,
  report: Report,
  context: ImportContext,
): string | null | undefined {
  if (text === '') {
    if (facts.portType === undefined || facts.portType === 'MigrateInKeep') return null;
    report(
      'serialNo',
      error('CELL_REQUIRED', `serialNo is empty; ${facts.portType} needs the SIM to put the number on`),
    );
    return undefined;
  }
  const iccid = accept('serialNo', parseIccid(text), report);
  if (iccid === undefined) return undefined;
  const earlier = context.memory.earlierLine('serialNo', iccid);
  if (earlier === undefined) return iccid;
  report('serialNo', error('ICCID_DUPLICATE_IN_FILE', `the SIM ${iccid} stands on line ${earlier} already`));
  return undefined;
}

function judgePac(text: string, msisdn: Msisdn, facts: RowFacts, report: Report): string | null | undefined {
  if (text !== '') return accept('pac', parsePac(text, msisdn), report);
  if (facts.portType !== 'Port') return null;
  report('pac', error('PAC_REQUIRED', 'pac is empty; a Port needs the porting code of the network the number leaves'));
  return undefined;
}

function judgePacExpiry(text: string, facts: RowFacts, report: Report): CalendarDate | null | undefined {
  if (text === '') return null;
  const expiry = accept('pacExpiry', parseCalendarDate(text), report);
  if (expiry === undefined || facts.connectionDate === undefined || expiry >= facts.connectionDate) return expiry;
  const message = `the PAC expires on ${expiry}, before the connection date ${facts.connectionDate}`;
  report('pacExpiry', error('PAC_EXPIRES_BEFORE_DATE', message));
  return undefined;
}

/** The value, when there is one; whatever was found is reported, a repair as much as an error. */
function accept<Value>(column: string, parsed: Parsed<Value>, report: Report): Value | undefined {
  const finding: Finding | undefined = parsed.finding;
  if (finding !== undefined) report(column, finding);
  return parsed.ok ? parsed.value : undefined;
}
