// Mobile numbers: every way to write a number is read into one form (spec gap 20).

import { error, type Finding, notice } from '../imports/issue.ts';
import { describeCharacter } from '../text/cell-text.ts';
import { counted } from '../text/counted.ts';
import { invalid, type Parsed, valid } from '../text/parsed.ts';
import { callingCodeOf, isMobile, type NumberingPlan, planOf } from './numbering-plan.ts';

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

/**
 * Reads a cell such as `07700 900123`, `+44 (0)7700 900123`, `00447700900123` or `'447700900123`.
 * Only mobile numbers of the supported countries are valid. Invalid with `MSISDN_SHAPE`, `MSISDN_EXCEL_SCIENTIFIC`,
 * `MSISDN_NOT_MOBILE` or `MSISDN_COUNTRY_NOT_SUPPORTED`; a repaired number has the notice
 * `MSISDN_LEADING_ZERO_RESTORED` or `MSISDN_TRUNK_ZERO_DROPPED`.
 */
export function parseMsisdn(text: string, { callingCode }: MsisdnContext): Parsed<Msisdn> {
  const home = planOf(callingCode);
  if (home?.trunkPrefix === '0' && plainNational.test(text) && isMobile(home, text.slice(1))) {
    return valid((callingCode + text.slice(1)) as Msisdn);
  }
  const written = text.trim().replace(/^'/, '');
  if (scientific.test(written)) return shortenedByExcel(written);
  if (decimal.test(written)) {
    return shape(`"${written}" was saved as a decimal number. Format the column as Text and export it again`);
  }
  const digits = written.replace(bracketedTrunkZero, '$1').replace(separators, '');
  if (!plainDigits.test(digits)) return invalidCharacter(written, digits);
  const context: Written = { written, callingCode, home };
  if (digits.startsWith('+')) return international(digits.slice(1), context);
  if (digits.startsWith('00')) return international(digits.slice(2), context);
  if (digits.startsWith('0')) return national(digits, context);
  return unprefixed(digits, context);
}

/**
 * The number in the account's format. A number of another country has no national form: it is written in digits, and
 * with + if its digits could be read as a number of the account's country.
 */
export function formatMsisdn(msisdn: Msisdn, format: MsisdnFormat, callingCode: string): string {
  if (format === 'e164plus') return `+${msisdn}`;
  if (!msisdn.startsWith(callingCode)) return isAmbiguous(msisdn, callingCode) ? `+${msisdn}` : msisdn;
  if (format === 'e164') return msisdn;
  return `${planOf(callingCode)?.trunkPrefix ?? '0'}${msisdn.slice(callingCode.length)}`;
}

const isAmbiguous = (msisdn: Msisdn, callingCode: string): boolean => {
  const parsed = parseMsisdn(msisdn, { callingCode });
  return !parsed.ok || parsed.value !== msisdn;
};

/** E.164 digits of a number at the service, which may be invalid here; a text without digits is kept as written. */
export function msisdnKey(written: string, callingCode: string): string {
  const parsed = parseMsisdn(written, { callingCode });
  if (parsed.ok) return parsed.value;
  const digits = written.trim().replace(bracketedTrunkZero, '$1').replace(separators, '');
  if (!plainDigits.test(digits)) return written;
  if (digits.startsWith('+')) return digits.slice(1);
  if (digits.startsWith('00')) return digits.slice(2);
  return digits.startsWith('0') ? callingCode + digits.slice(1) : digits;
}

interface Written {
  /** The cell, for messages. */
  readonly written: string;
  readonly callingCode: string;
  /** The plan of the account's country. */
  readonly home: NumberingPlan | undefined;
}

function international(digits: string, context: Written): Parsed<Msisdn> {
  const { written } = context;
  if (digits.startsWith('0')) return shape(`"${written}" has no calling code: no calling code starts with 0`);
  const code = callingCodeOf(digits) ?? '';
  const plan = planOf(code);
  if (plan === undefined) return notSupported(digits, context);
  const rest = digits.slice(code.length);
  if (plan.trunkPrefix !== '0' || !rest.startsWith('0')) return mobileOf(code, plan, rest, written);
  const repaired = `+${code}${rest.slice(1)}`;
  const message = `Read +${digits} as ${repaired}: the 0 after the calling code was removed`;
  return mobileOf(code, plan, rest.slice(1), written, notice('MSISDN_TRUNK_ZERO_DROPPED', message));
}

function national(digits: string, { written, callingCode, home }: Written): Parsed<Msisdn> {
  if (home === undefined) return notSupported(callingCode, { written, callingCode, home });
  if (home.trunkPrefix === '0') return mobileOf(callingCode, home, digits.slice(1), written);
  return shape(`"${written}" starts with 0, but numbers with the calling code ${callingCode} do not`);
}

/** Digits only: E.164 without `+`, or a national number whose 0 a spreadsheet removed. The numbering plans decide. */
function unprefixed(digits: string, context: Written): Parsed<Msisdn> {
  const { written, callingCode, home } = context;
  const hasCode = digits.startsWith(callingCode);
  const asInternational = international(digits, context);
  if (hasCode && asInternational.ok) return asInternational;
  if (home !== undefined && isMobile(home, digits)) {
    const repaired = (callingCode + digits) as Msisdn;
    if (home.trunkPrefix === '') return valid(repaired);
    const message = `Read ${digits} as 0${digits}: the leading 0 was lost`;
    return valid(repaired, notice('MSISDN_LEADING_ZERO_RESTORED', message));
  }
  if (asInternational.ok || home === undefined) return asInternational;
  if (home.lengths.includes(digits.length)) return mobileOf(callingCode, home, digits, written);
  const couldBe = home.lengths.map((length) => length + callingCode.length);
  if (hasCode && couldBe.includes(digits.length)) return asInternational;
  return shape(
    `"${written}" has ${counted(digits.length, 'digit')}. ` +
      `Use the format ${home.example}, or + and the calling code of another country`,
  );
}

/** @param digits after the calling code, without the trunk prefix */
function mobileOf(
  code: string,
  plan: NumberingPlan,
  digits: string,
  written: string,
  repair?: Finding,
): Parsed<Msisdn> {
  if (isMobile(plan, digits)) return valid((code + digits) as Msisdn, repair);
  const found = `"${written}" has ${counted(digits.length, 'digit')} after +${code}`;
  if (!plan.lengths.includes(digits.length)) return shape(`${found}. Use ${inWords(plan.lengths)} digits`);
  const message = `"${written}" is not a mobile number. Mobile numbers with +${code} look like ${plan.example}`;
  return invalid(error('MSISDN_NOT_MOBILE', message));
}

/** `9, 10 or 13` */
const inWords = (numbers: readonly number[]): string => numbers.join(', ').replace(/, (?=\d+$)/, ' or ');

function notSupported(digits: string, { written, callingCode, home }: Written): Parsed<Msisdn> {
  const meant = home !== undefined && isMobile(home, digits) ? `. Did you mean +${callingCode}${digits}?` : '';
  const message = `"${written}" has the calling code of no supported country${meant}`;
  return invalid(error('MSISDN_COUNTRY_NOT_SUPPORTED', message));
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
