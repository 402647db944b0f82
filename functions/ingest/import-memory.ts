// What one import remembers from row to row: numbers and SIMs seen before, and what each group name stands for.
import { hash } from 'node:crypto';
import type { ImportMemory } from '#shared/operations/operation.ts';
import { type DigitKey, readDigitKey } from './digit-key.ts';
import { createSeen, type Seen } from './seen.ts';

export interface SeenColumns extends ImportMemory {
  /** The same memory of a column's numbers, for who has their keys. */
  seenIn(column: string): Seen;
}

/**
 * @param line the line of the record that is being judged
 */
export function createImportMemory(line: () => number): SeenColumns {
  const key: DigitKey = { high: 0, low: 0 };
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
    seenIn,
    earlierLine: (column, digits) => {
      readDigitKey(key, '', Buffer.from(digits, 'latin1'), 0, digits.length);
      const first = seenIn(column).firstOf(key.high, key.low, line());
      // Remembered on this very line when the row was first looked at.
      return first === 0 || first === line() ? undefined : first;
    },
    standsFor: (name, meaning) => {
      const [high, low] = hashWords(name);
      // Zero would read as "new"; 31 bits of the meaning are plenty to tell two of them apart.
      const stands = (hashWords(meaning)[0] | 1) >>> 0;
      return [0, stands].includes(names.firstOf(high, low, stands));
    },
  };
}

function hashWords(text: string): [number, number] {
  const digest = hash('sha256', text, 'buffer');
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}
