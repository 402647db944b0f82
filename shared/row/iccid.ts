// SIM serial numbers (spec gap 21).

import { counted } from '#shared/text/wording.ts';
import {
  type CellValue,
  copyDigits,
  invalid,
  type Parsed,
  readText,
  separatorsOf,
  unreadable,
  usual,
  valid,
  zero,
} from './cell.ts';
import { describeCharacter } from './did-you-mean.ts';
import { error, notice, warning } from './issue.ts';

/** 19 or 20 digits starting with 89. */
export type Iccid = string & { readonly __brand: 'Iccid' };

const scientific = /^\d+(?:[.,]\d+)?e\+?\d+$/i;
const plainSeparators = ' -';
const separators = new RegExp(`[\\s\\u2010-\\u2013${plainSeparators}]`, 'g');
const isSeparator = separatorsOf(plainSeparators);
/** A spreadsheet keeps 15 digits of a number and replaces the rest with zeros. */
const spreadsheetDigits = 15;

// How a cell can be read, apart from `usual` and `unreadable`.
const wrongCheckDigit = 1;
/** The check digit is correct, but the zeros at the end may be a spreadsheet's. */
const endsInZeros = 2;
const rounded = 3;
const wrongLength = 4;
const wrongStart = 5;

const formatAsText = 'Format the column as Text before you enter the serials, or export them again';

/** Reads 19 or 20 digits from 89, perhaps with blanks and hyphens between them. */
export function readIccid(bytes: Uint8Array, start: number, end: number, to: CellValue): number {
  if (!copyDigits(bytes, start, end, isSeparator, to)) return unreadable;
  const { bytes: digits, at, length } = to;
  if (length < 19 || length > 20) return wrongLength;
  if (digits[at] !== zero + 8 || digits[at + 1] !== zero + 9) return wrongStart;
  const fits = hasValidCheckDigit(digits, at, at + length);
  if (endsInZerosFrom(digits, at + spreadsheetDigits, at + length)) return fits ? endsInZeros : rounded;
  return fits ? usual : wrongCheckDigit;
}

/** The Luhn check over all digits; the last one is the check digit. */
function hasValidCheckDigit(digits: Uint8Array, start: number, end: number): boolean {
  let sum = 0;
  for (let at = end - 1, double = false; at >= start; at -= 1, double = !double) {
    const digit = (digits[at] as number) - zero;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

function endsInZerosFrom(digits: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) if (digits[at] !== zero) return false;
  return true;
}

/**
 * Reads a cell such as `8944110065123456789` or `8944 1100 6512 3456 789`. Invalid with `ICCID_SHAPE` or
 * `ICCID_EXCEL_SCIENTIFIC`. A wrong check digit is the warning `ICCID_CHECK_DIGIT`; a correct one with zeros at the
 * end, which Excel may have written, is the warning `ICCID_EXCEL_SCIENTIFIC`.
 */
export function parseIccid(text: string): Parsed<Iccid> {
  const plain = readText(text, readIccid);
  if (plain.as === usual) return valid(plain.value as Iccid);
  const written = text.trim().replace(/^'/, '');
  if (scientific.test(written)) {
    return excel(`"${written}" was shortened by Excel, so its last digits are lost. ${formatAsText}`);
  }
  const digits = written.replace(separators, '');
  // A SIM stores 20 half-bytes: a serial of 19 digits is padded with F.
  if (/^89\d{17}F$/i.test(digits)) return withoutPadding(digits);
  const { as } = readText(digits, readIccid);
  if (as === unreadable || as === wrongLength || as === wrongStart) {
    return invalid(error('ICCID_SHAPE', shapeProblem(digits, as)));
  }
  const serial = digits as Iccid;
  if (as === rounded) return excel(`${suspicionOf(digits)}. ${formatAsText}`);
  if (as === endsInZeros) {
    return valid(
      serial,
      warning('ICCID_EXCEL_SCIENTIFIC', `${suspicionOf(digits)}. Compare the serial with the SIM card`),
    );
  }
  if (as === usual) return valid(serial);
  const message = `The check digit of ${digits} is wrong. Compare the serial with the SIM card`;
  return valid(serial, warning('ICCID_CHECK_DIGIT', message));
}

/** One rounded serial in ten has a correct check digit, and one true serial in ten thousand ends in four zeros. */
const suspicionOf = (digits: string): string =>
  `${digits} ends in zeros, which suggests that Excel removed its last digits`;

function withoutPadding(padded: string): Parsed<Iccid> {
  const parsed = parseIccid(padded.slice(0, -1));
  if (!parsed.ok || parsed.finding !== undefined) return parsed;
  return valid(parsed.value, notice('ICCID_PADDING_REMOVED', 'The F at the end is padding and was removed'));
}

function shapeProblem(digits: string, as: number): string {
  if (as === wrongLength) return `The serial has ${counted(digits.length, 'digit')}. Use 19 or 20 digits`;
  if (as === wrongStart) return `The serial starts with ${digits.slice(0, 2)}. A SIM serial starts with 89`;
  const foreign = [...digits].findIndex((character) => !/\d/.test(character));
  return `Character ${foreign + 1} is ${describeCharacter([...digits][foreign] ?? '')}. Use 19 or 20 digits`;
}

const excel = (message: string): Parsed<Iccid> => invalid(error('ICCID_EXCEL_SCIENTIFIC', message));
