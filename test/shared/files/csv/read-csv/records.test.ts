// The rows and the lines of a file, and the records that are not rows.
import { describe, expect, test } from 'vitest';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { chunked, longStart, readAll } from '../../../../support/files/csv-source.ts';

const linesOf = (file: Awaited<ReturnType<typeof readAll>>) => file.records.map(({ line }) => line);

describe('reading a well-formed file', () => {
  test('separates the header from the records', async () => {
    const file = await readAll('msisdn,pac\n07700900123,ABC123456\n');
    expect(file).toMatchObject({
      header: ['msisdn', 'pac'],
      records: [{ line: 2, cells: ['07700900123', 'ABC123456'] }],
      rejected: [],
      fault: null,
    });
  });

  test('removes the apostrophe with which simporter guards a column name', async () => {
    const file = await readAll("msisdn,'=Depot,'@x,'quoted\n07700900123,'=1,2,3\n");
    expect(file.header).toEqual(['msisdn', '=Depot', '@x', "'quoted"]);
    expect(file.records[0]?.cells[1]).toBe("'=1");
  });

  test('reads a mark of UTF-8 that was saved as characters as the mark that it was', async () => {
    const characters = Buffer.from('\u00ef\u00bb\u00bfa,b\n1,2\n');
    expect((await readAll(characters)).header).toEqual(['a', 'b']);
    expect((await readAll(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), characters]))).header).toEqual(['a', 'b']);
  });

  test('takes a delimiter at the end of each row as none, and asks where one row has it', async () => {
    const all = await readAll('a,b\n1,2,\n3,4, \n');
    expect(all.records.map(({ cells }) => cells)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    expect(all.rejected).toEqual([]);
    const first = await readAll('a,b\n1,2,\n3,4\n5,6,7\n');
    expect(first.rejected).toMatchObject([{ line: 3 }, { line: 4 }]);
    expect((await readAll('a,b\n1,2\n3,4,\n')).rejected).toMatchObject([{ line: 3 }]);
  });

  test.each([
    ['in the last cell', 'a,b,c\n1,2,"x\n3,4,y"\n5,6,z\n', 2, 3],
    ['in a cell between others, over three rows', 'a,b,c\n1,"2,x\n3,4,y\n5,6",z\n', 2, 4],
    ['in the first cell', 'a;b;c\n"1;2;x\n3";4;y\n', 2, 3],
    ['on a line of its own', 'a,b,c,d,e,f\n1,2,3,4,5,"x\n1,2,3,4,5,6\n1,2,3,4,5,6\ny"\n', 2, 5],
  ])('rejects rows that a stray quote %s joins', async (_where, content, first, last) => {
    const { records, rejected } = await readAll(content);
    const lines = Array.from({ length: last - first + 1 }, (_, index) => first + index);
    expect(rejected).toMatchObject(lines.map((line) => ({ line, issue: { line, code: 'RECORD_QUOTE_INVALID' } })));
    expect(rejected[0]?.issue.message).toMatch(new RegExp(`one row .* a later one.*\\(lines ${first} to ${last} `));
    expect(records).toHaveLength(content.endsWith('5,6,z\n') ? 1 : 0);
  });

  test('each line of a record that is too short because of a quote is a row with its cells', async () => {
    const { records, rejected } = await readAll('a,b,c\n1,"2,x\n3,4,y\n5,6,z"\n7,8,9\n');
    expect(records).toHaveLength(1);
    expect(rejected.map(({ line, cells }) => [line, ...cells])).toEqual([
      [2, '1', '2', 'x'],
      [3, '3', '4', 'y'],
      [4, '5', '6', 'z'],
    ]);
    expect(rejected[2]?.issue.message).toContain('(lines 2 to 4 were read as one record)');
  });

  test.each([
    ['two columns', 'a,b\n07700900121,"Smith\n07700900122,Brown\n07700900123,Jones"\n', 3],
    ['one column', 'a\n"07700900121\n07700900122"\n', 2],
  ])('rejects the rows of %s that a quote joins, by their numbers', async (_where, content, count) => {
    const { records, rejected } = await readAll(content);
    expect(records).toEqual([]);
    expect(rejected).toHaveLength(count);
  });

  test('a quote that opens in the header and closes in a row ends the reading', async () => {
    const { fault } = await readAll('a,"b\n07700900121,Smith"\n07700900122,Brown\n');
    expect(fault).toMatchObject({ line: 1, code: 'RECORD_QUOTE_INVALID' });
    expect((await readAll('a,"b\n(second line)"\n07700900122,Brown\n')).records).toHaveLength(1);
  });

  test('names the rows that have more than one line', async () => {
    const { records, notices } = await readAll('a,b\n07700900121,"Ask:\n07700900122"\n3,"x\ny"\n');
    expect(records).toHaveLength(2);
    expect(notices).toMatchObject([{ line: 2, code: 'RECORD_OF_SEVERAL_LINES' }]);
    expect(notices[0]?.message).toContain('2 rows have a cell with line breaks in quotes: lines 2 to 3, 4 to 5.');
  });

  test('reads a comment of two lines, also with the delimiter', async () => {
    const { records } = await readAll('a,b,c\n1,2,"call first,\nthen port"\n3,"one\ntwo",4\n');
    expect(records.map(({ line }) => line)).toEqual([2, 4]);
    const long = await readAll('a,b,c\n1,2,"Ask:\nAnna, Ben, Tom\nor me"\n');
    expect([long.records.length, long.rejected]).toEqual([1, []]);
  });

  test('reads the last record without a line end', async () => {
    expect((await readAll('a,b\n1,2\n3,4')).records).toHaveLength(2);
  });

  test('keeps spaces, empty cells and quotes inside cells as they are', async () => {
    const file = await readAll('a,b,c\n x ,,"say ""hi"""\n');
    expect(file.records[0]?.cells).toEqual([' x ', '', 'say "hi"']);
  });

  test.each([
    [',', 'a,b\n1,2\n'],
    [';', 'a;b\n1,5;2\n'],
    ['\t', 'a\tb\n1,5\t2\n'],
    [';', '"a,b,c";b\n1;2\n'],
  ])('finds the delimiter %j in the header', async (delimiter, content) => {
    const file = await readAll(content);
    expect(file.delimiter).toBe(delimiter);
    expect(file.records[0]?.cells).toHaveLength(2);
  });

  test('uses the sep= line of Excel and counts it as a line', async () => {
    const file = await readAll('sep=;\r\na,x;b\r\n1;2\r\n');
    expect(file).toMatchObject({ delimiter: ';', header: ['a,x', 'b'], records: [{ line: 3, cells: ['1', '2'] }] });
  });

  test('a file of one column needs no delimiter', async () => {
    expect((await readAll('msisdn\n1\n\n2\n')).records).toEqual([
      { line: 2, cells: ['1'] },
      { line: 4, cells: ['2'] },
    ]);
  });

  test('reads the source only as batches are consumed', async () => {
    let dealt = 0;
    const content = `a,b\n${'1,2\n'.repeat(200_000)}`;
    const opened = await readCsv(chunked(content, 65_536, () => dealt++));
    if (!opened.ok) throw new Error(opened.issue.message);
    const batches = opened.value.batches[Symbol.asyncIterator]();
    await batches.next();
    expect(dealt).toBeLessThanOrEqual(3);
    await batches.return?.();
  });

  describe('the source is closed', () => {
    const watched = () => {
      const state = { closed: false };
      async function* source() {
        try {
          for (;;) yield Buffer.from('a,b\n1,2\n'.repeat(1000));
        } finally {
          state.closed = true;
        }
      }
      return { state, source: source() };
    };

    test('when the consumer stops early', async () => {
      const { state, source } = watched();
      const opened = await readCsv(source);
      if (!opened.ok) throw new Error(opened.issue.message);
      for await (const _ of opened.value.batches) break;
      expect(state.closed).toBe(true);
    });

    test('when the consumer reads no batch', async () => {
      const { state, source } = watched();
      const opened = await readCsv(source);
      if (!opened.ok) throw new Error(opened.issue.message);
      await opened.value.close();
      expect(state.closed).toBe(true);
    });

    test('when the file is not a CSV', async () => {
      let closed = false;
      async function* source() {
        try {
          for (;;) yield Buffer.alloc(4096);
        } finally {
          closed = true;
        }
      }
      expect((await readCsv(source())).ok).toBe(false);
      expect(closed).toBe(true);
    });
  });

  test('an error of the source is thrown, not reported as a fault of the file', async () => {
    async function* source() {
      yield Buffer.from('a,b\n'.repeat(1000));
      throw new Error('connection reset');
    }
    const opened = await readCsv(source());
    if (!opened.ok) throw new Error(opened.issue.message);
    const { batches } = opened.value;
    await expect(async () => {
      for await (const _ of batches);
    }).rejects.toThrow('connection reset');
  });
});

describe('lines', () => {
  test('a record has the line on which it starts, even if its cells have line breaks', async () => {
    const content = 'a,b\n1,"x\ny\nz"\n2,"\r\n"\n3,w\n';
    expect(linesOf(await readAll(content))).toEqual([2, 5, 7]);
  });

  test('blank lines and rows of delimiters only are skipped and counted', async () => {
    const content = '\n\na,b\n\n1,2\n,\n\r\n \n3,4\n';
    expect(linesOf(await readAll(content))).toEqual([5, 9]);
  });

  test('are the same for any chunks', async () => {
    const content = `${longStart}\r\n1,"x\r\ny"\r\n\n2,"é😀"""\r3,4\n\n5,6`;
    const whole = await readAll(content);
    expect(linesOf(whole)).toEqual([2, 4, 7, 8, 10]);
    for (let chunkBytes = 1; chunkBytes < 12; chunkBytes++) {
      expect(await readAll(content, { chunkBytes })).toEqual(whole);
    }
  });

  test.each([0, 1])(
    'are correct after a megabyte of blank lines, in bounded memory (CRLF cut in two: %d)',
    async (odd) => {
      const content = `a,b\n1,${'2'.repeat(1 + odd)}\n${'\r\n'.repeat(500_000)}3,4\n5,"x`;
      const file = await readAll(content, { maxRecordBytes: 4096 });
      expect(linesOf(file)).toEqual([2, 500_003]);
      expect(file.fault).toMatchObject({ code: 'FILE_QUOTE_UNCLOSED', line: 500_004 });
    },
  );

  test.each([0, 1, 2, 3])('of an endless quote after endless blank lines is correct (%d bytes on)', async (more) => {
    const content = `a,b\n1,2\n${'\r\n'.repeat(100_000)}${'3'.repeat(more)},"${'x\r\n'.repeat(5000)}`;
    const file = await readAll(content, { maxRecordBytes: 4096, chunkBytes: 4095 + more });
    expect(file.fault).toMatchObject({ code: 'FILE_QUOTE_UNCLOSED', line: 100_003 });
  });

  test('of the header is correct when a chunk ends within a CRLF before it', async () => {
    for (const chunkBytes of [1025, 1026]) {
      const file = await readAll(`${'\r\n'.repeat(1000)}a,b\r\n1,2\r\n`, { chunkBytes });
      expect(linesOf(file)).toEqual([1002]);
    }
  });
});

describe('records that are not rows', () => {
  test('a misplaced quote rejects only its record', async () => {
    const file = await readAll('a,b\n1,x"y\n2,"q" r\n3,4\n');
    expect(file.rejected).toMatchObject([
      { line: 2, cells: ['1', 'x"y'], issue: { code: 'RECORD_QUOTE_INVALID', line: 2 } },
      { line: 3, issue: { code: 'RECORD_QUOTE_INVALID', line: 3 } },
    ]);
    expect(linesOf(file)).toEqual([4]);
  });

  test('a record that contains other records names their lines', async () => {
    const file = await readAll('a,b\n1,"x\n2,y\n3,"z"\n4,w\n');
    expect(file.rejected[0]?.issue.message).toContain('lines 2 to 4');
    expect(linesOf(file)).toEqual([5]);
  });

  test('a misplaced quote in the header is a fault of the file', async () => {
    expect((await readAll('a,b"c\n1,2\n')).fault).toMatchObject({ code: 'RECORD_QUOTE_INVALID', line: 1 });
  });
});
