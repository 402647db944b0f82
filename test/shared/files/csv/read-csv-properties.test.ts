import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvRow, unguardFormula } from '#shared/files/csv/csv-row.ts';
import { longStart, readAll } from '../../../support/files/csv-source.ts';

const seed = { numRuns: 300 };
const csvish = fc.array(
  fc.constantFrom('a', '1', ',', ';', '\t', '"', '""', '\n', '\r\n', '\r', ' ', 'é', '😀', '\u0001'),
  {
    maxLength: 60,
  },
);

test('arbitrary bytes never crash the reader', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.integer({ min: 1, max: 50 }), async (bytes, chunkBytes) => {
      await readAll(bytes, { chunkBytes, maxRecordBytes: 64 });
      await readAll(Buffer.concat([Buffer.from(longStart), bytes]), { chunkBytes, maxRecordBytes: 2000 });
    }),
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
      expect(ours).toEqual(rows);
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
