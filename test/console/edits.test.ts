// Changes of cells in the grid of invalid rows: undo and redo take back one action of the person.
import { expect, test } from 'vitest';
import { cellKey, noEdits, parsePasted, redo, setCells, undo } from '../../console/screens/review/edits.ts';

const pasted = new Map([
  [cellKey(2, 0), 'a'],
  [cellKey(3, 0), 'b'],
]);

test('a paste of two cells is one action to undo, and one to redo', () => {
  const edits = setCells(setCells(noEdits, new Map([[cellKey(2, 0), 'x']])), pasted);
  expect([...undo(edits).cells]).toEqual([[cellKey(2, 0), 'x']]);
  expect([...redo(undo(edits)).cells]).toEqual([...pasted]);
  expect(undo(undo(edits)).cells.size).toBe(0);
});

test('a new change ends what could be redone', () => {
  const undone = undo(setCells(noEdits, pasted));
  const changed = setCells(undone, new Map([[cellKey(9, 1), 'y']]));
  expect(redo(changed)).toBe(changed);
});

test('a cell that is set back to the text of the file is not changed any more', () => {
  const edits = setCells(noEdits, pasted);
  expect(setCells(edits, new Map([[cellKey(2, 0), undefined]])).cells.has(cellKey(2, 0))).toBe(false);
});

test('a change to the same text is no action', () => {
  const edits = setCells(noEdits, pasted);
  expect(setCells(edits, pasted)).toBe(edits);
});

test('text of a spreadsheet is split into rows and cells, without the line break at its end', () => {
  expect(parsePasted('a\tb\r\n c \td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});
