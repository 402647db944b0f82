// S3 in memory: the commands that simporter sends, for whole objects and multipart uploads, in buckets with versions.
import { createHash } from 'node:crypto';
import { S3ServiceException } from '@aws-sdk/client-s3';
import { limits } from '#local/limits.ts';
import type { Clock } from '#shared/runtime/clock.ts';

interface StoredObject {
  readonly body: Buffer;
  readonly etag: string;
  readonly versionId: string;
  readonly metadata: Readonly<Record<string, string>>;
  readonly lastModified: Date;
  /** A delete marker: it hides the versions before it. */
  readonly isDeleted?: boolean;
}

interface ObjectInput {
  readonly Bucket: string;
  readonly Key: string;
  readonly IfMatch?: string;
  readonly VersionId?: string;
  readonly Range?: string;
  readonly CopySource?: string;
  readonly Body?: string | Uint8Array;
  readonly Metadata?: Readonly<Record<string, string>>;
  readonly UploadId?: string;
  readonly PartNumber?: number;
  readonly MultipartUpload?: { readonly Parts: readonly { readonly PartNumber: number; readonly ETag: string }[] };
}

interface ListInput {
  readonly Bucket: string;
  readonly Prefix?: string;
  readonly KeyMarker?: string;
  readonly VersionIdMarker?: string;
}

export interface BucketTwin {
  send(command: { readonly input: unknown }): Promise<unknown>;
  /** Puts an object as any other client would. The etag has no quotes. */
  put(
    bucket: string,
    key: string,
    body: string | Uint8Array,
    metadata?: Readonly<Record<string, string>>,
  ): { readonly etag: string; readonly versionId: string | undefined };
  remove(bucket: string, key: string): void;
  /** Removes every version, as the lifecycle of a bucket does. */
  expire(bucket: string, key: string): void;
  /** '' if there is no such object. */
  text(bucket: string, key: string): string;
  /** `bucket/key` of every object. */
  places(): string[];
  /** Every version in a bucket, overwritten or not. */
  written(bucket: string): { key: string; versionId: string }[];
}

const failure = (name: string, status: number) =>
  new S3ServiceException({ name, $fault: 'client', $metadata: { httpStatusCode: status }, message: name });

const checkInput = ({ Key, Metadata = {} }: ObjectInput): void => {
  const metadataBytes = Object.entries(Metadata).reduce((sum, entry) => sum + Buffer.byteLength(entry.join('')), 0);
  if (Buffer.byteLength(Key) > limits.s3KeyBytes.value) throw failure('KeyTooLongError', 400);
  if (metadataBytes > limits.s3MetadataBytes.value) throw failure('MetadataTooLarge', 400);
};

const etagOf = (body: Buffer): string => `"${createHash('md5').update(body).digest('hex')}"`;

export interface BucketTwinOptions {
  readonly now: Clock;
  readonly pageSize?: number;
  /** Whether a bucket keeps versions. @default each does */
  readonly isVersioned?: (bucket: string) => boolean;
}

export function createBucketTwin({ now, pageSize = 1000, isVersioned = () => true }: BucketTwinOptions): BucketTwin {
  const versions = new Map<string, StoredObject[]>();
  let count = 0;
  const latest = (place: string): StoredObject | undefined => versions.get(place)?.at(-1);
  const placeOf = ({ Bucket, Key }: ObjectInput) => `${Bucket}/${Key}`;

  const find = (input: ObjectInput): StoredObject => {
    const place = placeOf(input);
    const found =
      input.VersionId === undefined
        ? latest(place)
        : versions.get(place)?.find(({ versionId }) => versionId === input.VersionId);
    if (found === undefined || found.isDeleted) throw failure('NoSuchKey', 404);
    if (input.IfMatch !== undefined && input.IfMatch !== found.etag) throw failure('PreconditionFailed', 412);
    return found;
  };

  const headOf = ({ body, etag, versionId, metadata, lastModified }: StoredObject, bucket: string) => ({
    VersionId: isVersioned(bucket) ? versionId : undefined,
    ContentLength: body.length,
    ETag: etag,
    Metadata: metadata,
    LastModified: lastModified,
  });

  const store = (input: ObjectInput, body: Buffer, etag: string) => {
    count += 1;
    const versionId = `version-${count}`;
    const stored = { body, etag, versionId, metadata: input.Metadata ?? {}, lastModified: new Date(now()) };
    const before = isVersioned(input.Bucket) ? versions.get(placeOf(input)) : undefined;
    versions.set(placeOf(input), [...(before ?? []), stored]);
    return { ETag: etag, VersionId: isVersioned(input.Bucket) ? versionId : undefined };
  };

  const put = (input: ObjectInput) => {
    checkInput(input);
    const body = Buffer.from(input.Body ?? '');
    return store(input, body, etagOf(body));
  };

  /** Multipart uploads that are not complete, by their id. */
  const uploads = new Map<string, Map<number, Buffer>>();
  const metadataOfUploads = new Map<string, Readonly<Record<string, string>>>();
  const dependenciesFor = ({ UploadId = '' }: ObjectInput): Map<number, Buffer> => {
    const found = uploads.get(UploadId);
    if (found === undefined) throw failure('NoSuchUpload', 404);
    return found;
  };

  const begin = (input: ObjectInput) => {
    checkInput(input);
    count += 1;
    uploads.set(`upload-${count}`, new Map());
    metadataOfUploads.set(`upload-${count}`, input.Metadata ?? {});
    return { UploadId: `upload-${count}` };
  };

  const putPart = (input: ObjectInput) => {
    const body = Buffer.from(input.Body ?? '');
    dependenciesFor(input).set(input.PartNumber ?? 0, body);
    return { ETag: etagOf(body) };
  };

  const complete = (input: ObjectInput) => {
    const parts = dependenciesFor(input);
    const bodies = (input.MultipartUpload?.Parts ?? []).map(({ PartNumber, ETag }) => {
      const body = parts.get(PartNumber);
      if (body === undefined || etagOf(body) !== ETag) throw failure('InvalidPart', 400);
      return body;
    });
    if (bodies.slice(0, -1).some(({ length }) => length < limits.s3PartBytes.value))
      throw failure('EntityTooSmall', 400);
    uploads.delete(input.UploadId ?? '');
    const body = Buffer.concat(bodies);
    const Metadata = metadataOfUploads.get(input.UploadId ?? '') ?? {};
    return store({ ...input, Metadata }, body, etagOf(body).replace(/"$/, `-${bodies.length}"`));
  };

  const listParts = (input: ObjectInput) => ({
    Parts: [...dependenciesFor(input)]
      .sort(([one], [other]) => one - other)
      .map(([PartNumber, body]) => ({ PartNumber, ETag: etagOf(body), Size: body.length })),
    IsTruncated: false,
  });

  const abort = (input: ObjectInput) => {
    dependenciesFor(input);
    uploads.delete(input.UploadId ?? '');
    return {};
  };

  const get = (input: ObjectInput) => {
    const found = find(input);
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(input.Range ?? '') ?? [];
    const body = start === undefined ? found.body : found.body.subarray(Number(start), Number(end) + 1);
    return { ...headOf(found, input.Bucket), Body: chunksOf(body) };
  };

  const copy = (input: ObjectInput) => {
    checkInput(input);
    const [, path = '', VersionId] = /^(.*?)(?:\?versionId=(.*))?$/.exec(input.CopySource ?? '') ?? [];
    const [Bucket = '', ...key] = path.split('/');
    const from = { Bucket, Key: decodeURIComponent(key.join('/')), ...(VersionId !== undefined && { VersionId }) };
    const { body, etag } = find(from);
    const { VersionId: version } = store(input, body, etag);
    return { VersionId: version, CopyObjectResult: { ETag: etag } };
  };

  const remove = (input: ObjectInput) => {
    if (!isVersioned(input.Bucket)) {
      versions.delete(placeOf(input));
      return {};
    }
    if (input.VersionId !== undefined) {
      const kept = (versions.get(placeOf(input)) ?? []).filter(({ versionId }) => versionId !== input.VersionId);
      if (kept.length === 0) versions.delete(placeOf(input));
      else versions.set(placeOf(input), kept);
      return {};
    }
    count += 1;
    const marker = { body: Buffer.alloc(0), etag: '', versionId: `version-${count}`, metadata: {}, isDeleted: true };
    versions.set(placeOf(input), [
      ...(versions.get(placeOf(input)) ?? []),
      { ...marker, lastModified: new Date(now()) },
    ]);
    return {};
  };

  /** By key, the newest first. */
  const listed = (bucket: string) =>
    [...versions.keys()]
      .filter((place) => place.startsWith(`${bucket}/`))
      .sort()
      .flatMap((place) =>
        [...(versions.get(place) ?? [])].reverse().map(({ isDeleted, ...stored }) => ({
          Key: place.slice(bucket.length + 1),
          VersionId: stored.versionId,
          IsLatest: stored.versionId === latest(place)?.versionId,
          ETag: stored.etag,
          LastModified: stored.lastModified,
          isDeleted: isDeleted === true,
        })),
      );

  const list = ({ Bucket, Prefix = '', KeyMarker = '', VersionIdMarker }: ListInput) => {
    const isBehind = ({ Key }: { readonly Key: string }) => VersionIdMarker !== undefined || Key > KeyMarker;
    const all = listed(Bucket).filter((each) => each.Key.startsWith(Prefix) && isBehind(each));
    const start = all.findIndex(({ VersionId }) => VersionId === VersionIdMarker) + 1;
    const page = all.slice(start, start + pageSize);
    const last = page.at(-1);
    return {
      Versions: page.filter(({ isDeleted }) => !isDeleted),
      DeleteMarkers: page.filter(({ isDeleted }) => isDeleted),
      IsTruncated: start + pageSize < all.length,
      NextKeyMarker: last?.Key,
      NextVersionIdMarker: last?.VersionId,
    };
  };

  const commands: Readonly<Record<string, (input: never) => unknown>> = {
    PutObjectCommand: put,
    GetObjectCommand: get,
    HeadObjectCommand: (input: ObjectInput) => headOf(find(input), input.Bucket),
    CopyObjectCommand: copy,
    DeleteObjectCommand: remove,
    ListObjectVersionsCommand: list,
    CreateMultipartUploadCommand: begin,
    UploadPartCommand: putPart,
    CompleteMultipartUploadCommand: complete,
    AbortMultipartUploadCommand: abort,
    ListPartsCommand: listParts,
  };

  return {
    send: async (command) => {
      const run = commands[command.constructor.name];
      if (run === undefined) throw new Error(`the twin of S3 knows no ${command.constructor.name}`);
      return run(command.input as never);
    },
    put: (Bucket, Key, Body, Metadata = {}) => {
      const { ETag, VersionId } = put({ Bucket, Key, Body, Metadata });
      return { etag: ETag.replaceAll('"', ''), versionId: VersionId };
    },
    remove: (Bucket, Key) => void remove({ Bucket, Key }),
    expire: (bucket, key) => void versions.delete(`${bucket}/${key}`),
    text: (bucket, key) => latest(`${bucket}/${key}`)?.body.toString('utf8') ?? '',
    places: () => [...versions.keys()],
    written: (bucket) => listed(bucket).map(({ Key, VersionId }) => ({ key: Key, versionId: VersionId })),
  };
}

async function* chunksOf(body: Buffer): AsyncIterable<Uint8Array> {
  if (body.length > 0) yield body;
}
