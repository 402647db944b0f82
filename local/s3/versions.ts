// ListObjectVersions: every version and every delete marker of the objects in a bucket, page by page.
import { invalidArgument, notImplemented } from './errors.ts';
import { requireBucket } from './objects.ts';
import { keyEncoder, pageLimit, type S3Request, sendXml } from './request.ts';
import type { ObjectStore } from './store.ts';

type Listed = ReturnType<ObjectStore['listVersions']>[number];

/** The page begins after this version, or after all versions of the key. */
const startOf = (store: ObjectStore, { bucket, query }: S3Request): { key: string; sequence: number } => {
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
  const listed = store.listVersions(call.bucket, prefix, startOf(store, call), limit + 1);
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
