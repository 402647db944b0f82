// Which keys a file has shown already, and where first: packed, because ten million strings in a Set take a gigabyte and
// ten million entries here take 150 MB. Keys are exact pairs of 32-bit words, never hashes of something longer.

export interface Seen {
  /** The value first kept under this key, or 0 when it is new: then `value` (1 to 2^32 - 1) is kept. */
  firstOf(high: number, low: number, value: number): number;
  /**
   * Looks at the places of `count` keys that will be asked for soon. Large tables are not in the processor's cache, and so
   * many fetches at a time take hardly longer than one. Answers how many of the places are taken.
   */
  foresee(highs: Uint32Array, lows: Uint32Array, count: number): number;
  readonly size: number;
}

/** High word, low word, value: 0 where the slot is free. */
const wordsPerSlot = 3;
/** A few tables that grow on their own: no great copy at a time, and few enough that finding the right one costs nothing. */
const tableBits = 4;
/** A table that is nearly full costs several looks for each new key; a large one that is half empty costs memory. */
const isSmall = (slotCount: number): boolean => slotCount < 1 << 17;
const fullestOf = (slotCount: number): number => slotCount * (isSmall(slotCount) ? 0.6 : 0.9);
const growthOf = (slotCount: number): number => (isSmall(slotCount) ? 4 : 1.15);

interface Table {
  words: Uint32Array<ArrayBuffer>;
  slotCount: number;
  size: number;
  /** It grows when it has more. */
  fullest: number;
}

/** @param initialSlots of each of the 16 tables */
export function createSeen(initialSlots = 512): Seen {
  const tables = Array.from({ length: 1 << tableBits }, (): Table => emptyTable(initialSlots));
  let size = 0;

  const firstOf = (high: number, low: number, value: number): number => {
    const hash = mixed(high, low);
    const table = tables[hash >>> (32 - tableBits)] as Table;
    const { words } = table;
    const at = slotOf(words, table.slotCount, hash, high, low);
    const first = words[at + 2] as number;
    if (first !== 0) return first;
    words[at] = high;
    words[at + 1] = low;
    words[at + 2] = value;
    size += 1;
    table.size += 1;
    if (table.size > table.fullest) grow(table);
    return 0;
  };

  const foresee = (highs: Uint32Array, lows: Uint32Array, count: number): number => {
    let taken = 0;
    for (let index = 0; index < count; index += 1) {
      const hash = mixed(highs[index] as number, lows[index] as number);
      const { words, slotCount } = tables[hash >>> (32 - tableBits)] as Table;
      if (words[firstSlot(hash, slotCount) + 2] !== 0) taken += 1;
    }
    return taken;
  };

  return {
    firstOf,
    foresee,
    get size() {
      return size;
    },
  };
}

const emptyTable = (slotCount: number): Table => ({
  words: new Uint32Array(slotCount * wordsPerSlot),
  slotCount,
  size: 0,
  fullest: fullestOf(slotCount),
});

function grow(table: Table): void {
  const old = table.words;
  const slotCount = Math.ceil(table.slotCount * growthOf(table.slotCount));
  const words = new Uint32Array(slotCount * wordsPerSlot);
  for (let from = 0; from < old.length; from += wordsPerSlot) {
    const value = old[from + 2] as number;
    if (value === 0) continue;
    const high = old[from] as number;
    const low = old[from + 1] as number;
    const to = slotOf(words, slotCount, mixed(high, low), high, low);
    words[to] = high;
    words[to + 1] = low;
    words[to + 2] = value;
  }
  table.words = words;
  table.slotCount = slotCount;
  table.fullest = fullestOf(slotCount);
  // Given back now, not when the collector comes by: the tables of a seen column grow nearly together.
  old.buffer.transfer(0);
}

/** Where the search for a key begins. The low bits of the hash choose it, as the high ones chose the table. */
function firstSlot(hash: number, slotCount: number): number {
  const inTable = (hash << tableBits) >>> 0;
  return Math.floor(inTable * (slotCount / 2 ** 32)) * wordsPerSlot;
}

/** Where the key is, or the free slot where it belongs. */
function slotOf(words: Uint32Array, slotCount: number, hash: number, high: number, low: number): number {
  let at = firstSlot(hash, slotCount);
  while (words[at + 2] !== 0 && (words[at + 1] !== low || words[at] !== high)) {
    at += wordsPerSlot;
    if (at === words.length) at = 0;
  }
  return at;
}

/** Spreads neighbouring numbers: files are full of runs. */
function mixed(high: number, low: number): number {
  let hash = Math.imul(low ^ Math.imul(high, 0x9e3779b1), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
