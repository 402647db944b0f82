// Mobile numbers: every way to write a number is read into one form (spec gap 20).

import { counted } from '#shared/text/wording.ts';
import {
  type CellValue,
  copyBytes,
  copyDigits,
  invalid,
  type Parsed,
  type ReadCell,
  readText,
  separatorsOf,
  unreadable,
  usual,
  valid,
  zero,
} from './cell.ts';
import { describeCharacter } from './did-you-mean.ts';
import { error, notice, warning } from './issue.ts';
import { callingCodeOf, isMobile, isMobilePrefix, isUnassigned, type NumberingPlan, planOf } from './numbering-plan.ts';

/** E.164 digits without `+`: `447700900123`. */
export type Msisdn = string & { readonly __brand: 'Msisdn' };

export type MsisdnFormat = 'national' | 'e164' | 'e164plus';

export interface MsisdnContext {
  /** Calling code of the account, digits only: `44`. National numbers belong to this country. */
  readonly callingCode: string;
}

const scientific = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const decimal = /^\+?\d{6,}[.,]0+$/;
const bracketedTrunkZero = /^((?:\+|00)?\s*\d{1,3}\s*)\(0\)/;
const plainSeparators = ' /()-';
const separators = new RegExp(`[\\s\\u2010-\\u2013.${plainSeparators}]`, 'g');
const isSeparator = separatorsOf(plainSeparators);
const isSeparating = (character: string): boolean => character.search(separators) >= 0;
const plainDigits = /^\+?\d+$/;
const plus = 0x2b;

// How a cell can be read, apart from `usual` and `unreadable`. The first two are numbers.
const zeroRestored = 1;
const zeroDropped = 2;
const noCallingCode = 3;
const notSupported = 4;
/** No number of the country starts with 0. */
const wrongZero = 5;
/** No mobile number of the calling code with which the value starts. */
const notMobile = 6;
const wrongLength = 7;

/** The country of the account, whose numbers may be without their calling code. */
interface Home {
  readonly callingCode: string;
  readonly plan: NumberingPlan | undefined;
}

/** The digits of the cell that is being read, followed by a 0. Longer than any number. */
const digits: CellValue = { bytes: new Uint8Array(32), at: 0, length: 0 };

/**
 * Reads digits in any of the ways to write a mobile number, perhaps with separators, as its E.164 digits. The numbering
 * plans decide what is meant. `parseMsisdn` removes other characters, and explains what is wrong.
 */
export function msisdnReader({ callingCode }: MsisdnContext): ReadCell {
  const home = { callingCode, plan: planOf(callingCode) };
  return (bytes, start, end, to) => {
    const first = behindPlus(bytes, start, end);
    if (!copyDigits(bytes, first, end, isSeparator, digits) || digits.length === 0) return unreadable;
    digits.bytes[digits.length] = 0;
    if (first > start) return readInternational(0, home, to);
    if (digits.bytes[0] !== zero) return readUnprefixed(home, to);
    return digits.bytes[1] === zero ? readInternational(2, home, to) : readNational(home, to);
  };
}

/** The place behind a + that only separators precede; `start` where there is none. */
function behindPlus(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte === plus) return at + 1;
    if (isSeparator[byte] !== 1) break;
  }
  return start;
}

function readInternational(from: number, home: Home, to: CellValue): number {
  if (digits.bytes[from] === zero) return noCallingCode;
  const isHome = home.plan !== undefined && haveCode(from, home.callingCode);
  const code = isHome ? home.callingCode : (callingCodeOf(textFrom(from)) ?? '');
  const plan = isHome ? home.plan : planOf(code);
  if (plan === undefined) {
    writeNumber('', from, to);
    return notSupported;
  }
  const rest = from + code.length;
  const hasZero = plan.trunkPrefix === '0' && digits.bytes[rest] === zero;
  return hasZero ? readMobile(code, plan, rest + 1, to, zeroDropped) : readMobile(code, plan, rest, to, usual);
}

function readNational({ callingCode, plan }: Home, to: CellValue): number {
  to.length = 0;
  if (plan === undefined) return notSupported;
  return plan.trunkPrefix === '0' ? readMobile(callingCode, plan, 1, to, usual) : wrongZero;
}

/** Digits only: E.164 without `+`, or a national number whose 0 a spreadsheet removed. The numbering plans decide. */
function readUnprefixed(home: Home, to: CellValue): number {
  const { callingCode, plan } = home;
  const asInternational = readInternational(0, home, to);
  const isInternational = asInternational === usual || asInternational === zeroDropped;
  const hasCode = haveCode(0, callingCode);
  if (hasCode && isInternational) return asInternational;
  if (plan !== undefined && isMobilePrefix(plan, prefixAt(0), digits.length)) {
    return readMobile(callingCode, plan, 0, to, plan.trunkPrefix === '' ? usual : zeroRestored);
  }
  if (isInternational || plan === undefined) return asInternational;
  if (plan.lengths.includes(digits.length)) return readMobile(callingCode, plan, 0, to, usual);
  if (hasCode && plan.lengths.includes(digits.length - callingCode.length)) return asInternational;
  writeNumber('', 0, to);
  return wrongLength;
}

/** The digits from `from` on are without calling code and trunk prefix. `as` if they are a mobile number. */
function readMobile(code: string, plan: NumberingPlan, from: number, to: CellValue, as: number): number {
  writeNumber(code, from, to);
  return isMobilePrefix(plan, prefixAt(from), digits.length - from) ? as : notMobile;
}

function writeNumber(code: string, from: number, to: CellValue): void {
  const { bytes, at } = to;
  for (let place = 0; place < code.length; place += 1) bytes[at + place] = code.charCodeAt(place);
  to.length = copyBytes(digits.bytes, from, digits.length, bytes, at + code.length) - at;
}

function haveCode(from: number, code: string): boolean {
  for (let place = 0; place < code.length; place += 1) {
    if (digits.bytes[from + place] !== code.charCodeAt(place)) return false;
  }
  return true;
}

/** The number of the three digits from `at` on. */
const prefixAt = (at: number): number =>
  (digits.bytes[at] as number) * 100 +
  (digits.bytes[at + 1] as number) * 10 +
  (digits.bytes[at + 2] as number) -
  111 * zero;

const textFrom = (from: number): string => String.fromCharCode(...digits.bytes.subarray(from));

/**
 * Reads a cell such as `07700 900123`, `+44 (0)7700 900123`, `00447700900123` or `'447700900123`.
 * Only mobile numbers of the supported countries are valid. Invalid with `MSISDN_SHAPE`, `MSISDN_EXCEL_SCIENTIFIC`,
 * `MSISDN_NOT_MOBILE` or `MSISDN_COUNTRY_NOT_SUPPORTED`; a repaired number has the notice
 * `MSISDN_LEADING_ZERO_RESTORED` or `MSISDN_TRUNK_ZERO_DROPPED`, one of an unknown range the warning
 * `MSISDN_RANGE_UNKNOWN`.
 */
export function parseMsisdn(text: string, context: MsisdnContext): Parsed<Msisdn> {
  const read = msisdnReader(context);
  const plain = readText(text, read);
  if (plain.as === usual) return valid(plain.value as Msisdn);
  const written = text.trim().replace(/^'/, '');
  if (scientific.test(written)) return shortenedByExcel(written);
  if (decimal.test(written)) {
    return shape(`"${written}" was saved as a decimal number. Format the column as Text and export it again`);
  }
  const stripped = written.replace(bracketedTrunkZero, '$1').replace(separators, '');
  const { as, value } = readText(stripped, read);
  if (as === usual) return valid(value as Msisdn);
  return as === unreadable ? invalidCharacter(written, stripped) : explain(as, value, written, context.callingCode);
}

/** A repaired number with its notice, or what is wrong. */
function explain(as: number, value: string, written: string, callingCode: string): Parsed<Msisdn> {
  const code = callingCodeOf(value) ?? '';
  const national = value.slice(code.length);
  const home = planOf(callingCode);
  switch (as) {
    case zeroRestored: {
      const message = `Read ${national} as 0${national}: the leading 0 was lost`;
      return valid(value as Msisdn, notice('MSISDN_LEADING_ZERO_RESTORED', message));
    }
    case zeroDropped: {
      const message = `Read +${code}0${national} as +${value}: the 0 after the calling code was removed`;
      return valid(value as Msisdn, notice('MSISDN_TRUNK_ZERO_DROPPED', message));
    }
    case noCallingCode:
      return shape(`"${written}" has no calling code: no calling code starts with 0`);
    case notSupported: {
      const meant = home !== undefined && isMobile(home, value) ? `. Did you mean +${callingCode}${value}?` : '';
      const message = `"${written}" has the calling code of no supported country${meant}`;
      return invalid(error('MSISDN_COUNTRY_NOT_SUPPORTED', message));
    }
    case wrongZero:
      return shape(`"${written}" starts with 0, but numbers with the calling code ${callingCode} do not`);
    case notMobile:
      return explainNotMobile(code, national, written, code === callingCode);
    default:
      return shape(
        `"${written}" has ${counted(value.length, 'digit')}. ` +
          `Use the format ${home?.example}, or + and the calling code of another country`,
      );
  }
}

function explainNotMobile(code: string, national: string, written: string, isHome: boolean): Parsed<Msisdn> {
  const plan = planOf(code) as NumberingPlan;
  const { lengths, example } = plan;
  // Other digits may be a number of another country by chance.
  const namesCountry = isHome || /^\W*(?:\+|00)/.test(written);
  if (namesCountry && isUnassigned(plan, national)) {
    const value = code + national;
    const message = `The range of +${value} is not known to simporter. It is sent as a mobile number of +${code}`;
    return valid(value as Msisdn, warning('MSISDN_RANGE_UNKNOWN', message));
  }
  const found = `"${written}" has ${counted(national.length, 'digit')} after +${code}`;
  if (!lengths.includes(national.length)) return shape(`${found}. Use ${inWords(lengths)} digits`);
  const message = `"${written}" is not a mobile number. Mobile numbers with +${code} look like ${example}`;
  return invalid(error('MSISDN_NOT_MOBILE', message));
}

/** `9, 10 or 13` */
const inWords = (numbers: readonly number[]): string => numbers.join(', ').replace(/, (?=\d+$)/, ' or ');

/**
 * The number in the account's format. A number of another country has no national form: it is written in digits, and
 * with + if its digits could be read as a number of the account's country.
 */
export function formatMsisdn(msisdn: Msisdn, format: MsisdnFormat, callingCode: string): string {
  if (format === 'e164plus') return `+${msisdn}`;
  const isHome = msisdn.startsWith(callingCode);
  const plan = planOf(callingCode);
  const national = msisdn.slice(callingCode.length);
  const written = isHome && format === 'national' ? `${plan?.trunkPrefix ?? '0'}${national}` : msisdn;
  // The digits of a known range at home have one meaning.
  const isCertain = isHome && !(plan !== undefined && isUnassigned(plan, national));
  return isCertain || isRead(written, msisdn, callingCode) ? written : `+${msisdn}`;
}

function isRead(written: string, msisdn: Msisdn, callingCode: string): boolean {
  const parsed = parseMsisdn(written, { callingCode });
  return parsed.ok && parsed.value === msisdn;
}

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

function invalidCharacter(written: string, stripped: string): Parsed<Msisdn> {
  if (stripped === '' || stripped === '+') return shape('The cell contains no digits');
  const characters = [...written];
  const first = characters.findIndex((character) => !isSeparating(character));
  const place = characters.findIndex(
    (character, index) => !/\d/.test(character) && !isSeparating(character) && !(index === first && character === '+'),
  );
  const found = describeCharacter(characters[place] ?? '');
  return shape(`Character ${place + 1} is ${found}. Use digits, for example 07700900123`);
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
