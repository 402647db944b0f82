// What is true of every file: no crash, one outcome for each line, and the same result for any chunks.
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvRow, unguardFormula } from '#shared/files/csv/csv-row.ts';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { chunked, longStart, readAll } from '../../../../support/files/csv-source.ts';

describe('properties', () => {
  const seed = { numRuns: 300 };
  const csvish = fc.array(
    fc.constantFrom('a', '1', ',', ';', '\t', '"', '""', '\n', '\r\n', '\r', ' ', 'é', '😀', '\u0001'),
    {
      maxLength: 60,
    },
  );

  test('arbitrary bytes never crash the reader', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uint8Array({ maxLength: 400 }),
        fc.integer({ min: 1, max: 50 }),
        async (bytes, chunkBytes) => {
          await readAll(bytes, { chunkBytes, maxRecordBytes: 64 });
          await readAll(Buffer.concat([Buffer.from(longStart), bytes]), { chunkBytes, maxRecordBytes: 2000 });
        },
      ),
      seed,
    );
  });

  test('the result is the same for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(csvish, fc.integer({ min: 1, max: 7 }), async (pieces, chunkBytes) => {
        const content = longStart + pieces.join('');
        expect(await readAll(content, { chunkBytes })).toEqual(await readAll(content));
      }),
      seed,
    );
  });

  test('each line has at most one outcome, in file order', async () => {
    await fc.assert(
      fc.asyncProperty(csvish, async (pieces) => {
        const { records, rejected } = await readAll(`a,b\n${pieces.join('')}`);
        const lines = [...records, ...rejected].map(({ line }) => line).sort((one, other) => one - other);
        expect(new Set(lines).size).toBe(lines.length);
        for (const list of [records, rejected]) {
          expect(list.map(({ line }) => line)).toEqual(
            [...list].map(({ line }) => line).sort((one, other) => one - other),
          );
        }
      }),
      seed,
    );
  });

  test('a text that strict csv-parse accepts has the same records', async () => {
    await fc.assert(
      fc.asyncProperty(csvish, async (pieces) => {
        const content = `a,b\n${pieces.join('')}`;
        let strict: string[][];
        try {
          strict = parse(content, {
            record_delimiter: ['\r\n', '\n', '\r'],
            relax_column_count: true,
            skip_empty_lines: true,
          });
        } catch {
          return;
        }
        const rows = strict.slice(1).filter((cells) => cells.some((cell) => cell.trim() !== ''));
        // Rows that all end with delimiters have fewer cells.
        const beyond = rows[0]?.slice(2) ?? [];
        if (beyond.length > 0 && beyond.every((cell) => cell.trim() === '')) return;
        const { records, rejected } = await readAll(content);
        const ours = [...records, ...rejected].sort((one, other) => one.line - other.line).map(({ cells }) => cells);
        // Each line of a record with breaks and too many or too few cells is a row.
        const linesOf = (cells: string[]) =>
          cells.length === 2 || !cells.some((cell) => /[\r\n]/.test(cell))
            ? [cells]
            : cells
                .join()
                .split(/\r\n|\n|\r/)
                .map((line) => line.split(','));
        expect(ours).toEqual(rows.flatMap(linesOf).filter((cells) => cells.some((cell) => cell.trim() !== '')));
      }),
      seed,
    );
  });

  test('cells that are written and read back are the same, formulas included', async () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 12 }),
      fc.constantFrom('=1+1', '+447700900123', "'=x", "''@", '-5', '-a', '\tx', '\r', '', ' ', 'a;b', '"', '\n'),
    );
    const rows = fc.array(fc.array(cell, { minLength: 3, maxLength: 3 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(rows, async (written) => {
        // The reader omits rows without any visible character.
        const filled = written.map((cells) => ['x', ...cells]);
        const content = csvRow(['a', 'b', 'c', 'd']) + filled.map((cells) => csvRow(cells)).join('');
        const { records, rejected, fault } = await readAll(content);
        expect({ rejected, fault }).toEqual({ rejected: [], fault: null });
        expect(records.map(({ cells }) => cells.map(unguardFormula))).toEqual(filled);
      }),
      seed,
    );
  });

  test('a byte that is in no encoding is reported with its line in a text editor', async () => {
    await fc.assert(
      fc.asyncProperty(csvish, csvish, fc.integer({ min: 1, max: 7 }), async (before, behind, chunkBytes) => {
        const start = longStart + before.join('');
        const content = Buffer.concat([Buffer.from(start), Buffer.of(0x81), Buffer.from(behind.join(''))]);
        const { fault } = await readAll(content, { chunkBytes });
        expect(fault).toMatchObject({ code: 'FILE_ENCODING', line: start.split(/\r\n|\r|\n/).length });
      }),
      { numRuns: 1000 },
    );
  });

  test('cells alone are those of their record, and only the same cells have the same text between them', async () => {
    const cell = fc.constantFrom('', 'a', 'b', 'é', 'Ã©', ' ', 'a,b', 'a;b', '"', 'a\nb');
    const row = fc.tuple(cell, cell, cell);
    const quotes = fc.constantFrom('all', 'needed');
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(row, quotes), { minLength: 2, maxLength: 12 }),
        fc.constantFrom(',', ';'),
        async (rows, separator) => {
          const written = rows.map(([cells, which]) =>
            cells.map((text) => (which === 'all' || /[",;\n]/.test(text) ? quoted(text) : text)).join(separator),
          );
          const opened = await readCsv(chunked(['x', 'y', 'z'].join(separator).concat('\n', written.join('\n'), '\n')));
          if (!opened.ok) throw new Error(opened.issue.message);
          const cellsOfText = new Map<string, readonly string[]>();
          for await (const { lines, cellsOf, cellAt, textBetween } of opened.value.batches) {
            for (const record of lines.keys()) {
              const cells = cellsOf(record);
              expect(cells.map((_, index) => cellAt(record, index))).toEqual(cells);
              const text = textBetween(record, 0, 1);
              expect(cellsOfText.get(text) ?? cells.slice(0, 2)).toEqual(cells.slice(0, 2));
              cellsOfText.set(text, cells.slice(0, 2));
            }
          }
        },
      ),
      { numRuns: 600 },
    );
  });

  const quoted = (text: string): string => `"${text.replaceAll('"', '""')}"`;
});

// Arbitrary bytes in arbitrary chunks: every file results in records, rejected records and at most one fault; a line
// has one outcome, and memory does not grow with the file.
describe('whatever the bytes', () => {
  const marks = [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff], [0xff, 0xfe, 0, 0]];
  const pieces = [
    'a,b\n',
    'a;b\r\n',
    '"',
    '""',
    ',',
    ';',
    '\t',
    '\n',
    '\r',
    '\r\n',
    '1',
    'é',
    '😀',
    '\u0000',
    '\ufeff',
    'x'.repeat(70),
  ];
  const bytesOf = (mark: readonly number[], content: Uint8Array) => Buffer.concat([Buffer.from(mark), content]);

  /** A byte order mark of any encoding, then text in any encoding with arbitrary bytes in it. */
  const file = fc
    .tuple(
      fc.constantFrom(...marks),
      fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...pieces) }, fc.uint8Array({ maxLength: 6 })), {
        maxLength: 60,
      }),
      fc.constantFrom('utf8', 'utf16le', 'latin1' as const),
    )
    .map(([mark, parts, encoding]) => {
      const bytes = parts.map((part) => (typeof part === 'string' ? Buffer.from(part, encoding) : Buffer.from(part)));
      return bytesOf(mark, Buffer.concat(bytes));
    });
  const cuts = fc.integer({ min: 1, max: 40 });
  const runs = { numRuns: 400 };
  const maxRecordBytes = 128;

  test('a line has at most one outcome, and the result is the same for any chunks', async () => {
    await fc.assert(
      fc.asyncProperty(file, cuts, async (bytes, chunkBytes) => {
        const read = await readAll(bytes, { chunkBytes, maxRecordBytes });
        const lines = [...read.records, ...read.rejected].map(({ line }) => line);
        expect(new Set(lines).size).toBe(lines.length);
        for (const { cells } of read.records) expect(cells).toHaveLength(read.header.length);
        for (const { issue, line } of read.rejected) expect([issue.line, issue.severity]).toEqual([line, 'error']);
        expect(read.fault?.code ?? 'FILE_OK').toMatch(/^(FILE|RECORD)_/);
        expect(await readAll(bytes, { maxRecordBytes })).toEqual(read);
      }),
      runs,
    );
  });

  test('no record, kept or rejected, is longer than the limit', async () => {
    await fc.assert(
      fc.asyncProperty(file, cuts, async (bytes, chunkBytes) => {
        const { header, records, rejected } = await readAll(bytes, { chunkBytes, maxRecordBytes });
        for (const cells of [header, ...[...records, ...rejected].map((record) => record.cells)]) {
          expect(Buffer.byteLength(cells.join(''))).toBeLessThanOrEqual(maxRecordBytes);
        }
      }),
      runs,
    );
  });

  describe('the source', () => {
    test('is read at most one record and one chunk ahead of the consumer', async () => {
      const row = fc.constantFrom('1,2\n', '"1\n",2\n', '1,2,3\n', '"1,2\n', '\n', 'é,"\n');
      await fc.assert(
        fc.asyncProperty(fc.array(row, { minLength: 200, maxLength: 400 }), cuts, async (rows, chunkBytes) => {
          let dealt = 0;
          const bytes = Buffer.from(`a,b\n${rows.join('')}`);
          const opened = await readCsv(
            chunked(bytes, chunkBytes, () => {
              dealt += chunkBytes;
            }),
            { maxRecordBytes },
          );
          // The encoding is detected from the first 1,024 bytes.
          expect(dealt).toBeLessThanOrEqual(1_024 + maxRecordBytes + 2 * chunkBytes);
          if (opened.ok) await opened.value.close();
        }),
        { numRuns: 100 },
      );
    });

    test('is the only cause of exceptions, and is always closed', async () => {
      await fc.assert(
        fc.asyncProperty(file, cuts, fc.nat(20), async (bytes, chunkBytes, after) => {
          const gone = new Error('the bucket is gone');
          let closed = false;
          async function* failing() {
            let chunks = 0;
            try {
              for await (const chunk of chunked(bytes, chunkBytes)) {
                if (chunks === after) throw gone;
                chunks += 1;
                yield chunk;
              }
            } finally {
              closed = true;
            }
          }
          try {
            const opened = await readCsv(failing(), { maxRecordBytes });
            if (opened.ok) for await (const _batch of opened.value.batches);
          } catch (error) {
            expect(error).toBe(gone);
          }
          expect(closed).toBe(true);
        }),
        runs,
      );
    });
  });
});
