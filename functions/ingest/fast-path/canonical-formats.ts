// Recognises numbers, SIM serials, PACs and days by their bytes. What matches is what `parseMsisdn`, `parseIccid`,
// `parsePac` or `parseCalendarDate` accepts without any finding; a cell that does not match may be just as valid.
// `canonical-formats.test.ts` compares each format with its parser.
import type { MsisdnContext } from '#shared/domain/numbers/msisdn.ts';
import { isMobilePrefix, type NumberingPlan, planOf } from '#shared/domain/numbers/numbering-plan.ts';
import { copyBytes } from './copy-bytes.ts';

export type CanonicalFormatName = 'msisdn' | 'iccid' | 'pac' | 'date';

/** No value is longer. */
export const maxValueBytes = 20;

export interface CanonicalFormat {
  /**
   * Writes the value of the cell from `start` to `end` into `values` at `at`: of a number its digits behind the calling
   * code or the 0, otherwise the whole cell. Answers its length; -1 when the cell does not match.
   */
  readValue(bytes: Uint8Array, start: number, end: number, values: Uint8Array, at: number): number;
  /** The digits before the value in the number that the parser returns; undefined for what is not a number. */
  readonly prefix: string | undefined;
  /** If a row is valid, it is also valid with a later value in this column. */
  readonly isOrdered: boolean;
  /** Two cells of this format whose values have nothing in common. */
  readonly samples: readonly [string, string];
}

const none = -1;
const zero = 0x30;
const nine = 0x39;
const plus = 0x2b;
const hyphen = 0x2d;
const openingBracket = 0x28;
const closingBracket = 0x29;

/** undefined: the numbers of this country have no notation that is certain enough. */
export function canonicalFormat(name: CanonicalFormatName, context: MsisdnContext): CanonicalFormat | undefined {
  return name === 'msisdn' ? msisdnFormat(context) : otherFormats[name];
}

/** A mobile number of the account's country, as `07700 900123`, `447700900123`, `+44 7700-900123` or `0044...`. */
function msisdnFormat({ callingCode }: MsisdnContext): CanonicalFormat | undefined {
  const plan = planOf(callingCode);
  if (plan?.trunkPrefix !== '0') return undefined;
  const code = Buffer.from(callingCode);

  /** The length of the calling code or the 0 before the value; -1 for neither. */
  const codeLength = (digits: Uint8Array, start: number, hasPlus: boolean): number => {
    const isZero = digits[start] === zero;
    if (!hasPlus && isZero && digits[start + 1] !== zero) return 1;
    const skipped = !hasPlus && isZero ? 2 : 0;
    for (let index = 0; index < code.length; index += 1) {
      if (digits[start + skipped + index] !== code[index]) return none;
    }
    return skipped + code.length;
  };
  return {
    readValue: (bytes, start, end, values, at) => {
      const first = firstDigit(bytes, start);
      const written = first === none ? none : copyDigits(bytes, first, end, values, at);
      if (written < shortestNumber) return none;
      const before = codeLength(values, at, bytes[first - 1] === plus);
      if (before === none) return none;
      const length = written - before;
      values.copyWithin(at, at + before, at + written);
      return isMobilePrefix(plan, prefixOf(values, at), length) ? length : none;
    },
    prefix: callingCode,
    isOrdered: false,
    samples: samplesOf(plan),
  };
}

/** With its calling code or 0. */
const shortestNumber = 7;

/** The place of the first digit, which only `(` and `+` may precede; -1 for a blank or a byte below the digits. */
function firstDigit(bytes: Uint8Array, start: number): number {
  let at = bytes[start] === openingBracket ? start + 1 : start;
  if (bytes[at] === plus) at += 1;
  return (bytes[at] as number) >= zero ? at : none;
}

/** Copies digits without blanks, hyphens, slashes and brackets between them; -1 for any other byte, and for `(0)`. */
function copyDigits(bytes: Uint8Array, start: number, end: number, values: Uint8Array, at: number): number {
  let to = at;
  for (let from = start; from < end; from += 1) {
    const byte = bytes[from] as number;
    if (byte >= zero && byte <= nine) {
      if (to === at + maxValueBytes) return none;
      values[to++] = byte;
    } else if (!isSeparator(byte)) return none;
    else if (byte === openingBracket && bytes[from + 1] === zero && bytes[from + 2] === closingBracket) return none;
  }
  return to - at;
}

const separators = Uint8Array.from({ length: 256 }, (_, byte) => (' -/()'.includes(String.fromCharCode(byte)) ? 1 : 0));
const isSeparator = (byte: number): boolean => separators[byte] === 1;

/** A number with the lowest and one with the highest leading digits. */
function samplesOf({ lengthsByPrefix: lengths }: NumberingPlan): [string, string] {
  const sample = (prefix: number, digits: string): string => {
    const mask = lengths[prefix] as number;
    const shortest = 31 - Math.clz32(mask & -mask);
    return `0${prefix}${digits}`.slice(0, shortest + 1);
  };
  const isUsed = (mask: number): boolean => mask !== 0;
  return [sample(lengths.findIndex(isUsed), '2638459274'), sample(lengths.findLastIndex(isUsed), '8627418395')];
}

/** The number of the first three digits. */
const prefixOf = (bytes: Uint8Array, start: number): number =>
  (bytes[start] as number) * 100 + (bytes[start + 1] as number) * 10 + (bytes[start + 2] as number) - 111 * zero;

const doubled = Uint8Array.of(0, 2, 4, 6, 8, 1, 3, 5, 7, 9);

/** 19 or 20 digits from 89 with a valid check digit, but not four zeros at the end, which may come from Excel. */
const iccidFormat: CanonicalFormat = {
  readValue: (bytes, start, end, values, at) => {
    const length = end - start;
    if ((length !== 19 && length !== 20) || bytes[start] !== 0x38 || bytes[start + 1] !== nine) return none;
    if (!areDigits(bytes, start, end) || !fitsCheckDigit(bytes, start, end)) return none;
    for (let last = end - 4; last < end; last += 1)
      if (bytes[last] !== zero) return copyBytes(bytes, start, end, values, at) - at;
    return none;
  },
  prefix: '',
  isOrdered: false,
  samples: ['8944110068123456787', '8933207715946028139'],
};

/** The Luhn algorithm. */
function fitsCheckDigit(bytes: Uint8Array, start: number, end: number): boolean {
  let sum = 0;
  for (let at = end - 1; at >= start; at -= 2) sum += (bytes[at] as number) - zero;
  for (let at = end - 2; at >= start; at -= 2) sum += doubled[(bytes[at] as number) - zero] as number;
  return sum % 10 === 0;
}

/** A British PAC: three capital letters and six digits. */
const pacFormat: CanonicalFormat = {
  readValue: (bytes, start, end, values, to) => {
    if (end - start !== 9 || !areDigits(bytes, start + 3, end)) return none;
    for (let at = start; at < start + 3; at += 1) {
      const byte = bytes[at] as number;
      if (byte < 0x41 || byte > 0x5a) return none;
    }
    return copyBytes(bytes, start, end, values, to) - to;
  },
  prefix: undefined,
  isOrdered: false,
  samples: ['QJZ582093', 'VXK461738'],
};

/** `YYYY-MM-DD` to the 28th of a month: the calendar has all of these days. */
const dateFormat: CanonicalFormat = {
  readValue: (bytes, start, end, values, to) => {
    if (end - start !== 10 || bytes[start + 4] !== hyphen || bytes[start + 7] !== hyphen) return none;
    if (!areDigits(bytes, start, start + 4) || !areDigits(bytes, start + 5, start + 7)) return none;
    if (!areDigits(bytes, start + 8, end) || bytes[start] === zero) return none;
    const month = twoDigits(bytes, start + 5);
    const day = twoDigits(bytes, start + 8);
    return month >= 1 && month <= 12 && day >= 1 && day <= 28 ? copyBytes(bytes, start, end, values, to) - to : none;
  },
  prefix: undefined,
  isOrdered: true,
  samples: ['9876-05-14', '9532-10-27'],
};

const otherFormats = { iccid: iccidFormat, pac: pacFormat, date: dateFormat };

const twoDigits = (bytes: Uint8Array, at: number): number =>
  (bytes[at] as number) * 10 + (bytes[at + 1] as number) - 11 * zero;

function areDigits(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < zero || byte > nine) return false;
  }
  return true;
}
