// Files over the double of S3, with what a test does to its objects.
import { createFiles, type Files } from '#shared/store/files.ts';
import { type BucketTwin, createBucketTwin } from './bucket.ts';

export interface MemoryFiles extends Files {
  /** As any client does it. Returns the etag, without quotes. */
  put(bucket: string, key: string, body: string | Buffer, metadata?: Record<string, string>): string;
  remove(bucket: string, key: string): void;
  /** '' if there is no such object. */
  text(bucket: string, key: string): string;
  /** `bucket/key` of every object, in order. */
  keys(): string[];
  /** Bytes a read hands out at a time. */
  chunkBytes: number;
}

export function memoryFiles(
  bucket: BucketTwin = createBucketTwin({ now: Date.now, isVersioned: () => false }),
): MemoryFiles {
  const stored = createFiles(bucket as unknown as Parameters<typeof createFiles>[0]);
  const files: MemoryFiles = {
    ...stored,
    chunkBytes: 64 * 1024,
    read: async (ref, range) => inChunks(await stored.readBytes(ref, range), files.chunkBytes),
    put: (name, key, body, metadata = {}) => bucket.put(name, key, body, metadata).etag,
    remove: (name, key) => bucket.remove(name, key),
    text: (name, key) => bucket.text(name, key),
    keys: () => bucket.places().sort(),
  };
  return files;
}

async function* inChunks(body: Buffer, size: number): AsyncIterable<Uint8Array> {
  for (let start = 0; start < body.length; start += size) yield body.subarray(start, start + size);
}
