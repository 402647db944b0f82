// Mobile numbers: however a person or a spreadsheet wrote them, one key inside (decision 20).
import { describeCharacter } from './cell-text.ts';
import { error, notice } from './issue.ts';
import { countryOf, planOf } from './numbering-plan.ts';
import { accepted, type Parsed, refused } from './parsed.ts';

/** E.164 digits without `+`: `447700900123`. */
export type Msisdn = string & { readonly __brand: 'Msisdn' };

export type MsisdnFormat = 'national' | 'e164' | 'e164plus';

export interface MsisdnContext {
  /** Calling code of the account, digits only: `44`. National numbers belong to it. */
  readonly callingCode: string;
}

/** What nearly every cell holds: a national number with its 0 and nothing around it. */
const plainNational = /^0[1-9]\d+$/;
const scientific = /^[+-]?\d+(?:[.,]\d+)?e[+-]?\d+$/i;
const decimal = /^\+?\d{6,}[.,]0+$/;
const bracketedTrunkZero = /^((?:\+|00)?\s*\d{1,3}\s*)\(0\)/;
const separators = /[\s\-\u2010-\u2013./()]/g;
const plainDigits = /^\+?\d+$/;

/** E.164 allows 15 digits in all; nothing that can be ported has fewer than 8. */
const shortest = 8;
const longest = 15;

/**
 * Reads a cell such as `07700 900123`, `+44 (0)7700 900123`, `00447700900123` or `'447700900123`.
 * Refuses with `MSISDN_SHAPE` or `MSISDN_EXCEL_SCIENTIFIC`; remarks `MSISDN_LEADING_ZERO_RESTORED` or
 * `MSISDN_TRUNK_ZERO_DROPPED` where the number was mended.
 */
export function parseMsisdn(text: string, { callingCode }: MsisdnContext): Parsed<Msisdn> {
  if (plainNational.test(text) && hasNationalLength(text, callingCode))
    return accepted((callingCode + text.slice(1)) as Msisdn);
  const written = text.trim().replace(/^'/, '');
  if (scientific.test(written)) return excelLesson(written);
  if (decimal.test(written)) {
    return shape(`"${written}" ends in ${written.slice(-2)}: it was saved as a decimal. Export the column as text`);
  }
  const digits = written.replace(bracketedTrunkZero, '$1').replace(separators, '');
  if (!plainDigits.test(digits)) return foreignCharacter(written, digits);
  if (digits.startsWith('+')) return international(digits.slice(1), callingCode, written);
  if (digits.startsWith('00')) return international(digits.slice(2), callingCode, written);
  if (digits.startsWith('0')) return national(digits, callingCode, written);
  return unprefixed(digits, callingCode, written);
}

/** The number as the service of the account wants it. A number of another country has no national form: digits. */
export function formatMsisdn(msisdn: Msisdn, format: MsisdnFormat, callingCode: string): string {
  if (format === 'e164plus') return `+${msisdn}`;
  if (format === 'e164' || !msisdn.startsWith(callingCode)) return msisdn;
  return `${planOf(callingCode)?.trunkPrefix ?? '0'}${msisdn.slice(callingCode.length)}`;
}

/** Whether a number that begins with 0 is as long as the numbers of the country, and begins with 0 where they do. */
function hasNationalLength(text: string, callingCode: string): boolean {
  const plan = planOf(callingCode);
  return plan?.trunkPrefix === '0' && plan.lengths.includes(text.length - 1);
}

function international(digits: string, callingCode: string, written: string): Parsed<Msisdn> {
  if (digits.startsWith('0')) return shape(`"${written}" has no calling code: none begins with 0`);
  const trunkZero = `${callingCode}0`;
  if (digits.startsWith(trunkZero) && planOf(callingCode)?.trunkPrefix === '0') {
    const mended = callingCode + digits.slice(trunkZero.length);
    return checkedLength(mended, written, notice('MSISDN_TRUNK_ZERO_DROPPED', `read +${digits} as +${mended}`));
  }
  return checkedLength(digits, written);
}

function national(digits: string, callingCode: string, written: string): Parsed<Msisdn> {
  if (planOf(callingCode)?.trunkPrefix === '') {
    return shape(`"${written}" begins with 0, which numbers of calling code ${callingCode} do not`);
  }
  return checkedLength(callingCode + digits.slice(1), written);
}

/** Digits only: E.164 without its `+`, or a national number whose 0 a spreadsheet has eaten. The length decides. */
function unprefixed(digits: string, callingCode: string, written: string): Parsed<Msisdn> {
  const plan = planOf(callingCode);
  if (plan === undefined) return checkedLength(digits, written);
  if (digits.startsWith(`${callingCode}0`) && plan.trunkPrefix === '0')
    return international(digits, callingCode, written);
  if (digits.startsWith(callingCode) && plan.lengths.includes(digits.length - callingCode.length)) {
    return accepted(digits as Msisdn);
  }
  if (plan.lengths.includes(digits.length)) {
    const mended = (callingCode + digits) as Msisdn;
    if (plan.trunkPrefix === '') return accepted(mended);
    return accepted(mended, notice('MSISDN_LEADING_ZERO_RESTORED', `read ${digits} as 0${digits}: its 0 was lost`));
  }
  if (countryOf(digits) !== undefined) return accepted(digits as Msisdn);
  return shape(
    `"${written}" has ${digits.length} digits: expected ${plan.example}, or + and the calling code for another country`,
  );
}

function checkedLength(digits: string, written: string, remark?: ReturnType<typeof notice>): Parsed<Msisdn> {
  const callingCode = ['44', '33'].find((code) => digits.startsWith(code));
  const plan = callingCode === undefined ? undefined : planOf(callingCode);
  if (plan !== undefined && callingCode !== undefined && !plan.lengths.includes(digits.length - callingCode.length)) {
    const count = digits.length - callingCode.length;
    return shape(`"${written}" has ${count} digits after +${callingCode}: expected ${plan.lengths.join(' or ')}`);
  }
  if (digits.length < shortest || digits.length > longest) {
    return shape(`"${written}" has ${digits.length} digits: a number has ${shortest} to ${longest}`);
  }
  return accepted(digits as Msisdn, remark);
}

function foreignCharacter(written: string, stripped: string): Parsed<Msisdn> {
  if (stripped === '' || stripped === '+') return shape('there is no digit in this cell');
  const found = [...stripped].find((character, index) => !/\d/.test(character) && !(index === 0 && character === '+'));
  const place = [...written].indexOf(found ?? '') + 1;
  return shape(`character ${place} is ${describeCharacter(found ?? '')}: expected digits such as 07700900123`);
}

const excelLesson = (written: string): Parsed<Msisdn> =>
  refused(
    error(
      'MSISDN_EXCEL_SCIENTIFIC',
      `"${written}" was a number before Excel shortened it, and its last digits are gone. ` +
        'Format the column as Text before the numbers go in, or export them again',
    ),
  );

const shape = (message: string): Parsed<Msisdn> => refused(error('MSISDN_SHAPE', message));
