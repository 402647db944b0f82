// Where typed or pasted values go in the grid.
import { type CellKey, cellKey } from './edits.ts';

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
