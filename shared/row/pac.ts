// Porting codes: the British PAC, the STAC that is confused with it, and the French RIO (spec gap 19). Anyone with the
// code can move the number, so no message shows it (spec gap 44).

import { dashes, hasForm, invalid, type Parsed, unseen, valid } from './cell.ts';
import { error } from './issue.ts';
import type { Msisdn } from './msisdn.ts';

/** Upper case, without separators. A secret: never in a log, a message or an error. */
export type Pac = string & { readonly __brand: 'Pac' };

/** The separators that people put between the characters of a code, as the inside of a character class. */
export const codeSeparators = `\\s\\-${dashes}${unseen}`;
const separators = new RegExp(`[${codeSeparators}]`, 'g');
/** A British PAC and STAC in capital letters, without separators. */
const pacForm = 'AAA999999';
const stacForm = '999999AAA';
const rio = /^[A-Z0-9]{2}[A-Z][A-Z0-9]{6}[A-Z0-9+]{3}$/;
const anyCode = /^[A-Z0-9+]{4,20}$/;

/** A code as it is compared and submitted: upper case, without separators. */
export const canonicalPac = (text: string): string =>
  text
    .trim()
    .replace(/^'/, '')
    .replace(separators, '')
    // Not toUpperCase: it makes other letters, such as the German sharp s, ASCII.
    .replace(/[a-z]/g, (letter) => letter.toUpperCase());

/** Whether a text can be a code of any country, in any of the ways in which people write one. */
export const maybePac = (text: string): boolean => text.length <= 100 && anyCode.test(canonicalPac(text));

/** Whether a text is certainly a code: the British and the French forms, which nothing else has. */
export function isCertainlyPac(text: string): boolean {
  const code = canonicalPac(text);
  return hasForm(code, pacForm) || rio.test(code);
}

/**
 * What the codes of a network have in common: the three letters of a PAC or STAC, the first three characters of a RIO.
 * undefined: the text is no such code. References of users have families, too: `ORD123456` has the form of a PAC.
 */
export function codeFamily(text: string): string | undefined {
  if (text.length > 100) return undefined;
  const code = canonicalPac(text);
  if (hasForm(code, stacForm)) return code.slice(-3);
  // "3 Business SIM" has the form of a RIO, too.
  return hasForm(code, pacForm) || (rio.test(code) && /^.?\d(?:.*\d){2}/.test(code)) ? code.slice(0, 3) : undefined;
}

/** Reads a cell. The country of the number decides the kind of code: 44 a PAC, 33 a RIO, others 4 to 20 characters. */
export function parsePac(text: string, msisdn: Msisdn): Parsed<Pac> {
  const isBritish = msisdn.startsWith('44');
  if (isBritish && hasForm(text, pacForm)) return valid(text as Pac);
  const code = canonicalPac(text);
  if (isBritish) return parseUkPac(code);
  if (msisdn.startsWith('33')) return parseRio(code, msisdn);
  return parseAnyCode(code);
}

/**
 * Reads the code of a row whose number is invalid: a code that is right for a number of any country is not called
 * wrong. A wrong one is wrong for the country of the calling code.
 */
export function parseLonePac(text: string, callingCode: string): Parsed<Pac> {
  const code = canonicalPac(text);
  if (hasForm(code, pacForm) || rio.test(code)) return valid(code as Pac);
  if (callingCode === '44') return parseUkPac(code);
  return callingCode === '33' ? rioShape(code) : parseAnyCode(code);
}

const parseAnyCode = (code: string): Parsed<Pac> =>
  anyCode.test(code) ? valid(code as Pac) : shape('porting code', '4 to 20 letters and digits', code);

function parseUkPac(code: string): Parsed<Pac> {
  if (hasForm(code, pacForm)) return valid(code as Pac);
  if (hasForm(code, stacForm)) {
    const message = 'This is a STAC (6 digits, 3 letters): it ends a contract and does not port. Ask for a PAC instead';
    return invalid(error('PAC_IS_STAC', message));
  }
  return shape('PAC', '3 letters and 6 digits', code);
}

function parseRio(code: string, msisdn: Msisdn): Parsed<Pac> {
  if (!rio.test(code)) return rioShape(code);
  const national = `0${msisdn.slice(2)}`;
  // The key is defined over a ten-digit number: it cannot be checked for a 14-digit M2M number.
  if (national.length !== 10 || code.slice(9) === rioKey(code.slice(0, 9), national)) return valid(code as Pac);
  return invalid(error('PAC_RIO_KEY', 'The last 3 characters of the RIO do not match this number. Check both'));
}

const rioShape = (code: string): Parsed<Pac> => shape('RIO', '12 letters and digits', code);

const rioAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+';

/** The three control characters of a RIO over its first nine characters and the number as `0612345678`. */
export function rioKey(operatorTypeReference: string, national: string): string {
  let first = 0;
  let second = 0;
  let third = 0;
  for (const symbol of operatorTypeReference + national) {
    const place = rioAlphabet.indexOf(symbol);
    first = (first + place) % 37;
    second = (2 * second + place) % 37;
    third = (4 * third + place) % 37;
  }
  return [first, second, third].map((place) => rioAlphabet[place]).join('');
}

/** Without an example: redaction would remove it from every message. */
const shape = (kind: string, expected: string, code: string): Parsed<Pac> => {
  const length = `${code.length} ${code.length === 1 ? 'character' : 'characters'}`;
  const message = `This is not a ${kind}: it has ${length}${pattern(code)}. A ${kind} has ${expected}`;
  return invalid(error('PAC_SHAPE', message));
};

/** "(3 letters, 5 digits)": shows the mistake without the code. */
function pattern(code: string): string {
  const runs = code.match(/[A-Z]+|\d+|[^A-Z\d]+/g) ?? [];
  if (runs.length === 0 || runs.length > 4) return '';
  const kinds = runs.map((run) => `${run.length} ${/[A-Z]/.test(run) ? 'letter' : /\d/.test(run) ? 'digit' : 'other'}`);
  return ` (${kinds.map((kind) => (kind.startsWith('1 ') || kind.endsWith('other') ? kind : `${kind}s`)).join(', ')})`;
}
