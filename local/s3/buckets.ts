// Buckets: creating, listing, versioning, and deleting several objects in one call.
import { receiveText } from './body.ts';
import { notImplemented, S3Error } from './errors.ts';
import { deleteOne, requireBucket } from './objects.ts';
import { keyEncoder, pageLimit, type S3Request, sendEmpty, sendXml } from './request.ts';
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

export const listBuckets = async (store: ObjectStore, call: S3Request): Promise<void> => {
  const buckets = store.buckets().map(({ name, createdAt }) => ({
    Name: name,
    CreationDate: new Date(createdAt).toISOString(),
  }));
  sendXml(call.response, 'ListAllMyBucketsResult', { Buckets: { Bucket: buckets } });
};

export const putVersioning = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  store.setVersioned(call.bucket, elementText(await receiveText(call.request), 'Status') === 'Enabled');
  sendEmpty(call.response, 200);
};

const highestCharacter = '\u{10ffff}';

interface Page {
  readonly objects: StoredObject[];
  readonly folders: string[];
  /** The key or folder after which the next page begins. */
  readonly next: string | undefined;
}

interface PageQuery {
  readonly bucket: string;
  readonly prefix: string;
  readonly delimiter: string;
  readonly after: string;
  readonly limit: number;
}

/** One page: keys under the prefix; those that are equal up to the next `delimiter` become one folder. */
const readPage = (store: ObjectStore, { bucket, prefix, delimiter, after, limit }: PageQuery): Page => {
  const objects: StoredObject[] = [];
  const folders: string[] = [];
  let position = after;
  if (limit === 0) return { objects, folders, next: undefined };
  if (delimiter === '') {
    objects.push(...store.list(bucket, prefix, position, limit));
    position = objects.at(-1)?.key ?? position;
  }
  while (delimiter !== '' && objects.length + folders.length < limit) {
    const [object] = store.list(bucket, prefix, position, 1);
    if (object === undefined) return { objects, folders, next: undefined };
    const end = object.key.indexOf(delimiter, prefix.length);
    const folder = object.key.slice(0, end + delimiter.length);
    if (end < 0) objects.push(object);
    else folders.push(folder);
    position = end < 0 ? object.key : `${folder}${highestCharacter}`;
  }
  const more = store.list(bucket, prefix, position, 1).length > 0;
  return { objects, folders, next: more ? position : undefined };
};

/** ListObjectsV2; the continuation token is the last key, in base64. */
export const listObjects = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  const parameter = (name: string) => call.query.get(name) ?? '';
  if (parameter('list-type') !== '2') throw notImplemented('ListObjects; use ListObjectsV2');
  const limit = pageLimit(call);
  const [prefix, delimiter] = [parameter('prefix'), parameter('delimiter')];
  const after = Buffer.from(parameter('continuation-token'), 'base64').toString() || parameter('start-after');
  const { objects, folders, next } = readPage(store, { bucket: call.bucket, prefix, delimiter, after, limit });
  const encode = keyEncoder(call);
  const contents: XmlNode[] = objects.map(({ key, etag, size, modifiedAt }) => ({
    Key: encode(key),
    LastModified: new Date(modifiedAt).toISOString(),
    ETag: etag,
    Size: size,
    StorageClass: 'STANDARD',
  }));
  sendXml(call.response, 'ListBucketResult', {
    Name: call.bucket,
    Prefix: encode(prefix),
    Delimiter: call.query.get('delimiter') ?? undefined,
    MaxKeys: limit,
    EncodingType: call.query.get('encoding-type') ?? undefined,
    KeyCount: objects.length + folders.length,
    IsTruncated: next !== undefined,
    NextContinuationToken: next === undefined ? undefined : Buffer.from(next).toString('base64'),
    Contents: contents,
    CommonPrefixes: folders.map((folder) => ({ Prefix: encode(folder) })),
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
