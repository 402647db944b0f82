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
}

export function placeValues(values: readonly (readonly string[])[], target: Target): PlacedValues {
  const cells = new Map<CellKey, string | undefined>();
  let leftOut = 0;
  for (const [down, texts] of values.entries()) {
    for (const [right, text] of texts.entries()) {
      const { key, isUnchanged } = cellOf(target, { down, right, text });
      if (key !== undefined) cells.set(key, isUnchanged ? undefined : text);
      else if (text !== '' && !isUnchanged) leftOut += 1;
    }
  }
  return { cells, leftOut };
}

interface Value {
  readonly down: number;
  readonly right: number;
  readonly text: string;
}

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
