// Cells merged over rows. A spreadsheet program stores their value in the first row only, and shows it for all of them.
import { columnOf } from '#shared/csv/column-letters.ts';
import { invalidWorkbook } from '#shared/files/workbook/open-archive.ts';
import { workbookLimits } from './workbook-limits.ts';

interface MergedCell {
  readonly firstRow: number;
  readonly lastRow: number;
  /** From 0. Of cells merged over columns too, only the first column has the value. */
  readonly column: number;
}

const element = /<(?:\w+:)?mergeCell\s+ref\s*=\s*["']([A-Z]+)(\d+):[A-Z]+(\d+)["']/g;
/** Longer than the element. */
const longestElement = 200;

/** Those of a sheet, which lists them behind its rows. The texts of cells contain no `<`. */
export async function findMergedCells(chunks: AsyncIterable<Uint8Array>): Promise<MergedCells> {
  const found: MergedCell[] = [];
  let rest = '';
  for await (const chunk of chunks) {
    const text = rest + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength).toString('latin1');
    let end = 0;
    for (const { 0: all, 1: letters = '', 2: first, 3: last, index } of text.matchAll(element)) {
      end = index + all.length;
      const column = columnOf(letters) - 1;
      const isOverRows = Number(last) > Number(first) && column < workbookLimits.columns;
      if (isOverRows) found.push({ firstRow: Number(first), lastRow: Number(last), column });
      if (found.length > workbookLimits.mergedCells) throw invalidWorkbook('it has too many merged cells');
    }
    rest = text.slice(Math.max(end, text.length - longestElement));
  }
  return new MergedCells(found);
}

/** Gives the rows of merged cells their value. */
export class MergedCells {
  readonly #waiting: readonly MergedCell[];
  #next = 0;
  /** Those of the row before, by column. */
  readonly #open = new Map<number, { readonly lastRow: number; readonly value: string }>();

  constructor(cells: readonly MergedCell[]) {
    this.#waiting = cells.toSorted((one, other) => one.firstRow - other.firstRow);
  }

  /** Fills the empty cells of a row. Rows must come in order. Returns how many cells were filled. */
  fill(row: number, cells: string[]): number {
    let filled = 0;
    for (const [column, { lastRow, value }] of this.#open) {
      if (row > lastRow) this.#open.delete(column);
      else if ((cells[column] ?? '') === '') {
        while (cells.length < column) cells.push('');
        cells[column] = value;
        filled += 1;
      }
    }
    for (let cell = this.#waiting[this.#next]; cell && cell.firstRow <= row; cell = this.#waiting[this.#next]) {
      this.#next += 1;
      const value = cells[cell.column] ?? '';
      if (cell.firstRow === row && value !== '') this.#open.set(cell.column, { lastRow: cell.lastRow, value });
    }
    return filled;
  }
}
