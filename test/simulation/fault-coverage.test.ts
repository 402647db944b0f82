// Which rows of the fault matrix a test names (`fault 34`, `faults 9 to 20`): the others are listed, by number.
import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const rows = 50;
const root = new URL('../../', import.meta.url);

/** Every row that the text names. */
function rowsNamedIn(text: string): number[] {
  return [...text.matchAll(/\bfaults? (\d+)(?:(?:-| to )(\d+))?/g)].flatMap(([, first, last]) => {
    const from = Number(first);
    return Array.from({ length: Number(last ?? first) - from + 1 }, (_, index) => from + index);
  });
}

test('a row is named by its number, or by a range', () => {
  expect(rowsNamedIn('a fault 7; faults 9 to 11, fault 40-41; default 3')).toEqual([7, 9, 10, 11, 40, 41]);
});

test('tests name rows of the matrix, and no others', () => {
  const files = globSync('test/**/*.test.ts', { cwd: root }).filter((file) => !file.includes('fault-coverage'));
  const named = new Set(files.flatMap((file) => rowsNamedIn(readFileSync(new URL(file, root), 'utf8'))));
  const missing = Array.from({ length: rows }, (_, index) => index + 1).filter((row) => !named.has(row));
  console.log(
    `${rows - missing.length} of ${rows} faults have a test that names them; none names ${missing.join(', ')}`,
  );
  expect([...named].filter((row) => row < 1 || row > rows)).toEqual([]);
});
