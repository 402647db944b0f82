// CSV bytes in, numbered records out.
import type { Issue } from '#shared/domain/issue.ts';
import { FileFault } from './file-fault.ts';
import { findHeader, type HeaderPlace } from './header-line.ts';
import { type TextEnd, textEnd } from './line-breaks.ts';
import { RecordCollector } from './record-collector.ts';
import { RecordReader } from './record-reader.ts';
import type { CsvOptions, OpenedCsv, RecordBatch } from './records.ts';
import { decodeText, Undecodable } from './text-decoder.ts';

const defaultMaxRecordBytes = 256 * 1024;
/** Bounds a batch, whatever chunks the source deals in. */
const sliceBytes = 64 * 1024;

/**
 * Reads up to the header; the records follow as they are asked for. UTF-8, or UTF-16 with a byte order mark; `,` `;` or
 * tab. Memory is bounded by `maxRecordBytes` and one chunk of the source. What is wrong with the file comes back as an
 * issue, what is wrong with a record as a rejected record; only errors of `source` itself are thrown.
 */
export async function readCsv(source: AsyncIterable<Uint8Array>, options: CsvOptions = {}): Promise<OpenedCsv> {
  const maxRecordBytes = options.maxRecordBytes ?? defaultMaxRecordBytes;
  const slices = inSlices(decodeText(source));
  try {
    const { place, bytes } = await readToHeader(slices, maxRecordBytes);
    const parser = new RecordReader({ delimiter: place.delimiter, firstLine: place.line, maxRecordBytes });
    const batches = parseRecords(parser, bytes, slices);
    let step = await batches.next();
    while (parser.header === undefined && !step.done && step.value.fault === null) step = await batches.next();
    if (parser.header === undefined) throw faultOf(step.value?.fault);
    const contents = {
      header: parser.header,
      headerLine: place.line,
      delimiter: place.delimiter,
      batches: withContent(step.value, batches),
      close: async () => {
        await batches.return(undefined);
      },
    };
    return { ok: true, value: contents };
  } catch (fault) {
    await slices.return(undefined);
    return { ok: false, issue: issueOf(fault) };
  }
}

async function readToHeader(slices: AsyncGenerator<Buffer, undefined>, maxRecordBytes: number) {
  let bytes: Buffer = Buffer.alloc(0);
  let place: HeaderPlace | null | undefined;
  for (let last = false; place === undefined && !last; ) {
    const next = await slices.next().catch((fault: unknown) => {
      throw placed(fault, textEnd(bytes, 1));
    });
    last = next.done === true;
    if (next.value !== undefined) bytes = Buffer.concat([bytes, next.value]);
    place = findHeader(bytes, last || bytes.length > maxRecordBytes);
  }
  if (place === undefined || place === null) throw new FileFault('FILE_EMPTY', 'the file is empty');
  return { place, bytes: bytes.subarray(place.offset) };
}

/** One batch for each slice, empty ones included, up to the end or the first fault. */
async function* parseRecords(
  parser: RecordReader,
  bytes: Buffer,
  slices: AsyncGenerator<Buffer, undefined>,
): AsyncGenerator<RecordBatch, undefined> {
  try {
    let batch = parser.feed(bytes);
    for (let last = false; !last && batch.fault === null; ) {
      yield batch;
      const next = await slices.next();
      last = next.done === true;
      batch = next.value === undefined ? parser.finish() : parser.feed(next.value);
    }
    yield batch;
  } catch (fault) {
    yield faulty(issueOf(placed(fault, parser.end)));
  } finally {
    await slices.return(undefined);
  }
}

async function* withContent(first: RecordBatch | undefined, rest: AsyncGenerator<RecordBatch, undefined>) {
  try {
    if (first !== undefined && hasContent(first)) yield first;
    for await (const batch of rest) {
      if (hasContent(batch)) yield batch;
    }
  } finally {
    await rest.return(undefined);
  }
}

function faulty(issue: Issue): RecordBatch {
  const collector = new RecordCollector();
  collector.fault = issue;
  return collector.take();
}

const hasContent = ({ lines, rejected, fault }: RecordBatch): boolean =>
  lines.length > 0 || rejected.length > 0 || fault !== null;

async function* inSlices(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer, undefined> {
  for await (const chunk of chunks) {
    for (let start = 0; start < chunk.length; start += sliceBytes) yield chunk.subarray(start, start + sliceBytes);
  }
}

const faultOf = (issue: Issue | null | undefined): FileFault =>
  issue ? new FileFault(issue.code, issue.message, issue.line) : new FileFault('FILE_EMPTY', 'the file is empty');

/** Nobody counts the lines of a file a second time unless something is wrong with it. */
const placed = (fault: unknown, end: TextEnd): unknown => (fault instanceof Undecodable ? fault.behind(end) : fault);

/** The issue of a `FileFault`; anything else is an error of the source and is thrown on. */
function issueOf(fault: unknown): Issue {
  if (fault instanceof FileFault) return fault.issue;
  throw fault;
}
