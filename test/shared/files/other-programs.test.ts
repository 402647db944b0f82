// Workbooks as the many programs write them that are not Excel: prefixes, names of parts and encodings are free.
import { expect, test } from 'vitest';
import { openUpload } from '#shared/files/open-upload.ts';
import { chunked } from '../../support/files/csv-source.ts';
import {
  dateStyle,
  relation,
  relationsXml,
  type TestCell,
  type WorkbookOptions,
  workbookFile,
} from '../../support/files/workbook-file.ts';
import type { ZipEntry } from '../../support/files/zip-file.ts';

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
