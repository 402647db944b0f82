// Reads a range of an object from its files.
import { type FileHandle, open } from 'node:fs/promises';
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

interface OpenFile {
  readonly handle: FileHandle;
  readonly start: number;
  readonly end: number;
}

async function* readFiles(files: readonly OpenFile[]): AsyncGenerator<Buffer> {
  try {
    for (const { handle, start, end } of files) {
      yield* handle.createReadStream({ start, end, autoClose: false, highWaterMark: chunkBytes });
    }
  } finally {
    await Promise.all(files.map(({ handle }) => handle.close()));
  }
}

/**
 * The bytes from `start` to `end`, both included. Every file is open when it returns: one that is replaced meanwhile
 * stays readable to the end.
 * @throws S3Error InternalError where a file of the object is missing
 */
export const openRange = async (
  store: ObjectStore,
  object: StoredObject,
  start: number,
  end: number,
): Promise<AsyncGenerator<Buffer>> => {
  const files: OpenFile[] = [];
  try {
    for (const { file, ...range } of segmentRanges(object.segments, start, end)) {
      files.push({ ...range, handle: await open(store.path(file)) });
    }
  } catch (error) {
    await Promise.all(files.map(({ handle }) => handle.close()));
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    throw new S3Error(500, 'InternalError', `A file of s3://${object.bucket}/${object.key} is missing on disk`);
  }
  return readFiles(files);
};
