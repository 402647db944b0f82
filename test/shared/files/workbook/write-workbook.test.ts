// Workbooks for people: what is written is read again, to the last character, and memory does not grow with the rows.
import { Readable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openUpload } from '#shared/files/open-upload.ts';
import { openArchive } from '#shared/files/workbook/open-archive.ts';
import { sheetLimits, UnwritableWorkbook, writeWorkbook } from '#shared/files/workbook/write-workbook.ts';

type Rows = readonly (readonly string[])[];

const bytesOf = async (header: readonly string[], rows: Rows, choices?: ReadonlyMap<number, readonly string[]>) =>
  Buffer.concat(
    await Array.fromAsync(writeWorkbook({ header, rows: Readable.from([rows]), ...(choices && { choices }) })),
  );

async function readBack(bytes: Buffer) {
  const opened = await openUpload(Readable.from([bytes]));
  if (!opened.ok) throw new Error(opened.issue.message);
  const rows: string[][] = [];
  for await (const { lines, cellsOf } of opened.value.batches) {
    for (const row of lines.keys()) rows.push([...cellsOf(row)]);
  }
  return { header: opened.value.header, rows, notices: opened.value.notices() };
}

async function partOf(bytes: Buffer, path: string): Promise<string> {
  const archive = await openArchive(Readable.from([bytes]));
  const text = Buffer.concat(await Array.fromAsync(archive.read(path, 1e6))).toString('utf8');
  archive.close();
  return text;
}

describe('a workbook that is written', () => {
  test.each([
    '07700900123',
    '8944110068123456787',
    '+447700900123',
    'ABC123456',
    '=1+1',
    '00012',
    '1E5',
    '2026-07-08',
    '_x0041_',
    '_xaaaa\u0007',
    'a\u0001b',
    '\u{1F600}'.repeat(255),
    ' <b>&"x" ',
    'two\nlines',
  ])('is read with %j unchanged', async (text) => {
    const read = await readBack(await bytesOf(['a', 'b'], [[text, 'x']]));
    expect(read).toEqual({ header: ['a', 'b'], rows: [[text, 'x']], notices: [] });
  });

  test('is read with any texts unchanged', async () => {
    const cell = fc.string({ unit: fc.constantFrom(...'a1 ,;"\'&<>_x0041\u0007\u{1F600}é='), maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 }), async (rows) => {
        const filled = rows.map((cells) => ['x', ...cells, 'y']);
        expect((await readBack(await bytesOf(['h', 'i', 'j', 'k', 'l'], filled))).rows).toEqual(filled);
      }),
      { numRuns: 100 },
    );
  });

  test('has cells of the format Text, also those that are still empty', async () => {
    const xml = await partOf(await bytesOf(['a', 'b'], [['0123', '']]), 'xl/worksheets/sheet1.xml');
    expect(xml).toContain('<col min="1" max="2" width="20" style="1" customWidth="1"/>');
    expect(xml).toContain('<c r="A2" s="1" t="inlineStr"><is><t>0123</t></is></c>');
    expect(await partOf(await bytesOf(['a'], []), 'xl/styles.xml')).toContain('<xf numFmtId="49" fontId="0"');
  });

  test('has dropdown lists from a hidden sheet, which nobody has to know when the file is imported', async () => {
    const choices = new Map([[1, ['UK Mobile A', 'UK "B" & <C>, Ltd']]]);
    const bytes = await bytesOf(['msisdn', 'targetNetwork'], [['07700900123', 'UK Mobil A']], choices);
    expect(await partOf(bytes, 'xl/worksheets/sheet1.xml')).toContain(
      '<dataValidation type="list" allowBlank="1" sqref="B2:B2"><formula1>Lists!$A$1:$A$2</formula1></dataValidation>',
    );
    expect(await partOf(bytes, 'xl/workbook.xml')).toContain('<sheet name="Lists" sheetId="2" state="veryHidden"');
    expect(await readBack(bytes)).toMatchObject({ rows: [['07700900123', 'UK Mobil A']], notices: [] });
  });
});

describe('rows that do not fit', () => {
  test('end the writing with the limit', async () => {
    const batch = Array.from({ length: 65_536 }, () => ['']);
    const rows = Readable.from(Array.from({ length: 16 }, () => batch));
    const writing = Array.fromAsync(writeWorkbook({ header: ['a'], rows }));
    await expect(writing).rejects.toThrow(
      new UnwritableWorkbook('A workbook has at most 1,048,576 rows with the header'),
    );
    const long = 'x'.repeat(sheetLimits.cellCharacters + 1);
    await expect(bytesOf(['a', 'b'], [['', long]])).rejects.toThrow('The text for the cell B2 has more than 32,767');
  });

  test('errors of their source are thrown, and the source is closed when the reader stops', async () => {
    async function* broken(): AsyncGenerator<Rows> {
      yield [['1']];
      throw new Error('the connection was lost');
    }
    await expect(Array.fromAsync(writeWorkbook({ header: ['a'], rows: broken() }))).rejects.toThrow(
      'connection was lost',
    );
    let isClosed = false;
    async function* endless(): AsyncGenerator<Rows> {
      try {
        for (let row = 0; ; row += 1) yield [[`${row * 7919}`]];
      } finally {
        isClosed = true;
      }
    }
    let read = 0;
    for await (const { length } of writeWorkbook({ header: ['a'], rows: endless() })) {
      read += length;
      if (read > 100_000) break;
    }
    await expect.poll(() => isClosed).toBe(true);
  });
});
