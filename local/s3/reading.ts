// Reading a range of an object out of the files it is made of.
import { open } from 'node:fs/promises';
import { S3Error } from './errors.ts';
import type { ObjectStore, Segment, StoredObject } from './store.ts';

/** First and last byte, both included, of `bytes=a-b`, `bytes=a-` or `bytes=-n` within `size`. */
export const parseRange = (header: string, size: number): { start: number; end: number } => {
  const [, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/.exec(header) ?? [];
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size - 1 : Math.min(Number(last), size - 1);
  if ((first === '' && last === '') || start > end) {
    throw new S3Error(416, 'InvalidRange', 'The requested range is not satisfiable');
  }
  return { start, end };
};

/** Cuts a range of the object into ranges of its files. */
const segmentRanges = (segments: readonly Segment[], start: number, end: number) => {
  let offset = 0;
  return segments.flatMap(({ file, size }) => {
    const from = Math.max(0, start - offset);
    const to = Math.min(size - 1, end - offset);
    offset += size;
    return from <= to ? [{ file, start: from, end: to }] : [];
  });
};

const chunkBytes = 262_144;

/** The bytes from `start` to `end`, both included. */
export async function* readRange(
  store: ObjectStore,
  object: StoredObject,
  start: number,
  end: number,
): AsyncGenerator<Buffer> {
  const ranges = segmentRanges(object.segments, start, end);
  // All are opened before the first byte: a file that is replaced meanwhile stays readable to the end.
  const files = await Promise.all(
    ranges.map(async (range) => ({ ...range, handle: await open(store.path(range.file)) })),
  );
  try {
    for (const { handle, ...range } of files) {
      yield* handle.createReadStream({
        start: range.start,
        end: range.end,
        autoClose: false,
        highWaterMark: chunkBytes,
      });
    }
  } finally {
    await Promise.all(files.map(({ handle }) => handle.close()));
  }
}
