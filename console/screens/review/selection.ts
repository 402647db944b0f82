// The selected cells of the grid as a rectangle, and what a spreadsheet does with it. Pure.
import { type CellKey, cellKey, type Edits, keptCell } from './edits.ts';

export interface Place {
  readonly row: number;
  readonly column: number;
}

export interface Range {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

export const rangeOf = (one: Place, other: Place): Range => ({
  top: Math.min(one.row, other.row),
  bottom: Math.max(one.row, other.row),
  left: Math.min(one.column, other.column),
  right: Math.max(one.column, other.column),
});

export const isInRange = ({ top, bottom, left, right }: Range, row: number, column: number): boolean =>
  row >= top && row <= bottom && column >= left && column <= right;

export interface GridRows {
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  readonly columns: readonly { readonly name: string | null; readonly secret: boolean }[];
  readonly edits: Pick<Edits, 'cells'>;
}

/** What a cell contains now; undefined for a secret one that is not known here. */
export function textAt({ rows, columns, edits }: GridRows, row: number, column: number): string | undefined {
  const item = rows[row];
  if (item === undefined) return undefined;
  const edited = edits.cells.get(cellKey(item.line, column));
  if (edited === keptCell) return undefined;
  return edited ?? (columns[column]?.secret ? undefined : (item.cells[column] ?? ''));
}

const quoted = (text: string): string => (/[\t\r\n"]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

const between = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_none, index) => first + index);

/** As a spreadsheet takes it. Secret cells are empty. */
export const copyRange = (grid: GridRows, { top, bottom, left, right }: Range): string =>
  between(top, bottom)
    .map((row) =>
      between(left, right)
        .map((column) => (grid.columns[column]?.secret ? '' : quoted(textAt(grid, row, column) ?? '')))
        .join('\t'),
    )
    .join('\r\n');

/** The first row of the range in each of its rows; undefined leaves a cell as it is. */
export const fillDown = (grid: GridRows, { top, bottom, left, right }: Range): (string | undefined)[][] =>
  between(top, bottom).map(() => between(left, right).map((column) => textAt(grid, top, column)));

/** One value for every cell of the range, or the values themselves. */
export const spread = (
  values: readonly (readonly string[])[],
  { top, bottom, left, right }: Range,
): readonly (readonly string[])[] => {
  const [[only] = []] = values;
  const isOne = values.length === 1 && values[0]?.length === 1;
  return isOne ? between(top, bottom).map(() => between(left, right).map(() => only ?? '')) : values;
};

export interface Replacement {
  readonly find: string;
  readonly replace: string;
  /** Only in this column, by its place. @default all */
  readonly column: number | undefined;
}

/** The cells that contain the text, whatever its case, with their new text. Secret cells are not searched. */
export function replaceText(grid: GridRows, { find, replace, column: only }: Replacement): Map<CellKey, string> {
  const changed = new Map<CellKey, string>();
  if (find === '') return changed;
  const needle = new RegExp(find.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'), 'gi');
  for (const [row, { line }] of grid.rows.entries()) {
    for (const [column, { name, secret }] of grid.columns.entries()) {
      if (name === null || secret || (only !== undefined && only !== column)) continue;
      const before = textAt(grid, row, column) ?? '';
      const after = before.replaceAll(needle, () => replace);
      if (after !== before) changed.set(cellKey(line, column), after.trim());
    }
  }
  return changed;
}

export interface Order {
  readonly column: number;
  readonly direction: 'ascending' | 'descending';
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Rows whose cells contain every text of `filters`, by column, in the order of a column or of the file. */
export function arrange<Row extends GridRows['rows'][number]>(
  rows: readonly Row[],
  { edits, filters, order }: { readonly edits: Edits; readonly filters: Filters; readonly order: Order | undefined },
): readonly Row[] {
  const wanted = [...filters]
    .filter(([, text]) => text !== '')
    .map(([column, text]) => [column, text.toLowerCase()] as const);
  const text = ({ line, cells }: Row, column: number) => edits.cells.get(cellKey(line, column)) ?? cells[column] ?? '';
  const found =
    wanted.length === 0
      ? rows
      : rows.filter((row) => wanted.every(([column, needle]) => text(row, column).toLowerCase().includes(needle)));
  if (order === undefined) return found;
  const sign = order.direction === 'ascending' ? 1 : -1;
  return [...found].sort((one, other) => sign * collator.compare(text(one, order.column), text(other, order.column)));
}

/** By the place of a column. */
export type Filters = ReadonlyMap<number, string>;
