// The cells that a person has changed, with undo and redo. Pure, so that it can be tested without a page.

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
    rows.at(-1)?.push(cell.replace(/\s*[\r\n]+\s*/g, ' ').trim());
    if (end === '') break;
    if (end !== '\t') rows.push([]);
  }
  return rows;
}
