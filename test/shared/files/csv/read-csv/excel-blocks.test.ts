// Excel saves a CSV in blocks of 16 rows, and leaves out the last columns that are empty in a whole block.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readAll } from '../../../../support/files/csv-source.ts';

const rowsInBlock = 16;

/** As Excel saves a sheet: the header is its first row. */
function savedByExcel(rows: readonly (readonly string[])[]): string {
  const widthFrom = (start: number) =>
    Math.max(...rows.slice(start, start + rowsInBlock).map((cells) => cells.findLastIndex((cell) => cell !== '') + 1));
  const written = rows.map((cells, index) => cells.slice(0, widthFrom(index - (index % rowsInBlock))));
  return written.map((cells) => `${cells.map(quoted).join(',')}\r\n`).join('');
}

const quoted = (cell: string): string => (/[\n",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);

const header = ['a', 'b', 'c', 'd'];
/** A row of this many cells that are not empty. */
const rowOf = (filled: number, index: number) => header.map((name, place) => (place < filled ? `${name}${index}` : ''));
const rowsOf = (count: number, filled: number) => Array.from({ length: count }, (_, index) => rowOf(filled, index + 2));
const codes = ({ rejected }: Awaited<ReturnType<typeof readAll>>) =>
  rejected.map(({ line, issue }) => `${line} ${issue.code}`);

describe('a file that Excel saved', () => {
  test('has the rows of the sheet, whatever is empty, in any chunks', async () => {
    const cell = fc.constantFrom('', '', '', 'x', 'two\nlines', 'a, b', '"');
    const row = fc.tuple(fc.constantFrom('1', 'a "b"'), cell, cell, cell).map((cells) => [...cells]);
    const blocks = fc.array(fc.array(row, { minLength: 1, maxLength: 40 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(blocks, fc.integer({ min: 1, max: 400 }), async (parts, chunkBytes) => {
        const rows = parts.flat();
        const { records, rejected, fault } = await readAll(savedByExcel([header, ...rows]), { chunkBytes });
        expect({ rejected, fault }).toEqual({ rejected: [], fault: null });
        expect(records.map(({ cells }) => cells)).toEqual(rows);
      }),
      { numRuns: 200 },
    );
  });

  test('says which cells were read as empty', async () => {
    const { notices } = await readAll(savedByExcel([header, ...rowsOf(40, 3)]));
    expect(notices).toEqual([
      {
        line: 17,
        column: null,
        code: 'RECORD_LAST_CELLS_EMPTY',
        severity: 'notice',
        message:
          '25 rows from line 17 on end before the last columns, as Excel writes empty cells there: they were read as empty',
      },
    ]);
  });

  test('may have title rows above its header, which may be the last row of a block', async () => {
    const titles = Array.from({ length: 14 }, () => ['My numbers', '', '', '']);
    const file = await readAll(savedByExcel([...titles, header, rowOf(4, 16), ...rowsOf(20, 2)]), { headerLine: 15 });
    expect(codes(file)).toEqual([]);
    expect(file.records).toHaveLength(21);
  });
});

describe('a row that may have lost a cell in its middle is invalid', () => {
  const full = savedByExcel([header, ...rowsOf(15, 4)]);
  const lines = (count: number, cells: string) => `${cells}\n`.repeat(count);
  const tooFew = (first: number, last: number) =>
    Array.from({ length: last - first + 1 }, (_, index) => `${first + index} RECORD_TOO_FEW_CELLS`);

  test('where all rows of the file are too short', async () => {
    expect(codes(await readAll(`a,b,c,d\n${lines(40, '1,2,3')}`))).toEqual(tooFew(2, 41));
    // The header is the last row of a block.
    const below = `${lines(15, 'title')}a,b,c,d\n${lines(40, '1,2,3')}`;
    expect(codes(await readAll(below, { headerLine: 16 }))).toEqual(tooFew(17, 56));
  });

  test('where another row of its block has more cells, before or behind it', async () => {
    expect(codes(await readAll(`${full}${lines(3, '1,2,3')}1,2,3,4\n`))).toEqual(tooFew(17, 19));
    expect(codes(await readAll(`${full}1,2,3,4\n${lines(3, '1,2,3')}`))).toEqual(tooFew(18, 20));
    expect(codes(await readAll(`${full}${lines(3, '1,2,3')}1,2\n`))).toEqual(tooFew(17, 20));
    expect(codes(await readAll(`${full}1,2,3\n1,"x"y,3,4\n`))).toEqual([
      '17 RECORD_TOO_FEW_CELLS',
      '18 RECORD_QUOTE_INVALID',
    ]);
  });

  test('and so are all later ones: Excel did not write the file', async () => {
    const file = await readAll(`${full}${lines(16, '1,2,3')}1,2,3\n${lines(15, '1,2,3,4')}${lines(16, '1,2,3')}`);
    expect(codes(file)).toEqual([...tooFew(33, 33), ...tooFew(49, 64)]);
  });

  test('where the file ends in it', async () => {
    expect(codes(await readAll(`${full}1,2,3`))).toEqual(tooFew(17, 17));
  });

  test('and is told before a fault behind it', async () => {
    const { records, fault } = await readAll(`${full}1,2,3\n"${'x'.repeat(500)}`, { maxRecordBytes: 400 });
    expect(records.at(-1)).toEqual({ line: 17, cells: ['1', '2', '3', ''] });
    expect(fault).toMatchObject({ line: 18 });
  });
});
