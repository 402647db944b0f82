// Reads cells from their bytes, so that each notation is stated once, for files of millions of rows as much as for a
// text. A reader answers how it read the cell; 0 stands for a value that needs no finding.

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
/** The cell is in a notation that the reader does not know. */
export const unreadable = -1;

export const zero = 0x30;
const nine = 0x39;
const openingBracket = 0x28;
const closingBracket = 0x29;
const letterA = 0x41;
const letterZ = 0x5a;

/** Nearly every text is shorter. Separate buffers for each would take as long as reading it. */
const usualLength = 64;
/** Bytes of UTF-8 for a UTF-16 unit, at most. */
const maxBytesPerUnit = 3;
const usualBytes = Buffer.alloc(maxBytesPerUnit * usualLength);
const usualValue = Buffer.alloc(maxBytesPerUnit * usualLength);

/** A text as a reader reads it: how, and its value in ASCII. */
export function readText(text: string, read: ReadCell): { readonly as: number; readonly value: string } {
  const isUsual = text.length <= usualLength;
  const bytes = isUsual ? usualBytes : Buffer.alloc(maxBytesPerUnit * text.length);
  const value = isUsual ? usualValue : Buffer.alloc(bytes.length);
  const to = { bytes: value, at: 0, length: 0 };
  const as = read(bytes, 0, bytes.write(text), to);
  return { as, value: value.toString('latin1', 0, to.length) };
}

/** Whether a cell has this form: `A` is a capital letter, `9` is a digit, and other characters are themselves. */
export function hasForm(bytes: Uint8Array, start: number, end: number, form: string): boolean {
  if (end - start !== form.length) return false;
  for (let index = 0; index < form.length; index += 1) {
    const expected = form.charCodeAt(index);
    const byte = bytes[start + index] as number;
    if (
      expected === nine ? !isDigit(byte) : expected === letterA ? byte < letterA || byte > letterZ : byte !== expected
    )
      return false;
  }
  return true;
}

export const textHasForm = (text: string, form: string): boolean =>
  readText(text, (bytes, start, end) => (hasForm(bytes, start, end, form) ? usual : unreadable)).as === usual;

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

/** Writes the cell as it is. */
export function copyCell(bytes: Uint8Array, start: number, end: number, to: CellValue): void {
  to.length = copyBytes(bytes, start, end, to.bytes, to.at) - to.at;
}

const isBracketedZero = (bytes: Uint8Array, at: number): boolean =>
  bytes[at] === openingBracket && bytes[at + 1] === zero && bytes[at + 2] === closingBracket;

const isDigit = (byte: number): boolean => byte >= zero && byte <= nine;
