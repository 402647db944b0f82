// Ranges of the grid: copied as a spreadsheet takes them, filled down, searched and replaced, sorted and filtered.
import { expect, test } from 'vitest';
import {
  arrange,
  cellKey,
  copyRange,
  fillDown,
  isInRange,
  keptCell,
  noEdits,
  rangeOf,
  replaceText,
  setCells,
  spread,
} from '../../console/screens/review/edits.ts';

const columns = [
  { name: 'msisdn', secret: false },
  { name: 'pac', secret: true },
  { name: 'tariff', secret: false },
  { name: null, secret: false },
];
const rows = [
  { line: 2, cells: ['07700900002', '***456', '20O1', 'a "b"'] },
  { line: 3, cells: ['07700900010', '***457', '20o1 x', ''] },
  { line: 4, cells: ['07700900001', '***458', '2001', 'a'] },
];
const edits = setCells(noEdits, new Map([[cellKey(3, 1), keptCell]]));
const grid = { rows, columns, edits };

test('a range is the rectangle between two cells, whichever was first', () => {
  const range = rangeOf({ row: 2, column: 0 }, { row: 1, column: 2 });
  expect(range).toEqual({ top: 1, bottom: 2, left: 0, right: 2 });
  expect([isInRange(range, 1, 1), isInRange(range, 0, 1)]).toEqual([true, false]);
});

test('a copied range has tabs and quotes as a spreadsheet reads them, and no PAC', () => {
  const text = copyRange(grid, rangeOf({ row: 0, column: 0 }, { row: 1, column: 3 }));
  expect(text).toBe('07700900002\t\t20O1\t"a ""b"""\r\n07700900010\t\t20o1 x\t');
});

test('the first row of a range fills the others, except a PAC that is not known here', () => {
  expect(fillDown(grid, rangeOf({ row: 0, column: 1 }, { row: 1, column: 2 }))).toEqual([
    [undefined, '20O1'],
    [undefined, '20O1'],
  ]);
});

test('one pasted value is for every cell of the range, several are as they were copied', () => {
  const range = rangeOf({ row: 0, column: 0 }, { row: 1, column: 0 });
  expect(spread([['x']], range)).toEqual([['x'], ['x']]);
  expect(spread([['x', 'y']], range)).toEqual([['x', 'y']]);
});

test('a text is replaced whatever its case, in one column or all, but not in PACs and own columns', () => {
  const replaced = replaceText(grid, { find: '20o1', replace: '2001', column: undefined });
  expect([...replaced]).toEqual([
    [cellKey(2, 2), '2001'],
    [cellKey(3, 2), '2001 x'],
  ]);
  expect(replaceText(grid, { find: '20o1', replace: '2001', column: 0 }).size).toBe(0);
  expect(replaceText(grid, { find: '.', replace: 'x', column: undefined }).size).toBe(0);
  expect(replaceText(grid, { find: '***', replace: 'x', column: undefined }).size).toBe(0);
});

test('rows are sorted by number, and filtered by a text of each column', () => {
  const lines = (shown: readonly { readonly line: number }[]) => shown.map(({ line }) => line);
  const order = { column: 0, direction: 'descending' } as const;
  expect(lines(arrange(rows, { edits, filters: new Map(), order }))).toEqual([3, 2, 4]);
  const filters = new Map([
    [2, '20O1'],
    [0, ''],
  ]);
  expect(lines(arrange(rows, { edits, filters, order: undefined }))).toEqual([2, 3]);
});
