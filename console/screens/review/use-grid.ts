// The active cell of the grid, its editor, and what the keys do.
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from 'react';
import type { ImportRow } from '../../api/answers.ts';
import {
  cellKey,
  copyRange,
  type Edits,
  fillDown,
  type GridRows,
  type Place,
  parsePasted,
  type Range,
  rangeOf,
  spread,
} from './edits.ts';
import type { FileColumn } from './rows.ts';

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

interface GridCommands {
  readonly move: (rows: number, columns: number) => void;
  /** Moves the end of the selection only. */
  readonly extend: (rows: number, columns: number) => void;
  readonly selectAll: () => void;
  /** Fills the selection with its first row. */
  readonly fill: () => void;
  /** What is selected, as a spreadsheet takes it. */
  readonly copied: () => string;
  readonly moveTo: (place: Partial<Place>) => void;
  /** `text` replaces what is in the cell. */
  readonly edit: (text?: string) => void;
  readonly clear: () => void;
  readonly undo: () => void;
  readonly redo: () => void;
  readonly paste: (text: string) => void;
}

const pageRows = 10;

const moves: Readonly<Record<string, readonly [rows: number, columns: number]>> = {
  ArrowUp: [-1, 0],
  ArrowDown: [1, 0],
  ArrowLeft: [0, -1],
  ArrowRight: [0, 1],
  PageUp: [-pageRows, 0],
  PageDown: [pageRows, 0],
};

/** The keyboard of the grid: as in a spreadsheet. */
export function handleGridKey(event: KeyboardEvent, commands: GridCommands): void {
  const isControl = event.ctrlKey || event.metaKey;
  const action = isControl ? controlAction(event, commands) : plainAction(event, commands);
  if (action === undefined) return;
  event.preventDefault();
  action();
}

type Action = (() => void) | undefined;

function controlAction({ key, shiftKey }: KeyboardEvent, commands: GridCommands): Action {
  const actions: Readonly<Record<string, Action>> = {
    z: shiftKey ? commands.redo : commands.undo,
    y: commands.redo,
    a: commands.selectAll,
    d: commands.fill,
    home: () => commands.moveTo({ row: 0, column: 0 }),
    end: () => commands.moveTo({ row: Number.MAX_SAFE_INTEGER }),
  };
  return actions[key.toLowerCase()];
}

function plainAction({ key, altKey, shiftKey }: KeyboardEvent, commands: GridCommands): Action {
  if (altKey) return undefined;
  const actions: Readonly<Record<string, Action>> = {
    Home: () => commands.moveTo({ column: 0 }),
    End: () => commands.moveTo({ column: Number.MAX_SAFE_INTEGER }),
    Enter: () => commands.edit(),
    F2: () => commands.edit(),
    Delete: commands.clear,
    Backspace: commands.clear,
  };
  const move = moves[key];
  if (move !== undefined) return () => (shiftKey ? commands.extend : commands.move)(...move);
  return actions[key] ?? (key.length === 1 ? () => commands.edit(key) : undefined);
}

export function handlePaste(event: ClipboardEvent, { paste }: GridCommands): void {
  const text = event.clipboardData.getData('text/plain');
  if (text === '') return;
  event.preventDefault();
  paste(text);
}

export function handleCopy(event: ClipboardEvent, { copied }: GridCommands): void {
  event.preventDefault();
  event.clipboardData.setData('text/plain', copied());
}
