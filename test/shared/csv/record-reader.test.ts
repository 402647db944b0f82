// The fast way through a CSV against csv-parse alone: the same header, records, lines, issues and fault, whatever the bytes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Delimiter } from '#shared/csv/header-line.ts';
import { RecordCollector } from '#shared/csv/record-collector.ts';
import { RecordParser } from '#shared/csv/record-parser.ts';
import { RecordReader } from '#shared/csv/record-reader.ts';
import type { RecordBatch } from '#shared/csv/records.ts';

interface Told {
  readonly header: readonly string[] | undefined;
  readonly records: (readonly [number, readonly string[]])[];
  readonly rejected: RecordBatch['rejected'];
  readonly fault: RecordBatch['fault'];
}

/** The texts of a batch are made before the next one is read. */
const readNow = (batch: RecordBatch): RecordBatch => {
  expect(batch.cells).toHaveLength(batch.lines.length);
  return batch;
};

const told = (header: readonly string[] | undefined, batches: readonly RecordBatch[]): Told => ({
  header,
  records: batches.flatMap(({ lines, cells }) => lines.map((line, index) => [line, cells[index] ?? []] as const)),
  rejected: batches.flatMap((batch) => batch.rejected),
  fault: batches.at(-1)?.fault ?? null,
});

interface Reading {
  readonly delimiter: Delimiter;
  readonly maxRecordBytes: number;
}

const usual: Reading = { delimiter: ',', maxRecordBytes: 100_000 };

function fast(chunks: readonly Buffer[], reading: Reading): Told {
  const reader = new RecordReader({ ...reading, firstLine: 1 });
  const batches: RecordBatch[] = [];
  for (const chunk of chunks) {
    batches.push(readNow(reader.feed(chunk)));
    if (batches.at(-1)?.fault) return told(reader.header, batches);
  }
  batches.push(readNow(reader.finish()));
  return told(reader.header, batches);
}

function authority(chunks: readonly Buffer[], reading: Reading): Told {
  const collector = new RecordCollector();
  const parser = new RecordParser({ ...reading, firstLine: 1 }, collector);
  for (const chunk of chunks) {
    parser.feed(chunk);
    if (collector.fault !== null) return told(collector.header, [collector.take()]);
  }
  parser.finish();
  collector.end();
  return told(collector.header, [collector.take()]);
}

/** The bytes cut after so many bytes each, again and again. */
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

/** Anything at all, though mostly what a CSV is made of. */
const bytes = fc
  .array(
    fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...[...',;\t"\n\rab1 '].map((character) => character.charCodeAt(0))) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 255 }) },
    ),
    { maxLength: 120 },
  )
  .map((all) => Uint8Array.from(all));

/** Texts in which most records are in order, some quoted, some with quotes gone wrong. */
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

describe('reading without csv-parse is reading with it', () => {
  test('for arbitrary bytes in arbitrary chunks', () => {
    fc.assert(
      fc.property(bytes, lengths, delimiter, (all, cuts, separator) => {
        const reading = { ...usual, delimiter: separator };
        const chunks = cut(all, cuts);
        expect(fast(chunks, reading)).toEqual(authority(chunks, reading));
      }),
      { numRuns: 3000 },
    );
  });

  test('for records in and out of order, in arbitrary chunks', () => {
    fc.assert(
      fc.property(text, fc.oneof(lengths, fc.constant([65_536])), (all, cuts) => {
        const chunks = cut(all, cuts);
        expect(fast(chunks, usual)).toEqual(authority(chunks, usual));
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
        expect(fast(chunks, reading)).toEqual(authority(chunks, reading));
      }),
      { numRuns: 500 },
    );
  });
});

test('a long record that trickles in byte by byte is not scanned anew with every byte', () => {
  const reader = new RecordReader({ ...usual, firstLine: 1, maxRecordBytes: 1_000_000 });
  const long = Buffer.from(`a,b\n"${'x'.repeat(60_000)}",1\n`);
  const batches = cut(long, [1]).map((chunk) => readNow(reader.feed(chunk)));
  expect(told(reader.header, [...batches, readNow(reader.finish())]).records).toHaveLength(1);
});

test('the texts of a batch cannot be had any more once the next one was read', () => {
  const reader = new RecordReader({ ...usual, firstLine: 1 });
  const batch = reader.feed(Buffer.from('a,b\n1,2\n'));
  reader.feed(Buffer.from('3,4\n'));
  expect(() => batch.cells).toThrow('before the next batch');
});
