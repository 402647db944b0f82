// Makes texts from the positions of cells.
import { escapedFlag, flagBits, wideFlag } from './record-batch.ts';

/** The texts of `count` adjacent cells; the bounds of the first are at index `bound`. */
export function decodeCells(bytes: Buffer, bounds: Int32Array, bound: number, count: number): string[] {
  const from = bounds[bound] as number;
  // One native call for the whole record, then slices of it, is faster than one call per cell.
  const all = bytes.toString('latin1', from, (bounds[bound + 2 * count - 1] as number) >> flagBits);
  const cells: string[] = [];
  for (let at = bound; at < bound + 2 * count; at += 2) {
    const start = bounds[at] as number;
    const flags = bounds[at + 1] as number;
    const end = flags >> flagBits;
    const text = (flags & wideFlag) === 0 ? all.slice(start - from, end - from) : bytes.toString('utf8', start, end);
    cells.push((flags & escapedFlag) === 0 ? text : text.replaceAll('""', '"'));
  }
  return cells;
}
