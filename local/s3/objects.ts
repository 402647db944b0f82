// PUT, copy, GET, HEAD and DELETE of objects, with ranges, conditions and versions.
import { pipeline } from 'node:stream/promises';
import { receiveBody } from './body.ts';
import { noSuchBucket, noSuchKey, preconditionFailed, S3Error } from './errors.ts';
import { parseRange, readRange } from './reading.ts';
import { type S3Request, sendEmpty, sendXml } from './request.ts';
import type { ObjectStore, StoredObject } from './store.ts';

/** Told of every object that was made, before its client is answered. */
export type ObjectCreated = (object: StoredObject, event: 'Put' | 'Copy' | 'CompleteMultipartUpload') => Promise<void>;

const keptHeaders = ['content-type', 'cache-control', 'content-disposition', 'content-language', 'expires'];

/** The headers of a request that belong to the object: content type, user metadata, content encoding. */
export const objectHeaders = ({ request }: S3Request): Record<string, string> => {
  const encoding = request.headers['content-encoding']
    ?.split(',')
    .map((part) => part.trim())
    .filter((part) => part !== 'aws-chunked' && part !== '')
    .join(',');
  const kept = Object.entries(request.headers).filter(
    ([name, value]) => typeof value === 'string' && (keptHeaders.includes(name) || name.startsWith('x-amz-meta-')),
  );
  return {
    'content-type': 'application/octet-stream',
    ...(Object.fromEntries(kept) as Record<string, string>),
    ...(encoding ? { 'content-encoding': encoding } : {}),
  };
};

const versionHeader = ({ version }: StoredObject): Record<string, string> =>
  version === 'null' ? {} : { 'x-amz-version-id': version };

export const requireBucket = (store: ObjectStore, name: string) => {
  const bucket = store.findBucket(name);
  if (bucket === undefined) throw noSuchBucket(name);
  return bucket;
};

/** Conditional writes: `If-None-Match: *` makes only new objects, `If-Match` replaces only what the client has seen. */
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
  const file = store.newFile();
  const { size, md5, checksum } = await receiveBody(call.request, store.path(file));
  // Asked again: another client may have written the key while this body was on its way.
  checkWriteConditions(store, call);
  const object = await store.addObject({
    ...{ bucket: call.bucket, key: call.key, size, etag: `"${md5}"` },
    headers: { ...objectHeaders(call), ...checksum },
    segments: [{ file, size }],
  });
  await created(object, 'Put');
  sendEmpty(call.response, 200, { etag: object.etag, ...versionHeader(object), ...checksum });
};

/** The object that `x-amz-copy-source` names (`/bucket/key?versionId=...`, URL-encoded). */
export const copySource = (store: ObjectStore, call: S3Request): StoredObject => {
  const [path = '', version] = (call.header('x-amz-copy-source') ?? '').split('?versionId=');
  const [, bucket = '', key = ''] = /^\/?([^/]+)\/(.+)$/s.exec(decodeURIComponent(path)) ?? [];
  requireBucket(store, bucket);
  const source = store.findObject(bucket, key, version);
  if (source === undefined || source.deleted) throw noSuchKey();
  const expected = call.header('x-amz-copy-source-if-match');
  if (expected !== undefined && expected !== source.etag) throw preconditionFailed();
  return source;
};

export const copyObject = async (store: ObjectStore, call: S3Request, created: ObjectCreated): Promise<void> => {
  requireBucket(store, call.bucket);
  const source = copySource(store, call);
  const object = await store.addObject({
    ...{ bucket: call.bucket, key: call.key, size: source.size, etag: source.etag },
    headers: call.header('x-amz-metadata-directive') === 'REPLACE' ? objectHeaders(call) : source.headers,
    segments: await store.linkSegments(source.segments),
  });
  await created(object, 'Copy');
  for (const [name, value] of Object.entries(versionHeader(object))) call.response.setHeader(name, value);
  sendXml(call.response, 'CopyObjectResult', {
    ETag: object.etag,
    LastModified: new Date(object.modifiedAt).toISOString(),
  });
};

const notModified = (call: S3Request, object: StoredObject): boolean => {
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

/** GET and HEAD: they differ only in the body. */
export const getObject = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const object = findReadable(store, call);
  const { response } = call;
  const checksums = Object.keys(object.headers).filter((name) => name.startsWith('x-amz-checksum-'));
  const range = call.header('range');
  const whole = range === undefined;
  const headers: Record<string, string> = {
    ...object.headers,
    ...versionHeader(object),
    etag: object.etag,
    'last-modified': new Date(object.modifiedAt).toUTCString(),
    'accept-ranges': 'bytes',
  };
  // The checksum is that of the whole object; a client would hold it against the part it asked for.
  if (!whole || call.header('x-amz-checksum-mode') === undefined) for (const name of checksums) delete headers[name];
  for (const [name, value] of call.query) if (name.startsWith('response-')) headers[name.slice(9)] = value;
  if (notModified(call, object)) return sendEmpty(response, 304, { etag: object.etag });

  const { start, end } = whole ? { start: 0, end: object.size - 1 } : parseRange(range, object.size);
  headers['content-length'] = String(end - start + 1);
  if (!whole) headers['content-range'] = `bytes ${start}-${end}/${object.size}`;
  response.writeHead(whole ? 200 : 206, headers);
  if (call.request.method === 'HEAD' || object.size === 0) {
    response.end();
    return;
  }
  await pipeline(readRange(store, object, start, end), response);
};

/** Deletes one version for good where it is named, else the object: by a marker where the bucket keeps versions. */
export const deleteOne = async (store: ObjectStore, bucket: string, key: string, version?: string): Promise<void> => {
  const { versioned } = requireBucket(store, bucket);
  if (version !== undefined || !versioned) return store.removeObject(bucket, key, version);
  await store.addObject({ bucket, key, size: 0, etag: '""', headers: {}, segments: [], deleted: true });
};

export const deleteObject = async (store: ObjectStore, call: S3Request): Promise<void> => {
  await deleteOne(store, call.bucket, call.key, call.query.get('versionId') ?? undefined);
  sendEmpty(call.response, 204);
};
