// PUT, copy, GET, HEAD and DELETE of objects, with ranges, conditions and versions.

import { type FileHandle, open } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { limits } from '../limits.ts';
import { receiveBody } from './body.ts';
import {
  decodePath,
  invalidArgument,
  invalidRequest,
  noSuchBucket,
  noSuchKey,
  preconditionFailed,
  S3Error,
  type S3Request,
  sendEmpty,
  sendXml,
} from './request.ts';
import type { ObjectStore, Segment, StoredObject } from './store.ts';

/** Called for every new object, before its client is answered. */
export type ObjectCreated = (object: StoredObject, event: 'Put' | 'Copy' | 'CompleteMultipartUpload') => Promise<void>;

const keptHeaders = ['content-type', 'cache-control', 'content-disposition', 'content-language', 'expires'];
const metadataPrefix = 'x-amz-meta-';

const checkMetadata = (headers: Readonly<Record<string, string>>): void => {
  const metadata = Object.entries(headers).filter(([name]) => name.startsWith(metadataPrefix));
  const bytes = metadata.map(([name, value]) => Buffer.byteLength(`${name}${value}`) - metadataPrefix.length);
  if (bytes.reduce((sum, one) => sum + one, 0) <= limits.s3MetadataBytes.value) return;
  throw new S3Error(400, 'MetadataTooLarge', 'Your metadata headers exceed the maximum allowed metadata size');
};

/**
 * The headers of a request that are stored with the object: content type, user metadata, content encoding. SDKs put the
 * metadata of a link into its query.
 * @throws S3Error MetadataTooLarge
 */
export const objectHeaders = ({ request, query }: S3Request): Record<string, string> => {
  const encoding = request.headers['content-encoding']
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== 'aws-chunked' && part !== '')
    .join(',');
  const inQuery = [...query].filter(([name]) => name.startsWith(metadataPrefix));
  const stored = [...inQuery, ...Object.entries(request.headers)].filter(
    ([name, value]) => typeof value === 'string' && (keptHeaders.includes(name) || name.startsWith(metadataPrefix)),
  );
  const kept = Object.fromEntries(stored) as Record<string, string>;
  checkMetadata(kept);
  return {
    'content-type': 'application/octet-stream',
    ...kept,
    ...(encoding ? { 'content-encoding': encoding } : {}),
  };
};

export const versionHeader = ({ version }: StoredObject): Record<string, string> =>
  version === 'null' ? {} : { 'x-amz-version-id': version };

export const requireBucket = (store: ObjectStore, name: string) => {
  const bucket = store.findBucket(name);
  if (bucket === undefined) throw noSuchBucket();
  return bucket;
};

/** Conditional writes: `If-None-Match: *` only creates an object, `If-Match` only replaces the one with that ETag. */
export const checkWriteConditions = (store: ObjectStore, call: S3Request): void => {
  const current = store.findObject(call.bucket, call.key);
  const exists = current !== undefined && !current.deleted;
  if (call.header('if-none-match') === '*' && exists) throw preconditionFailed();
  const expected = call.header('if-match');
  if (expected !== undefined && !exists) throw noSuchKey();
  if (expected !== undefined && expected !== current?.etag) throw preconditionFailed();
};

export const putObject = async (store: ObjectStore, call: S3Request, created: ObjectCreated): Promise<void> => {
  requireBucket(store, call.bucket);
  checkWriteConditions(store, call);
  const headers = objectHeaders(call);
  const file = store.newFile();
  const { size, md5, checksum } = await receiveBody(call.request, store.path(file));
  // Another client may have written the key while this body arrived.
  checkWriteConditions(store, call);
  const object = await store.addObject({
    bucket: call.bucket,
    key: call.key,
    size,
    etag: `"${md5}"`,
    headers: { ...headers, ...checksum },
    segments: [{ file, size }],
  });
  await created(object, 'Put');
  sendEmpty(call.response, 200, { etag: object.etag, ...versionHeader(object), ...checksum });
};

/** The object that `x-amz-copy-source` names (`/bucket/key?versionId=...`, URL-encoded). */
export const copySource = (store: ObjectStore, call: S3Request): StoredObject => {
  const [path = '', version] = (call.header('x-amz-copy-source') ?? '').split('?versionId=');
  const [, bucket = '', key = ''] = /^\/?([^/]+)\/(.+)$/s.exec(decodePath(path)) ?? [];
  requireBucket(store, bucket);
  const source = store.findObject(bucket, key, version);
  if (source === undefined || source.deleted) throw noSuchKey();
  const expected = call.header('x-amz-copy-source-if-match');
  if (expected !== undefined && expected !== source.etag) throw preconditionFailed();
  return source;
};

const checkCopyOntoItself = (call: S3Request, source: StoredObject, replacesMetadata: boolean): void => {
  const isItself = source.bucket === call.bucket && source.key === call.key;
  const hasVersion = call.header('x-amz-copy-source')?.includes('?versionId=') === true;
  const changes = ['x-amz-storage-class', 'x-amz-server-side-encryption'].some((name) => call.header(name));
  if (!isItself || hasVersion || replacesMetadata || changes) return;
  throw invalidRequest(
    'This copy request is illegal because it is trying to copy an object to itself without changing the ' +
      "object's metadata, storage class, website redirect location or encryption attributes.",
  );
};

export const copyObject = async (store: ObjectStore, call: S3Request, created: ObjectCreated): Promise<void> => {
  requireBucket(store, call.bucket);
  const source = copySource(store, call);
  const replacesMetadata = call.header('x-amz-metadata-directive') === 'REPLACE';
  checkCopyOntoItself(call, source, replacesMetadata);
  const object = await store.addObject({
    bucket: call.bucket,
    key: call.key,
    size: source.size,
    etag: source.etag,
    headers: replacesMetadata ? objectHeaders(call) : source.headers,
    segments: await store.linkSegments(source.segments),
  });
  await created(object, 'Copy');
  for (const [name, value] of Object.entries(versionHeader(object))) call.response.setHeader(name, value);
  sendXml(call.response, 'CopyObjectResult', {
    ETag: object.etag,
    LastModified: new Date(object.modifiedAt).toISOString(),
  });
};

const isNotModified = (call: S3Request, object: StoredObject): boolean => {
  const expected = call.header('if-match');
  if (expected !== undefined && expected !== '*' && expected.replaceAll('"', '') !== object.etag.replaceAll('"', '')) {
    throw preconditionFailed();
  }
  const known = call.header('if-none-match');
  if (known !== undefined) return known.replaceAll('"', '') === object.etag.replaceAll('"', '');
  const since = Date.parse(call.header('if-modified-since') ?? '');
  return !Number.isNaN(since) && object.modifiedAt <= since;
};

const findReadable = (store: ObjectStore, call: S3Request): StoredObject => {
  requireBucket(store, call.bucket);
  const version = call.query.get('versionId') ?? undefined;
  const object = store.findObject(call.bucket, call.key, version);
  if (object === undefined && version !== undefined) throw new S3Error(404, 'NoSuchVersion', 'No such version');
  if (object === undefined || object.deleted) throw noSuchKey();
  return object;
};

/** Response headers that a request may set by query, as on AWS: only these, and only in a signed request. */
export const settableHeaders: readonly string[] = [
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-type',
  'expires',
];

const requestedHeaders = ({ query, header }: S3Request): Record<string, string> => {
  const names = settableHeaders.filter((name) => query.has(`response-${name}`));
  const isSigned = header('authorization') !== undefined || query.has('X-Amz-Signature');
  if (names.length > 0 && !isSigned) {
    throw invalidRequest('Request specific response headers cannot be used for anonymous GET requests.');
  }
  const headers = Object.fromEntries(names.map((name) => [name, query.get(`response-${name}`) ?? '']));
  if (Object.values(headers).some((value) => /[^\t\x20-\x7e\x80-\xff]/.test(value))) {
    throw invalidArgument('Header value cannot be represented using ISO-8859-1.');
  }
  return headers;
};

/** GET and HEAD: they differ only in the body. */
export const getObject = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const object = findReadable(store, call);
  const { response } = call;
  const range = call.header('range');
  const isWhole = range === undefined;
  const headers: Record<string, string> = {
    ...object.headers,
    ...versionHeader(object),
    etag: object.etag,
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
    ...requestedHeaders(call),
  };
  // Not as AWS: a browser saves the object, whatever type it claims to have, and shows none.
  if (!/^attachment\b/i.test(headers['content-disposition'] ?? '')) headers['content-disposition'] = 'attachment';
  // The checksum is that of the whole object; a client would compare it with the range.
  if (!isWhole || call.header('x-amz-checksum-mode') === undefined) {
    for (const name of Object.keys(headers)) if (name.startsWith('x-amz-checksum-')) delete headers[name];
  }
  if (isNotModified(call, object)) return sendEmpty(response, 304, { etag: object.etag });

  const { start, end } = isWhole ? { start: 0, end: object.size - 1 } : parseRange(range, object.size);
  headers['content-length'] = String(end - start + 1);
  if (!isWhole) headers['content-range'] = `bytes ${start}-${end}/${object.size}`;
  const hasBody = call.request.method !== 'HEAD' && object.size > 0;
  const bytes = hasBody ? await openRange(store, object, start, end) : [];
  response.writeHead(isWhole ? 200 : 206, headers);
  await pipeline(bytes, response);
};

/** Deletes the named version for good; without a name the object, by a delete marker where the bucket is versioned. */
export const deleteOne = async (store: ObjectStore, bucket: string, key: string, version?: string): Promise<void> => {
  const { versioned } = requireBucket(store, bucket);
  if (version !== undefined || !versioned) return store.removeObject(bucket, key, version);
  await store.addObject({ bucket, key, size: 0, etag: '""', headers: {}, segments: [], deleted: true });
};

export const deleteObject = async (store: ObjectStore, call: S3Request): Promise<void> => {
  await deleteOne(store, call.bucket, call.key, call.query.get('versionId') ?? undefined);
  sendEmpty(call.response, 204);
};

// Reads a range of an object from its files.

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
