// Numbering plans of the supported countries: which numbers are mobile numbers, and how they are written inside the
// country. Allocations below the first three digits change every month, so they are left to the service.
import { mobileRanges } from './mobile-ranges.ts';

export interface NumberingPlan {
  /** The prefix of a number inside its country, which is omitted after the calling code. */
  readonly trunkPrefix: string;
  /** Digits after the calling code, without the trunk prefix, shortest first. */
  readonly lengths: readonly number[];
  /** A number as written inside the country. */
  readonly example: string;
  /** By the first three digits: the lengths that mobile numbers have, as a bit mask. For `isMobilePrefix`. */
  readonly lengthsByPrefix: Uint32Array;
}

const prefixDigits = 3;
/** Of E.164. */
const longest = 15;

/** What the library does not know: 14-digit numbers of French machines. */
const additions: Readonly<Record<string, Readonly<Record<string, string>>>> = { 33: { 13: '700' } };

/** Ofcom keeps this number free for examples. */
const examples: Readonly<Record<string, string>> = { 44: '7700900123' };

const plans: ReadonlyMap<string, NumberingPlan> = new Map(
  Object.entries(mobileRanges).map(([callingCode, { trunk: trunkPrefix = '', example, mobile }]) => {
    const ranges = Object.entries({ ...mobile, ...additions[callingCode] }).map(
      ([lengths, prefixes]) => [lengths.split(' ').map(Number), prefixes] as const,
    );
    return [
      callingCode,
      {
        trunkPrefix,
        lengths: [...new Set(ranges.flatMap(([lengths]) => lengths))].sort((one, other) => one - other),
        example: trunkPrefix + (examples[callingCode] ?? example),
        lengthsByPrefix: indexOf(ranges),
      },
    ];
  }),
);

/** @param ranges lengths, and the first digits: `710-759 762` */
function indexOf(ranges: readonly (readonly [readonly number[], string])[]): Uint32Array {
  const index = new Uint32Array(10 ** prefixDigits);
  for (const [lengths, prefixes] of ranges) {
    const mask = lengths.reduce((bits, length) => bits | (1 << length), 0);
    for (const range of prefixes.split(' ')) {
      const [first = '', last = first] = range.split('-');
      for (let prefix = Number(first); prefix <= Number(last); prefix += 1) index[prefix] = (index[prefix] ?? 0) | mask;
    }
  }
  return index;
}

/** The plan of a calling code; undefined for a country that is not supported. */
export const planOf = (callingCode: string): NumberingPlan | undefined => plans.get(callingCode);

/** Whether mobile numbers of this length start with these three digits. */
export const isMobilePrefix = ({ lengthsByPrefix }: NumberingPlan, prefix: number, length: number): boolean =>
  length <= longest && (((lengthsByPrefix[prefix] ?? 0) >> length) & 1) === 1;

/** Whether these digits, without trunk prefix and calling code, are a mobile number. */
export const isMobile = (plan: NumberingPlan, national: string): boolean =>
  isMobilePrefix(plan, Number(national.slice(0, prefixDigits)), national.length);

/** The supported calling code with which these E.164 digits start. No calling code is the start of another one. */
export const callingCodeOf = (digits: string): string | undefined =>
  [1, 2, 3].map((length) => digits.slice(0, length)).find((code) => plans.has(code));
