// Buckets: making, listing, versioning, notification configuration, and deleting several objects in one call.
import { receiveText } from './body.ts';
import { S3Error } from './errors.ts';
import { deleteOne, requireBucket } from './objects.ts';
import { type S3Request, sendEmpty, sendXml } from './request.ts';
import type { ObjectStore, StoredObject } from './store.ts';
import { elements, elementText, type XmlNode } from './xml.ts';

export const createBucket = async (store: ObjectStore, call: S3Request): Promise<void> => {
  call.request.resume();
  if (store.findBucket(call.bucket) !== undefined) {
    throw new S3Error(409, 'BucketAlreadyOwnedByYou', 'You already own this bucket');
  }
  store.addBucket(call.bucket);
  sendEmpty(call.response, 200, { location: `/${call.bucket}` });
};

export const headBucket = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  sendEmpty(call.response, 200);
};

export const deleteBucket = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  if (store.list(call.bucket, '', '', 1).length > 0) {
    throw new S3Error(409, 'BucketNotEmpty', 'The bucket you tried to delete is not empty');
  }
  store.removeBucket(call.bucket);
  sendEmpty(call.response, 204);
};

export const listBuckets = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const buckets = store.buckets().map(({ name, createdAt }) => ({
    Name: name,
    CreationDate: new Date(createdAt).toISOString(),
  }));
  sendXml(call.response, 'ListAllMyBucketsResult', { Buckets: { Bucket: buckets } });
};

export const getLocation = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  sendXml(call.response, 'LocationConstraint', {});
};

export const putVersioning = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  store.setVersioned(call.bucket, elementText(await receiveText(call.request), 'Status') === 'Enabled');
  sendEmpty(call.response, 200);
};

export const getVersioning = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const { versioned } = requireBucket(store, call.bucket);
  sendXml(call.response, 'VersioningConfiguration', { Status: versioned ? 'Enabled' : undefined });
};

const highest = '\u{10ffff}';

interface Page {
  readonly objects: StoredObject[];
  readonly folders: string[];
  /** The key or folder after which the next page begins. */
  readonly next: string | undefined;
}

/** One page: keys under the prefix, those that share the next `delimiter` folded into one folder. */
const readPage = (
  store: ObjectStore,
  bucket: string,
  prefix: string,
  delimiter: string,
  after: string,
  limit: number,
): Page => {
  const objects: StoredObject[] = [];
  const folders: string[] = [];
  let position = after;
  while (objects.length + folders.length < limit) {
    const [object] = delimiter === '' ? [] : store.list(bucket, prefix, position, 1);
    if (delimiter === '') {
      objects.push(...store.list(bucket, prefix, position, limit));
      position = objects.at(-1)?.key ?? position;
      break;
    }
    if (object === undefined) return { objects, folders, next: undefined };
    const end = object.key.indexOf(delimiter, prefix.length);
    if (end < 0) objects.push(object);
    else folders.push(object.key.slice(0, end + delimiter.length));
    position = end < 0 ? object.key : `${object.key.slice(0, end + delimiter.length)}${highest}`;
  }
  const more = store.list(bucket, prefix, position, 1).length > 0;
  return { objects, folders, next: more ? position : undefined };
};

/** ListObjects and ListObjectsV2; the continuation token is the last key, in base64. */
export const listObjects = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  const parameter = (name: string) => call.query.get(name) ?? '';
  const second = parameter('list-type') === '2';
  const token = Buffer.from(parameter('continuation-token'), 'base64').toString();
  const limit = Math.min(1_000, Number(call.query.get('max-keys') ?? 1_000));
  const prefix = parameter('prefix');
  const after = second ? token || parameter('start-after') : parameter('marker');
  const page =
    limit === 0
      ? { objects: [], folders: [], next: undefined }
      : readPage(store, call.bucket, prefix, parameter('delimiter'), after, limit);
  const encode = (key: string) =>
    parameter('encoding-type') === 'url' ? encodeURIComponent(key).replaceAll('%2F', '/') : key;
  const contents: XmlNode[] = page.objects.map(({ key, etag, size, modifiedAt }) => ({
    Key: encode(key),
    LastModified: new Date(modifiedAt).toISOString(),
    ETag: etag,
    Size: size,
    StorageClass: 'STANDARD',
  }));
  const next = page.next;
  const token64 = next === undefined ? undefined : Buffer.from(next).toString('base64');
  sendXml(call.response, 'ListBucketResult', {
    Name: call.bucket,
    Prefix: encode(prefix),
    Delimiter: call.query.get('delimiter') ?? undefined,
    MaxKeys: limit,
    EncodingType: call.query.get('encoding-type') ?? undefined,
    KeyCount: second ? page.objects.length + page.folders.length : undefined,
    IsTruncated: next !== undefined,
    ...(second ? { NextContinuationToken: token64 } : { NextMarker: next === undefined ? undefined : encode(next) }),
    Contents: contents,
    CommonPrefixes: page.folders.map((folder) => ({ Prefix: encode(folder) })),
  });
};

export const deleteObjects = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  const xml = await receiveText(call.request);
  const deleted: XmlNode[] = [];
  for (const element of elements(xml, 'Object')) {
    const key = elementText(element, 'Key') ?? '';
    await deleteOne(store, call.bucket, key, elementText(element, 'VersionId'));
    deleted.push({ Key: key });
  }
  const quiet = elementText(xml, 'Quiet') === 'true';
  sendXml(call.response, 'DeleteResult', quiet ? {} : { Deleted: deleted });
};
