// The keyboard of the grid: as in a spreadsheet.
import type { ClipboardEvent, KeyboardEvent } from 'react';
import type { Place } from './selection.ts';

export interface GridCommands {
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
