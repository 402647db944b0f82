// Workbooks as people have them: every digit, date and row number arrives as the spreadsheet program shows it.
import { describe, expect, test } from 'vitest';
import type { CsvOptions } from '#shared/files/csv/record-batch.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { chunked } from '../../support/files/csv-source.ts';
import {
  builtInDate,
  dateStyle,
  elevenDigits,
  notStruckOut,
  relation,
  relationsXml,
  struckOut,
  type TestCell,
  type TestSheet,
  type WorkbookOptions,
  workbookFile,
} from '../../support/files/workbook-file.ts';
import { type ZipEntry, zipFile } from '../../support/files/zip-file.ts';

const names = new Set(['mobile', 'sim', 'pac', 'date']);
const isHeader = (cells: readonly string[]) => cells.filter((cell) => names.has(cell.toLowerCase())).length >= 2;

async function read(bytes: Buffer, options: CsvOptions = { isHeader }) {
  const opened = await openUpload(chunked(bytes, 1000), options);
  if (!opened.ok) return { issue: opened.issue };
  const rows: { line: number; cells: readonly string[] }[] = [];
  const rejected: [number, string][] = [];
  let fault: unknown = null;
  for await (const batch of opened.value.batches) {
    for (const [index, line] of batch.lines.entries()) {
      const issue = batch.rejected.get(index);
      if (issue === undefined) rows.push({ line, cells: batch.cellsOf(index) });
      else rejected.push([issue.line, issue.code]);
    }
    ({ fault } = batch);
  }
  const { header, headerLine, sheet } = opened.value;
  return { header, headerLine, sheet, rows, rejected, fault, notices: opened.value.notices() };
}

const readSheets = (sheets: readonly TestSheet[], options?: CsvOptions, workbook?: WorkbookOptions) =>
  read(workbookFile(sheets, workbook), options);

const readRows = (rows: TestSheet['rows'], workbook?: WorkbookOptions) =>
  readSheets([{ name: 'Numbers', rows: [['Mobile', 'SIM'], ...rows] }], undefined, workbook);

const readCell = async (cell: TestCell, workbook?: WorkbookOptions) =>
  (await readRows([['x', cell]], workbook)).rows?.[0]?.cells[1];

describe('a cell', () => {
  test.each<[string, TestCell, string]>([
    ['a text with a leading zero', '07700900123', '07700900123'],
    ['a text of 19 digits', '8944110068123456787', '8944110068123456787'],
    ['an inline text', { inline: '07700 900123' }, '07700 900123'],
    ['a number of 12 digits', { number: '447700900123' }, '447700900123'],
    ['a number of 12 digits with an exponent', { number: '4.47700900123E11' }, '447700900123'],
    ['a number that is shown with leading zeros', { number: '7700900123', style: elevenDigits }, '07700900123'],
    ['a number with lost digits', { number: '8.9441100681234567E+18' }, '8.944110068123457E+18'],
    ['a fraction', { number: '0.30000000000000004' }, '0.3'],
    ['a date', { number: '46211', style: dateStyle }, '2026-07-08'],
    ['a date in the built-in format', { number: '46211', style: builtInDate }, '2026-07-08'],
    ['a date with a time', { number: '46211.5', style: dateStyle }, '2026-07-08T12:00:00'],
    ['a date at the end of its day', { number: '46211.99999996528', style: dateStyle }, '2026-07-08T23:59:59'],
    ['a time that is not exact', { number: '46211.39583333333', style: dateStyle }, '2026-07-08T09:30:00'],
    ['a number that is no date', { number: '46211' }, '46211'],
    ['a formula', { formula: 'A1&"x"', cached: '07700900123' }, '07700900123'],
    ['a formula with an empty text', { formula: 'A1&""', cached: '' }, ''],
    ['a formula with an error', { error: '#REF!' }, '#REF!'],
    ['a truth value', { boolean: true }, 'true'],
    ['a text with special characters', '=1+1, "a" & <b>', '=1+1, "a" & <b>'],
    ['a text with an escaped character', 'a_x0009_b', 'a\tb'],
    ['a text with a line break', 'one\r\ntwo', 'one\ntwo'],
  ])('with %s keeps what a person sees', async (_what, cell, expected) => {
    expect(await readCell(cell)).toBe(expected);
  });

  test('with a date of the 1904 date system is that day', async () => {
    expect(await readCell({ number: '44749', style: dateStyle }, { date1904: true })).toBe('2026-07-08');
  });

  test('with phonetic text keeps only the text', async () => {
    const content =
      '<sst><si><t>Mobile</t></si><si><t>SIM</t></si><si><t>x</t></si><si><r><t>a</t></r><r><t>b</t></r><rPh><t>x</t></rPh></si></sst>';
    const parts = [{ name: 'xl/sharedStrings.xml', content }];
    expect(await readCell('b', { parts })).toBe('ab');
  });
});

describe('a row', () => {
  test('has the number that the spreadsheet program shows, below empty rows and line breaks', async () => {
    const result = await readRows([['1', 'a'], null, null, ['2', 'two\nlines\nof text'], ['3', 'c'], null, ['4', 'd']]);
    expect(result.rows?.map(({ line, cells }) => [line, cells[0]])).toEqual([
      [2, '1'],
      [5, '2'],
      [6, '3'],
      [8, '4'],
    ]);
  });

  test('that is shorter than the header is filled up', async () => {
    expect((await readRows([['1', null]])).rows?.[0]?.cells).toEqual(['1', '']);
  });

  test('with a text beyond all others is read like the others', async () => {
    const rows = Array.from({ length: 150 }, (_, index) => [String(index), 'x']);
    const result = await readRows([...rows, ['150', 'x', null, 'stray']]);
    expect(result.rejected).toEqual([]);
    expect(result.rows).toHaveLength(151);
  });
});

describe('the sheet', () => {
  const notes: TestSheet = { name: 'Notes', rows: [['Ask Bob'], ['about the dates']] };
  const numbers: TestSheet = {
    name: 'Numbers',
    rows: [['Ports in July'], null, ['Mobile', 'SIM', 'PAC'], ['07700900123', '89', 'x']],
  };

  test('is the first visible one with a header, and the notice names the others', async () => {
    const hidden: TestSheet = { ...numbers, name: 'Old', state: 'hidden' };
    const result = await readSheets([hidden, notes, numbers]);
    expect(result).toMatchObject({ sheet: 'Numbers', headerLine: 3, header: ['Mobile', 'SIM', 'PAC'] });
    expect(result.notices?.map(({ code, message }) => `${code} ${message}`)).toEqual([
      'FILE_SHEET_CHOSEN the sheet "Numbers" was read. The workbook also has "Old", "Notes": --sheet NAME',
      expect.stringMatching(/^HEADER_BELOW_OTHER_ROWS .*line 3: 1 row above it was not read \("Ports in July,,"\)/),
    ]);
  });

  const october = { ...numbers, name: 'October (done)' };

  test('must be named where several have a header and rows, because one may be sent already', async () => {
    const result = await readSheets([october, notes, numbers], { isHeader, severalSheets: 'reject' });
    expect(result.issue).toMatchObject({ code: 'FILE_SHEET_AMBIGUOUS' });
    expect(result.issue?.message).toBe(
      '2 sheets have these columns: "October (done)", "Numbers". Choose one, or several that are read as one file: ' +
        '--sheet "Numbers", or --sheet "October (done)" --sheet "Numbers"',
    );
    const named = { isHeader, severalSheets: 'reject', sheet: 'Numbers' } as const;
    expect(await readSheets([october, numbers], named)).toMatchObject({ sheet: 'Numbers' });
  });

  test('is the one with rows beside one that has only the header', async () => {
    const empty = { name: 'December', rows: [['Mobile', 'SIM', 'PAC']] };
    expect(await readSheets([empty, numbers], { isHeader, severalSheets: 'reject' })).toMatchObject({
      sheet: 'Numbers',
    });
    expect(await readSheets([notes, empty])).toMatchObject({ sheet: 'December' });
  });

  test('gives a value of merged cells to all of their rows that have others', async () => {
    const rows = [['Mobile', 'SIM', 'PAC'], ['1', '2', 'A'], ['3', '4', null], null, ['5', '6', ''], ['7', '8', null]];
    const merged = ['A1:C1', 'C2:C5', 'C7:C9'];
    const result = await readSheets([{ name: 'One', rows, merged }]);
    expect(result.rows?.map(({ line, cells }) => [line, cells[2]])).toEqual([
      [2, 'A'],
      [3, 'A'],
      [5, 'A'],
      [6, ''],
    ]);
  });

  test('names the rows that it does not show, because they are read too', async () => {
    const rows = [['Mobile', 'SIM'], ...Array.from({ length: 30 }, (_, index) => [String(index), 'x'])];
    const result = await readSheets([{ name: 'One', rows, hiddenRows: [1, 3, 7] }]);
    expect(result.rows).toHaveLength(30);
    expect(result.notices).toMatchObject([{ line: 3, code: 'FILE_ROWS_HIDDEN', severity: 'warning' }]);
    expect(result.notices?.[0]?.message).toMatch(
      /^2 rows that the workbook hides or filters out are imported too: lines 3, 7\./,
    );
    const many = await readSheets([{ name: 'One', rows, hiddenRows: Array.from({ length: 12 }, (_, row) => row + 2) }]);
    expect(many.notices?.[0]?.message).toMatch(/^12 rows .*: lines 2, 3, 4, 5, 6, 7, 8, 9, 10, 11 and 2 others\./);
  });

  test('names the rows that it strikes out, and only those whose every filled cell is', async () => {
    const struck = (text: string) => ({ type: `str" s="${struckOut}`, xml: `<v>${text}</v>` });
    const kept = (text: string) => ({ type: `str" s="${notStruckOut}`, xml: `<v>${text}</v>` });
    const rows = [
      ['Mobile', 'SIM', 'PAC'],
      [struck('1'), struck('2'), null],
      [struck('3'), '4', struck('B')],
      [kept('5'), kept('6'), kept('C')],
      [struck('7'), struck('8'), struck('D')],
    ];
    const sheet = { name: 'One', rows, hiddenRows: [5], merged: ['C3:C4'] };
    const all = await readSheets([sheet]);
    expect(all.rows).toHaveLength(4);
    expect(all.notices).toMatchObject([
      { line: 5, code: 'FILE_ROWS_HIDDEN', message: expect.stringContaining('filters out is imported too: line 5') },
      { line: 2, code: 'FILE_ROWS_HIDDEN', message: expect.stringContaining('strikes out is imported too: line 2.') },
      { line: 3, code: 'FILE_ROWS_HIDDEN', message: expect.stringMatching(/^1 row has struck-out cells.*: line 3\./) },
    ]);
    const visible = await readSheets([sheet], { visibleRowsOnly: true });
    expect(visible.rows?.map(({ line }) => line)).toEqual([3, 4]);
    expect(visible.notices?.[1]?.message).toMatch(/strikes out is left out: line 2$/);
    expect(visible.notices?.[2]?.severity).toBe('warning');
  });

  test('can be named', async () => {
    expect(await readSheets([numbers, notes], { isHeader, sheet: 'notes' })).toMatchObject({
      sheet: 'Notes',
      header: ['Ask Bob'],
    });
  });

  test('that does not exist is reported with the most similar name', async () => {
    expect(await readSheets([numbers, notes], { sheet: 'Numbrs' })).toMatchObject({
      issue: { code: 'FILE_SHEET_UNKNOWN', message: expect.stringContaining('did you mean "Numbers"') },
    });
  });

  test('without a text is empty', async () => {
    expect(await readSheets([{ name: 'One', rows: [] }])).toMatchObject({ issue: { code: 'FILE_EMPTY' } });
  });

  test('is read again at the same header, below titles with line breaks', async () => {
    const sheet: TestSheet = { name: 'One', rows: [['a\nb\nc'], ['note'], ['Mobile', 'SIM'], ['1', 'x']] };
    const first = await readSheets([sheet]);
    const again = await readSheets([sheet], { headerLine: first.headerLine, sheet: first.sheet });
    expect(first.headerLine).toBe(3);
    expect(again).toMatchObject({ header: ['Mobile', 'SIM'], rows: first.rows });
  });
});

describe('a workbook is rejected with a reason', () => {
  const sheet: TestSheet = {
    name: 'One',
    rows: [
      ['Mobile', 'SIM'],
      ['1', 'x'],
    ],
  };

  const damaged = {
    code: 'FILE_WORKBOOK_INVALID',
    message:
      'the workbook cannot be read: it is incomplete or damaged: upload it again, or open it in your spreadsheet ' +
      'program and save it as .xlsx',
  };

  test('when it is another archive', async () => {
    expect(await read(zipFile([{ name: 'a.txt', content: 'a' }]))).toMatchObject({
      issue: { code: 'FILE_WORKBOOK_INVALID', message: expect.stringContaining('without a workbook: unpack it first') },
    });
  });

  test.each([
    ['content.xml', 'an OpenDocument file (.ods)'],
    ['xl/workbook.bin', 'a binary workbook (.xlsb)'],
    ['Index/Document.iwa', 'a Numbers file'],
  ])('when it is a file of another format, with %s', async (name, format) => {
    const message = `the workbook cannot be read: it is ${format}: open it in your spreadsheet program and save it as .xlsx`;
    expect(await read(zipFile([{ name, content: 'a' }]))).toEqual({
      issue: { line: 0, column: null, code: 'FILE_WORKBOOK_INVALID', severity: 'error', message },
    });
  });

  test('when it is cut off', async () => {
    const bytes = workbookFile([sheet]);
    for (const length of [100, bytes.length - 40]) {
      expect(await read(bytes.subarray(0, length))).toMatchObject({ issue: damaged });
    }
  });

  test('when a formula has no value, as programs write it that do not calculate', async () => {
    const rows: TestSheet['rows'] = [
      ['Mobile', 'SIM'],
      ['1', 'x'],
      ['2', { uncalculated: 'A1&"x"' }],
    ];
    const message = 'has a formula without a value: open the workbook in your spreadsheet program and save it there';
    expect(await readSheets([{ name: 'One', rows }])).toMatchObject({
      issue: { line: 3, code: 'FILE_WORKBOOK_INVALID', message: `the cell B3 of the sheet "One" ${message}` },
    });
    const below = Array.from({ length: 5_000 }, (_, row) => [String(row), 'one\nbreak']);
    const long: TestSheet = { name: 'One', rows: [...rows.slice(0, 2), ...below, ...rows.slice(2)] };
    const { fault } = await readSheets([long]);
    expect(fault).toMatchObject({ line: 5_003, message: `the cell B5003 of the sheet "One" ${message}` });
  });

  test('when its XML is damaged', async () => {
    const parts = [{ name: 'xl/worksheets/sheet1.xml', content: '<worksheet><sheetData><row r="1"><c r="A1"' }];
    expect(await readSheets([sheet], {}, { parts })).toMatchObject({ issue: damaged });
  });

  test('when a part is larger than its limit after decompression', async () => {
    const parts = [{ name: 'xl/sharedStrings.xml', content: '<sst/>', statedBytes: 3e9 }];
    const message = expect.stringMatching(/sharedStrings.xml.* 2,862 MB .*limit is 2,048 MB/);
    expect(await readSheets([sheet], {}, { parts })).toMatchObject({ issue: { code: 'FILE_TOO_LARGE', message } });
  });

  test('when a part decompresses to more than the archive states', async () => {
    const content = `<worksheet><sheetData>${' '.repeat(1_000_000)}</sheetData></worksheet>`;
    const parts = [{ name: 'xl/worksheets/sheet1.xml', content, statedBytes: 100 }];
    expect(await readSheets([sheet], {}, { parts })).toMatchObject({ issue: { code: 'FILE_WORKBOOK_INVALID' } });
  });

  test('when a cell is far to the right', async () => {
    const content = '<worksheet><sheetData><row r="1"><c r="XFD1"><v>1</v></c></row></sheetData></worksheet>';
    expect(await readSheets([sheet], {}, { parts: [{ name: 'xl/worksheets/sheet1.xml', content }] })).toMatchObject({
      issue: { code: 'FILE_TOO_LARGE', message: expect.stringContaining('more than 500 columns: XFD1 is filled') },
    });
  });
});

test('a CSV is read as before, whatever its first chunk', async () => {
  const opened = await openUpload(chunked('a,b\n1,2\n', 1));
  expect(opened.ok && opened.value.header).toEqual(['a', 'b']);
});

// Workbooks as the many programs write them that are not Excel: prefixes, names of parts and encodings are free.
describe('workbooks of other programs', () => {
  /** The header and the rows, or why they cannot be read. */
  async function read(bytes: Buffer): Promise<readonly (readonly string[])[] | string> {
    const opened = await openUpload(chunked(bytes, 1000), {});
    if (!opened.ok) return `${opened.issue.code} ${opened.issue.message}`;
    const rows = [opened.value.header];
    for await (const batch of opened.value.batches) {
      for (const index of batch.lines.keys()) rows.push([...batch.cellsOf(index)]);
    }
    return rows;
  }

  const expected = [
    ['Mobile', 'SIM'],
    ['07700900123', 'a'],
  ];
  const readWith = (cell: TestCell, options?: WorkbookOptions) =>
    read(
      workbookFile(
        [
          {
            name: 'One',
            rows: [
              ['Mobile', 'SIM'],
              ['07700900123', cell],
            ],
          },
        ],
        options,
      ),
    );
  const readParts = (parts: readonly ZipEntry[]) => readWith('a', { parts });

  const sheetXml =
    '<x:worksheet xmlns:x="m"><x:sheetData><x:row r="1"><x:c r="A1" t="inlineStr"><x:is><x:t>Mobile</x:t></x:is></x:c>' +
    '<x:c r="B1" t="inlineStr"><x:is><x:t>SIM</x:t></x:is></x:c></x:row><x:row r="2"><x:c r="A2" t="str">' +
    '<x:v>07700900123</x:v></x:c><x:c r="B2" t="str"><x:v>a</x:v></x:c></x:row></x:sheetData></x:worksheet>';
  const workbookXml = (sheet: string) => `<workbook xmlns="m"><sheets>${sheet}</sheets></workbook>`;

  test.each<[string, TestCell]>([
    ['without a value', { type: 's', xml: '' }],
    ['with an empty value', { type: 's', xml: '<v/>' }],
    ['with the index of no text', { type: 's', xml: '<v>900</v>' }],
  ])('a cell of a shared text %s is empty, and not the first text', async (_what, cell) => {
    expect(await readWith(cell)).toEqual([
      ['Mobile', 'SIM'],
      ['07700900123', ''],
    ]);
  });

  test.each([
    ['&#x1F61C;', '\u{1f61c}'],
    ['&#128540;', '\u{1f61c}'],
    ['&#x26;lt;', '&lt;'],
    ['one&#10;two\r\nthree', 'one\ntwo\nthree'],
    ['&#x110000;a', /a$/],
  ])('a text written as %s is decoded', async (written, text) => {
    const rows = await readWith({ type: 'inlineStr', xml: `<is><t>${written}</t></is>` });
    expect(rows[1]?.[1]).toEqual(typeof text === 'string' ? text : expect.stringMatching(text));
  });

  test('a date of the 1904 date system is that day, also behind an extension that repeats the element', async () => {
    const rows = await readWith({ number: '44749', style: dateStyle }, { date1904: true });
    expect(rows[1]?.[1]).toBe('2026-07-08');
  });

  test('elements have any prefix', async () => {
    expect(await readParts([{ name: 'xl/worksheets/sheet1.xml', content: sheetXml }])).toEqual(expected);
  });

  test('the relation of a sheet has any prefix', async () => {
    const sheet = '<sheet name="One" sheetId="1" xmlns:d4p1="r" d4p1:id="rId1"/>';
    expect(await readParts([{ name: 'xl/workbook.xml', content: workbookXml(sheet) }])).toEqual(expected);
  });

  test('the parts have any names', async () => {
    const parts = [
      { name: '_rels/.rels', content: relationsXml([relation('r1', 'officeDocument', '/book.xml')]) },
      { name: 'book.xml', content: workbookXml('<sheet name="One" sheetId="1" r:id="s"/>') },
      { name: '_rels/book.xml.rels', content: relationsXml([relation('s', 'worksheet', 'tables/data.xml')]) },
      { name: 'tables/data.xml', content: sheetXml },
    ];
    expect(await readParts(parts)).toEqual(expected);
  });

  test('the names of the parts may differ in case, unless the archive has both', async () => {
    const other = { name: 'XL/Worksheets/Sheet1.xml', content: sheetXml.replace('07700900123', '07700900999') };
    expect(await readParts([other])).toEqual(expected);
    const relations = relationsXml([relation('rId1', 'worksheet', 'worksheets/SHEET1.XML')]);
    const rows = await readParts([other, { name: 'xl/_rels/workbook.xml.rels', content: relations }]);
    expect(rows[1]?.[0]).toBe('07700900999');
  });

  test.each<[string, (text: string) => Buffer]>([
    ['UTF-16, little-endian', (text) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, big-endian', (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-16, little-endian without a byte order mark', (text) => Buffer.from(text, 'utf16le')],
    ['UTF-16, big-endian without a byte order mark', (text) => Buffer.from(text, 'utf16le').swap16()],
    ['UTF-8 with a byte order mark', (text) => Buffer.from(`\ufeff${text}`)],
    ['UTF-8 that is declared as UTF-16', (text) => Buffer.from(`<?xml version="1.0" encoding="utf-16"?>${text}`)],
    ['Latin-1', (text) => Buffer.from(`<?xml version="1.0" encoding='iso-8859-1'?>${text}`, 'latin1')],
  ])('a part in %s is read', async (_what, encode) => {
    const content = encode(sheetXml.replace('<x:v>a<', '<x:v>\u00e9<'));
    const rows = await readParts([{ name: 'xl/worksheets/sheet1.xml', content }]);
    expect(rows[1]).toEqual(['07700900123', '\u00e9']);
  });

  test.each([
    ['bytes of another encoding', Buffer.from(sheetXml.replace('<x:v>a<', '<x:v>\u00e9<'), 'latin1')],
    ['an unknown encoding', Buffer.from(`<?xml version="1.0" encoding="klingon"?>${sheetXml}`)],
  ])('a part with %s is a fault of the file', async (_what, content) => {
    expect(await readParts([{ name: 'xl/worksheets/sheet1.xml', content }])).toMatch(/^FILE_WORKBOOK_INVALID /);
    expect(await readParts([{ name: 'xl/workbook.xml', content }])).toMatch(/^FILE_WORKBOOK_INVALID /);
  });
});
