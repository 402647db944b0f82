// Faults 9 to 21 of docs/contributing/faults.md, as far as they concern reading a file.
import { gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { mapHeader } from '#shared/files/map-header.ts';
import { checkCharacters } from '#shared/row/did-you-mean.ts';
import { parseMsisdn } from '#shared/row/msisdn.ts';
import { redactText } from '#shared/row/redact.ts';
import { chunked, longStart, readAll } from '../../../../support/files/csv-source.ts';

const utf16 = (text: string, bigEndian = false) => {
  const bytes = Buffer.from(`\uFEFF${text}`, 'utf16le');
  return bigEndian ? bytes.swap16() : bytes;
};

describe('encodings', () => {
  test('fault 9: CRLF, LF and CR mixed in one file end a record each', async () => {
    const { records } = await readAll('a,b\r\n1,2\n3,4\r5,6\r\n');
    expect(records.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, '1', '2'],
      [3, '3', '4'],
      [4, '5', '6'],
    ]);
  });

  test('fault 10: a byte order mark is not part of the first column', async () => {
    expect((await readAll('\uFEFFmsisdn,pac\n1,2\n')).header).toEqual(['msisdn', 'pac']);
  });

  test('fault 11: a Latin-1 byte in a UTF-8 file is reported with its line, never replaced', async () => {
    const content = Buffer.concat([Buffer.from(`${longStart}Café,1\nCaf`), Buffer.of(0xe9), Buffer.from(',2\nok,3\n')]);
    for (const chunkBytes of [1, 2, 5, 65_536]) {
      const { fault } = await readAll(content, { chunkBytes });
      expect(fault).toMatchObject({ code: 'FILE_ENCODING', line: 4 });
      expect(fault?.message).toContain('"é" in Windows-1252');
    }
  });

  test('a file that can only be Windows-1252 is read as such, and the notice shows its characters', async () => {
    const content = Buffer.concat([Buffer.from(longStart), Buffer.from('Caf\xe9,\x80 5\nM\xfcller,2\n', 'latin1')]);
    for (const chunkBytes of [1, 2, 5, 65_536]) {
      const { records, fault, notices } = await readAll(content, { chunkBytes });
      expect(fault).toBeNull();
      expect(records.slice(1).map(({ cells }) => cells)).toEqual([
        ['Café', '€ 5'],
        ['Müller', '2'],
      ]);
      expect(notices).toMatchObject([
        { line: 0, severity: 'notice', code: 'FILE_ENCODING_DETECTED', message: expect.stringContaining(' é € ü.') },
      ]);
    }
  });

  test.each([
    ['a byte without a character', Buffer.of(0xe9, 0x2c, 0x9d)],
    ['UTF-8 behind it', Buffer.concat([Buffer.of(0xe9), Buffer.from(',é')])],
    ['UTF-8 before it', Buffer.concat([Buffer.from('é,'), Buffer.of(0xe9, 0x20)])],
  ])('a file with %s is not certainly Windows-1252', async (_what, bytes) => {
    const content = Buffer.concat([Buffer.from('a,b\n'), bytes, Buffer.from('\n')]);
    expect((await readAll(content)).fault).toMatchObject({ code: 'FILE_ENCODING', line: 2 });
  });

  test('an encoding that the bytes contradict is declined, or codes in them look like other characters', async () => {
    const text = 'a,b\né,2\n';
    const bytes = { utf8: Buffer.from(text), le: Buffer.from(text, 'utf16le'), marked: utf16(text) };
    for (const [content, encoding] of [
      [bytes.utf8, 'windows-1252'],
      [bytes.utf8, 'utf-16le'],
      [bytes.le, 'utf-16be'],
      [bytes.le, 'windows-1252'],
      [bytes.le, 'utf-8'],
      [bytes.marked, 'utf-16be'],
      [bytes.marked, 'windows-1252'],
    ] as const) {
      for (const chunkBytes of [1, 65_536]) {
        expect((await readAll(content, { encoding, chunkBytes })).fault).toMatchObject({ code: 'FILE_ENCODING' });
      }
    }
  });

  test('the encoding that the user names is used where the bytes allow it', async () => {
    const content = Buffer.from('a,b\n\xe9\xc3\xa9,2\n', 'latin1');
    expect((await readAll(content, { encoding: 'windows-1252' })).records[0]?.cells).toEqual(['éÃ©', '2']);
    const utf16 = Buffer.from('a,b\né,2\n', 'utf16le');
    expect((await readAll(utf16, { encoding: 'utf-16le' })).records[0]?.cells).toEqual(['é', '2']);
  });

  test('fault 11: a CRLF before the invalid line counts once', async () => {
    const content = Buffer.concat([Buffer.from(`${'a,b\r\n'.repeat(1000)}x`), Buffer.of(0x81)]);
    expect((await readAll(content, { chunkBytes: 1024 })).fault).toMatchObject({ code: 'FILE_ENCODING', line: 1001 });
  });

  test('fault 11: a file that ends within a character is reported with its line', async () => {
    const content = Buffer.from('a,b\n1,é').subarray(0, -1);
    expect((await readAll(content)).fault).toMatchObject({ code: 'FILE_ENCODING', line: 2 });
  });

  test.each([false, true])('fault 12: UTF-16 with a byte order mark is read (big endian: %s)', async (bigEndian) => {
    const content = utf16(`${longStart}1,é😀\r\n`, bigEndian);
    for (const chunkBytes of [1, 3, 64]) {
      const { header, records, fault } = await readAll(content, { chunkBytes });
      expect({ header, fault }).toEqual({ header: ['a', 'b'], fault: null });
      expect(records[1]).toEqual({ line: 3, cells: ['1', 'é😀'] });
    }
  });

  test('fault 12: half a surrogate pair in UTF-16 is reported with its line', async () => {
    const content = Buffer.concat([utf16('a,b\n1,'), Buffer.of(0x3d, 0xd8), Buffer.from('x\n', 'utf16le')]);
    expect((await readAll(content)).fault).toMatchObject({ code: 'FILE_ENCODING', line: 2 });
  });

  test('fault 12: UTF-16 without a byte order mark is detected', async () => {
    const { fault } = await readAll(Buffer.from('msisdn,pac\n1,2\n', 'utf16le'));
    expect(fault).toMatchObject({ code: 'FILE_ENCODING' });
    expect(fault?.message).toContain('UTF-16 without a byte order mark');
  });

  test('fault 12: UTF-32 is detected', async () => {
    const { fault } = await readAll(Buffer.of(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0));
    expect(fault?.message).toContain('UTF-32');
  });
});

describe('shapes', () => {
  test('fault 13: an unclosed quote is reported with the line on which it opens', async () => {
    const { fault, records } = await readAll('a,b\n1,2\n3,"x\n4,5\n6,7\n');
    const message =
      'the quote that opens on line 3 is not closed before the file ends, so no row from there on is read: ' +
      'close it, or remove it';
    expect(fault).toMatchObject({ code: 'FILE_QUOTE_UNCLOSED', line: 3, message });
    expect(records).toHaveLength(1);
  });

  test('fault 13: an unclosed quote is distinguished from closed ones', async () => {
    const { fault } = await readAll('a,b,c\r\n1,"x\r\ny","say ""hi""\r\n2,z,w\r\n');
    expect(fault).toMatchObject({ code: 'FILE_QUOTE_UNCLOSED', line: 3 });
  });

  test('fault 13: an unclosed quote in a huge file ends the reading early, in bounded memory', async () => {
    let dealt = 0;
    const opened = await readCsv(
      chunked(`a,b\n1,"x\n${'2,y\n'.repeat(2_000_000)}`, 65_536, () => dealt++),
      { maxRecordBytes: 100_000 },
    );
    if (!opened.ok) throw new Error(opened.issue.message);
    for await (const batch of opened.value.batches) {
      expect(batch.fault).toMatchObject({ code: 'FILE_QUOTE_UNCLOSED', line: 2 });
    }
    expect(dealt).toBeLessThan(5);
  });

  test('fault 13: a record without an end is reported, also one of empty cells only', async () => {
    const { fault } = await readAll(`a,b\n1,2\n3${','.repeat(300_000)}\n`, { maxRecordBytes: 10_000 });
    expect(fault).toMatchObject({ code: 'RECORD_TOO_LONG', line: 3 });
    expect(fault?.message).toBe(
      'the row on line 3 has more than 10,000 bytes, so no row from there on is read: shorten it, or add the line ' +
        'breaks that are missing',
    );
  });

  test('fault 14: a duplicate header is an error, not a silent overwrite', async () => {
    const { header } = await readAll('msisdn,MSISDN\n1,2\n');
    expect(mapHeader(header, [{ name: 'msisdn' }]).issues).toMatchObject([
      { code: 'HEADER_DUPLICATE_COLUMN', line: 1 },
    ]);
  });

  test.each([';', '\t'])('fault 15: %j separates cells as well as a comma', async (delimiter) => {
    const { records } = await readAll(`a${delimiter}b\n1${delimiter}2\n`);
    expect(records[0]?.cells).toEqual(['1', '2']);
  });

  test('fault 15: cells separated by "|" are read', async () => {
    expect(await readAll('a|b\n"1|2"|3\n')).toMatchObject({ delimiter: '|', records: [{ cells: ['1|2', '3'] }] });
  });

  test('a text that a program writes as a formula, so that a spreadsheet keeps its zeros, has no misplaced quote', async () => {
    const { records, rejected } = await readAll('a,b\n="07700900123",x\n1,="2"\n="3,"4"\n="a"b,5\n');
    expect(records.map(({ cells }) => cells)).toEqual([
      ['="07700900123"', 'x'],
      ['1', '="2"'],
    ]);
    expect(rejected.map(({ issue }) => issue.code)).toEqual(['RECORD_QUOTE_INVALID', 'RECORD_QUOTE_INVALID']);
  });

  test('rows that all end with the same separators have no more cells than the header', async () => {
    const { rejected, records } = await readAll('a,b\n1,2,,\n3,4,,\n5,6\n7,8,x,\n');
    expect(records).toMatchObject([{ cells: ['1', '2'] }, { cells: ['3', '4'] }]);
    expect(rejected.map(({ issue }) => issue.code)).toEqual(['RECORD_TOO_FEW_CELLS', 'RECORD_TOO_MANY_CELLS']);
  });

  test('the separator that the user names is used', async () => {
    expect((await readAll('a,b;c\n1,2;3\n', { delimiter: ';' })).header).toEqual(['a,b', 'c']);
  });

  test('fault 16: extra and missing cells reject the record and shift nothing', async () => {
    const { rejected, records } = await readAll('a,b,c\n1,2,3,4\n5,6\n7,8,9\n');
    expect(rejected).toMatchObject([
      { line: 2, cells: ['1', '2', '3', '4'], issue: { code: 'RECORD_TOO_MANY_CELLS', line: 2 } },
      { line: 3, cells: ['5', '6'], issue: { code: 'RECORD_TOO_FEW_CELLS', line: 3 } },
    ]);
    expect(records).toEqual([{ line: 4, cells: ['7', '8', '9'] }]);
  });

  test('fault 17: a quoted cell may have line breaks', async () => {
    const { records } = await readAll('a,b\n1,"x\r\ny"\n2,z\n');
    expect(records).toEqual([
      { line: 2, cells: ['1', 'x\r\ny'] },
      { line: 4, cells: ['2', 'z'] },
    ]);
  });

  test('fault 18: a number that Excel shortened is invalid, a lost zero is restored with a notice', () => {
    const context = { callingCode: '44' };
    expect(parseMsisdn('4.47E+11', context)).toMatchObject({ ok: false, finding: { code: 'MSISDN_EXCEL_SCIENTIFIC' } });
    expect(parseMsisdn('7700900123', context)).toMatchObject({
      ok: true,
      value: '447700900123',
      finding: { code: 'MSISDN_LEADING_ZERO_RESTORED', severity: 'notice' },
    });
  });

  test.each([
    ['nothing at all', ''],
    ['a byte order mark only', '\uFEFF'],
    ['blank lines only', '\n\r\n  \n,,\n'],
    ['a header only', 'msisdn,pac\n'],
    ['a header and blank lines', 'msisdn,pac\n\n,\n'],
  ])('fault 19: %s is an empty file', async (_, content) => {
    expect((await readAll(content)).fault).toMatchObject({ code: 'FILE_EMPTY', line: 0 });
  });

  test('fault 20: __proto__ is an ordinary column name', async () => {
    const { header, records } = await readAll('__proto__,msisdn,constructor\nx,1,y\n');
    const { indexes, extras, issues } = mapHeader(header, [{ name: 'msisdn', required: true }]);
    expect(indexes).toEqual(new Map([['msisdn', 1]]));
    expect(extras.map(({ name }) => name)).toEqual(['__proto__', 'constructor']);
    expect(issues).toEqual([]);
    expect(records[0]?.cells).toEqual(['x', '1', 'y']);
  });

  test.each([
    ['\0', 'NUL'],
    ['\u200B', 'zero-width space'],
    ['\u202E', 'right-to-left override'],
  ])('fault 20: the character %j is kept in its cell and reported there', async (character, name) => {
    const { records } = await readAll(`a,b\n1,2${character}3\n`);
    const finding = checkCharacters(records[0]?.cells[1] ?? '');
    expect(finding).toMatchObject({ code: 'CELL_CONTROL_CHARACTER', severity: 'error' });
    expect(finding?.message).toContain(`Character 2 is U+`);
    expect(finding?.message).toContain(name);
  });

  test('fault 20: Arabic digits in a number are reported', () => {
    const parsed = parseMsisdn('٠٧٧٠٠٩٠٠١٢٣', { callingCode: '44' });
    expect(parsed).toMatchObject({ ok: false, finding: { code: 'MSISDN_SHAPE' } });
    expect(parsed.finding?.message).toContain('U+0660 (Arabic-Indic digit 0)');
  });

  test.each([
    ['gzip', gzipSync('msisdn,pac\n1,2\n')],
    ['zip archive', Buffer.from('PK\u0003\u0004 and then a file')],
    ['old Excel workbook', Buffer.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1)],
    ['one with a password. Save it as .xlsx without', Buffer.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1)],
    ['PDF', Buffer.from('%PDF-1.7')],
    ['web page', Buffer.from('  <!DOCTYPE html><html>')],
    ['binary data', Buffer.alloc(2000)],
  ])('fault 21: a file that is %s is detected before parsing', async (name, content) => {
    const { fault } = await readAll(content);
    expect(fault).toMatchObject({ code: 'FILE_NOT_CSV' });
    expect(fault?.message).toContain(name);
    expect(fault?.message, 'what to do').toMatch(/unpack it first|Save /);
    // Messages are stored redacted: what follows "password:" would be removed.
    expect(redactText(fault?.message ?? '')).toBe(fault?.message);
  });
});

describe('the header', () => {
  const isHeader = (cells: readonly string[]) => cells.includes('msisdn') && cells.length > 1;

  test('below title rows is recognised, and the notice quotes them', async () => {
    const content = 'Ports for July;;\n\nAsk 07700900123, Bob;;\nmsisdn;tariff;reference\n1;2;3\n';
    for (const chunkBytes of [1, 7, 65_536]) {
      const read = await readAll(content, { isHeader, chunkBytes });
      expect(read).toMatchObject({ header: ['msisdn', 'tariff', 'reference'], delimiter: ';' });
      expect(read.records).toEqual([{ line: 5, cells: ['1', '2', '3'] }]);
      expect(read.notices).toMatchObject([{ line: 4, severity: 'notice', code: 'HEADER_BELOW_OTHER_ROWS' }]);
      expect(read.notices[0]?.message).toContain('line 4: 2 rows above it were not read ("Ports for July;;", ');
    }
  });

  test('is the first row with a text where none is recognised', async () => {
    const rows = 'x,y\n'.repeat(200);
    expect(await readAll(`\nnumber,b\n${rows}`, { isHeader })).toMatchObject({ header: ['number', 'b'], notices: [] });
  });

  test('is on the line that the user names', async () => {
    const content = 'msisdn,a\n\nNumber,b\n1,2\n';
    const read = await readAll(content, { isHeader, headerLine: 3 });
    expect(read).toMatchObject({ header: ['Number', 'b'], records: [{ line: 4 }] });
  });

  test('cannot be below the end of the file', async () => {
    const { fault } = await readAll('msisdn,a\n1,2\n', { headerLine: 30 });
    expect(fault).toMatchObject({ code: 'FILE_SETTING_INVALID', message: expect.stringContaining('line 30') });
  });

  test('is found at once in a file without title rows: nothing more is read', async () => {
    let chunks = 0;
    const source = chunked(`msisdn,a\n${'1,2\n'.repeat(100_000)}`, 65_536, () => {
      chunks += 1;
    });
    const opened = await readCsv(source, { isHeader });
    expect(chunks).toBe(1);
    if (opened.ok) await opened.value.close();
  });
});
