// Both versions of ListObjects, and ListObjectVersions: keys by prefix and folder, page by page.

import { requireBucket } from './objects.ts';
import type { XmlNode } from './request.ts';
import { invalidArgument, keyEncoder, notImplemented, pageLimit, type S3Request, sendXml } from './request.ts';
import type { ObjectStore, StoredObject } from './store.ts';

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

/**
 * The position of a page. A folder that ended a page, as the first version names it, comes before all keys in it, so
 * the page would show it again.
 */
const startOf = ({ query }: S3Request): string => {
  const parameter = (name: string) => query.get(name) ?? '';
  if (parameter('list-type') === '2') {
    return Buffer.from(parameter('continuation-token'), 'base64').toString() || parameter('start-after');
  }
  const [marker, delimiter] = [parameter('marker'), parameter('delimiter')];
  return delimiter !== '' && marker.endsWith(delimiter) ? `${marker}${highestCharacter}` : marker;
};

/** What only one of the versions has: how the next page is named. In the second, it is the last key in base64. */
const pageNames = (call: S3Request, { objects, folders, next }: Page): XmlNode => {
  const parameter = (name: string) => call.query.get(name) ?? undefined;
  const encode = keyEncoder(call);
  if (parameter('list-type') === '2') {
    const NextContinuationToken = next === undefined ? undefined : Buffer.from(next).toString('base64');
    return { KeyCount: objects.length + folders.length, NextContinuationToken };
  }
  const isNamed = next !== undefined && parameter('delimiter') !== undefined;
  const NextMarker = isNamed ? encode(next.replace(highestCharacter, '')) : undefined;
  return { Marker: encode(parameter('marker') ?? ''), NextMarker };
};

export const listObjects = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  const parameter = (name: string) => call.query.get(name) ?? '';
  const limit = pageLimit(call);
  const [prefix, delimiter] = [parameter('prefix'), parameter('delimiter')];
  const page = readPage(store, { bucket: call.bucket, prefix, delimiter, after: startOf(call), limit });
  const encode = keyEncoder(call);
  const contents: XmlNode[] = page.objects.map(({ key, etag, size, modifiedAt }) => ({
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
    ...pageNames(call, page),
    IsTruncated: page.next !== undefined,
    Contents: contents,
    CommonPrefixes: page.folders.map((folder) => ({ Prefix: encode(folder) })),
  });
};

type Listed = ReturnType<ObjectStore['listVersions']>[number];

/** The page begins after this version, or after all versions of the key. */
const startOfVersions = (store: ObjectStore, { bucket, query }: S3Request): { key: string; sequence: number } => {
  const key = query.get('key-marker') ?? '';
  const version = query.get('version-id-marker');
  if (!version) return { key, sequence: 0 };
  const found = store.findObject(bucket, key, version);
  if (found === undefined) throw invalidArgument('Invalid version id specified');
  return { key, sequence: found.sequence };
};

export const listVersions = async (store: ObjectStore, call: S3Request): Promise<void> => {
  requireBucket(store, call.bucket);
  const { query } = call;
  if (query.get('delimiter')) throw notImplemented('a delimiter among versions');
  const limit = pageLimit(call);
  const prefix = query.get('prefix') ?? '';
  const listed = store.listVersions(call.bucket, prefix, startOfVersions(store, call), limit + 1);
  const page = listed.slice(0, limit);
  const last = listed.length > limit ? page.at(-1) : undefined;
  const encode = keyEncoder(call);
  const common = ({ key, version, isLatest, modifiedAt }: Listed) => ({
    Key: encode(key),
    VersionId: version,
    IsLatest: isLatest,
    LastModified: new Date(modifiedAt).toISOString(),
  });
  sendXml(call.response, 'ListVersionsResult', {
    Name: call.bucket,
    Prefix: encode(prefix),
    KeyMarker: encode(query.get('key-marker') ?? ''),
    VersionIdMarker: query.get('version-id-marker') ?? '',
    MaxKeys: limit,
    EncodingType: query.get('encoding-type') ?? undefined,
    IsTruncated: last !== undefined,
    NextKeyMarker: last === undefined ? undefined : encode(last.key),
    NextVersionIdMarker: last?.version,
    Version: page
      .filter(({ deleted }) => !deleted)
      .map((one) => ({ ...common(one), ETag: one.etag, Size: one.size, StorageClass: 'STANDARD' })),
    DeleteMarker: page.filter(({ deleted }) => deleted).map(common),
  });
};
