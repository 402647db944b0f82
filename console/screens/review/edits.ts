// The cells that a person has changed, with undo and redo; and what is pasted, copied, filled, replaced, found and
// sorted in the grid. Pure, so that it can be tested without a page.

/** `LINE/COLUMN` */
export type CellKey = `${number}/${number}`;
export const cellKey = (line: number, column: number): CellKey => `${line}/${column}`;

/** The text of a secret cell that a draft holds: the API never returns it. */
export const keptCell = '\u0000';

export type Cells = ReadonlyMap<CellKey, string>;
const lineOf = (key: CellKey): number => Number(key.split('/')[0]);

interface Change {
  readonly key: CellKey;
  /** undefined: as in the file. */
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface Edits {
  readonly cells: Cells;
  /** Each step is one action of the person, such as a paste. */
  readonly done: readonly (readonly Change[])[];
  readonly undone: readonly (readonly Change[])[];
}

export const noEdits: Edits = { cells: new Map(), done: [], undone: [] };

/** One action: sets cells, and forgets what could be redone. `undefined` sets a cell back to the file's text. */
export function setCells(edits: Edits, values: ReadonlyMap<CellKey, string | undefined>): Edits {
  const changes = [...values]
    .map(([key, after]) => ({ key, before: edits.cells.get(key), after }))
    .filter(({ before, after }) => before !== after);
  if (changes.length === 0) return edits;
  return { cells: apply(edits.cells, changes, 'after'), done: [...edits.done, changes], undone: [] };
}

export function undo(edits: Edits): Edits {
  const changes = edits.done.at(-1);
  if (changes === undefined) return edits;
  return {
    cells: apply(edits.cells, changes, 'before'),
    done: edits.done.slice(0, -1),
    undone: [...edits.undone, changes],
  };
}

export function redo(edits: Edits): Edits {
  const changes = edits.undone.at(-1);
  if (changes === undefined) return edits;
  return {
    cells: apply(edits.cells, changes, 'after'),
    done: [...edits.done, changes],
    undone: edits.undone.slice(0, -1),
  };
}

/** The changed cells of a row by column of the operation, as the API takes them: null for one that a draft holds. */
export function changedCells(
  line: number,
  columns: readonly { readonly name: string | null }[],
  { cells }: Pick<Edits, 'cells'>,
): Record<string, string | null> {
  return Object.fromEntries(
    columns.flatMap(({ name }, index) => {
      const value = cells.get(cellKey(line, index));
      return name === null || value === undefined ? [] : [[name, value === keptCell ? null : value]];
    }),
  );
}

/** The lines with a changed cell. */
export const changedLines = ({ cells }: Pick<Edits, 'cells'>): ReadonlySet<number> =>
  new Set([...cells.keys()].map(lineOf));

/** Changes that were saved elsewhere since `base`, with those that were made here: each line is from one side. */
export function mergeByLine(base: Cells, mine: Cells, theirs: Cells): Cells {
  const isSame = (key: CellKey) => base.get(key) === mine.get(key);
  const changedHere = new Set([...base.keys(), ...mine.keys()].filter((key) => !isSame(key)).map(lineOf));
  return new Map([
    ...[...theirs].filter(([key]) => !changedHere.has(lineOf(key))),
    ...[...mine].filter(([key]) => changedHere.has(lineOf(key))),
  ]);
}

/** Without the rows that were sent. What was undone is forgotten with them. */
export const withoutLines = ({ cells }: Edits, lines: ReadonlySet<number>): Edits => ({
  ...noEdits,
  cells: new Map([...cells].filter(([key]) => !lines.has(lineOf(key)))),
});

function apply(
  cells: ReadonlyMap<CellKey, string>,
  changes: readonly Change[],
  side: 'before' | 'after',
): ReadonlyMap<CellKey, string> {
  const applied = new Map(cells);
  for (const change of changes) {
    const value = change[side];
    if (value === undefined) applied.delete(change.key);
    else applied.set(change.key, value);
  }
  return applied;
}

/** A cell with its tab or line end. A spreadsheet quotes a cell that has a tab, a line break or a quote. */
const pastedCell = /(?:"((?:[^"]|"")*)"|([^\t\r\n]*))(\t|\r?\n|$)/gy;

/** Text copied from a spreadsheet, as rows of cells. A line break within a cell becomes a space. */
export function parsePasted(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain, end] of text.replace(/\r?\n$/, '').matchAll(pastedCell)) {
    const cell = quoted?.replaceAll('""', '"') ?? plain ?? '';
    rows.at(-1)?.push(cell.replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? ' ' : space)).trim());
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows;
}

interface Target {
  /** The cell of the first value. */
  readonly place: { readonly row: number; readonly column: number };
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
  readonly columns: readonly { readonly name: string | null; readonly secret: boolean }[];
}

interface PlacedValues {
  /** `undefined`: as in the file. */
  readonly cells: ReadonlyMap<CellKey, string | undefined>;
  /** Values beyond the last row or column, or for a column that the operation does not have. */
  readonly leftOut: number;
  /** Texts that no cell can have. */
  readonly tooLong: number;
}

/** The API takes no more. */
export const mostCharacters = 2_000;

/** A value that is undefined leaves its cell as it is. */
export function placeValues(values: readonly (readonly (string | undefined)[])[], target: Target): PlacedValues {
  const cells = new Map<CellKey, string | undefined>();
  let leftOut = 0;
  let tooLong = 0;
  for (const value of values.flatMap(placedIn)) {
    const { key, isUnchanged } = cellOf(target, value);
    if (value.text.length > mostCharacters) tooLong += 1;
    else if (key !== undefined) cells.set(key, isUnchanged ? undefined : value.text);
    else if (value.text !== '' && !isUnchanged) leftOut += 1;
  }
  return { cells, leftOut, tooLong };
}

interface Value {
  readonly down: number;
  readonly right: number;
  readonly text: string;
}

const placedIn = (texts: readonly (string | undefined)[], down: number): Value[] =>
  texts.flatMap((text, right) => (text === undefined ? [] : [{ down, right, text }]));

/** Without a key where no cell can take the value. The text of a secret cell is not known here. */
function cellOf({ place, rows, columns }: Target, { down, right, text }: Value) {
  const row = rows[place.row + down];
  const at = place.column + right;
  const column = columns[at];
  const canChange = row !== undefined && column !== undefined && column.name !== null;
  return {
    key: canChange ? cellKey(row.line, at) : undefined,
    isUnchanged: row?.cells[at] === text && column?.secret !== true,
  };
}

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

/** The selected cells of the grid as a rectangle, and what a spreadsheet does with it. Pure. */
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
function textAt({ rows, columns, edits }: GridRows, row: number, column: number): string | undefined {
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

interface Replacement {
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
