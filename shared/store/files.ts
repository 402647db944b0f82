// Reads objects of S3 in a certain version, and writes them as a stream.
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CopyObjectCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  type ListObjectVersionsCommandInput,
  type ListObjectVersionsOutput,
  PutObjectCommand,
  type S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import type * as z from 'zod/mini';
import { ObjectGone } from './object-keys.ts';

/** Which object; `versionId` or `etag` (without quotes) pins its content. */
export interface ObjectRef {
  readonly bucket: string;
  readonly key: string;
  readonly versionId?: string | undefined;
  readonly etag?: string | undefined;
}

export interface ObjectHead extends ObjectRef {
  readonly bytes: number;
  readonly etag: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastModified: Date;
}

/** Bytes `start` (inclusive) to `end` (exclusive). */
export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

/** A text object that is being written. Await each call before the next one: that is the back-pressure. */
export interface FileWriter {
  /** Text, or UTF-8 bytes, which are copied before the promise resolves. */
  write(chunk: string | Uint8Array): Promise<void>;
  close(): Promise<void>;
  /** Discards what was written. The object stays as it was before. */
  abort(): Promise<void>;
}

export interface ObjectReader {
  /** undefined: there is no such object. */
  head(ref: ObjectRef): Promise<ObjectHead | undefined>;
  /** By version, else only while the object still has the given etag. @throws ObjectGone */
  read(ref: ObjectRef, range?: ByteRange): Promise<AsyncIterable<Uint8Array>>;
}

export interface Files extends ObjectReader {
  /** @throws ObjectGone */
  readBytes(ref: ObjectRef, range?: ByteRange): Promise<Buffer>;
  /** @throws ObjectGone */
  readText(ref: ObjectRef): Promise<string>;
  /** The same content under another key, with other metadata. Returns its version. @throws ObjectGone */
  copy(from: ObjectRef, to: ObjectRef, metadata: Readonly<Record<string, string>>): Promise<string>;
  open(bucket: string, key: string, contentType: string, metadata?: Readonly<Record<string, string>>): FileWriter;
  /** Every version that was not deleted, overwritten or not, of the keys after `after`. */
  versions(bucket: string, after?: string): AsyncIterable<ListedVersion>;
}

const unquoted = (etag: string | undefined): string => (etag ?? '').replaceAll('"', '');

/** 404: no such object or version. 412: the object has another etag. */
const isGone = (error: unknown): boolean =>
  error instanceof S3ServiceException && [404, 412].includes(error.$metadata.httpStatusCode ?? 0);

const pinned = (ref: ObjectRef) => ({
  Bucket: ref.bucket,
  Key: ref.key,
  VersionId: ref.versionId,
  IfMatch: ref.versionId === undefined && ref.etag !== undefined ? `"${ref.etag}"` : undefined,
});

/** The whole of what is read. */
export const bytesOf = async (reading: Promise<AsyncIterable<Uint8Array>>): Promise<Buffer> =>
  Buffer.concat(await Array.fromAsync(await reading));

export function createFiles(client: S3Client): Files {
  const head = async (ref: ObjectRef): Promise<ObjectHead | undefined> => {
    try {
      const found = await client.send(new HeadObjectCommand(pinned(ref)));
      return {
        ...ref,
        versionId: ref.versionId ?? found.VersionId,
        bytes: found.ContentLength ?? 0,
        etag: unquoted(found.ETag),
        metadata: found.Metadata ?? {},
        lastModified: found.LastModified ?? new Date(0),
      };
    } catch (error) {
      if (isGone(error)) return undefined;
      throw error;
    }
  };

  const read = async (ref: ObjectRef, range?: ByteRange): Promise<AsyncIterable<Uint8Array>> => {
    const Range = range && `bytes=${range.start}-${range.end - 1}`;
    try {
      const found = await client.send(new GetObjectCommand({ ...pinned(ref), Range }));
      return found.Body as unknown as AsyncIterable<Uint8Array>;
    } catch (error) {
      if (isGone(error)) throw new ObjectGone(ref, error);
      throw error;
    }
  };

  const copy: Files['copy'] = async (from, to, metadata) => {
    const source = `${from.bucket}/${encodeURIComponent(from.key)}`;
    try {
      const copied = await client.send(
        new CopyObjectCommand({
          Bucket: to.bucket,
          Key: to.key,
          MetadataDirective: 'REPLACE',
          Metadata: { ...metadata },
          CopySource: from.versionId === undefined ? source : `${source}?versionId=${from.versionId}`,
        }),
      );
      return copied.VersionId ?? unquoted(copied.CopyObjectResult?.ETag);
    } catch (error) {
      if (isGone(error)) throw new ObjectGone(from, error);
      throw error;
    }
  };

  return {
    head,
    read,
    readBytes: async (ref, range) => bytesOf(read(ref, range)),
    readText: async (ref) => (await bytesOf(read(ref))).toString('utf8'),
    copy,
    open: (bucket, key, type, metadata) => openWriter(client, { Bucket: bucket, Key: key }, type, metadata),
    versions: (bucket, after) => listVersions(client, bucket, after),
  };
}

// Writes a text object as a stream: one PUT if it is small, a multipart upload otherwise.

/** More than S3's minimum of 5 MiB. 10,000 such parts are 80 GB. */
const partBytes = 8 * 1024 * 1024;
/** A part and the chunk that completes it. */
const roomOfPart = partBytes + 256 * 1024;

/** A `FileWriter` of files.ts. */
export function openWriter(
  client: S3Client,
  object: { readonly Bucket: string; readonly Key: string },
  contentType: string,
  metadata: Readonly<Record<string, string>> = {},
) {
  const created = { ...object, ContentType: contentType, Metadata: { ...metadata } };
  // The SDK sends a checksum with each part. S3 takes one only of the algorithm that the upload was created with.
  const checked = { ChecksumAlgorithm: 'CRC32' } as const;
  const parts: CompletedPart[] = [];
  const waiting = createPartBuffer();
  let uploadId: string | undefined;
  /** The part that is being uploaded, one at a time, while the next one fills. */
  let sending: Promise<void> = Promise.resolve();

  const sendPart = async (body: Buffer): Promise<void> => {
    uploadId ??= (await client.send(new CreateMultipartUploadCommand({ ...created, ...checked }))).UploadId;
    const PartNumber = parts.length + 1;
    const part = { ...object, ...checked, UploadId: uploadId, PartNumber, Body: body };
    const { ETag, ChecksumCRC32 } = await client.send(new UploadPartCommand(part));
    parts.push({ ETag, ChecksumCRC32, PartNumber });
  };

  const write = async (chunk: string | Uint8Array): Promise<void> => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk, 'utf8') : chunk;
    if (waiting.append(bytes) < partBytes) return;
    await sending;
    sending = sendPart(waiting.take());
    // The next await of `sending` throws the failure. Until then it must not count as unhandled.
    sending.catch(() => {});
  };

  const close = async (): Promise<void> => {
    await sending;
    const last = waiting.take();
    if (uploadId === undefined) {
      await client.send(new PutObjectCommand({ ...created, Body: last }));
    } else {
      if (last.length > 0) await sendPart(last);
      const upload = { UploadId: uploadId, MultipartUpload: { Parts: parts } };
      await client.send(new CompleteMultipartUploadCommand({ ...object, ...upload }));
    }
  };

  const abort = async (): Promise<void> => {
    waiting.take();
    await sending.catch(() => {});
    if (uploadId !== undefined) await client.send(new AbortMultipartUploadCommand({ ...object, UploadId: uploadId }));
  };

  return { write, close, abort };
}

/** Bytes that are copied into one growing buffer. */
function createPartBuffer() {
  let buffer: Buffer = Buffer.alloc(0);
  let length = 0;
  return {
    /** Returns how many bytes wait then. */
    append: (bytes: Uint8Array): number => {
      if (length + bytes.length > buffer.length) {
        const grown = Buffer.allocUnsafeSlow(Math.max(length + bytes.length, Math.min(2 * buffer.length, roomOfPart)));
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      buffer.set(bytes, length);
      length += bytes.length;
      return length;
    },
    take: (): Buffer => {
      const taken = buffer.subarray(0, length);
      buffer = Buffer.alloc(0);
      length = 0;
      return taken;
    },
  };
}

// Reads an object that holds one JSON value per line, as a stream.

const lineFeed = 0x0a;

export async function* readJsonLines<Value>(
  files: ObjectReader,
  object: ObjectRef,
  schema: z.core.$ZodType<Value> & { parse(value: unknown): Value },
): AsyncIterable<Value> {
  for await (const line of splitLines(await files.read(object))) yield schema.parse(JSON.parse(line));
}

/** Splits at line feeds only: JSON text may hold the other line separators of Unicode. Empty lines are skipped. */
export async function* splitLines(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncIterable<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(lineFeed); end >= 0; end = bytes.indexOf(lineFeed, start)) {
      if (end > start) yield bytes.toString('utf8', start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield rest.toString('utf8');
}

// Every version of the objects of a bucket, except deleted ones.

export interface ListedVersion {
  readonly bucket: string;
  readonly key: string;
  readonly versionId: string;
  /** Without quotes. */
  readonly etag: string;
  readonly lastModified: Date;
}

/**
 * By key, after the key `after`, and the newest version first. Overwritten versions are listed, deleted ones are not.
 */
export async function* listVersions(client: S3Client, bucket: string, after = ''): AsyncIterable<ListedVersion> {
  const deletedAt = new Map<string, number>();
  for await (const page of versionPages(client, { Bucket: bucket, ...(after !== '' && { KeyMarker: after }) })) {
    noteDeletes(page, deletedAt);
    for (const { Key: key = '', VersionId: versionId = '', ETag = '', LastModified = new Date(0) } of page.Versions ??
      []) {
      if ((deletedAt.get(key) ?? 0) > LastModified.getTime()) continue;
      yield { bucket, key, versionId, etag: ETag.replaceAll('"', ''), lastModified: LastModified };
    }
  }
}

/** With the versions that were deleted. */
export async function* versionPages(
  client: S3Client,
  query: ListObjectVersionsCommandInput,
): AsyncIterable<ListObjectVersionsOutput> {
  let next: ListObjectVersionsCommandInput | undefined = query;
  while (next !== undefined) {
    const page: ListObjectVersionsOutput = await client.send(new ListObjectVersionsCommand(next));
    yield page;
    const { NextKeyMarker: KeyMarker, NextVersionIdMarker: VersionIdMarker } = page;
    next = page.IsTruncated ? { ...query, KeyMarker, VersionIdMarker } : undefined;
  }
}

/**
 * A delete marker is listed before the versions that it hides, perhaps on an earlier page. All times are whole seconds.
 */
function noteDeletes({ DeleteMarkers = [] }: ListObjectVersionsOutput, deletedAt: Map<string, number>): void {
  for (const { Key = '', IsLatest, LastModified } of DeleteMarkers) {
    const at = IsLatest ? Number.POSITIVE_INFINITY : (LastModified?.getTime() ?? 0);
    deletedAt.set(Key, Math.max(at, deletedAt.get(Key) ?? 0));
  }
}
