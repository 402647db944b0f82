// Removes known porting codes from a text, however they are written in it (spec gap 44).
import { canonicalPac, codeSeparators, maybePac } from '#shared/row/pac.ts';

const mask = '[redacted]';
const shortest = 4;

/** `text` without any of the codes: case and separators make no difference. */
export const maskCodes = (text: string, codes: readonly string[]): string => codeMask(codes)(text);

/** `maskCodes` for many texts. */
export function codeMask(codes: readonly string[]): (text: string) => string {
  // Shorter texts are not codes, and would mask ordinary words.
  const known = [...new Set(codes.map(canonicalPac))].filter((code) => code.length >= shortest);
  if (known.length === 0) return (text) => text;
  const patterns = known.sort((one, other) => other.length - one.length).map(patternOf);
  const pattern = new RegExp(`(?<![A-Z0-9])(?:${patterns.join('|')})(?![A-Z0-9])`, 'gi');
  return (text) => text.replace(pattern, mask);
}

const patternOf = (canonical: string): string =>
  [...canonical].map((character) => character.replace(/[^A-Z0-9]/, '\\$&')).join(`[${codeSeparators}]{0,3}`);

/** A date, and digits with one decimal sign: not a code, and of use in a message. */
export const dateLike = /^\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}$/;

/**
 * A message about a cell without the texts in quotation marks that can be porting codes of any country, for rows in
 * which a code may be in the wrong column. Suggestions stay: they come from the catalogue.
 */
export function maskQuotedCodes(message: string, column: string | null): string {
  const [said = '', ...suggestion] = message.split(/(?=: did you mean )/);
  const masked = said.replace(/"([^"]*)"/g, (whole, quoted: string) => {
    const isNumber = column === 'msisdn' && /^\+?[\d\s]+$/.test(quoted);
    // A word without a digit is not a code of any network.
    return maybePac(quoted) && /\d/.test(quoted) && !isNumber && !dateLike.test(quoted) ? `"${mask}"` : whole;
  });
  return [masked, ...suggestion].join('');
}
