// Cells as nearly all are written, known by their bytes. What has one of these forms is what `parseMsisdn`, `parseIccid` or
// `parsePac` accepts without a remark; a cell without one may be as good, and is for them to judge.
// `plain-forms.test.ts` holds each form against its parser.
import type { MsisdnContext } from './msisdn.ts';
import { planOf } from './numbering-plan.ts';

export type PlainFormName = 'msisdn' | 'iccid' | 'pac';

export interface PlainForm {
  /**
   * Where in the cell from `start` to `end` its value begins, -1 where the cell does not have the form. The value ends with
   * the cell: of a number its digits behind the calling code or the 0, of anything else all of it.
   */
  valueStart(bytes: Uint8Array, start: number, end: number): number;
  /** Digits that stand before the value in the number that the parser makes of it; undefined where it makes none. */
  readonly prefix: string | undefined;
  /** Cells of this form whose values have nothing in common. */
  readonly samples: readonly [string, string];
}

const none = -1;
const zero = 0x30;
const nine = 0x39;
const plus = 0x2b;

/** Undefined where numbers of the account's country have no form of which so little is known for certain. */
export function plainForm(name: PlainFormName, context: MsisdnContext): PlainForm | undefined {
  if (name === 'msisdn') return plainMsisdn(context);
  return name === 'iccid' ? plainIccid : plainPac;
}

/** `07700900123`, `447700900123`, `+447700900123`, of a length that the country has. */
function plainMsisdn({ callingCode }: MsisdnContext): PlainForm | undefined {
  const plan = planOf(callingCode);
  if (plan?.trunkPrefix !== '0') return undefined;
  const code = Buffer.from(callingCode);
  const lengths = new Set(plan.lengths);

  const behindCode = (bytes: Uint8Array, start: number): number => {
    for (let index = 0; index < code.length; index += 1) if (bytes[start + index] !== code[index]) return none;
    return start + code.length;
  };
  const behindPrefix = (bytes: Uint8Array, start: number): number => {
    if (bytes[start] === zero) return start + 1;
    return behindCode(bytes, bytes[start] === plus ? start + 1 : start);
  };
  return {
    valueStart: (bytes, start, end) => {
      const value = behindPrefix(bytes, start);
      if (value === none || !lengths.has(end - value) || bytes[value] === zero) return none;
      return areDigits(bytes, value, end) ? value : none;
    },
    prefix: callingCode,
    samples: ['7712638459', '9386274185'].map((digits) => `0${digits.slice(0, plan.lengths[0])}`) as [string, string],
  };
}

const doubled = Uint8Array.of(0, 2, 4, 6, 8, 1, 3, 5, 7, 9);

/** 19 or 20 digits from 89 with a check digit that fits, and not four zeros at the end, which may be Excel's. */
const plainIccid: PlainForm = {
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

/** Luhn's sum, as `hasValidCheckDigit` takes it. */
function fitsCheckDigit(bytes: Uint8Array, start: number, end: number): boolean {
  let sum = 0;
  for (let at = end - 1; at >= start; at -= 2) sum += (bytes[at] as number) - zero;
  for (let at = end - 2; at >= start; at -= 2) sum += doubled[(bytes[at] as number) - zero] as number;
  return sum % 10 === 0;
}

/** Three capitals and six digits: a British PAC. */
const plainPac: PlainForm = {
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
