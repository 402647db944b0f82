// Numbers and SIM serials of a row. Each may be in a file once (decision 22).
import { error } from '#shared/domain/imports/issue.ts';
import { type Iccid, parseIccid } from '#shared/domain/numbers/iccid.ts';
import { type Msisdn, parseMsisdn } from '#shared/domain/numbers/msisdn.ts';
import type { Parsed } from '#shared/domain/text/parsed.ts';
import type { ImportContext, Report } from './operation.ts';

/** The number in `text`; undefined where it is invalid or on an earlier line, which is reported at `msisdn`. */
export function uniqueMsisdn(text: string, report: Report, { settings, uniqueness }: ImportContext) {
  const msisdn: Msisdn | undefined = accept('msisdn', parseMsisdn(text, settings), report);
  const earlier = msisdn && uniqueness.earlierLine('msisdn', msisdn);
  if (earlier === undefined) return msisdn;
  report('msisdn', error('MSISDN_DUPLICATE_IN_FILE', `${msisdn} is already on line ${earlier}`));
  return undefined;
}

/** The SIM serial in `text`; undefined where it is invalid or on an earlier line, which is reported at `column`. */
export function uniqueIccid(column: string, text: string, report: Report, { uniqueness }: ImportContext) {
  const iccid: Iccid | undefined = accept(column, parseIccid(text), report);
  const earlier = iccid && uniqueness.earlierLine(column, iccid);
  if (earlier === undefined) return iccid;
  report(column, error('ICCID_DUPLICATE_IN_FILE', `${iccid} is already on line ${earlier}`));
  return undefined;
}

/** The parsed value; every finding is reported, a repair as much as an error. */
export function accept<Value>(column: string, parsed: Parsed<Value>, report: Report): Value | undefined {
  if (parsed.finding !== undefined) report(column, parsed.finding);
  return parsed.ok ? parsed.value : undefined;
}

/** An error for an empty cell that the row needs. */
export function reportEmpty(column: string, report: Report, reason = ''): undefined {
  report(column, error('CELL_REQUIRED', `${column} must not be empty${reason}`));
}
