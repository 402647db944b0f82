// Several sheets that are read as one file.
import { expect, test } from 'vitest';
import type { CsvOptions } from '#shared/files/csv/record-batch.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { chunked } from '../../../support/files/csv-source.ts';
import { type TestSheet, workbookFile } from '../../../support/files/workbook-file.ts';

const isHeader = (cells: readonly string[]) => cells.includes('Mobile') || cells.includes('MOBILE');

const october: TestSheet = {
  name: 'October',
  rows: [['Mobile', 'SIM'], ['07700900001', '1'], null, ['07700900002', 'two\nlines']],
};
const november: TestSheet = {
  name: 'November',
  rows: [['Ports in November'], ['SIM', 'Note', 'MOBILE'], ['3', 'x', '07700900003'], ['4', '', '07700900004']],
};

async function read(sheets: readonly TestSheet[], options: CsvOptions) {
  const opened = await openUpload(chunked(workbookFile(sheets), 1000), { isHeader, ...options });
  if (!opened.ok) return { issue: opened.issue };
  const { header, sheet, otherSheets, placeOf, batches, notices } = opened.value;
  const rows: [number, string | undefined, readonly string[]][] = [];
  const rejected: [number, string | undefined, string][] = [];
  for await (const batch of batches) {
    for (const [index, line] of batch.lines.entries()) {
      const issue = batch.rejected.get(index);
      if (issue === undefined) rows.push([line, placeOf?.(line), batch.cellsOf(index)]);
      else rejected.push([line, placeOf?.(line), issue.code]);
    }
    if (batch.fault !== null) rejected.push([batch.fault.line, placeOf?.(batch.fault.line), batch.fault.code]);
  }
  return { header, sheet, otherSheets, rows, rejected, notices: notices().map(({ message }) => message) };
}

const both = { sheet: 'October', otherSheets: [{ sheet: 'November' }] };

test('have the columns of all of them, and each row keeps its own cells', async () => {
  const found = await read([october, november], both);
  expect(found.header).toEqual(['Mobile', 'SIM', 'Note']);
  expect(found.rows).toEqual([
    [2, 'row 2 of "October"', ['07700900001', '1', '']],
    [4, 'row 4 of "October"', ['07700900002', 'two\nlines', '']],
    [7, 'row 3 of "November"', ['07700900003', '3', 'x']],
    [8, 'row 4 of "November"', ['07700900004', '4', '']],
  ]);
  expect(found).toMatchObject({ sheet: 'October', otherSheets: [{ sheet: 'November', headerLine: 2 }] });
  expect(found.notices?.[0]).toBe('2 sheets were read as one file: "October"; "November", of which row 3 is line 7');
});

test('are read in the order in which they are named, each once', async () => {
  const names = ['October', 'november', 'OCTOBER'].map((sheet) => ({ sheet }));
  const { rows } = await read([october, november], { sheet: 'November', otherSheets: names });
  expect(rows?.map(([line, place]) => [line, place])).toEqual([
    [3, 'row 3 of "November"'],
    [4, 'row 4 of "November"'],
    [6, 'row 2 of "October"'],
    [8, 'row 4 of "October"'],
  ]);
});

test('are read again in the same way by where their headers were', async () => {
  const first = await read([october, november], both);
  const { otherSheets } = first;
  const again = await read([october, november], { ...both, isHeader: undefined, headerLine: 1, otherSheets });
  expect(again.rows).toEqual(first.rows);
});

test('without a header are left out, and named', async () => {
  const notes = { name: 'Notes', rows: [['Call Anna']] };
  const found = await read([october, notes], { sheet: 'October', otherSheets: [{ sheet: 'Notes' }] });
  expect(found.rows).toHaveLength(2);
  expect(found.notices).toEqual([
    expect.stringMatching(/^the sheet "Notes" has no header .* none of its rows was read/),
  ]);
});

test('that do not exist are reported', async () => {
  const found = await read([october], { sheet: 'October', otherSheets: [{ sheet: 'Novembr' }] });
  expect(found.issue).toMatchObject({ code: 'FILE_SHEET_UNKNOWN' });
});

test('name the hidden rows and the faults of each', async () => {
  const hidden = { ...november, hiddenRows: [1, 2, 4] };
  const found = await read([{ ...october, hiddenRows: [2] }, hidden], both);
  expect(found.notices?.[1]).toMatch(/^2 rows .* imported too: lines row 2 of "October", row 4 of "November"\./);
  const formula = [{ uncalculated: 'A1' }, 'x', 'y'] as const;
  const early = await read([october, { ...november, rows: [...november.rows, formula] }], both);
  expect(early.issue).toMatchObject({ line: 5, message: expect.stringContaining('A5 of the sheet "November"') });
  const many = Array.from({ length: 9_000 }, () => ['3', 'x', '07700900003']);
  const late = await read([october, { ...november, rows: [...november.rows, ...many, formula] }], both);
  expect(late.rejected).toEqual([[9_009, 'row 9005 of "November"', 'FILE_WORKBOOK_INVALID']]);
});
