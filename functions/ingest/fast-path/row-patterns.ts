// Rows have the same pattern when all their cells outside the canonical columns have the same bytes, and the same
// canonical cells are filled. Patterns are found by a hash and then compared byte by byte, so two are never confused.
import { type CellSpans, flagBits, quotedFlag } from '#shared/csv/record-batch.ts';

export interface RowPattern<Known> {
  /** Which canonical cells are filled, one bit each. */
  readonly filled: number;
  /** Where its bytes begin among those of all patterns. */
  readonly start: number;
  /** Where each range of cells ends there. */
  readonly ends: readonly number[];
  /** undefined until something is known. */
  known: Known | undefined;
}

/** Patterns kept at a time, and their bytes: a cell may have 250,000. */
const maxPatterns = 25_000;
const maxPatternBytes = 32 * 1024 * 1024;
const wordBytes = 4;

export class RowPatterns<Known> {
  readonly #patterns = new Map<number, RowPattern<Known>>();
  // The bytes of all patterns, one behind the other: they are compared for each row, and must be in few cache lines.
  #stored = new Uint8Array(1024);
  #byteCount = 0;
  #storedView = new DataView(this.#stored.buffer);
  /** The hashes of patterns with one row so far. A file may have as many patterns as rows, so one row is not enough. */
  readonly #seenOnce = new Set<number>();
  // The first and the last cell of each range of adjacent cells.
  readonly #firsts: Int32Array;
  readonly #lasts: Int32Array;
  // Where each range begins and ends in the bytes of the current record.
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;
  #spans: CellSpans | undefined;
  #view: DataView = new DataView(new ArrayBuffer(0));

  /** @param cells the indexes of the cells that make up the pattern */
  constructor(cells: readonly number[]) {
    const ranges = adjacentRanges(cells);
    this.#firsts = Int32Array.from(ranges, ([first]) => first);
    this.#lasts = Int32Array.from(ranges, ([, last]) => last);
    this.#starts = new Int32Array(ranges.length);
    this.#ends = new Int32Array(ranges.length);
  }

  /**
   * The pattern of the record whose bounds begin at `bound`; undefined for its first row.
   * @param filled which canonical cells are filled, one bit each
   */
  find(spans: CellSpans, bound: number, filled: number): RowPattern<Known> | undefined {
    if (spans !== this.#spans) {
      const { buffer, byteOffset, length } = spans.bytes;
      this.#spans = spans;
      this.#view = new DataView(buffer, byteOffset, length);
    }
    this.#findRanges(spans.bounds, bound);
    const hash = this.#hash(filled);
    const pattern = this.#patterns.get(hash);
    if (pattern !== undefined && this.#matches(pattern, filled)) return pattern;
    return this.#isSecondRow(hash) ? this.#add(hash, filled) : undefined;
  }

  /** Quotes are part of the range, so that its bytes can be read in one way only. */
  #findRanges(bounds: Int32Array, bound: number): void {
    for (let range = 0; range < this.#starts.length; range += 1) {
      const first = bound + 2 * (this.#firsts[range] as number);
      const lastEnd = bounds[bound + 2 * (this.#lasts[range] as number) + 1] as number;
      this.#starts[range] = (bounds[first] as number) - ((bounds[first + 1] as number) & quotedFlag);
      this.#ends[range] = (lastEnd >> flagBits) + (lastEnd & quotedFlag);
    }
  }

  #hash(filled: number): number {
    const view = this.#view;
    let hash = filled;
    for (let range = 0; range < this.#starts.length; range += 1) {
      const end = this.#ends[range] as number;
      let at = this.#starts[range] as number;
      for (; at + wordBytes <= end; at += wordBytes) hash = mix(hash ^ view.getInt32(at));
      for (; at < end; at += 1) hash = mix(hash ^ view.getUint8(at));
      hash = mix(hash ^ (end - (this.#starts[range] as number)));
    }
    return hash;
  }

  #matches({ filled: known, start: first, ends }: RowPattern<Known>, filled: number): boolean {
    if (known !== filled) return false;
    let from = first;
    for (let range = 0; range < this.#starts.length; range += 1) {
      const end = ends[range] as number;
      const start = this.#starts[range] as number;
      if (end - from !== (this.#ends[range] as number) - start) return false;
      if (!haveSameBytes(this.#storedView, from, end, this.#view, start)) return false;
      from = end;
    }
    return true;
  }

  #isSecondRow(hash: number): boolean {
    if (this.#seenOnce.delete(hash)) return true;
    if (this.#seenOnce.size >= maxPatterns) this.#seenOnce.clear();
    this.#seenOnce.add(hash);
    return false;
  }

  #add(hash: number, filled: number): RowPattern<Known> {
    const length = this.#starts.reduce((sum, start, range) => sum + (this.#ends[range] as number) - start, 0);
    if (this.#patterns.size >= maxPatterns || this.#byteCount + length > maxPatternBytes) this.#forget();
    this.#reserve(length);
    const { buffer, byteOffset } = this.#view;
    const start = this.#byteCount;
    const ends = Array.from(this.#starts, (from, range) => {
      const part = new Uint8Array(buffer, byteOffset + from, (this.#ends[range] as number) - from);
      this.#stored.set(part, this.#byteCount);
      this.#byteCount += part.length;
      return this.#byteCount;
    });
    const pattern = { filled, start, ends, known: undefined };
    this.#patterns.set(hash, pattern);
    return pattern;
  }

  #forget(): void {
    this.#patterns.clear();
    this.#byteCount = 0;
  }

  #reserve(more: number): void {
    const needed = this.#byteCount + more;
    if (needed <= this.#stored.length) return;
    const grown = new Uint8Array(2 * needed);
    grown.set(this.#stored.subarray(0, this.#byteCount));
    this.#stored = grown;
    this.#storedView = new DataView(grown.buffer);
  }
}

/** The first and the last of the indexes that are adjacent. */
function adjacentRanges(indexes: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const index of [...indexes].sort((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === index - 1) last[1] = index;
    else ranges.push([index, index]);
  }
  return ranges;
}

function mix(hash: number): number {
  const product = Math.imul(hash, 0x9e3779b1);
  return product ^ (product >>> 15);
}

function haveSameBytes(one: DataView, from: number, to: number, other: DataView, start: number): boolean {
  let at = from;
  const shift = start - from;
  for (; at + wordBytes <= to; at += wordBytes) if (one.getInt32(at) !== other.getInt32(at + shift)) return false;
  for (; at < to; at += 1) if (one.getUint8(at) !== other.getUint8(at + shift)) return false;
  return true;
}
