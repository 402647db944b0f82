// SIM serial numbers (decision 21).
import { describeCharacter } from './cell-text.ts';
import { error, warning } from './issue.ts';
import { accepted, type Parsed, refused } from './parsed.ts';

/** 19 or 20 digits beginning with 89. */
export type Iccid = string & { readonly __brand: 'Iccid' };

/** What nearly every cell holds: nothing but the digits. */
const plain = /^89\d{17,18}$/;
const scientific = /^\d+(?:[.,]\d+)?e\+?\d+$/i;
const separators = /[\s\-\u2010-\u2013]/g;
/** A spreadsheet keeps 15 digits of a number and writes zeros for the rest. */
const spreadsheetDigits = 15;

const lesson = 'Format the column as Text before the serials go in, or export them again';

/**
 * Reads a cell such as `8944110065123456789` or `8944 1100 6512 3456 789`. Refuses with `ICCID_SHAPE` or
 * `ICCID_EXCEL_SCIENTIFIC`; a check digit that does not fit is the warning `ICCID_CHECK_DIGIT`, and so are zeros at the
 * end that may be Excel's although it fits.
 */
export function parseIccid(text: string): Parsed<Iccid> {
  if (plain.test(text) && hasValidCheckDigit(text) && !text.endsWith('0000')) return accepted(text as Iccid);
  const written = text.trim().replace(/^'/, '');
  if (scientific.test(written)) {
    return excel(`"${written}" was a serial before Excel shortened it, and its last digits are gone. ${lesson}`);
  }
  const digits = written.replace(separators, '');
  const problem = shapeProblem(digits);
  if (problem !== undefined) return refused(error('ICCID_SHAPE', problem));
  const fits = hasValidCheckDigit(digits);
  if (/^0+$/.test(digits.slice(spreadsheetDigits))) return roundedByExcel(digits, fits);
  if (fits) return accepted(digits as Iccid);
  return accepted(
    digits as Iccid,
    warning('ICCID_CHECK_DIGIT', `the last digit of ${digits} does not fit the others: check it against the SIM card`),
  );
}

/** One rounded serial in ten has a check digit that fits, and one true serial in ten thousand ends in four zeros. */
function roundedByExcel(digits: string, fits: boolean): Parsed<Iccid> {
  const suspicion = `${digits} ends in zeros, as where Excel drops the last digits of a serial`;
  if (!fits) return excel(`${suspicion}. ${lesson}`);
  return accepted(digits as Iccid, warning('ICCID_EXCEL_SCIENTIFIC', `${suspicion}: check it against the SIM card`));
}

function shapeProblem(digits: string): string | undefined {
  const foreign = [...digits].findIndex((character) => !/\d/.test(character));
  if (/^\d{19}F$/i.test(digits)) return 'the F at the end is a filler: leave it out';
  if (foreign >= 0) {
    return `character ${foreign + 1} is ${describeCharacter([...digits][foreign] ?? '')}: expected 19 or 20 digits`;
  }
  if (digits.length < 19 || digits.length > 20) return `expected 19 or 20 digits, got ${digits.length}`;
  return digits.startsWith('89') ? undefined : `expected a serial beginning with 89, got ${digits.slice(0, 2)}`;
}

/** Luhn's sum over all digits, the last being the check digit. */
export function hasValidCheckDigit(digits: string): boolean {
  let sum = 0;
  for (let index = digits.length - 1, double = false; index >= 0; index--, double = !double) {
    const digit = digits.charCodeAt(index) - 48;
    sum += double ? (digit > 4 ? digit * 2 - 9 : digit * 2) : digit;
  }
  return sum % 10 === 0;
}

const excel = (message: string): Parsed<Iccid> => refused(error('ICCID_EXCEL_SCIENTIFIC', message));
