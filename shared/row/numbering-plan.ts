// Numbering plans of the supported countries: which numbers are mobile numbers, and how they are written inside the
// country. Allocations below the first three digits change every month, so they are left to the service, and so are
// ranges that no kind of number has: a regulator may have opened them.
import { numberAt } from './cell.ts';
import { mobileRanges } from './mobile-ranges.ts';

export interface NumberingPlan {
  /** The prefix of a number inside its country, which is omitted after the calling code. */
  readonly trunkPrefix: string;
  /** Digits after the calling code, without the trunk prefix, shortest first. */
  readonly lengths: readonly number[];
  /** A number as written inside the country. */
  readonly example: string;
  /** By the first three digits: the lengths that mobile numbers have, as a bit mask. */
  readonly lengthsByPrefix: Uint32Array;
  /** By the first three digits: 1 where no kind of number of the country has them, though mobile numbers may. */
  readonly unassigned: Uint32Array;
}

/** Lengths, and the first digits: `710-759 762`. */
type Ranges = readonly [readonly number[], string];

const prefixDigits = 3;
/** The most digits that E.164 allows. */
const longest = 15;

/** Ranges that the library lacks: 14-digit French M2M numbers, and the French numbers for fiction. */
const additions: Readonly<Record<string, readonly Ranges[]>> = {
  33: [
    [[13], '700'],
    [[9], '639'],
  ],
};

/** Ofcom keeps this number free for examples. */
const examples: Readonly<Record<string, string>> = { 44: '7700900123' };

const plans: ReadonlyMap<string, NumberingPlan> = new Map(
  Object.entries(mobileRanges).map(([callingCode, { trunk: trunkPrefix = '', example, mobile, unassigned }]) => {
    const listed = Object.entries(mobile).map(
      ([lengths, prefixes]): Ranges => [lengths.split(' ').map(Number), prefixes],
    );
    const ranges = [...listed, ...(additions[callingCode] ?? [])];
    return [
      callingCode,
      {
        trunkPrefix,
        lengths: [...new Set(ranges.flatMap(([lengths]) => lengths))].sort((one, other) => one - other),
        example: trunkPrefix + (examples[callingCode] ?? example),
        lengthsByPrefix: indexOf(ranges),
        unassigned: indexOf(unassigned === undefined ? [] : [[[0], unassigned]]),
      },
    ];
  }),
);

function indexOf(ranges: readonly Ranges[]): Uint32Array {
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

/** Whether the digits from a place on, without trunk prefix and calling code, are a mobile number. */
export function isMobile({ lengthsByPrefix }: NumberingPlan, digits: string, from = 0): boolean {
  const length = digits.length - from;
  return length <= longest && (((lengthsByPrefix[prefixOf(digits, from)] ?? 0) >> length) & 1) === 1;
}

/** Whether these digits may be a mobile number of a range that is newer than the table. */
export const isUnassigned = ({ unassigned, lengths }: NumberingPlan, national: string): boolean =>
  unassigned[prefixOf(national)] === 1 && lengths.includes(national.length);

/** NaN where there are fewer digits. */
const prefixOf = (digits: string, from = 0): number => numberAt(digits, from, prefixDigits);

/** The supported calling code with which these E.164 digits start. No calling code is the start of another one. */
export const callingCodeOf = (digits: string): string | undefined =>
  [1, 2, 3].map((length) => digits.slice(0, length)).find((code) => plans.has(code));
