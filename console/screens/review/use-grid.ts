// The active cell of the grid, its editor, and what the keys do.
import { useRef, useState } from 'react';
import type { ImportRow } from '../../api/types.ts';
import { cellKey, type Edits, parsePasted } from './edits.ts';
import type { GridCommands } from './grid-keys.ts';
import { copyRange, fillDown, type GridRows, type Place, type Range, rangeOf, spread } from './selection.ts';
import type { FileColumn } from './use-invalid-rows.ts';

export interface GridInput {
  readonly rows: readonly ImportRow[];
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly onSet: (place: Place, values: readonly (readonly (string | undefined)[])[]) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onActive: (place: Place) => void;
}

export function useGrid({ rows, columns, edits, onSet, onUndo, onRedo, onActive }: GridInput) {
  const { row, column, end, range, clamped, setActive, setCorner } = useSelection(rows, columns);
  /** The text in the editor; undefined while no cell is edited. */
  const [draft, setDraft] = useState<string>();
  const hasFocus = useRef(false);
  const current = rows[row];
  const { name = null, secret = false } = columns[column] ?? {};

  const go = (place: Place) => {
    const next = clamped(place);
    hasFocus.current = true;
    setActive(next);
    setCorner(undefined);
    setDraft(undefined);
    onActive(next);
  };
  const save = () => {
    if (draft !== undefined) onSet({ row, column }, [[draft.trim()]]);
  };
  const shownText = () => (current && (edits.cells.get(cellKey(current.line, column)) ?? current.cells[column])) ?? '';
  const commands: GridCommands = {
    move: (down, right) => go({ row: row + down, column: column + right }),
    moveTo: (place) => go({ row, column, ...place }),
    // What is in a secret cell of the file is not known here.
    edit: (text) => name !== null && setDraft(text ?? (secret ? '' : shownText())),
    extend: (down, right) => setCorner(clamped({ row: end.row + down, column: end.column + right })),
    selectAll: () => {
      go({ row: 0, column: 0 });
      setCorner({ row: rows.length - 1, column: columns.length - 1 });
    },
    ...rangeCommands({ rows, columns, edits }, range, onSet),
    undo: onUndo,
    redo: onRedo,
  };
  return {
    row,
    column,
    range,
    end,
    draft,
    setDraft,
    go,
    commands,
    hasFocus,
    forgetFocus: () => {
      hasFocus.current = false;
    },
    /** The selection is from the active cell to this one. */
    extendTo: (place: Place) => setCorner(clamped(place)),
    commit: (down: number, right: number) => {
      save();
      go({ row: row + down, column: column + right });
    },
    /** The person has clicked elsewhere: the text counts, and the focus stays where it went. */
    leave: () => {
      save();
      setDraft(undefined);
    },
  };
}

/** The active cell, and the range from it to the other corner of the selection. */
function useSelection(rows: readonly ImportRow[], columns: readonly FileColumn[]) {
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  /** The other corner of the selection; undefined while one cell is selected. */
  const [corner, setCorner] = useState<Place>();
  const clamped = (place: Place): Place => ({
    row: clamp(place.row, rows.length),
    column: clamp(place.column, columns.length),
  });
  const { row, column } = clamped(active);
  const end = clamped(corner ?? { row, column });
  return { row, column, end, range: rangeOf({ row, column }, end), clamped, setActive, setCorner };
}

const clamp = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1));

/** What is done to all selected cells. */
function rangeCommands(
  grid: GridRows,
  range: Range,
  onSet: GridInput['onSet'],
): Pick<GridCommands, 'fill' | 'copied' | 'clear' | 'paste'> {
  const start = { row: range.top, column: range.left };
  return {
    fill: () => onSet(start, fillDown(grid, range)),
    copied: () => copyRange(grid, range),
    clear: () => onSet(start, spread([['']], range)),
    paste: (text) => onSet(start, spread(parsePasted(text), range)),
  };
}
