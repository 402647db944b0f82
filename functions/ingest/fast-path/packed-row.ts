// How a row of a template waits until its request is full: only its line number and its canonical cells are kept, about
// a third of its JSON.
import { copyBytes, zero } from '#shared/domain/text/cell-bytes.ts';
import type { RowLayout } from '../grouping.ts';
import type { Utf8Buffer } from '../utf8-buffer.ts';
import { type CanonicalCells, maxValueBytes } from './canonical-cells.ts';
import { type RowTemplate, rowOpening } from './row-template.ts';

const opening = Buffer.from(rowOpening);
const maxLineDigits = 10;
const lineBytes = 4;

/** A record of the batch. */
export interface RowSource {
  readonly line: number;
  /** The index of the record in the batch. */
  readonly index: number;
}

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

  pack(row: Utf8Buffer, cells: readonly CanonicalCells[], { line, index }: RowSource): void {
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
