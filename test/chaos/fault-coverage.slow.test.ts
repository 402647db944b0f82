// Every row of docs/contributing/faults.md has a test whose name starts with it (`fault 34: ...`, `fault 36 to 39:
// ...`) or ends with it in parentheses. Comments do not count.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { globFiles } from '../support/glob-files.ts';
import { statedFigure } from './reliability-page.ts';

const rows = 58;
const root = new URL('../../', import.meta.url);

const atBegin = /['"`]faults? (\d+)(?: (and|to) (\d+))?: /g;
const atEnd = /\(faults? (\d+)(?: (and|to) (\d+))?\)['"`]/g;

/** Every row that the name of a test contains. */
function rowsNamedIn(text: string): number[] {
  return [...text.matchAll(atBegin), ...text.matchAll(atEnd)].flatMap(([, first, word, last]) => {
    const [from, to] = [Number(first), Number(last ?? first)];
    if (word === 'and') return [from, to];
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
}

test('a row counts in the name of a test, not in a comment', () => {
  const names = [
    "test('fault 7: x'",
    'describe("faults 9 to 11: y"',
    "['fault 33 and 40: z', 1]",
    "test('w (fault 12)'",
  ];
  expect(rowsNamedIn(names.join('\n')).sort((one, other) => one - other)).toEqual([7, 9, 10, 11, 12, 33, 40]);
  expect(rowsNamedIn("// What fault 3 says (fault 4).\nexpect(x, 'default 5: y')")).toEqual([]);
});

test('docs/contributing/faults.md has every row, once and in order', () => {
  const page = readFileSync(new URL('docs/contributing/faults.md', root), 'utf8');
  const listed = [...page.matchAll(/^(\d+)\. /gm)].map(([, row]) => Number(row));
  expect(listed).toEqual(Array.from({ length: rows }, (_, index) => index + 1));
});

test('docs/contributing/reliability.md states how many rows there are', () => {
  expect(statedFigure('rows of the [fault list]')).toBe(`${rows} of ${rows}`);
});

test('every row has a test, and no test names another row', () => {
  const files = globFiles('test/**/*.test.ts', { cwd: root }).filter((file) => !file.includes('fault-coverage'));
  const named = new Set(files.flatMap((file) => rowsNamedIn(readFileSync(new URL(file, root), 'utf8'))));
  expect([...named].sort((one, other) => one - other)).toEqual(Array.from({ length: rows }, (_, index) => index + 1));
});
