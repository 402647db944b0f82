// The cells of one canonical column in a batch: where their values are, and the keys of their numbers.
import { type CellSpans, flagBits } from '#shared/csv/record-batch.ts';
import { type DigitKey, readDigitKey } from '../digit-key.ts';
import type { DuplicateIndex } from '../duplicate-index.ts';
import type { CanonicalFormat } from './canonical-formats.ts';

export interface CanonicalColumn {
  readonly name: string;
  /** The index of its cell in a record. */
  readonly index: number;
  readonly format: CanonicalFormat;
}

/** By the record's index in the batch; valid until the next batch is read. */
export class CanonicalCells {
  /** Where each value begins; -1 when the cell neither matches the format nor is empty. */
  starts = new Int32Array(0);
  /** Where each value ends; where it begins if the cell is empty. */
  ends = new Int32Array(0);
  /** The keys of the numbers. */
  highs = new Uint32Array(0);
  lows = new Uint32Array(0);
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
    if (count > this.starts.length) this.#allocate(2 * count);
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
    const value = start === end ? end : format.valueStart(bytes, start, end);
    this.starts[record] = value;
    this.ends[record] = end;
    if (value < 0 || format.prefix === undefined) return;
    readDigitKey(this.#key, format.prefix, bytes, value, end);
    this.highs[record] = this.#key.high;
    this.lows[record] = this.#key.low;
  }

  #allocate(count: number): void {
    this.starts = new Int32Array(count);
    this.ends = new Int32Array(count);
    this.highs = new Uint32Array(count);
    this.lows = new Uint32Array(count);
  }
}
