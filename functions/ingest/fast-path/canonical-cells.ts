// The cells of one canonical column in a batch: their values, and the keys of their numbers.
import { type CellSpans, flagBits } from '#shared/csv/record-batch.ts';
import { type DigitKey, readDigitKey } from '../digit-key.ts';
import type { DuplicateIndex } from '../duplicate-index.ts';
import { type CanonicalFormat, maxValueBytes } from './canonical-formats.ts';

export interface CanonicalColumn {
  readonly name: string;
  /** The index of its cell in a record. */
  readonly index: number;
  readonly format: CanonicalFormat;
}

/** By the record's index in the batch; valid until the next batch is read. */
export class CanonicalCells {
  /** The value of the record with index `n` begins at `n * maxValueBytes`. */
  values = new Uint8Array(0);
  /** The bytes of each value; 0 for an empty cell, -1 for a cell that does not match the format. */
  lengths = new Int8Array(0);
  /** The keys of numbers and days. */
  highs = new Uint32Array(0);
  lows = new Uint32Array(0);
  /** Of the days in the file so far. */
  earliest = { day: Number.POSITIVE_INFINITY, text: '' };
  /** Nobody reads it, but the compiler may remove a prefetch whose result is not kept. */
  prefetched = 0;
  readonly column: CanonicalColumn;
  readonly duplicates: DuplicateIndex;
  readonly #key: DigitKey = { high: 0, low: 0 };

  constructor(column: CanonicalColumn, duplicates: DuplicateIndex) {
    this.column = column;
    this.duplicates = duplicates;
  }

  read(spans: CellSpans): void {
    const { index, format } = this.column;
    const count = spans.starts.length;
    if (count > this.lengths.length) this.#allocate(2 * count);
    for (let record = 0; record < count; record += 1) {
      const bound = spans.starts[record] as number;
      if (bound >= 0) this.#readCell(spans, bound + 2 * index, record);
    }
    if (format.prefix !== undefined) this.prefetched = this.duplicates.prefetch(this.highs, this.lows, count);
  }

  #readCell({ bytes, bounds }: CellSpans, bound: number, record: number): void {
    const { format } = this.column;
    const start = bounds[bound] as number;
    const end = (bounds[bound + 1] as number) >> flagBits;
    const at = record * maxValueBytes;
    const length = start === end ? 0 : format.readValue(bytes, start, end, this.values, at);
    this.lengths[record] = length;
    if (length <= 0) return;
    if (format.prefix !== undefined) {
      readDigitKey(this.#key, format.prefix, this.values, at, at + length);
      this.highs[record] = this.#key.high;
      this.lows[record] = this.#key.low;
    } else if (format.isOrdered) {
      const day = dayNumber(this.values, at);
      this.lows[record] = day;
      if (day < this.earliest.day) this.#keepEarliest(day, at, length);
    }
  }

  #keepEarliest(day: number, at: number, length: number): void {
    this.earliest = { day, text: Buffer.from(this.values.subarray(at, at + length)).toString('latin1') };
  }

  #allocate(count: number): void {
    this.values = new Uint8Array(count * maxValueBytes);
    this.lengths = new Int8Array(count);
    this.highs = new Uint32Array(count);
    this.lows = new Uint32Array(count);
  }
}

const zero = 0x30;
/** The digits of `YYYY-MM-DD` as one number. */
function dayNumber(bytes: Uint8Array, start: number): number {
  let day = 0;
  for (let at = start; at < start + 10; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= zero) day = day * 10 + byte - zero;
  }
  return day;
}
