// Writes the JSON of a row by its template, as bytes.
import type { Utf8Buffer } from '../utf8-buffer.ts';
import type { CanonicalCells } from './canonical-cells.ts';
import { type RowTemplate, rowOpening } from './row-template.ts';

const opening = Buffer.from(rowOpening);
const zero = 0x30;
const maxLineDigits = 16;

export interface RowSource {
  readonly line: number;
  /** The bytes of the batch. */
  readonly bytes: Uint8Array;
  /** The index of the record in the batch. */
  readonly index: number;
}

export function writeRow(
  rows: Utf8Buffer,
  { texts, columns, tail, maxBytes }: RowTemplate,
  cells: readonly CanonicalCells[],
  { line, bytes, index }: RowSource,
): void {
  rows.reserve(maxBytes + maxLineDigits);
  let to = append(rows.bytes, rows.length, opening, 0, opening.length);
  to = appendNumber(rows.bytes, to, line);
  for (let place = 0; place < columns.length; place += 1) {
    const text = texts[place] as Uint8Array;
    const { starts, ends } = cells[columns[place] as number] as CanonicalCells;
    to = append(rows.bytes, to, text, 0, text.length);
    to = append(rows.bytes, to, bytes, starts[index] as number, ends[index] as number);
  }
  rows.length = append(rows.bytes, to, tail, 0, tail.length);
}

/** For so few bytes a loop is faster than a native copy. Returns where the next byte belongs. */
function append(bytes: Uint8Array, to: number, from: Uint8Array, start: number, end: number): number {
  const shift = to - start;
  for (let at = start; at < end; at += 1) bytes[at + shift] = from[at] as number;
  return end + shift;
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
