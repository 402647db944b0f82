// Reads cells from their bytes, so that each notation is stated once, for files of millions of rows as much as for a
// text. A reader returns how it read the cell; 0 stands for a value that needs no finding.
import type { Finding } from './issue.ts';

/** Where a reader writes the value of a cell. One serves many cells: an object for each would be slow. */
export interface CellValue {
  bytes: Uint8Array;
  /** Where the value begins. */
  at: number;
  length: number;
}

export type ReadCell = (bytes: Uint8Array, start: number, end: number, to: CellValue) => number;

/** The value needs no finding. */
export const usual = 0;
/** The cell is in a notation that the reader does not know. Readers answer lower numbers for what they know. */
export const unreadable = 99;

export const zero = 0x30;
const nine = 0x39;
const openingBracket = 0x28;
const closingBracket = 0x29;
const letterA = 0x41;
const letterZ = 0x5a;

/** A reader may add a calling code. */
const mostAdded = 3;

/** A text as a reader reads it: how, and its value in ASCII. */
export function readText(text: string, read: ReadCell): { readonly as: number; readonly value: string } {
  const bytes = Buffer.from(text);
  const to = { bytes: Buffer.allocUnsafe(bytes.length + mostAdded), at: 0, length: 0 };
  const as = read(bytes, 0, bytes.length, to);
  return { as, value: to.bytes.toString('latin1', 0, to.length) };
}

export const isUsual = (text: string, read: ReadCell): boolean => readText(text, read).as === usual;

/** Reads cells of this form: `A` is a capital letter, `9` is a digit, and other characters are themselves. */
export const formReader =
  (form: string): ReadCell =>
  (bytes, start, end, to) => {
    if (end - start !== form.length) return unreadable;
    for (let index = 0; index < form.length; index += 1) {
      if (!fits(bytes[start + index] as number, form.charCodeAt(index))) return unreadable;
    }
    to.length = copyBytes(bytes, start, end, to.bytes, to.at) - to.at;
    return usual;
  };

function fits(byte: number, form: number): boolean {
  if (form === nine) return isDigit(byte);
  return form === letterA ? byte >= letterA && byte <= letterZ : byte === form;
}

/** By byte: 1 for a separator. */
export type Separators = Uint8Array;

/** Of characters of ASCII. */
export const separatorsOf = (characters: string): Separators =>
  Uint8Array.from({ length: 256 }, (_, byte) => (characters.includes(String.fromCharCode(byte)) ? 1 : 0));

/**
 * Writes the digits of a cell without the separators between them; false if it has another character, or `(0)`, which
 * is not always a digit.
 */
export function copyDigits(
  bytes: Uint8Array,
  start: number,
  end: number,
  separators: Separators,
  to: CellValue,
): boolean {
  const { bytes: digits, at } = to;
  let next = at;
  for (let from = start; from < end; from += 1) {
    const byte = bytes[from] as number;
    if (isDigit(byte)) digits[next++] = byte;
    else if (separators[byte] !== 1 || isBracketedZero(bytes, from)) return false;
  }
  to.length = next - at;
  return true;
}

/** For a few bytes: there a loop is faster than a native copy. Returns where the next byte belongs. */
export function copyBytes(from: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  const shift = at - start;
  for (let place = start; place < end; place += 1) to[place + shift] = from[place] as number;
  return end + shift;
}

const isBracketedZero = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === openingBracket && bytes[at + 1] === zero && bytes[at + 2] === closingBracket;

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;

// The result of parsing one cell: a value, perhaps with a finding, or the finding that makes the cell invalid.

export interface Valid<T> {
  readonly ok: true;
  readonly value: T;
  /** A warning or a notice; never an error. */
  readonly finding?: Finding;
}

export interface Invalid {
  readonly ok: false;
  readonly finding: Finding;
}

export type Parsed<T> = Valid<T> | Invalid;

export const valid = <T>(value: T, finding?: Finding): Valid<T> =>
  finding === undefined ? { ok: true, value } : { ok: true, value, finding };

export const invalid = (finding: Finding): Invalid => ({ ok: false, finding });
