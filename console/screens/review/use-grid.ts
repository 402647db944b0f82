// The active cell of the grid, its editor, and what the keys do.
import { useRef, useState } from 'react';
import type { ImportRow } from '../../api/types.ts';
import { cellKey, type Edits, parsePasted } from './edits.ts';
import type { GridCommands, Place } from './grid-keys.ts';
import type { FileColumn } from './use-invalid-rows.ts';

export interface GridInput {
  readonly rows: readonly ImportRow[];
  readonly columns: readonly FileColumn[];
  readonly edits: Edits;
  readonly onSet: (place: Place, values: readonly (readonly string[])[]) => void;
  readonly onUndo: () => void;
  readonly onRedo: () => void;
  readonly onActive: (place: Place) => void;
}

export function useGrid({ rows, columns, edits, onSet, onUndo, onRedo, onActive }: GridInput) {
  const [active, setActive] = useState<Place>({ row: 0, column: 0 });
  /** The text in the editor; undefined while no cell is edited. */
  const [draft, setDraft] = useState<string>();
  const hasFocus = useRef(false);
  const row = clamp(active.row, rows.length);
  const column = clamp(active.column, columns.length);
  const current = rows[row];
  const { name = null, secret = false } = columns[column] ?? {};

  const go = (place: Place) => {
    const next = { row: clamp(place.row, rows.length), column: clamp(place.column, columns.length) };
    hasFocus.current = true;
    setActive(next);
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
    clear: () => onSet({ row, column }, [['']]),
    undo: onUndo,
    redo: onRedo,
    paste: (text) => onSet({ row, column }, parsePasted(text)),
  };
  return {
    ...{ row, column, draft, setDraft, go, commands, hasFocus },
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

const clamp = (value: number, count: number): number => Math.max(0, Math.min(value, count - 1));
