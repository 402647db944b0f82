// What ingest keeps from row to row of one import: the numbers and SIMs so far, and the meaning of each group name.
import { hash } from 'node:crypto';
import type { UniquenessChecks } from '#shared/operations/kit/operation.ts';
import { type DigitKey, DuplicateIndex, readDigitKey } from './duplicate-index.ts';

/** Of a SIM serial; a phone number has fewer. */
const maxDigits = 20;

export class ImportUniqueness implements UniquenessChecks {
  readonly #line: () => number;
  readonly #columns = new Map<string, DuplicateIndex>();
  readonly #names = new DuplicateIndex();
  readonly #key: DigitKey = { high: 0, low: 0 };
  readonly #digits = Buffer.alloc(maxDigits);
  /** What the current row has added. */
  #added: { readonly duplicates: DuplicateIndex; readonly high: number; readonly low: number }[] = [];

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
    const line = this.#line();
    readDigitKey(this.#key, this.#digits, 0, this.#digits.write(digits, 'latin1'));
    const { high, low } = this.#key;
    const duplicates = this.duplicatesIn(column);
    const first = duplicates.addOrGet(high, low, line);
    if (first === 0) this.#added.push({ duplicates, high, low });
    return first === 0 || first === line ? undefined : first;
  }

  /** Ends the row. The numbers of an invalid row are free for a later one. */
  endRow(verdict: 'valid' | 'invalid'): void {
    if (verdict === 'invalid') for (const { duplicates, high, low } of this.#added) duplicates.remove(high, low);
    if (this.#added.length > 0) this.#added = [];
  }

  hasOneMeaning(name: string, meaning: string): boolean {
    const [high, low] = hashWords(name);
    const value = meaningWord(meaning);
    return [0, value].includes(this.#names.addOrGet(high, low, value));
  }

  hasOtherMeaning(name: string, meaning: string): boolean {
    return ![0, meaningWord(meaning)].includes(this.#names.get(...hashWords(name)));
  }
}

/** Not 0, which would read as "new". 30 bits are enough to distinguish two meanings of one name. */
const meaningWord = (meaning: string): number => (hashWords(meaning)[0] >>> 1) | 1;

function hashWords(text: string): [number, number] {
  const digest = hash('sha256', text, 'buffer');
  return [digest.readUInt32BE(0), digest.readUInt32BE(4)];
}
