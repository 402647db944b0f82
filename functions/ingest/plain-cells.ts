// The plain cells of all records of a batch: where their values stand, and the keys of their numbers.
import { type CellSpans, flagBits } from '#shared/csv/records.ts';
import type { PlainForm } from '#shared/domain/plain-forms.ts';
import { type DigitKey, readDigitKey } from './digit-key.ts';
import type { Seen } from './seen.ts';

/** A column of the file, and the form that its cells should have. */
export interface PlainColumn {
  readonly name: string;
  readonly index: number;
  readonly form: PlainForm;
}

/** Those of one column, by the record's place in the batch; good until the next batch is read. */
export class PlainCells {
  /** Where each value begins; -1 where the cell is neither plain nor empty. */
  starts = new Int32Array(0);
  /** Where it ends; where it begins if the cell is empty. */
  ends = new Int32Array(0);
  /** The keys of the numbers. */
  highs = new Uint32Array(0);
  lows = new Uint32Array(0);
  /** Of the places where the numbers would be kept. Nobody asks, but the compiler may leave out what nobody keeps. */
  placesTaken = 0;
  readonly #column: PlainColumn;
  readonly #seen: Seen;
  readonly #key: DigitKey = { high: 0, low: 0 };

  constructor(column: PlainColumn, seen: Seen) {
    this.#column = column;
    this.#seen = seen;
  }

  read(spans: CellSpans): void {
    const { index, form } = this.#column;
    const count = spans.starts.length;
    if (count > this.starts.length) this.#makeRoom(2 * count);
    for (let place = 0; place < count; place += 1) {
      const at = spans.starts[place] as number;
      if (at >= 0) this.#readCell(spans, at + 2 * index, place);
    }
    if (form.prefix !== undefined) this.placesTaken = this.#seen.foresee(this.highs, this.lows, count);
  }

  #readCell({ bytes, bounds }: CellSpans, bound: number, place: number): void {
    const { form } = this.#column;
    const start = bounds[bound] as number;
    const end = (bounds[bound + 1] as number) >> flagBits;
    const value = start === end ? end : form.valueStart(bytes, start, end);
    this.starts[place] = value;
    this.ends[place] = end;
    if (value < 0 || form.prefix === undefined) return;
    readDigitKey(this.#key, form.prefix, bytes, value, end);
    this.highs[place] = this.#key.high;
    this.lows[place] = this.#key.low;
  }

  #makeRoom(count: number): void {
    this.starts = new Int32Array(count);
    this.ends = new Int32Array(count);
    this.highs = new Uint32Array(count);
    this.lows = new Uint32Array(count);
  }
}
