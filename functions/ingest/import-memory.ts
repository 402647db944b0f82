// What one import remembers from row to row: numbers and SIMs seen before, and what each group name stands for.
import { createHash } from 'node:crypto';
import type { ImportMemory } from '#shared/operations/operation.ts';
import { createSeen, type Seen } from './seen.ts';

/** Digits behind the split; both parts then fit 32 bits. */
const lowDigits = 9;
const billion = 1e9;

/**
 * @param line the line of the record that is being judged
 */
export function createImportMemory(line: () => number): ImportMemory {
  const columns = new Map<string, Seen>();
  const names = createSeen();

  const seenIn = (column: string): Seen => {
    const known = columns.get(column);
    if (known !== undefined) return known;
    const seen = createSeen();
    columns.set(column, seen);
    return seen;
  };

  return {
    earlierLine: (column, digits) => seenIn(column).firstOf(highWord(digits), lowWord(digits), line()) || undefined,
    standsFor: (name, meaning) => {
      const [high, low] = hashWords(name);
      // Zero would read as "new"; 31 bits of the meaning are plenty to tell two of them apart.
      const stands = (hashWords(meaning)[0] | 1) >>> 0;
      return [0, stands].includes(names.firstOf(high, low, stands));
    },
  };
}

/**
 * The digits before the last nine, in 32 bits: exact for numbers of up to 18 digits. The 19 or 20 digits of an ICCID
 * would not fit, but all of them begin with 89, which is left out; a billion keeps the two lengths apart.
 */
function highWord(digits: string): number {
  const high = value(digits, 0, digits.length - lowDigits);
  if (digits.length === 19) return high - 8.9 * billion;
  return digits.length === 20 ? high - 89 * billion + billion : high;
}

const lowWord = (digits: string): number => value(digits, Math.max(0, digits.length - lowDigits), digits.length);

function value(digits: string, from: number, to: number): number {
  let sum = 0;
  for (let index = from; index < to; index += 1) sum = sum * 10 + digits.charCodeAt(index) - 48;
  return sum;
}

function hashWords(text: string): [number, number] {
  const digest = createHash('sha256').update(text).digest();
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}
