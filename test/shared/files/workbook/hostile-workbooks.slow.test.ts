// Workbooks made to cost much more than they weigh. Work is counted in chunks that are read, never in time.
import { expect, test } from 'vitest';
import { openUpload } from '#shared/files/open-upload.ts';
import { SharedTexts } from '#shared/files/workbook/cell-text.ts';
import { openArchive, workbookLimits } from '#shared/files/workbook/open-archive.ts';
import { parseWholeXml } from '#shared/files/workbook/parse-xml.ts';
import { readWorkbookParts } from '#shared/files/workbook/workbook-parts.ts';
import { chunked } from '../../../support/files/csv-source.ts';
import { workbookFile } from '../../../support/files/workbook-file.ts';
import { type ZipEntry, zipFile } from '../../../support/files/zip-file.ts';

const sheetPath = 'xl/worksheets/sheet1.xml';
const withSheet = (rows: string): Buffer =>
  workbookFile([{ name: 'One', rows: [] }], {
    parts: [{ name: sheetPath, content: `<worksheet xmlns="m"><sheetData>${rows}</sheetData></worksheet>` }],
  });
const row = (number: number, cells: string) => `<row r="${number}">${cells}</row>`;
const header = row(1, '<c r="A1" t="str"><v>a</v></c><c r="B1" t="str"><v>b</v></c>');
const cell = (place: string, value = '1') => `<c r="${place}"><v>${value}</v></c>`;

/** Why a workbook is not read: at its header, or at the row where it ends. */
async function faultOf(bytes: Buffer, checkTime?: () => void) {
  const opened = await openUpload(chunked(bytes, 64 * 1024), { checkTime });
  if (!opened.ok) return opened.issue;
  let lines = 0;
  for await (const batch of opened.value.batches) {
    lines += batch.lines.length;
    if (batch.fault !== null) return batch.fault;
  }
  return lines;
}

test.each([
  ['a row that no sheet has', header + row(500_000_000, cell('A500000000'))],
  ['a row whose line ends would be longer than any text', header + row(600_000_000, cell('A600000000'))],
  ['a column that no sheet has', header + row(2, cell('XFE2', ''))],
])('%s is a fault of the file', async (_what, rows) => {
  expect(await faultOf(withSheet(rows))).toMatchObject({ code: 'FILE_WORKBOOK_INVALID' });
});

test('the last row that a sheet has is read', async () => {
  expect(await faultOf(withSheet(header + row(1_048_576, cell('A1048576'))))).toBe(1);
});

test('the empty cells before a cell count, too', async () => {
  const wide = Array.from({ length: 50_000 }, (_, index) => row(index + 2, cell(`SF${index + 2}`))).join('');
  expect(await faultOf(withSheet(header + wide))).toMatchObject({ code: 'FILE_TOO_LARGE' });
});

test('a cell that does not end is a fault of the file', async () => {
  const text = `<c r="A2" t="str"><v>${'x<!-- -->'.repeat(workbookLimits.textCharacters + 1)}</v></c>`;
  expect(await faultOf(withSheet(header + row(2, text)))).toMatchObject({ code: 'FILE_TOO_LARGE' });
});

const chunkBytes = 16 * 1024;

/** The chunks of which an unfinished token was read, before it was rejected. */
async function chunksReadOf(start: string, filler: string) {
  let read = 0;
  async function* chunks() {
    yield Buffer.from(`<a>${start}`);
    const chunk = Buffer.alloc(chunkBytes, filler);
    for (read = 1; read < 320; read += 1) yield chunk;
  }
  await expect(parseWholeXml(chunks(), {})).rejects.toMatchObject({ issue: { code: 'FILE_WORKBOOK_INVALID' } });
  return read;
}

test.each([
  ['comment', '<!--', 'x'],
  ['tag', '<b', 'x'],
  ['attribute', '<b c="', 'x'],
  ['text', '', 'x'],
  ['instruction', '<?', 'x'],
  ['cdata section', '<![CDATA[', 'x'],
])('an unfinished %s ends the reading at twice its limit', async (_what, start, filler) => {
  const most = (2 * workbookLimits.tokenCharacters) / chunkBytes;
  expect(await chunksReadOf(start, filler)).toBeLessThanOrEqual(most + 1);
});

test('a long text in many chunks is read completely', async () => {
  const text = 'x'.repeat(900_000);
  let found = '';
  await parseWholeXml(chunked(Buffer.from(`<a><b>${text}</b><!--${text}--><c/></a>`), 1_000), {
    text: (part) => {
      found += part;
    },
  });
  expect(found).toBe(text);
});

test('elements within each other have a limit', async () => {
  const deep = Buffer.from('<a>'.repeat(5_000));
  await expect(parseWholeXml(chunked(deep, 1_000), {})).rejects.toMatchObject({
    issue: { code: 'FILE_WORKBOOK_INVALID' },
  });
});

const styled = (formats: string, styles: string): Buffer =>
  workbookFile([{ name: 'One', rows: [['a'], ['1']] }], {
    parts: [
      {
        name: 'xl/styles.xml',
        content: `<styleSheet xmlns="m"><numFmts>${formats}</numFmts><cellXfs>${styles}</cellXfs></styleSheet>`,
      },
    ],
  });

test('a number format is as long as Excel writes it', async () => {
  const format = (code: string) => styled(`<numFmt numFmtId="164" formatCode="${code}"/>`, '<xf numFmtId="164"/>');
  expect(await faultOf(format('['.repeat(100_000)))).toMatchObject({ code: 'FILE_WORKBOOK_INVALID' });
  const archive = await openArchive(chunked(format(`dd/mm/yyyy${'['.repeat(245)}`)));
  const { styles } = await readWorkbookParts(archive);
  archive.close();
  expect(styles.isDate('0')).toBe(true);
});

test('an archive with more entries than a workbook needs is rejected before they are listed', async () => {
  const entries: ZipEntry[] = Array.from({ length: 10_001 }, (_, index) => ({ name: String(index), content: '' }));
  expect(await faultOf(zipFile(entries))).toMatchObject({ code: 'FILE_TOO_LARGE' });
});

test('the time is checked while a file without rows is read, and what that throws is no fault of the file', async () => {
  const comments = `<!--${'x'.repeat(500_000)}-->`.repeat(20);
  const late = new Error('too late');
  let looks = 0;
  const checkTime = () => {
    looks += 1;
    if (looks > 100) throw late;
  };
  await expect(faultOf(withSheet(header + comments), checkTime)).rejects.toBe(late);
});

test('shared texts have a limit of memory', () => {
  const texts = new SharedTexts();
  const text = 'x'.repeat(workbookLimits.textCharacters);
  let count = 0;
  const addAll = () => {
    for (; count < 1_000; count += 1) texts.add(text);
  };
  expect(addAll).toThrow('need more than 192 MB');
  expect(count * text.length).toBeLessThanOrEqual(workbookLimits.textMemory);
});
