// Uploads in parts that a browser sends by links: begun, completed and discarded here, so that the object appears only
// when all of it has arrived.
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListPartsCommand,
  type S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';

export interface MultipartUpload {
  readonly bucket: string;
  readonly key: string;
  readonly s3UploadId: string;
}

export interface ArrivedPart {
  readonly part: number;
  readonly etag: string;
  readonly bytes: number;
}

export interface MultipartUploads {
  /** Returns the id of the upload. */
  begin(bucket: string, key: string, metadata: Readonly<Record<string, string>>): Promise<string>;
  /** The parts that have arrived; undefined once the upload was completed or discarded. */
  parts(upload: MultipartUpload): Promise<ArrivedPart[] | undefined>;
  /** Returns the version of the object, or its ETag where the bucket has no versions. */
  complete(upload: MultipartUpload, parts: readonly ArrivedPart[]): Promise<string>;
  abort(upload: MultipartUpload): Promise<void>;
}

const named = ({ bucket, key, s3UploadId }: MultipartUpload) => ({ Bucket: bucket, Key: key, UploadId: s3UploadId });

const isGone = (error: unknown): boolean =>
  error instanceof S3ServiceException && error.$metadata.httpStatusCode === 404;

export const createMultipartUploads = (client: S3Client): MultipartUploads => ({
  async begin(bucket, key, metadata) {
    const command = new CreateMultipartUploadCommand({
      Bucket: bucket,
      Key: key,
      ContentType: 'text/csv',
      Metadata: { ...metadata },
    });
    return (await client.send(command)).UploadId ?? '';
  },
  async parts(upload) {
    const parts: ArrivedPart[] = [];
    let after: string | undefined;
    do {
      const found = await listParts(client, upload, after);
      if (found === undefined) return undefined;
      for (const { PartNumber = 0, ETag = '', Size = 0 } of found.Parts ?? []) {
        parts.push({ part: PartNumber, etag: ETag, bytes: Size });
      }
      after = found.IsTruncated ? found.NextPartNumberMarker : undefined;
    } while (after !== undefined);
    return parts;
  },
  async complete(upload, parts) {
    const Parts = parts.map(({ part, etag }) => ({ PartNumber: part, ETag: etag }));
    const done = await client.send(
      new CompleteMultipartUploadCommand({ ...named(upload), MultipartUpload: { Parts }, IfNoneMatch: '*' }),
    );
    return done.VersionId ?? (done.ETag ?? '').replaceAll('"', '');
  },
  async abort(upload) {
    await client.send(new AbortMultipartUploadCommand(named(upload)));
  },
});

async function listParts(client: S3Client, upload: MultipartUpload, after: string | undefined) {
  try {
    return await client.send(new ListPartsCommand({ ...named(upload), PartNumberMarker: after }));
  } catch (error) {
    if (isGone(error)) return undefined;
    throw error;
  }
}
