// Writes the JSON of a plain row behind the others of its group.
import type { ByteText } from './byte-text.ts';
import type { PlainCells } from './plain-cells.ts';
import { type RowTemplate, rowOpening } from './row-template.ts';

const opening = Buffer.from(rowOpening);
const zero = 0x30;
/** No line has more digits. */
const maxLineDigits = 16;

/** @param cells of each plain column; the row is the one at `index` */
export function writeRow(
  rows: ByteText,
  { texts, columns, tail, length }: RowTemplate,
  line: number,
  bytes: Uint8Array,
  cells: readonly PlainCells[],
  index: number,
): void {
  rows.reserve(length + maxLineDigits);
  let to = append(rows.bytes, rows.length, opening, 0, opening.length);
  to = appendNumber(rows.bytes, to, line);
  for (let place = 0; place < columns.length; place += 1) {
    const text = texts[place] as Uint8Array;
    const { starts, ends } = cells[columns[place] as number] as PlainCells;
    to = append(rows.bytes, to, text, 0, text.length);
    to = append(rows.bytes, to, bytes, starts[index] as number, ends[index] as number);
  }
  rows.length = append(rows.bytes, to, tail, 0, tail.length);
}

/** Byte by byte: for so few of them this is faster than asking for a copy. Answers where the next byte belongs. */
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
