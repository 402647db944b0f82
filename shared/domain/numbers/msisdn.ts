// Mobile numbers: every way to write a number is read into one form (decision 20).

import { error, type Finding, notice } from '../imports/issue.ts';
import { describeCharacter } from '../text/cell-text.ts';
import { invalid, type Parsed, valid } from '../text/parsed.ts';
import { countryOf, planOf } from './numbering-plan.ts';

/** E.164 digits without `+`: `447700900123`. */
export type Msisdn = string & { readonly __brand: 'Msisdn' };

export type MsisdnFormat = 'national' | 'e164' | 'e164plus';

export interface MsisdnContext {
  /** Calling code of the account, digits only: `44`. National numbers belong to this country. */
  readonly callingCode: string;
}

/** The form of nearly every cell: a national number with its 0. */
const plainNational = /^0[1-9]\d+$/;
const scientific = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const decimal = /^\+?\d{6,}[.,]0+$/;
const bracketedTrunkZero = /^((?:\+|00)?\s*\d{1,3}\s*)\(0\)/;
const separators = /[\s\-\u2010-\u2013./()]/g;
const plainDigits = /^\+?\d+$/;

/** E.164 allows 15 digits in total; no number that can be ported has fewer than 8. */
const shortest = 8;
const longest = 15;

/**
 * Reads a cell such as `07700 900123`, `+44 (0)7700 900123`, `00447700900123` or `'447700900123`.
 * Invalid with `MSISDN_SHAPE` or `MSISDN_EXCEL_SCIENTIFIC`; a repaired number has the notice
 * `MSISDN_LEADING_ZERO_RESTORED` or `MSISDN_TRUNK_ZERO_DROPPED`.
 */
export function parseMsisdn(text: string, { callingCode }: MsisdnContext): Parsed<Msisdn> {
  if (plainNational.test(text) && hasNationalLength(text, callingCode))
    return valid((callingCode + text.slice(1)) as Msisdn);
  const written = text.trim().replace(/^'/, '');
  if (scientific.test(written)) return shortenedByExcel(written);
  if (decimal.test(written)) {
    return shape(`"${written}" was saved as a decimal number. Format the column as Text and export it again`);
  }
  const digits = written.replace(bracketedTrunkZero, '$1').replace(separators, '');
  if (!plainDigits.test(digits)) return invalidCharacter(written, digits);
  if (digits.startsWith('+')) return international(digits.slice(1), callingCode, written);
  if (digits.startsWith('00')) return international(digits.slice(2), callingCode, written);
  if (digits.startsWith('0')) return national(digits, callingCode, written);
  return unprefixed(digits, callingCode, written);
}

/** The number in the account's format. A number of another country has no national form, so it is written in digits. */
export function formatMsisdn(msisdn: Msisdn, format: MsisdnFormat, callingCode: string): string {
  if (format === 'e164plus') return `+${msisdn}`;
  if (format === 'e164' || !msisdn.startsWith(callingCode)) return msisdn;
  return `${planOf(callingCode)?.trunkPrefix ?? '0'}${msisdn.slice(callingCode.length)}`;
}

/** Whether national numbers of the country start with 0 and have the length of this one. */
function hasNationalLength(text: string, callingCode: string): boolean {
  const plan = planOf(callingCode);
  return plan?.trunkPrefix === '0' && plan.lengths.includes(text.length - 1);
}

function international(digits: string, callingCode: string, written: string): Parsed<Msisdn> {
  if (digits.startsWith('0')) return shape(`"${written}" has no calling code: no calling code starts with 0`);
  const trunkZero = `${callingCode}0`;
  if (digits.startsWith(trunkZero) && planOf(callingCode)?.trunkPrefix === '0') {
    const repaired = callingCode + digits.slice(trunkZero.length);
    const message = `Read +${digits} as +${repaired}: the 0 after the calling code was removed`;
    return checkedLength(repaired, written, notice('MSISDN_TRUNK_ZERO_DROPPED', message));
  }
  return checkedLength(digits, written);
}

function national(digits: string, callingCode: string, written: string): Parsed<Msisdn> {
  if (planOf(callingCode)?.trunkPrefix === '') {
    return shape(`"${written}" starts with 0, but numbers with the calling code ${callingCode} do not`);
  }
  return checkedLength(callingCode + digits.slice(1), written);
}

/** Digits only: E.164 without `+`, or a national number whose 0 a spreadsheet removed. The length decides. */
function unprefixed(digits: string, callingCode: string, written: string): Parsed<Msisdn> {
  const plan = planOf(callingCode);
  if (plan === undefined) return checkedLength(digits, written);
  if (digits.startsWith(`${callingCode}0`) && plan.trunkPrefix === '0')
    return international(digits, callingCode, written);
  if (digits.startsWith(callingCode) && plan.lengths.includes(digits.length - callingCode.length)) {
    return valid(digits as Msisdn);
  }
  if (plan.lengths.includes(digits.length)) {
    const repaired = (callingCode + digits) as Msisdn;
    if (plan.trunkPrefix === '') return valid(repaired);
    const message = `Read ${digits} as 0${digits}: the leading 0 was lost`;
    return valid(repaired, notice('MSISDN_LEADING_ZERO_RESTORED', message));
  }
  if (countryOf(digits) !== undefined) return valid(digits as Msisdn);
  return shape(
    `"${written}" has ${digits.length} digits. ` +
      `Use the format ${plan.example}, or + and the calling code of another country`,
  );
}

function checkedLength(digits: string, written: string, repair?: Finding): Parsed<Msisdn> {
  const callingCode = ['44', '33'].find((code) => digits.startsWith(code));
  const plan = callingCode === undefined ? undefined : planOf(callingCode);
  if (plan !== undefined && callingCode !== undefined && !plan.lengths.includes(digits.length - callingCode.length)) {
    const count = digits.length - callingCode.length;
    return shape(`"${written}" has ${count} digits after +${callingCode}. Use ${plan.lengths.join(' or ')} digits`);
  }
  if (digits.length < shortest || digits.length > longest) {
    return shape(`"${written}" has ${digits.length} digits. A number has ${shortest} to ${longest} digits`);
  }
  return valid(digits as Msisdn, repair);
}

function invalidCharacter(written: string, stripped: string): Parsed<Msisdn> {
  if (stripped === '' || stripped === '+') return shape('The cell contains no digits');
  const found = [...stripped].find((character, index) => !/\d/.test(character) && !(index === 0 && character === '+'));
  const place = [...written].indexOf(found ?? '') + 1;
  return shape(`Character ${place} is ${describeCharacter(found ?? '')}. Use digits, for example 07700900123`);
}

const shortenedByExcel = (written: string): Parsed<Msisdn> =>
  invalid(
    error(
      'MSISDN_EXCEL_SCIENTIFIC',
      `"${written}" was shortened by Excel, so its last digits are lost. ` +
        'Format the column as Text before you enter the numbers, or export them again',
    ),
  );

const shape = (message: string): Parsed<Msisdn> => invalid(error('MSISDN_SHAPE', message));
