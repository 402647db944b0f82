// Objects in S3: read in a certain version, written as a stream.
import {
  CopyObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { openWriter } from './files/file-writer.ts';
import { ObjectGone } from './files/object-gone.ts';
import { type ListedVersion, listVersions } from './files/object-versions.ts';

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
  readText(ref: ObjectRef, range?: ByteRange): Promise<string>;
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

  const readText = async (ref: ObjectRef, range?: ByteRange): Promise<string> =>
    Buffer.concat(await Array.fromAsync(await read(ref, range))).toString('utf8');

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
    readText,
    copy,
    open: (bucket, key, type, metadata) => openWriter(client, { Bucket: bucket, Key: key }, type, metadata),
    versions: (bucket, after) => listVersions(client, bucket, after),
  };
}
