// What ingest keeps from row to row of one import: the numbers and SIMs so far, and the meaning of each group name.
import { hash } from 'node:crypto';
import type { UniquenessChecks } from '#shared/operations/kit/operation.ts';
import { type DigitKey, readDigitKey } from './digit-key.ts';
import { DuplicateIndex } from './duplicate-index.ts';

export class ImportUniqueness implements UniquenessChecks {
  readonly #line: () => number;
  readonly #columns = new Map<string, DuplicateIndex>();
  readonly #names = new DuplicateIndex();
  readonly #key: DigitKey = { high: 0, low: 0 };

  /** @param line the line of the record that is being validated */
  constructor(line: () => number) {
    this.#line = line;
  }

  /** The numbers of a column so far, for a caller that has their keys. */
  duplicatesIn(column: string): DuplicateIndex {
    const known = this.#columns.get(column);
    if (known !== undefined) return known;
    const created = new DuplicateIndex();
    this.#columns.set(column, created);
    return created;
  }

  earlierLine(column: string, digits: string): number | undefined {
    const [key, line] = [this.#key, this.#line()];
    readDigitKey(key, '', Buffer.from(digits, 'latin1'), 0, digits.length);
    const first = this.duplicatesIn(column).addOrGet(key.high, key.low, line);
    // The same line: the fast path stored the number before it left the row to the validator.
    return first === 0 || first === line ? undefined : first;
  }

  hasOneMeaning(name: string, meaning: string): boolean {
    const [high, low] = hashWords(name);
    // 0 would read as "new". 31 bits are enough to distinguish two meanings of one name.
    const value = (hashWords(meaning)[0] | 1) >>> 0;
    return [0, value].includes(this.#names.addOrGet(high, low, value));
  }
}

function hashWords(text: string): [number, number] {
  const digest = hash('sha256', text, 'buffer');
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}
