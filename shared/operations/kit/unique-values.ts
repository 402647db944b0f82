// Numbers and SIM serials of a row. Each may be in a file once (spec gap 22).

import type { Parsed } from '#shared/domain/text/parsed.ts';
import type { AccountSettings, ImportContext, Report } from '#shared/operations/operation.ts';
import { type Iccid, parseIccid } from '#shared/row/iccid.ts';
import { error } from '#shared/row/issue.ts';
import { type Msisdn, msisdnKey, parseMsisdn } from '#shared/row/msisdn.ts';
import { callingCodeOf } from '#shared/row/numbering-plan.ts';

/** Reads a cell of the column `msisdn`, which must not be empty. */
export function readMsisdn(text: string, report: Report, { settings, uniqueness }: ImportContext) {
  const number = text === '' ? reportEmpty('msisdn', report) : accept('msisdn', parseMsisdn(text, settings), report);
  const earlier = number && uniqueness.earlierLine('msisdn', number);
  if (earlier !== undefined) {
    report('msisdn', error('MSISDN_DUPLICATE_IN_FILE', `${number} is already on line ${earlier}`));
  }
  return { number, isUnique: number !== undefined && earlier === undefined };
}

/** The number in the cell; undefined where it is invalid or on an earlier line, which is reported. */
export function uniqueMsisdn(text: string, report: Report, context: ImportContext): Msisdn | undefined {
  const { number, isUnique } = readMsisdn(text, report, context);
  return isUnique ? number : undefined;
}

/** The calling code that an invalid number is written with; otherwise the account's. */
export const likelyCountry = (text: string, { callingCode }: AccountSettings): string =>
  (/^'?(\+|00)/.test(text) ? callingCodeOf(msisdnKey(text, callingCode)) : undefined) ?? callingCode;

/**
 * The SIM serial in `text`; undefined where it is invalid or on an earlier line, which is reported at `column`.
 * @param zone a SIM may be in the file once for each
 */
export function uniqueIccid(column: string, text: string, report: Report, { uniqueness }: ImportContext, zone = '') {
  const iccid: Iccid | undefined = accept(column, parseIccid(text), report);
  const earlier = iccid && uniqueness.earlierLine(column, zone === '' ? iccid : `${iccid} in ${zone.toLowerCase()}`);
  if (earlier === undefined) return iccid;
  const where = zone === '' ? '' : ` with the zone ${zone}`;
  report(column, error('ICCID_DUPLICATE_IN_FILE', `${iccid} is already on line ${earlier}${where}`));
  return undefined;
}

/** The parsed value. Every finding is reported, including repairs. */
export function accept<Value>(column: string, parsed: Parsed<Value>, report: Report): Value | undefined {
  if (parsed.finding !== undefined) report(column, parsed.finding);
  return parsed.ok ? parsed.value : undefined;
}

/** An error for an empty cell that the row needs. */
export function reportEmpty(column: string, report: Report, reason = ''): undefined {
  report(column, error('CELL_REQUIRED', `${column} must not be empty${reason}`));
}
