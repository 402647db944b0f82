// Recognises numbers, SIM serials and PACs in their usual notation by their bytes. What matches is what `parseMsisdn`,
// `parseIccid` or `parsePac` accepts without any finding; a cell that does not match may be just as valid.
// `canonical-formats.test.ts` compares each format with its parser.
import type { MsisdnContext } from '#shared/domain/numbers/msisdn.ts';
import { isMobilePrefix, type NumberingPlan, planOf } from '#shared/domain/numbers/numbering-plan.ts';

export type CanonicalFormatName = 'msisdn' | 'iccid' | 'pac';

export interface CanonicalFormat {
  /**
   * Where the value of the cell from `start` to `end` begins; -1 when the cell does not match. The value ends with the
   * cell: of a number its digits behind the calling code or the 0, otherwise the whole cell.
   */
  valueStart(bytes: Uint8Array, start: number, end: number): number;
  /** The digits before the value in the number that the parser returns; undefined for a PAC, which is not a number. */
  readonly prefix: string | undefined;
  /** Two cells of this format whose values have nothing in common. */
  readonly samples: readonly [string, string];
}

const none = -1;
const zero = 0x30;
const nine = 0x39;
const plus = 0x2b;

/** undefined: the numbers of this country have no notation that is certain enough. */
export function canonicalFormat(name: CanonicalFormatName, context: MsisdnContext): CanonicalFormat | undefined {
  if (name === 'msisdn') return msisdnFormat(context);
  return name === 'iccid' ? iccidFormat : pacFormat;
}

/** `07700900123`, `447700900123`, `+447700900123`: a mobile number of the account's country. */
function msisdnFormat({ callingCode }: MsisdnContext): CanonicalFormat | undefined {
  const plan = planOf(callingCode);
  if (plan?.trunkPrefix !== '0') return undefined;
  const code = Buffer.from(callingCode);

  const afterCode = (bytes: Uint8Array, start: number): number => {
    for (let index = 0; index < code.length; index += 1) if (bytes[start + index] !== code[index]) return none;
    return start + code.length;
  };
  const afterPrefix = (bytes: Uint8Array, start: number): number => {
    if (bytes[start] === zero) return start + 1;
    return afterCode(bytes, bytes[start] === plus ? start + 1 : start);
  };
  return {
    valueStart: (bytes, start, end) => {
      const value = afterPrefix(bytes, start);
      if (value === none || !areDigits(bytes, value, end)) return none;
      return isMobilePrefix(plan, prefixOf(bytes, value), end - value) ? value : none;
    },
    prefix: callingCode,
    samples: samplesOf(plan),
  };
}

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
  valueStart: (bytes, start, end) => {
    const length = end - start;
    if ((length !== 19 && length !== 20) || bytes[start] !== 0x38 || bytes[start + 1] !== nine) return none;
    if (!areDigits(bytes, start, end) || !fitsCheckDigit(bytes, start, end)) return none;
    for (let at = end - 4; at < end; at += 1) if (bytes[at] !== zero) return start;
    return none;
  },
  prefix: '',
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
  valueStart: (bytes, start, end) => {
    if (end - start !== 9 || !areDigits(bytes, start + 3, end)) return none;
    for (let at = start; at < start + 3; at += 1) {
      const byte = bytes[at] as number;
      if (byte < 0x41 || byte > 0x5a) return none;
    }
    return start;
  },
  prefix: undefined,
  samples: ['QJZ582093', 'VXK461738'],
};

function areDigits(bytes: Uint8Array, start: number, end: number): boolean {
  for (let at = start; at < end; at += 1) {
    const byte = bytes[at] as number;
    if (byte < zero || byte > nine) return false;
  }
  return true;
}
