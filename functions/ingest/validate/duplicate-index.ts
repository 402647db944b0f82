// Which keys a file has shown, and on which line first. An open-addressing hash table: ten million keys take 150 MB
// here and a gigabyte as strings in a Set. Keys are exact pairs of 32-bit words, never hashes. Each index has a random
// seed: otherwise a file could be made of numbers that all share one slot, and each would be compared with all others.
import { hash, randomInt } from 'node:crypto';
import type { UniquenessChecks } from '#shared/operations/operation.ts';
import { zero } from '#shared/row/cell.ts';

/** High word, low word, value: 0 where the slot is free. */
const wordsPerSlot = 3;
/** The value of a removed key. It keeps its slot, because the search for another key may pass there. */
const removed = 2 ** 32 - 1;
/** A few tables that grow one at a time: no large copy at once, and the right one is found at no cost. */
const tableBits = 4;
/** A nearly full table needs several probes for each new key; a large half-empty one wastes memory. */
const isSmall = (slotCount: number): boolean => slotCount < 1 << 17;
const maxLoadOf = (slotCount: number): number => slotCount * (isSmall(slotCount) ? 0.6 : 0.9);
const growthOf = (slotCount: number): number => (isSmall(slotCount) ? 4 : 1.15);

export class DuplicateIndex {
  readonly #tables: readonly Table[];
  readonly #seed = randomSeed();

  /** @param initialSlots of each of the 16 tables: few, because most files have few rows */
  constructor(initialSlots = 32) {
    this.#tables = Array.from({ length: 1 << tableBits }, () => new Table(initialSlots, this.#seed));
  }

  get size(): number {
    return this.#tables.reduce((sum, { size }) => sum + size, 0);
  }

  /** The value stored first under this key; 0: the key is new, and `value` (1 to 2^32 - 2) is stored. */
  addOrGet(high: number, low: number, value: number): number {
    const hash = hashOf(this.#seed, high, low);
    return (this.#tables[hash >>> (32 - tableBits)] as Table).addOrGet(hash, high, low, value);
  }

  /** The value stored under this key; 0 if there is none. */
  get(high: number, low: number): number {
    const hash = hashOf(this.#seed, high, low);
    return (this.#tables[hash >>> (32 - tableBits)] as Table).get(hash, high, low);
  }

  /** The values of the keys whose low word passes. In no order. */
  valuesOf(passes: (low: number) => boolean): number[] {
    return this.#tables.flatMap((table) => table.valuesOf(passes));
  }

  /** Forgets the key, so that a later value is the first one. */
  remove(high: number, low: number): void {
    const hash = hashOf(this.#seed, high, low);
    (this.#tables[hash >>> (32 - tableBits)] as Table).remove(hash, high, low);
  }
}

class Table {
  words: Uint32Array<ArrayBuffer>;
  slotCount: number;
  size = 0;
  readonly #seed: Seed;

  constructor(slotCount: number, seed: Seed) {
    this.#seed = seed;
    this.words = new Uint32Array(slotCount * wordsPerSlot);
    this.slotCount = slotCount;
  }

  addOrGet(hash: number, high: number, low: number, value: number): number {
    const at = this.#findSlot(hash, high, low);
    const first = this.words[at + 2] as number;
    if (first !== 0 && first !== removed) return first;
    this.#store(at, high, low, value);
    if (first === removed) return 0;
    this.size += 1;
    if (this.size > maxLoadOf(this.slotCount)) this.#grow();
    return 0;
  }

  get(hash: number, high: number, low: number): number {
    const value = this.words[this.#findSlot(hash, high, low) + 2] as number;
    return value === removed ? 0 : value;
  }

  valuesOf(passes: (low: number) => boolean): number[] {
    const values: number[] = [];
    for (let at = 0; at < this.words.length; at += wordsPerSlot) {
      const value = this.words[at + 2] as number;
      if (value !== 0 && value !== removed && passes(this.words[at + 1] as number)) values.push(value);
    }
    return values;
  }

  remove(hash: number, high: number, low: number): void {
    const at = this.#findSlot(hash, high, low);
    if (this.words[at + 2] !== 0) this.words[at + 2] = removed;
  }

  #store(at: number, high: number, low: number, value: number): void {
    this.words[at] = high;
    this.words[at + 1] = low;
    this.words[at + 2] = value;
  }

  #grow(): void {
    const old = this.words;
    this.slotCount = Math.ceil(this.slotCount * growthOf(this.slotCount));
    this.words = new Uint32Array(this.slotCount * wordsPerSlot);
    for (let from = 0; from < old.length; from += wordsPerSlot) {
      const [high, low, value] = [old[from] as number, old[from + 1] as number, old[from + 2] as number];
      if (value !== 0) this.#store(this.#findSlot(hashOf(this.#seed, high, low), high, low), high, low, value);
    }
    // Frees the memory now and not at the next garbage collection: the tables grow nearly at the same time.
    old.buffer.transfer(0);
  }

  /** The slot of the key, or the free slot where it belongs. */
  #findSlot(hash: number, high: number, low: number): number {
    const { words } = this;
    let at = firstSlot(hash, this.slotCount);
    while (words[at + 2] !== 0 && (words[at + 1] !== low || words[at] !== high)) {
      at += wordsPerSlot;
      if (at === words.length) at = 0;
    }
    return at;
  }
}

/** Where the search for a key begins. The high bits of the hash select the table, the low ones the slot. */
function firstSlot(hash: number, slotCount: number): number {
  const inTable = (hash << tableBits) >>> 0;
  return Math.floor(inTable * (slotCount / 2 ** 32)) * wordsPerSlot;
}

/** A number or SIM serial as a pair of words. */
export interface DigitKey {
  high: number;
  low: number;
}

/** Digits of the low word. */
const lowDigits = 9;

/**
 * Writes the key of a text of digits, because an object for each row would be slow. Exact for up to 18 digits, and for
 * the 19 or 20 digits of a SIM serial, because all of those begin with 89, which is left out.
 */
export function readDigitKey(key: DigitKey, digits: string): void {
  const { length } = digits;
  // The 1, which nine digits follow, distinguishes a serial of 20 digits from one of 19.
  let high = length === 20 ? 1 : 0;
  let at = length > 18 ? 2 : 0;
  for (; at < length - lowDigits; at += 1) high = high * 10 + digits.charCodeAt(at) - zero;
  let low = 0;
  for (; at < length; at += 1) low = low * 10 + digits.charCodeAt(at) - zero;
  key.high = high;
  key.low = low;
}

/** Odd factors: with constant ones, keys could be chosen that collide under each seed. */
interface Seed {
  readonly low: number;
  readonly high: number;
}

const randomOdd = (): number => (randomInt(2 ** 31) * 2 + 1) | 0;
const randomSeed = (): Seed => ({ low: randomOdd(), high: randomOdd() });

/** Spreads consecutive numbers, of which files are full. */
function hashOf(seed: Seed, high: number, low: number): number {
  let hash = Math.imul(low ^ seed.high, seed.low);
  hash = Math.imul(hash ^ (hash >>> 15), seed.high);
  hash = Math.imul(hash ^ (hash >>> 13) ^ high, seed.low);
  return (hash ^ (hash >>> 16)) >>> 0;
}

// What ingest keeps from row to row of one import: the numbers and SIMs so far, and the meaning of each group name.

/** One in 100,000 consecutive numbers ends in five zeros. */
const isRound = (low: number): boolean => low % 100_000 === 0;

/** A SIM serial has 20 digits; a phone number has fewer. */
const maxDigits = 20;

export class ImportUniqueness implements UniquenessChecks {
  readonly #line: () => number;
  readonly #sent: ImportUniqueness | undefined;
  readonly #columns = new Map<string, DuplicateIndex>();
  readonly #names = new DuplicateIndex();
  readonly #key: DigitKey = { high: 0, low: 0 };
  #repeatsRound = false;
  /** The earlier lines that the current row repeats, and whether it repeats a round number. */
  #repeatedLines: number[] = [];
  #isRoundRepeat = false;
  /** What the current row has added; the objects are used again for the next row. */
  readonly #added: { duplicates: DuplicateIndex; high: number; low: number }[] = [];
  #addedCount = 0;

  /**
   * @param line the line of the record that is being validated
   * @param sent the numbers and SIMs of a file that this one corrects, by their lines there
   */
  constructor(line: () => number, sent?: ImportUniqueness) {
    this.#line = line;
    this.#sent = sent;
  }

  /** Adds the value of a row that was sent. */
  addSent(column: string, value: string): void {
    this.earlierLine(column, value);
    this.endRow('valid');
  }

  #numbersOf(column: string): DuplicateIndex {
    const known = this.#columns.get(column);
    if (known !== undefined) return known;
    const created = new DuplicateIndex();
    this.#columns.set(column, created);
    return created;
  }

  earlierLine(column: string, value: string): number | undefined {
    const sent = this.#sent?.find(column, value);
    if (sent !== undefined) return sent;
    const line = this.#line();
    const isNumber = value.length <= maxDigits;
    const duplicates = this.#open(column, value);
    const { high, low } = this.#key;
    const first = duplicates.addOrGet(high, low, line);
    if (first === 0) this.#remember(duplicates, high, low);
    else if (first !== line) {
      this.#repeatedLines.push(first);
      if (isNumber && isRound(low)) this.#isRoundRepeat = true;
    }
    return first === 0 || first === line ? undefined : first;
  }

  /** The line that has the value; nothing is added. */
  find(column: string, value: string): number | undefined {
    const duplicates = this.#open(column, value);
    const { high, low } = this.#key;
    return duplicates.get(high, low) || undefined;
  }

  /** Sets the key of the value, and returns the index that it belongs to. */
  #open(column: string, value: string): DuplicateIndex {
    const isNumber = value.length <= maxDigits;
    if (isNumber) readDigitKey(this.#key, value);
    else [this.#key.high, this.#key.low] = hashWords(value);
    return this.#numbersOf(isNumber ? column : `${column} and more`);
  }

  /** The lines of the numbers in a column that end in so many zeros, and whether one with five is repeated. */
  roundNumbers(column: string, zeros: 3 | 5): { readonly lines: readonly number[]; readonly areRepeated: boolean } {
    const lines = this.#numbersOf(column).valuesOf((low) => low % 10 ** zeros === 0);
    return { lines: lines.sort((one, other) => one - other), areRepeated: this.#repeatsRound };
  }

  /** Ends the row. The numbers and names of an invalid row are free for a later one. */
  endRow(verdict: 'valid' | 'invalid'): void {
    if (verdict === 'invalid') {
      for (const { duplicates, high, low } of this.#added.slice(0, this.#addedCount)) duplicates.remove(high, low);
    }
    this.#addedCount = 0;
    if (this.#repeatedLines.length > 0) this.#endRepeat();
  }

  #remember(duplicates: DuplicateIndex, high: number, low: number): void {
    const added = this.#added[this.#addedCount];
    if (added === undefined) this.#added.push({ duplicates, high, low });
    else {
      added.duplicates = duplicates;
      added.high = high;
      added.low = low;
    }
    this.#addedCount += 1;
  }

  /** A row with the number and the SIM of an earlier one is that row again: nothing was rounded. */
  #endRepeat(): void {
    const [one, other] = this.#repeatedLines;
    if (this.#isRoundRepeat && one !== other) this.#repeatsRound = true;
    this.#repeatedLines = [];
    this.#isRoundRepeat = false;
  }

  hasOneMeaning(name: string, meaning: string): boolean {
    const [high, low] = hashWords(name);
    const value = meaningWord(meaning);
    const known = this.#names.addOrGet(high, low, value);
    if (known === 0) this.#remember(this.#names, high, low);
    return known === 0 || known === value;
  }
}

/** Not 0, which would read as "new". 30 bits are enough to distinguish two meanings of one name. */
const meaningWord = (meaning: string): number => (hashWords(meaning)[0] >>> 1) | 1;

function hashWords(text: string): [number, number] {
  // One character for each byte, which takes a third of the time of a buffer.
  const digest = hash('sha256', text, 'binary');
  return [wordAt(digest, 0), wordAt(digest, 4)];
}

function wordAt(digest: string, at: number): number {
  let word = 0;
  for (let place = at; place < at + 4; place += 1) word = (word << 8) | digest.charCodeAt(place);
  return word >>> 0;
}
