// Changes of cells in the grid of invalid rows: undo and redo take back one action of the person.
import { expect, test } from 'vitest';
import {
  type CellKey,
  cellKey,
  mergeByLine,
  noEdits,
  parsePasted,
  placeValues,
  redo,
  setCells,
  undo,
} from '../../console/screens/review/edits.ts';

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

test('a change to the same text cannot be undone, because nothing changed', () => {
  const edits = setCells(noEdits, pasted);
  expect(setCells(edits, pasted)).toBe(edits);
});

test('text of a spreadsheet is split into rows and cells, without the line break at its end', () => {
  expect(parsePasted('a\tb\r\n c \td\r\n')).toEqual([
    ['a', 'b'],
    ['c', 'd'],
  ]);
});

test.each([
  ['"two\r\nlines"\t"a ""word"""\r\nnext', [['two lines', 'a "word"'], ['next']]],
  ['5" pipe\tb', [['5" pipe', 'b']]],
  ['"a"b\tc', [['"a"b', 'c']]],
  [
    'a\t\r\n\t',
    [
      ['a', ''],
      ['', ''],
    ],
  ],
  ['', [['']]],
])('%j is read as a spreadsheet quotes cells', (text, rows) => {
  expect(parsePasted(text)).toEqual(rows);
});

test('pasted values that have no cell in the grid are counted, and those as in the file are not changed', () => {
  const rows = [
    { line: 2, cells: ['a', 'own'] },
    { line: 5, cells: ['b', 'own'] },
  ];
  const columns = [
    { name: 'tariff', secret: false },
    { name: null, secret: false },
  ];
  const values = [['x', 'own'], ['b', 'new', 'y'], ['z'], ['']];
  const { cells, leftOut } = placeValues(values, { place: { row: 0, column: 0 }, rows, columns });
  expect([...cells]).toEqual([
    [cellKey(2, 0), 'x'],
    [cellKey(5, 0), undefined],
  ]);
  expect(leftOut).toBe(3);
});

test('changes of two tabs are merged by line: a line that was changed here stays as it is here', () => {
  const cellsOf = (texts: Record<string, string>) => new Map(Object.entries(texts)) as Map<CellKey, string>;
  const base = cellsOf({ '2/0': 'a', '3/0': 'b', '4/0': 'c' });
  const mine = cellsOf({ '2/0': 'changed here', '4/0': 'c', '5/0': 'new here' });
  const theirs = cellsOf({ '2/0': 'changed there', '2/1': 'x', '3/0': 'b', '6/0': 'new there' });
  expect(Object.fromEntries(mergeByLine(base, mine, theirs))).toEqual({
    '2/0': 'changed here',
    '5/0': 'new here',
    '6/0': 'new there',
  });
});
