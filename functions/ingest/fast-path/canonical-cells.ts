// The canonical cells of a column: those that its reader takes without a finding. Here are their values in a batch, and
// the keys of their numbers.
import { type CellSpans, flagBits } from '#shared/csv/record-batch.ts';
import type { Column } from '#shared/operations/operation.ts';
import { readDay } from '#shared/row/calendar-date.ts';
import { type CellValue, type ReadCell, usual, zero } from '#shared/row/cell.ts';
import { readIccid } from '#shared/row/iccid.ts';
import { type MsisdnContext, msisdnReader } from '#shared/row/msisdn.ts';
import { type NumberingPlan, planOf } from '#shared/row/numbering-plan.ts';
import { readPac } from '#shared/row/pac.ts';
import { type DigitKey, type DuplicateIndex, readDigitKey } from '../validate/duplicate-index.ts';

/** No value is longer, with its prefix. */
export const maxValueBytes = 20;

export interface CanonicalColumn {
  readonly name: string;
  /** The index of its cell in a record. */
  readonly index: number;
  readonly read: ReadCell;
  /** The digits of the number that are not part of its value; undefined for what is not a number. */
  readonly prefix: string | undefined;
  /** If a row is valid, it is also valid with a later value in this column. */
  readonly isOrdered: boolean;
  /** Two cells whose values have nothing in common. */
  readonly samples: readonly [string, string];
}

type CellFormat = Omit<CanonicalColumn, 'name' | 'index'>;

const formats: Readonly<
  Record<NonNullable<Column['canonicalFormat']>, (context: MsisdnContext) => CellFormat | undefined>
> = {
  msisdn: ({ callingCode }) => {
    const plan = planOf(callingCode);
    if (plan === undefined) return undefined;
    const read = msisdnReader({ callingCode });
    return { read, prefix: callingCode, isOrdered: false, samples: samplesOf(callingCode, plan) };
  },
  iccid: () => ({
    read: readIccid,
    prefix: '',
    isOrdered: false,
    samples: ['8944110068123456787', '8933207715946028139'],
  }),
  pac: () => ({ read: readPac, prefix: undefined, isOrdered: false, samples: ['QJZ582093', 'VXK461738'] }),
  date: () => ({ read: readDay, prefix: undefined, isOrdered: true, samples: ['9876-05-14', '9532-10-27'] }),
};

/** undefined: its cells have no canonical form in the country of the account. */
export function canonicalColumn(
  { name, canonicalFormat }: Column,
  index: number | undefined,
  context: MsisdnContext,
): CanonicalColumn | undefined {
  const format = canonicalFormat && formats[canonicalFormat](context);
  return format === undefined || index === undefined ? undefined : { name, index, ...format };
}

/** A number with the lowest and one with the highest leading digits. */
function samplesOf(callingCode: string, { lengthsByPrefix: lengths }: NumberingPlan): [string, string] {
  const sample = (prefix: number, digits: string): string => {
    const mask = lengths[prefix] as number;
    const shortest = 31 - Math.clz32(mask & -mask);
    return `+${callingCode}${`${prefix}${digits}`.slice(0, shortest)}`;
  };
  const isUsed = (mask: number): boolean => mask !== 0;
  return [sample(lengths.findIndex(isUsed), '2638459274'), sample(lengths.findLastIndex(isUsed), '8627418395')];
}

/** By the record's index in the batch; valid until the next batch is read. */
export class CanonicalCells {
  /** `startOf` answers where a value begins. */
  values = new Uint8Array(0);
  /** The bytes of each value; 0 for an empty cell, -1 for a cell that is not canonical. */
  lengths = new Int8Array(0);
  /** The keys of numbers and days. */
  highs = new Uint32Array(0);
  lows = new Uint32Array(0);
  /** Of the days in the file so far. */
  earliest = { day: Number.POSITIVE_INFINITY, text: '' };
  readonly column: CanonicalColumn;
  readonly duplicates: DuplicateIndex;
  readonly #prefix: Uint8Array;
  readonly #value: CellValue = { bytes: this.values, at: 0, length: 0 };
  readonly #key: DigitKey = { high: 0, low: 0 };

  constructor(column: CanonicalColumn, duplicates: DuplicateIndex) {
    this.column = column;
    this.duplicates = duplicates;
    this.#prefix = Buffer.from(column.prefix ?? '');
  }

  read(spans: CellSpans): void {
    const count = spans.starts.length;
    if (count > this.lengths.length) this.#allocate(2 * count);
    for (let record = 0; record < count; record += 1) {
      const bound = spans.starts[record] as number;
      if (bound >= 0) this.#readCell(spans, bound + 2 * this.column.index, record);
    }
  }

  startOf(record: number): number {
    return record * maxValueBytes + this.#prefix.length;
  }

  #readCell({ bytes, bounds }: CellSpans, bound: number, record: number): void {
    const start = bounds[bound] as number;
    const end = (bounds[bound + 1] as number) >> flagBits;
    if (start === end) {
      this.lengths[record] = 0;
      return;
    }
    const value = this.#value;
    value.at = record * maxValueBytes;
    const isCanonical = this.column.read(bytes, start, end, value) === usual && this.#hasPrefix();
    this.lengths[record] = isCanonical ? value.length - this.#prefix.length : -1;
    if (isCanonical) this.#addKey(record);
  }

  /** Not the number of another country. */
  #hasPrefix(): boolean {
    const { bytes, at } = this.#value;
    const prefix = this.#prefix;
    for (let place = 0; place < prefix.length; place += 1) if (bytes[at + place] !== prefix[place]) return false;
    return true;
  }

  #addKey(record: number): void {
    const { bytes, at, length } = this.#value;
    if (this.column.prefix !== undefined) {
      readDigitKey(this.#key, bytes, at, at + length);
      this.highs[record] = this.#key.high;
      this.lows[record] = this.#key.low;
    } else if (this.column.isOrdered) {
      const day = dayNumber(bytes, at);
      this.lows[record] = day;
      if (day < this.earliest.day) {
        this.earliest = { day, text: Buffer.from(bytes.subarray(at, at + length)).toString('latin1') };
      }
    }
  }

  #allocate(count: number): void {
    this.values = new Uint8Array(count * maxValueBytes);
    this.#value.bytes = this.values;
    this.lengths = new Int8Array(count);
    this.highs = new Uint32Array(count);
    this.lows = new Uint32Array(count);
  }
}

/** The digits of `YYYY-MM-DD` as one number. */
function dayNumber(bytes: Uint8Array, start: number): number {
  let day = 0;
  for (let at = start; at < start + 10; at += 1) {
    const byte = bytes[at] as number;
    if (byte >= zero) day = day * 10 + byte - zero;
  }
  return day;
}
