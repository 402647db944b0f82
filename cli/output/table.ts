// Aligned tables: columns as wide as what they hold, cut to the terminal where there is one, whole in a pipe.
import { noPaint, type Paint, type Style } from './paint.ts';
import { displayWidth, pad, plain, truncate } from './text.ts';

export interface TableColumn {
  readonly header: string;
  readonly align?: 'left' | 'right';
  /** May be cut when the table is wider than the terminal; the widest such column is cut first. */
  readonly shrinks?: boolean;
  /** Colour of a cell by its text. */
  readonly style?: (cell: string) => Style | undefined;
}

export interface TableLook {
  /** Columns of the terminal; undefined where nothing needs cutting. */
  readonly width?: number | undefined;
  readonly paint?: Paint;
  readonly indent?: number;
}

const gap = 2;
const narrowest = 8;

/** The lines of the table, header first. Cells are made safe for a terminal here, so callers give them as they are. */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  look: TableLook = {},
): string[] {
  const paint = look.paint ?? noPaint;
  const indent = look.indent ?? 0;
  const cells = rows.map((row) => columns.map((_, index) => plain(row[index] ?? '')));
  const widths = widthsWithin(
    columns,
    naturalWidths(columns, cells),
    look.width === undefined ? undefined : look.width - indent,
  );
  const line = (row: readonly string[], style: (column: TableColumn, cell: string) => Style | undefined): string => {
    const parts = columns.map((column, index) => {
      const text = truncate(row[index] ?? '', widths[index] ?? 0);
      const last = index === columns.length - 1 && column.align !== 'right';
      const padded = last ? text : pad(text, widths[index] ?? 0, column.align);
      const chosen = style(column, row[index] ?? '');
      return chosen === undefined ? padded : paint(chosen, padded);
    });
    return (' '.repeat(indent) + parts.join(' '.repeat(gap))).trimEnd();
  };
  const header = line(
    columns.map((column) => column.header),
    () => 'bold',
  );
  return [header, ...cells.map((row) => line(row, (column, cell) => column.style?.(cell)))];
}

function naturalWidths(columns: readonly TableColumn[], rows: readonly (readonly string[])[]): number[] {
  return columns.map((column, index) =>
    rows.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), displayWidth(column.header)),
  );
}

/** Takes columns from the widest that may shrink until the table fits, or nothing is left to take. */
function widthsWithin(
  columns: readonly TableColumn[],
  natural: readonly number[],
  width: number | undefined,
): number[] {
  const widths = [...natural];
  if (width === undefined) return widths;
  let excess = widths.reduce((sum, each) => sum + each, gap * (widths.length - 1)) - width;
  while (excess > 0) {
    const widest = widestShrinking(columns, widths);
    if (widest === undefined) break;
    widths[widest] = (widths[widest] ?? 0) - 1;
    excess -= 1;
  }
  return widths;
}

function widestShrinking(columns: readonly TableColumn[], widths: readonly number[]): number | undefined {
  let found: number | undefined;
  for (const [index, column] of columns.entries()) {
    const width = widths[index] ?? 0;
    if (column.shrinks && width > narrowest && width > (found === undefined ? 0 : (widths[found] ?? 0))) found = index;
  }
  return found;
}

/** `name  value` lines, the names aligned. Pairs without a value are left out. */
export function formatPairs(
  pairs: readonly (readonly [name: string, value: string | undefined])[],
  look: TableLook = {},
): string[] {
  const paint = look.paint ?? noPaint;
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
  const width = Math.max(0, ...shown.map(([name]) => displayWidth(name)));
  return shown.map(([name, value]) => {
    const label = `${' '.repeat(look.indent ?? 0)}${pad(name, width)}${' '.repeat(gap)}`;
    const room = look.width === undefined ? undefined : Math.max(narrowest, look.width - displayWidth(label));
    const text = plain(value);
    return `${paint('dim', label)}${room === undefined ? text : truncate(text, room)}`.trimEnd();
  });
}
