// Workbooks that were made to do harm, and large ones: what they cost, and what is read of them.

import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { peekBatch, recordsOf } from '#shared/files/column-values.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { SharedTexts } from '#shared/files/workbook/cell-text.ts';
import { openArchive, workbookLimits } from '#shared/files/workbook/open-archive.ts';
import { parseWholeXml } from '#shared/files/workbook/parse-xml.ts';
import { readWorkbookParts } from '#shared/files/workbook/workbook-parts.ts';
import { chunked } from '../../../support/files/csv-source.ts';
import { workbookFile } from '../../../support/files/workbook-file.ts';
import { type ZipEntry, zipFile } from '../../../support/files/zip-file.ts';
import { notOn } from '../../../support/not-on.ts';

// Workbooks made to cost much more than they weigh. Work is counted in chunks that are read, never in time.
describe('hostile workbooks', () => {
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
});

// Workbooks are on the disk while they are read, and their shared texts in blocks of memory.
describe('large workbooks', () => {
  const rows = Array.from({ length: 5_000 }, (_, row) => [`number ${row}`, `SIM ${row} \u00e9\u{1f600}`]);
  const workbook = workbookFile([{ name: 'One', rows: [['a', 'b'], ...rows] }]);

  /** Other processes have files in the usual one. */
  const folder = mkdtempSync(join(tmpdir(), 'large-workbooks-'));
  for (const name of ['TMPDIR', 'TEMP']) vi.stubEnv(name, folder);
  afterAll(() => {
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });

  /** Temporary files that this process has open, or that have a name. */
  function temporaryFiles(): string[] {
    const open = readdirSync('/proc/self/fd').flatMap((fd) => {
      try {
        return [readlinkSync(`/proc/self/fd/${fd}`)];
      } catch {
        return [];
      }
    });
    return [...open.filter((path) => path.startsWith(folder)), ...readdirSync(folder)];
  }

  /** The open files of this process. */
  const withOpenFiles = notOn(['macOS', 'Windows'], 'the open files of a process are read from /proc');

  const untilClosed = () => expect.poll(temporaryFiles).toEqual([]);

  withOpenFiles('while a workbook is read its file has no name, and after its last row there is none', async () => {
    const opened = await openUpload(chunked(workbook));
    if (!opened.ok) throw new Error(opened.issue.message);
    expect(temporaryFiles()).toEqual([expect.stringMatching(/ \(deleted\)$/)]);
    const texts: string[][] = [];
    for await (const { lines, cellsOf } of opened.value.batches) {
      for (const index of lines.keys()) texts.push([...cellsOf(index)]);
    }
    expect(texts).toEqual(rows);
    await untilClosed();
  });

  withOpenFiles.each([
    ['whose rows are not wanted', workbook],
    ['that is damaged', workbook.subarray(0, 1_000)],
    ['without a sheet', workbookFile([])],
  ])('of a workbook %s no file is left', async (_what, bytes) => {
    const opened = await openUpload(chunked(bytes));
    if (opened.ok) await opened.value.close();
    await untilClosed();
  });

  withOpenFiles('a workbook is read again from its start while its first reading waits', async () => {
    const opened = await openUpload(chunked(workbook));
    if (!opened.ok) throw new Error(opened.issue.message);
    const { batches, again, close } = opened.value;
    const iterator = batches[Symbol.asyncIterator]();
    await iterator.next();
    const second = await again?.({ sheet: 'One' });
    if (!second?.ok) throw new Error('the second reading failed');
    let read = 0;
    for await (const { lines } of second.value.batches) read += lines.length;
    expect(read).toBe(rows.length);
    expect((await iterator.next()).done).toBe(false);
    await close();
    await untilClosed();
  });

  withOpenFiles('an error of the source is none of the file', async () => {
    const broken = new Error('connection lost');
    async function* source() {
      yield* chunked(workbook.subarray(0, 20_000), 4_096);
      throw broken;
    }
    await expect(openUpload(source())).rejects.toBe(broken);
    await untilClosed();
  });

  withOpenFiles('a file above the limit is rejected before it is stored', async () => {
    const chunk = Buffer.alloc(16 * 1024 * 1024);
    let sent = 0;
    async function* endless() {
      yield workbook.subarray(0, 1_000);
      for (;;) {
        sent += chunk.length;
        yield chunk;
      }
    }
    const opened = await openUpload(endless());
    expect(opened).toMatchObject({ issue: { code: 'FILE_TOO_LARGE', message: expect.stringContaining('256 MB') } });
    expect(sent).toBeLessThan(workbookLimits.fileBytes + 4 * chunk.length);
    await untilClosed();
  });

  test('each of a million shared texts is found by its index, also beside long ones', () => {
    const texts = new SharedTexts();
    const long = '\u20ac'.repeat(workbookLimits.textCharacters);
    const textOf = (index: number) => (index % 100_000 === 7 ? long : `SIM ${index}`);
    for (let index = 0; index < 1_000_000; index += 1) texts.add(textOf(index));
    const wrong = Array.from({ length: 1_000_000 }, (_, index) => index).filter(
      (index) => texts.get(index) !== textOf(index),
    );
    expect(wrong).toEqual([]);
    expect([texts.get(1_000_000), texts.get(-1), texts.get(Number.NaN)]).toEqual(['', '', '']);
  });

  describe('where only the first rows are wanted', () => {
    const firstRows = async (bytes: Buffer, rowsWanted: 'first' | 'all') => {
      const opened = await openUpload(chunked(bytes), { rows: rowsWanted });
      if (!opened.ok) return opened.issue.code;
      const { first } = await peekBatch(opened.value.batches);
      await opened.value.close();
      return recordsOf(first, 2);
    };

    test('texts of later rows are not loaded', async () => {
      const many = Array.from({ length: 20_000 }, (_, row) => [`number ${row}`, `SIM ${row}`]);
      const texts = ['a', 'b', ...many.flat()].map((text) => `<si><t>${text}</t></si>`);
      const damaged = workbookFile([{ name: 'One', rows: [['a', 'b'], ...many] }], {
        parts: [{ name: 'xl/sharedStrings.xml', content: `<sst xmlns="m">${texts.join('')}<si></sst>` }],
      });
      expect(await firstRows(damaged, 'first')).toEqual(many.slice(0, 2));
      expect(await firstRows(damaged, 'all')).toBe('FILE_WORKBOOK_INVALID');
    });

    test('a large sheet is not read to its end, where merged cells are listed', async () => {
      const padding = `<!--${' '.repeat(100_000)}-->`.repeat(170);
      const cell = (place: string, text: string) => `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`;
      const cells = `<row r="1">${cell('A1', 'a')}${cell('B1', 'b')}</row><row r="2">${cell('A2', '1')}${cell('B2', 'x')}</row>`;
      const more = `<row r="3">${cell('A3', '2')}</row>`;
      const sheet = (rest: string) =>
        `<worksheet xmlns="m"><sheetData>${cells}${more}</sheetData>${rest}<mergeCells><mergeCell ref="B2:B3"/></mergeCells></worksheet>`;
      const file = (rest: string) =>
        workbookFile([{ name: 'One', rows: [] }], {
          parts: [{ name: 'xl/worksheets/sheet1.xml', content: sheet(rest) }],
        });
      expect(await firstRows(file(''), 'first')).toEqual([
        ['1', 'x'],
        ['2', 'x'],
      ]);
      expect(await firstRows(file(padding), 'first')).toEqual([
        ['1', 'x'],
        ['2', ''],
      ]);
      expect(await firstRows(file(padding), 'all')).toEqual([
        ['1', 'x'],
        ['2', 'x'],
      ]);
    });
  });
});
