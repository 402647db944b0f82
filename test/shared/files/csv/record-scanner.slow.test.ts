// The scanner compared with csv-parse: the same header, records, lines, issues and fault for any bytes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BatchBuilder } from '#shared/files/csv/batch-builder.ts';
import * as recordParser from '#shared/files/csv/parse-record.ts';
import type { Delimiter, RecordBatch } from '#shared/files/csv/record-batch.ts';
import { RecordScanner } from '#shared/files/csv/record-scanner.ts';
import type { Issue } from '#shared/row/issue.ts';
import { CsvParseReference } from '../../../support/files/csv-reference.ts';

interface ReadBatch {
  readonly records: (readonly [line: number, cells: readonly string[], rejected: Issue | undefined])[];
  readonly fault: RecordBatch['fault'];
}

interface ReadFile extends ReadBatch {
  readonly header: readonly string[] | undefined;
}

/** Reads all texts of a batch, before the next one is read. */
const readNow = (batch: RecordBatch): ReadBatch => ({
  records: batch.lines.map((line, index) => [line, batch.cellsOf(index), batch.rejected.get(index)] as const),
  fault: batch.fault,
});

const readFile = (header: readonly string[] | undefined, batches: readonly ReadBatch[]): ReadFile => ({
  header,
  records: batches.flatMap(({ records }) => records),
  fault: batches.at(-1)?.fault ?? null,
});

interface Reading {
  readonly delimiter: Delimiter;
  readonly maxRecordBytes: number;
}

const usual: Reading = { delimiter: ',', maxRecordBytes: 100_000 };

function scan(chunks: readonly Buffer[], reading: Reading): ReadFile {
  const scanner = new RecordScanner({ ...reading, firstLine: 1, isSheet: true });
  scanner.recordParser = recordParser;
  const batches: ReadBatch[] = [];
  for (const chunk of chunks) {
    batches.push(readNow(scanner.feed(chunk)));
    if (batches.at(-1)?.fault) return readFile(scanner.header, batches);
  }
  batches.push(readNow(scanner.finish()));
  return readFile(scanner.header, batches);
}

function parseReference(chunks: readonly Buffer[], reading: Reading): ReadFile {
  const builder = new BatchBuilder(reading.delimiter);
  const parser = new CsvParseReference({ ...reading, firstLine: 1 }, builder);
  for (const chunk of chunks) {
    parser.feed(chunk);
    if (builder.fault !== null) return readFile(builder.header, [readNow(builder.take())]);
  }
  parser.finish();
  builder.end(!/[\r\n]$/.test(Buffer.concat(chunks.slice(-1)).toString('latin1')));
  return readFile(builder.header, [readNow(builder.take())]);
}

/** The bytes in chunks of these lengths, repeated. */
function cut(bytes: Uint8Array, lengths: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let start = 0, turn = 0; start < bytes.length; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    chunks.push(Buffer.from(bytes.subarray(start, start + length)));
    start += length;
  }
  return chunks;
}

const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 6 });
const delimiter = fc.constantFrom<Delimiter>(',', ';', '\t');

/** Arbitrary bytes, mostly those of a CSV. */
const bytes = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...[...',;\t"\n\rab1 '].map((character) => character.charCodeAt(0))) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
    ),
    { maxLength: 120 },
  )
  // Of `="0770"`, csv-parse knows nothing.
  .filter((all) => !String.fromCharCode(...all).includes('="'))
  .map((all) => Uint8Array.from(all));

/** Texts in which most records are well-formed, some are quoted, and some have wrong quotes. */
const text = fc
  .array(
    fc.constantFrom(
      'a,b,c\n',
      'a,"b",c\r\n',
      '"a","b ""x""",c\r',
      '"a\r\nb","c\n\rd","e""\n"\n',
      'Zoë,"😀, ""naïve""",ü\n',
      'a"b,c,d\n',
      '"a"b,c,d\n',
      '"a""b"c",d,e\n',
      ',,\n',
      '""\n',
      '\n',
      '\r\n',
      '\r',
      'short\n',
      'a,b,c,d\n',
      '"open,b,c\n',
      'no end',
      `${'long '.repeat(150)},b,c\n`,
    ),
    { maxLength: 24 },
  )
  .map((pieces) => Buffer.from(`a,b,c\n${pieces.join('')}`));

describe('the scanner returns what csv-parse returns', () => {
  test('for arbitrary bytes in arbitrary chunks', () => {
    fc.assert(
      fc.property(bytes, lengths, delimiter, (all, cuts, separator) => {
        const reading = { ...usual, delimiter: separator };
        const chunks = cut(all, cuts);
        expect(scan(chunks, reading)).toEqual(parseReference(chunks, reading));
      }),
      { numRuns: 3000 },
    );
  });

  test('for well-formed and malformed records in arbitrary chunks', () => {
    fc.assert(
      fc.property(text, fc.oneof(lengths, fc.constant([65_536])), (all, cuts) => {
        const chunks = cut(all, cuts);
        expect(scan(chunks, usual)).toEqual(parseReference(chunks, usual));
      }),
      { numRuns: 1500 },
    );
  });

  test('for records that are too long', () => {
    const lines = fc.array(
      fc.constantFrom('a,b\n', '"a""",b\n', 'aaaaaaaaaaaaaaa,b\n', '"aaaaaaaaaaaaaa\n', 'a"a,b\n'),
    );
    fc.assert(
      fc.property(lines, fc.integer({ min: 4, max: 20 }), (pieces, maxRecordBytes) => {
        const chunks = [Buffer.from(`a,b\n${pieces.join('')}`)];
        const reading = { ...usual, maxRecordBytes };
        expect(scan(chunks, reading)).toEqual(parseReference(chunks, reading));
      }),
      { numRuns: 500 },
    );
  });
});

test('a long record that arrives byte by byte is not scanned again for every byte', () => {
  const scanner = new RecordScanner({ ...usual, firstLine: 1, maxRecordBytes: 1_000_000 });
  scanner.recordParser = recordParser;
  const long = Buffer.from(`a,b\n"${'x'.repeat(60_000)}",1\n`);
  const batches = cut(long, [1]).map((chunk) => readNow(scanner.feed(chunk)));
  expect(readFile(scanner.header, [...batches, readNow(scanner.finish())]).records).toHaveLength(1);
});

test('the texts of a batch cannot be read after the next batch', () => {
  const scanner = new RecordScanner({ ...usual, firstLine: 1 });
  scanner.recordParser = recordParser;
  const batch = scanner.feed(Buffer.from('a,b\n1,2\n'));
  scanner.feed(Buffer.from('3,4\n'));
  expect(() => batch.cellsOf(0)).toThrow('before the next batch');
});
