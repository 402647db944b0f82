// Arbitrary bytes in arbitrary chunks: every file results in records, rejected records and at most one fault; a line
// has one outcome, and memory does not grow with the file.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readCsv } from '#shared/files/csv/read-csv.ts';
import { chunked, readAll } from '../../../support/files/csv-source.ts';

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
