// Porting codes: the British PAC, the STAC that is taken for one, the French RIO (decision 19).
// A code is as good as a signature, so no message ever shows it (decision 44).
import { error } from './issue.ts';
import type { Msisdn } from './msisdn.ts';
import { accepted, type Parsed, refused } from './parsed.ts';

/** Upper case, no separators. A secret: never in a log, a message or an error. */
export type Pac = string & { readonly __brand: 'Pac' };

const separators = /[\s\-\u2010-\u2013]/g;
const ukPac = /^[A-Z]{3}\d{6}$/;
const ukStac = /^\d{6}[A-Z]{3}$/;
const rio = /^[A-Z0-9]{2}[A-Z][A-Z0-9]{6}[A-Z0-9+]{3}$/;
const anyCode = /^[A-Z0-9+]{4,20}$/;

/** A code as it is compared and sent: upper case, without separators. */
export const plainPac = (text: string): string => text.trim().replace(/^'/, '').replace(separators, '').toUpperCase();

/** Reads a cell; the country of the number says which code is due: 44 a PAC, 33 a RIO, others 4 to 20 characters. */
export function parsePac(text: string, msisdn: Msisdn): Parsed<Pac> {
  if (ukPac.test(text) && msisdn.startsWith('44')) return accepted(text as Pac);
  const code = plainPac(text);
  if (msisdn.startsWith('44')) return parseUkPac(code);
  if (msisdn.startsWith('33')) return parseRio(code, msisdn);
  return anyCode.test(code) ? accepted(code as Pac) : shape('expected 4 to 20 letters and digits', code);
}

function parseUkPac(code: string): Parsed<Pac> {
  if (ukPac.test(code)) return accepted(code as Pac);
  if (ukStac.test(code)) {
    const message = 'this is a STAC (6 digits, 3 letters): it ends a contract and does not port. Ask for a PAC instead';
    return refused(error('PAC_IS_STAC', message));
  }
  return shape('expected a PAC: 3 letters and 6 digits', code);
}

function parseRio(code: string, msisdn: Msisdn): Parsed<Pac> {
  if (!rio.test(code)) return shape('expected a RIO: 12 letters and digits', code);
  const national = `0${msisdn.slice(2)}`;
  // The key is defined over a ten-digit number; a machine's fourteen digits leave nothing to check against.
  if (national.length !== 10 || code.slice(9) === rioKey(code.slice(0, 9), national)) return accepted(code as Pac);
  return refused(error('PAC_RIO_KEY', 'the last 3 characters of the RIO do not fit this number: check both'));
}

const rioAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789+';

/** The three control characters of a RIO over its first nine characters and the number as `0612345678`. */
export function rioKey(operatorTypeReference: string, national: string): string {
  let [first, second, third] = [0, 0, 0];
  for (const symbol of operatorTypeReference + national) {
    const place = rioAlphabet.indexOf(symbol);
    first = (first + place) % 37;
    second = (2 * second + place) % 37;
    third = (4 * third + place) % 37;
  }
  return [first, second, third].map((place) => rioAlphabet[place]).join('');
}

/** Without an example: a code that looks like one is taken out of every message. */
const shape = (expected: string, code: string): Parsed<Pac> =>
  refused(error('PAC_SHAPE', `${expected}; this has ${code.length} characters${pattern(code)}`));

/** "(3 letters, 5 digits)": enough to see the mistake, nothing of the code itself. */
function pattern(code: string): string {
  const runs = code.match(/[A-Z]+|\d+|[^A-Z\d]+/g) ?? [];
  if (runs.length === 0 || runs.length > 4) return '';
  const kinds = runs.map((run) => `${run.length} ${/[A-Z]/.test(run) ? 'letter' : /\d/.test(run) ? 'digit' : 'other'}`);
  return ` (${kinds.map((kind) => (kind.startsWith('1 ') || kind.endsWith('other') ? kind : `${kind}s`)).join(', ')})`;
}
