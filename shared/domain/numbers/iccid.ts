// SIM serial numbers (spec gap 21).

import { error, notice, warning } from '../imports/issue.ts';
import { describeCharacter } from '../text/cell-text.ts';
import { counted } from '../text/counted.ts';
import { invalid, type Parsed, valid } from '../text/parsed.ts';

/** 19 or 20 digits starting with 89. */
export type Iccid = string & { readonly __brand: 'Iccid' };

/** The form of nearly every cell: only the digits. */
const plain = /^89\d{17,18}$/;
const scientific = /^\d+(?:[.,]\d+)?e\+?\d+$/i;
const separators = /[\s\-\u2010-\u2013]/g;
/** A spreadsheet keeps 15 digits of a number and replaces the rest with zeros. */
const spreadsheetDigits = 15;

const formatAsText = 'Format the column as Text before you enter the serials, or export them again';

/**
 * Reads a cell such as `8944110065123456789` or `8944 1100 6512 3456 789`. Invalid with `ICCID_SHAPE` or
 * `ICCID_EXCEL_SCIENTIFIC`. A wrong check digit is the warning `ICCID_CHECK_DIGIT`; a correct one with zeros at the
 * end, which Excel may have written, is the warning `ICCID_EXCEL_SCIENTIFIC`.
 */
export function parseIccid(text: string): Parsed<Iccid> {
  if (plain.test(text) && hasValidCheckDigit(text) && !text.endsWith('0000')) return valid(text as Iccid);
  const written = text.trim().replace(/^'/, '');
  if (scientific.test(written)) {
    return excel(`"${written}" was shortened by Excel, so its last digits are lost. ${formatAsText}`);
  }
  const digits = written.replace(separators, '');
  // A SIM stores 20 half-bytes: a serial of 19 digits is padded with F.
  if (/^89\d{17}F$/i.test(digits)) return withoutPadding(digits);
  const problem = shapeProblem(digits);
  if (problem !== undefined) return invalid(error('ICCID_SHAPE', problem));
  const fits = hasValidCheckDigit(digits);
  if (/^0+$/.test(digits.slice(spreadsheetDigits))) return roundedByExcel(digits, fits);
  if (fits) return valid(digits as Iccid);
  return valid(
    digits as Iccid,
    warning('ICCID_CHECK_DIGIT', `The check digit of ${digits} is wrong. Compare the serial with the SIM card`),
  );
}

function withoutPadding(padded: string): Parsed<Iccid> {
  const parsed = parseIccid(padded.slice(0, -1));
  if (!parsed.ok || parsed.finding !== undefined) return parsed;
  return valid(parsed.value, notice('ICCID_PADDING_REMOVED', 'The F at the end is padding and was removed'));
}

/** One rounded serial in ten has a correct check digit, and one true serial in ten thousand ends in four zeros. */
function roundedByExcel(digits: string, fits: boolean): Parsed<Iccid> {
  const suspicion = `${digits} ends in zeros, which suggests that Excel removed its last digits`;
  if (!fits) return excel(`${suspicion}. ${formatAsText}`);
  return valid(
    digits as Iccid,
    warning('ICCID_EXCEL_SCIENTIFIC', `${suspicion}. Compare the serial with the SIM card`),
  );
}

function shapeProblem(digits: string): string | undefined {
  const foreign = [...digits].findIndex((character) => !/\d/.test(character));
  if (foreign >= 0) {
    return `Character ${foreign + 1} is ${describeCharacter([...digits][foreign] ?? '')}. Use 19 or 20 digits`;
  }
  if (digits.length < 19 || digits.length > 20) {
    return `The serial has ${counted(digits.length, 'digit')}. Use 19 or 20 digits`;
  }
  return digits.startsWith('89')
    ? undefined
    : `The serial starts with ${digits.slice(0, 2)}. A SIM serial starts with 89`;
}

/** The Luhn check over all digits; the last one is the check digit. */
export function hasValidCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = digits.charCodeAt(index) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

const excel = (message: string): Parsed<Iccid> => invalid(error('ICCID_EXCEL_SCIENTIFIC', message));
