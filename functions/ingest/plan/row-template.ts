// How the JSON of a row is composed, learned from the validator. It validates two sample rows that differ only in their
// canonical cells. If both results are the same apart from the values of those cells, they are the same for all such
// rows.
import { type CellSpans, flagBits } from '#shared/files/csv/record-batch.ts';
import type { Column } from '#shared/operations/operation.ts';
import { readDay } from '#shared/row/calendar-date.ts';
import { type CellValue, copyBytes, type ReadCell, readText, usual, zero } from '#shared/row/cell.ts';
import { readIccid } from '#shared/row/iccid.ts';
import { type MsisdnContext, msisdnReader } from '#shared/row/msisdn.ts';
import { type NumberingPlan, planOf } from '#shared/row/numbering-plan.ts';
import { readPac } from '#shared/row/pac.ts';
import { type DigitKey, type DuplicateIndex, readDigitKey } from '../validate/duplicate-index.ts';
import type { RowValidator, TrialRow } from '../validate/row-validator.ts';
import type { RowLayout } from './grouping.ts';
import type { Utf8Buffer } from './utf8-buffer.ts';

/** After the line number comes a text, then the value of a column, and so on; `tail` comes last. */
export interface RowTemplate {
  readonly texts: readonly Uint8Array[];
  /** The canonical column whose value follows each text. */
  readonly columns: readonly number[];
  readonly tail: Uint8Array;
  /** The columns whose number may not be on an earlier line, in the order in which the operation asks. */
  readonly uniques: readonly number[];
  /** No row has more bytes, apart from its line number. */
  readonly maxBytes: number;
}

/** The columns that are filled in a row; undefined where the cell is empty. */
type FilledColumns = readonly (CanonicalColumn | undefined)[];

export const rowOpening = '{"line":';

interface TriedRow {
  readonly json: string;
  readonly uniques: TrialRow['uniques'];
}

/** The validated form of two sample rows. */
export interface TemplateTrial {
  readonly rows: readonly [TriedRow, TriedRow];
  readonly columns: FilledColumns;
  /** Trials with the same key have the same template, and most patterns have that of an earlier one. */
  readonly key: string;
}

/** undefined: one of the rows has an issue. */
export function tryTemplate(
  validator: RowValidator,
  record: readonly string[],
  columns: FilledColumns,
): TemplateTrial | undefined {
  const one = tryRow(validator, record, columns, 0);
  const other = tryRow(validator, record, columns, 1);
  if (one === undefined || other === undefined) return undefined;
  const key = JSON.stringify([columns.map((column) => column !== undefined), one, other]);
  return { rows: [one, other], columns, key };
}

function tryRow(
  validator: RowValidator,
  record: readonly string[],
  columns: FilledColumns,
  sample: 0 | 1,
): TriedRow | undefined {
  const madeUp = [...record];
  for (const column of columns) if (column !== undefined) madeUp[column.index] = column.samples[sample];
  const trial = validator.tryRecord(madeUp);
  if (trial === undefined) return undefined;
  const { subject, wire } = trial.row;
  return { json: JSON.stringify({ line: 0, subject, wire }), uniques: trial.uniques };
}

/** undefined: the rows differ in something else than the values of their canonical cells. */
export function templateOf({ rows, columns }: TemplateTrial): RowTemplate | undefined {
  const [one, other] = rows.map((row, sample) => partsOf(row, columns, sample));
  if (one === undefined || JSON.stringify(one) !== JSON.stringify(other)) return undefined;
  const texts = one.texts.map((text) => Buffer.from(text));
  const textBytes = texts.reduce((sum, { length }) => sum + length, rowOpening.length);
  return {
    texts: texts.slice(0, -1),
    columns: one.columns,
    tail: texts.at(-1) ?? Buffer.alloc(0),
    uniques: one.uniques,
    maxBytes: textBytes + maxValueBytes * one.columns.length,
  };
}

function partsOf({ json, uniques: asked }: TriedRow, columns: FilledColumns, sample: number) {
  const values = columns.map((column) => column && sampleValue(column, column.samples[sample] ?? ''));
  const uniques = uniqueColumns(asked, columns, values);
  const filled = values.filter((value) => value !== undefined);
  if (uniques === undefined || filled.length === 0) return undefined;
  const parts = json.slice(`${rowOpening}0`.length).split(new RegExp(`(${filled.join('|')})`));
  return {
    texts: parts.filter((_, index) => index % 2 === 0),
    columns: parts.filter((_, index) => index % 2 === 1).map((value) => values.indexOf(value)),
    uniques,
  };
}

const sampleValue = ({ read, prefix = '' }: CanonicalColumn, text: string): string =>
  readText(text, read).value.slice(prefix.length);

/** undefined: the operation asked for something else than the number of a canonical column, or asked twice. */
function uniqueColumns(
  asked: TrialRow['uniques'],
  columns: FilledColumns,
  values: readonly (string | undefined)[],
): number[] | undefined {
  const found = asked.map(([name, digits]) =>
    columns.findIndex((column, index) => {
      const prefix = column?.prefix;
      return column?.name === name && prefix !== undefined && digits === prefix + values[index];
    }),
  );
  return found.includes(-1) || new Set(found).size < found.length ? undefined : found;
}

const opening = Buffer.from(rowOpening);
const maxLineDigits = 10;
const lineBytes = 4;

/** The packed rows and the JSON of one template. */
export class TemplateLayout implements RowLayout {
  readonly #template: RowTemplate;
  /** The canonical columns of which a row has a value, each once. */
  readonly #columns: readonly number[];
  /** By text of the template: the place in `#columns` of the value behind it. */
  readonly #places: readonly number[];
  // Of the row that is being unpacked: where the value of each column is.
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  constructor(template: RowTemplate) {
    this.#template = template;
    this.#columns = [...new Set(template.columns)];
    this.#places = template.columns.map((column) => this.#columns.indexOf(column));
    this.#starts = new Int32Array(this.#columns.length);
    this.#ends = new Int32Array(this.#columns.length);
  }

  pack(
    row: Utf8Buffer,
    cells: readonly CanonicalCells[],
    { line, index }: { readonly line: number; readonly index: number },
  ): void {
    row.reserve(lineBytes + (1 + maxValueBytes) * this.#columns.length);
    const packed = row.bytes;
    let to = row.length;
    for (let shift = 0; shift < 32; shift += 8) packed[to++] = line >>> shift;
    for (let place = 0; place < this.#columns.length; place += 1) {
      const column = cells[this.#columns[place] as number] as CanonicalCells;
      const start = column.startOf(index);
      const length = column.lengths[index] as number;
      packed[to++] = length;
      to = copyBytes(column.values, start, start + length, packed, to);
    }
    row.length = to;
  }

  unpack(rows: Utf8Buffer, packed: Uint8Array, start: number): void {
    const { texts, tail, maxBytes } = this.#template;
    const line = lineAt(packed, start);
    this.#findValues(packed, start + lineBytes);
    rows.reserve(maxBytes + maxLineDigits);
    const { bytes } = rows;
    let to = copyBytes(opening, 0, opening.length, bytes, rows.length);
    to = appendNumber(bytes, to, line);
    for (let index = 0; index < texts.length; index += 1) {
      const text = texts[index] as Uint8Array;
      const place = this.#places[index] as number;
      to = copyBytes(text, 0, text.length, bytes, to);
      to = copyBytes(packed, this.#starts[place] as number, this.#ends[place] as number, bytes, to);
    }
    rows.length = copyBytes(tail, 0, tail.length, bytes, to);
  }

  #findValues(packed: Uint8Array, first: number): void {
    let at = first;
    for (let place = 0; place < this.#columns.length; place += 1) {
      const start = at + 1;
      at = start + (packed[at] as number);
      this.#starts[place] = start;
      this.#ends[place] = at;
    }
  }
}

function lineAt(packed: Uint8Array, at: number): number {
  let line = 0;
  for (let place = lineBytes - 1; place >= 0; place -= 1) line = line * 256 + (packed[at + place] as number);
  return line;
}

function appendNumber(bytes: Uint8Array, to: number, number: number): number {
  let end = to + 1;
  for (let power = 10; power <= number; power *= 10) end += 1;
  let rest = number;
  for (let at = end - 1; at >= to; at -= 1) {
    const tenth = Math.floor(rest / 10);
    bytes[at] = zero + rest - 10 * tenth;
    rest = tenth;
  }
  return end;
}

// The canonical cells of a column: those that its reader takes without a finding. Here are their values in a batch, and
// the keys of their numbers.

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
