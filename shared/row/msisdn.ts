// Mobile numbers: every way to write a number is read into one form (spec gap 20).

import { counted } from '#shared/text/wording.ts';
import { dashes, digitsOf, invalid, isShortened, type Parsed, separatorsOf, unseen, valid, zero } from './cell.ts';
import { describeCharacter } from './did-you-mean.ts';
import { error, notice, warning } from './issue.ts';
import { callingCodeOf, isMobile, isUnassigned, type NumberingPlan, planOf } from './numbering-plan.ts';

/** E.164 digits without `+`: `447700900123`. */
export type Msisdn = string & { readonly __brand: 'Msisdn' };

export type MsisdnFormat = 'national' | 'e164' | 'e164plus';

export interface MsisdnContext {
  /** Calling code of the account, digits only: `44`. National numbers belong to this country. */
  readonly callingCode: string;
}

const decimal = /^\+?\d{6,}[.,]0+$/;
const bracketedTrunkZero = /^((?:\+|00)?\s*\d{1,3}\s*)\(0\)/;
const plainSeparators = ' /()-';
const separators = new RegExp(`[\\s${dashes}${unseen}.${plainSeparators}]`, 'g');
const unseenCharacters = new RegExp(`[${unseen}]`, 'g');
const isSeparator = separatorsOf(plainSeparators);
/** People write it between the digits of a number. */
export const isSeparating = (character: string): boolean => character.search(separators) >= 0;
const plainDigits = /^\+?\d+$/;
const plus = 0x2b;

/** What the digits of a cell are; the first three are numbers. */
type Meaning =
  | 'number'
  | 'zero restored'
  | 'zero dropped'
  | 'no calling code'
  | 'not supported'
  /** No number of the country starts with 0. */
  | 'wrong zero'
  /** No mobile number of the calling code with which the digits start. */
  | 'not mobile'
  | 'wrong length';

interface Reading {
  readonly means: Meaning;
  /** The E.164 digits, as far as the meaning is known. */
  readonly digits: string;
}

/** The country of the account, whose numbers may be without their calling code. */
interface Home {
  readonly callingCode: string;
  readonly plan: NumberingPlan | undefined;
}

const homeOf = ({ callingCode }: MsisdnContext): Home => ({ callingCode, plan: planOf(callingCode) });

/**
 * Reads digits in any of the ways to write a mobile number, perhaps with separators. The numbering plans decide what is
 * meant. undefined: the text has other characters. `parseMsisdn` removes them, and explains what is wrong.
 */
function read(text: string, home: Home): Reading | undefined {
  const first = behindPlus(text);
  const digits = digitsOf(text, isSeparator, first);
  if (digits === undefined || digits === '') return undefined;
  if (first > 0) return readInternational(digits, home);
  if (digits.charCodeAt(0) !== zero) return readUnprefixed(digits, home);
  return digits.charCodeAt(1) === zero ? readInternational(digits.slice(2), home) : readNational(digits, home);
}

/** The place behind a + that only separators precede; 0 where there is none. */
function behindPlus(text: string): number {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === plus) return at + 1;
    if (isSeparator[code] !== 1) break;
  }
  return 0;
}

function readInternational(digits: string, home: Home): Reading {
  if (digits.charCodeAt(0) === zero) return { means: 'no calling code', digits: '' };
  const isHome = home.plan !== undefined && digits.startsWith(home.callingCode);
  const code = isHome ? home.callingCode : (callingCodeOf(digits) ?? '');
  const plan = isHome ? home.plan : planOf(code);
  if (plan === undefined) return { means: 'not supported', digits };
  const hasZero = plan.trunkPrefix === '0' && digits.charCodeAt(code.length) === zero;
  if (hasZero) return readMobile(code, plan, digits.slice(code.length + 1), 'zero dropped');
  return { means: isMobile(plan, digits, code.length) ? 'number' : 'not mobile', digits };
}

function readNational(digits: string, { callingCode, plan }: Home): Reading {
  if (plan === undefined) return { means: 'not supported', digits: '' };
  return plan.trunkPrefix === '0'
    ? readMobile(callingCode, plan, digits.slice(1), 'number')
    : { means: 'wrong zero', digits: '' };
}

/** Digits only: E.164 without `+`, or a national number whose 0 a spreadsheet removed. The numbering plans decide. */
function readUnprefixed(digits: string, home: Home): Reading {
  const { callingCode, plan } = home;
  const international = readInternational(digits, home);
  const isInternational = international.means === 'number' || international.means === 'zero dropped';
  const hasCode = digits.startsWith(callingCode);
  if (hasCode && isInternational) return international;
  if (plan !== undefined && isMobile(plan, digits)) {
    return readMobile(callingCode, plan, digits, plan.trunkPrefix === '' ? 'number' : 'zero restored');
  }
  if (isInternational || plan === undefined) return international;
  if (plan.lengths.includes(digits.length)) return readMobile(callingCode, plan, digits, 'number');
  if (hasCode && plan.lengths.includes(digits.length - callingCode.length)) return international;
  return { means: 'wrong length', digits };
}

/** @param national without calling code and trunk prefix. @param means what it is if it is a mobile number */
const readMobile = (code: string, plan: NumberingPlan, national: string, means: Meaning): Reading => ({
  means: isMobile(plan, national) ? means : 'not mobile',
  digits: code + national,
});

/**
 * Reads a cell such as `07700 900123`, `+44 (0)7700 900123`, `00447700900123` or `'447700900123`.
 * Only mobile numbers of the supported countries are valid. Invalid with `MSISDN_SHAPE`, `MSISDN_EXCEL_SCIENTIFIC`,
 * `MSISDN_NOT_MOBILE` or `MSISDN_COUNTRY_NOT_SUPPORTED`; a repaired number has the notice
 * `MSISDN_LEADING_ZERO_RESTORED` or `MSISDN_TRUNK_ZERO_DROPPED`, one of an unknown range the warning
 * `MSISDN_RANGE_UNKNOWN`.
 */
export function parseMsisdn(text: string, context: MsisdnContext): Parsed<Msisdn> {
  const home = homeOf(context);
  const plain = read(text, home);
  if (plain?.means === 'number') return valid(plain.digits as Msisdn);
  const written = asSeen(text);
  if (isShortened(written)) return shortenedByExcel(written);
  if (decimal.test(written)) {
    return shape(`"${written}" was saved as a decimal number. Format the column as Text and export it again`);
  }
  const stripped = written.replace(bracketedTrunkZero, '$1').replace(separators, '');
  const reading = read(stripped, home);
  return reading === undefined ? invalidCharacter(written, stripped) : explain(reading, written, home);
}

const asSeen = (text: string): string => text.replace(unseenCharacters, '').trim().replace(/^'/, '');

/** A number, perhaps repaired with a notice, or what is wrong. */
function explain({ means, digits: value }: Reading, written: string, { callingCode, plan }: Home): Parsed<Msisdn> {
  const code = callingCodeOf(value) ?? '';
  const national = value.slice(code.length);
  switch (means) {
    case 'number':
      return valid(value as Msisdn);
    case 'zero restored': {
      const message = `Read ${national} as 0${national}: the leading 0 was lost`;
      return valid(value as Msisdn, notice('MSISDN_LEADING_ZERO_RESTORED', message));
    }
    case 'zero dropped': {
      const message = `Read +${code}0${national} as +${value}: the 0 after the calling code was removed`;
      return valid(value as Msisdn, notice('MSISDN_TRUNK_ZERO_DROPPED', message));
    }
    case 'no calling code':
      return shape(`"${written}" has no calling code: no calling code starts with 0`);
    case 'not supported': {
      const meant = plan !== undefined && isMobile(plan, value) ? `. Did you mean +${callingCode}${value}?` : '';
      const message = `"${written}" has the calling code of no supported country${meant}`;
      return invalid(error('MSISDN_COUNTRY_NOT_SUPPORTED', message));
    }
    case 'wrong zero':
      return shape(`"${written}" starts with 0, but numbers with the calling code ${callingCode} do not`);
    case 'not mobile':
      return explainNotMobile(code, national, written, code === callingCode);
    default:
      return shape(
        `"${written}" has ${counted(value.length, 'digit')}. ` +
          `Use the format ${plan?.example}, or + and the calling code of another country`,
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
  const digits = asSeen(written).replace(bracketedTrunkZero, '$1').replace(separators, '');
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
