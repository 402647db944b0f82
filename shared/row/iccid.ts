// SIM serial numbers (spec gap 21).

import { counted } from '#shared/text/wording.ts';
import {
  dashes,
  digitsOf,
  invalid,
  isRounded,
  isShortened,
  type Parsed,
  separatorsOf,
  unseen,
  valid,
  zero,
} from './cell.ts';
import { describeCharacter } from './did-you-mean.ts';
import { error, type Finding, notice, warning } from './issue.ts';

/** 19 or 20 digits starting with 89. */
export type Iccid = string & { readonly __brand: 'Iccid' };

const plainSeparators = ' -';
const separators = new RegExp(`[\\s${dashes}${unseen}${plainSeparators}]`, 'g');
const isSeparator = separatorsOf(plainSeparators);

/** What the digits of a cell are. */
type Judgement =
  | 'serial'
  | 'wrong check digit'
  /** The check digit is correct, but the zeros at the end may be a spreadsheet's. */
  | 'ends in zeros'
  | 'rounded'
  | 'wrong length'
  | 'wrong start';

const rightLength = 'Use 19 or 20 digits';
const formatAsText = 'Format the column as Text before you enter the serials, or export them again';

function judge(digits: string): Judgement {
  if (digits.length < 19 || digits.length > 20) return 'wrong length';
  if (digits.charCodeAt(0) !== zero + 8 || digits.charCodeAt(1) !== zero + 9) return 'wrong start';
  const fits = hasValidCheckDigit(digits);
  if (isRounded(digits)) return fits ? 'ends in zeros' : 'rounded';
  return fits ? 'serial' : 'wrong check digit';
}

/** The Luhn check over all digits; the last one is the check digit. */
function hasValidCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let at = digits.length - 1, double = false; at >= 0; at -= 1, double = !double) {
    const digit = digits.charCodeAt(at) - zero;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

/**
 * Reads a cell such as `8944110065123456789` or `8944 1100 6512 3456 789`. Invalid with `ICCID_SHAPE` or
 * `ICCID_EXCEL_SCIENTIFIC`. A wrong check digit is the warning `ICCID_CHECK_DIGIT`; a correct one with zeros at the
 * end, which Excel may have written, is the warning `ICCID_EXCEL_SCIENTIFIC`.
 */
export function parseIccid(text: string): Parsed<Iccid> {
  const plain = digitsOf(text, isSeparator);
  if (plain !== undefined && judge(plain) === 'serial') return valid(plain as Iccid);
  const written = text.trim().replace(/^'/, '');
  if (isShortened(written)) {
    return invalid(lostDigits(`"${written}" was shortened by Excel, so its last digits are lost. ${formatAsText}`));
  }
  const characters = written.replace(separators, '');
  // A SIM stores 20 half-bytes: a serial of 19 digits is padded with F.
  if (/^89\d{17}F$/i.test(characters)) return withoutPadding(characters);
  const digits = digitsOf(characters, isSeparator);
  return digits === undefined ? shape(`Character ${describeForeign(characters)}. ${rightLength}`) : explain(digits);
}

/** A serial, perhaps with a warning, or what is wrong. */
function explain(digits: string): Parsed<Iccid> {
  const serial = digits as Iccid;
  switch (judge(digits)) {
    case 'serial':
      return valid(serial);
    case 'wrong check digit': {
      const message = `The check digit of ${digits} is wrong. Compare the serial with the SIM card`;
      return valid(serial, warning('ICCID_CHECK_DIGIT', message));
    }
    case 'ends in zeros': {
      const message = `${suspicionOf(digits)}. Compare the serial with the SIM card`;
      return valid(serial, { ...warning('ICCID_EXCEL_SCIENTIFIC', message), isRounded: true });
    }
    case 'rounded':
      return invalid({ ...lostDigits(`${suspicionOf(digits)}. ${formatAsText}`), isRounded: true });
    case 'wrong length':
      return shape(`The serial has ${counted(digits.length, 'digit')}. ${rightLength}`);
    default:
      return shape(`The serial starts with ${digits.slice(0, 2)}. A SIM serial starts with 89`);
  }
}

/** One rounded serial in ten has a correct check digit, and one true serial in ten thousand ends in four zeros. */
const suspicionOf = (digits: string): string =>
  `${digits} ends in zeros, which suggests that Excel removed its last digits`;

function withoutPadding(padded: string): Parsed<Iccid> {
  const parsed = parseIccid(padded.slice(0, -1));
  if (!parsed.ok || parsed.finding !== undefined) return parsed;
  return valid(parsed.value, notice('ICCID_PADDING_REMOVED', 'The F at the end is padding and was removed'));
}

function describeForeign(text: string): string {
  const characters = [...text];
  const foreign = characters.findIndex((character) => !/\d/.test(character));
  return `${foreign + 1} is ${describeCharacter(characters[foreign] ?? '')}`;
}

const shape = (message: string): Parsed<Iccid> => invalid(error('ICCID_SHAPE', message));

const lostDigits = (message: string): Finding => error('ICCID_EXCEL_SCIENTIFIC', message);
