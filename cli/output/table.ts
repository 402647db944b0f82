// Aligned tables that fit the terminal without losing text: long text is wrapped, or put below its row; less important
// columns are omitted first.
import { noPaint, type Paint, type Style } from './terminal.ts';
import { breakAnywhere, displayWidth, pad, plain, wrap } from './text.ts';

export interface TableColumn {
  readonly header: string;
  readonly align?: 'left' | 'right';
  /** Long text, wrapped when the table is too wide. */
  readonly wraps?: boolean;
  /** A name that is broken anywhere when the table is still too wide without secondary columns. */
  readonly breaks?: boolean;
  /** Omitted when the table is too wide; the last such column is omitted first. */
  readonly secondary?: boolean;
  /** Colour of a cell by its text. */
  readonly style?: (cell: string) => Style | undefined;
}

export interface TableOptions {
  /** Columns of the terminal; undefined for no limit. */
  readonly width?: number | undefined;
  readonly paint?: Paint;
  readonly indent?: number;
}

const gap = 2;
/** Text in a column that is narrower than this, or than its longest word, is put below its row instead. */
const narrowestText = 24;
const narrowestName = 16;
const belowIndent = 4;

interface Column extends TableColumn {
  readonly index: number;
  readonly width: number;
  /** The width of its longest word. */
  readonly narrowest: number;
}

/** The lines of the table, header first. Makes the cells safe for a terminal. */
export function formatTable(
  columns: readonly TableColumn[],
  rows: readonly (readonly string[])[],
  { width = Number.POSITIVE_INFINITY, paint = noPaint, indent = 0 }: TableOptions = {},
): string[] {
  const cells = rows.map((row) => columns.map((_, index) => plain(row[index] ?? '')));
  const natural = columns.map((column, index) => {
    const narrowest = column.wraps ? widestWordOf(cells, index) : 0;
    return { ...column, index, narrowest, width: widestOf(column.header, cells, index) };
  });
  const { beside, below } = arrange(natural, width - indent);
  const margin = ' '.repeat(indent);
  const header = beside.map((column) => paint('bold', pad(column.header, column.width, column.align)));
  const belowWidth = width - indent - belowIndent;
  return [
    (margin + header.join(' '.repeat(gap))).trimEnd(),
    ...cells.flatMap((row) => [
      ...formatRow(beside, row, paint).map((line) => margin + line),
      ...below.flatMap(({ index }) =>
        wrap(row[index] ?? '', belowWidth).map((line) => (margin + ' '.repeat(belowIndent) + line).trimEnd()),
      ),
    ]),
  ].filter((line, index) => index === 0 || line !== '');
}

const widestOf = (header: string, rows: readonly (readonly string[])[], index: number): number =>
  rows.reduce((widest, row) => Math.max(widest, displayWidth(row[index] ?? '')), displayWidth(header));

const widestWordOf = (rows: readonly (readonly string[])[], index: number): number =>
  rows.reduce((widest, row) => Math.max(widest, ...(row[index] ?? '').split(' ').map(displayWidth)), 0);

const totalWidth = (columns: readonly Column[]): number =>
  columns.reduce((sum, { width }) => sum + width, gap * Math.max(0, columns.length - 1));

interface Arrangement {
  readonly beside: readonly Column[];
  /** Their text is put below the row. */
  readonly below: readonly Column[];
}

/** Omits secondary columns until the others fit, then wraps the text beside them, or puts it below. */
function arrange(columns: readonly Column[], width: number): Arrangement {
  if (totalWidth(columns) <= width) return { beside: columns, below: [] };
  const texts = columns.filter(({ wraps }) => wraps);
  let fixed = columns.filter(({ wraps }) => !wraps);
  while (totalWidth(fixed) > width) {
    const last = fixed.findLast(({ secondary }) => secondary);
    if (last === undefined) break;
    fixed = fixed.filter((column) => column !== last);
  }
  const excess = totalWidth(fixed) - width;
  fixed = fixed.map((column) =>
    column.breaks && excess > 0 ? { ...column, width: Math.max(narrowestName, column.width - excess) } : column,
  );
  const narrow = shareRoom(texts, width - totalWidth(fixed) - gap * texts.length);
  if (narrow === undefined) return { beside: fixed, below: texts };
  return { beside: [...fixed, ...narrow].sort((one, other) => one.index - other.index), below: [] };
}

/** Narrows the widest text column until all fit; undefined when one would become too narrow. */
function shareRoom(texts: readonly Column[], room: number): Column[] | undefined {
  const shared = texts.map((column) => ({ ...column }));
  for (let excess = shared.reduce((sum, { width }) => sum + width, -room); excess > 0; excess -= 1) {
    const widest = shared.reduce((one, other) => (other.width > one.width ? other : one));
    if (widest.width <= Math.max(narrowestText, widest.narrowest)) return undefined;
    widest.width -= 1;
  }
  return shared;
}

/** One line, or several when a cell is wrapped. */
function formatRow(columns: readonly Column[], row: readonly string[], paint: Paint): string[] {
  const wrapped = columns.map(({ index, wraps, breaks, width }) => {
    const cell = row[index] ?? '';
    return wraps ? wrap(cell, width) : breaks ? breakAnywhere(cell, width) : [cell];
  });
  const height = Math.max(1, ...wrapped.map(({ length }) => length));
  return Array.from({ length: height }, (_, line) => {
    const parts = columns.map(({ index, width, align, style }, column) => {
      const text = pad(wrapped[column]?.[line] ?? '', width, align);
      const chosen = style?.(row[index] ?? '');
      return chosen === undefined || text.trim() === '' ? text : paint(chosen, text);
    });
    return parts.join(' '.repeat(gap)).trimEnd();
  });
}

/** `name  value` lines with aligned names. Omits pairs without a value. */
export function formatPairs(
  pairs: readonly (readonly [name: string, value: string | undefined])[],
  { width = Number.POSITIVE_INFINITY, paint = noPaint, indent = 0 }: TableOptions = {},
): string[] {
  const shown = pairs.filter((pair): pair is readonly [string, string] => pair[1] !== undefined);
  const nameWidth = Math.max(0, ...shown.map(([name]) => displayWidth(name)));
  const margin = indent + nameWidth + gap;
  return shown.flatMap(([name, value]) => {
    const label = `${' '.repeat(indent)}${pad(name, nameWidth)}${' '.repeat(gap)}`;
    const [first = '', ...others] = wrap(plain(value), width - margin);
    return [`${paint('dim', label)}${first}`.trimEnd(), ...others.map((line) => ' '.repeat(margin) + line)];
  });
}
