// From where cells stand to what they say.
import { escapedFlag, flagBits, wideFlag } from './records.ts';

export type CellTexts = (bound: number, count: number) => string[];

/** The texts of `count` cells that stand side by side, the first of which has its bounds at `bound`. */
export function createCellTexts(bytes: Buffer, bounds: Int32Array): CellTexts {
  return (bound, count) => {
    const from = bounds[bound] as number;
    // One character a byte, which is cheap, and cells are cut out of it, which is cheaper.
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
  };
}
