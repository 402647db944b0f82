// Links to files, and uploads in parts, for a browser.
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  GetObjectCommand,
  ListPartsCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ObjectRef } from './files.ts';

// Links that let a browser read or write one object for a short time, without AWS credentials.

export interface Links {
  /** A download under this name. */
  download(object: ObjectRef, fileName: string, seconds: number): Promise<string>;
  /** Exactly this many bytes, as one part of a multipart upload. */
  uploadPart(part: UploadPart, seconds: number): Promise<string>;
}

export interface UploadPart extends ObjectRef {
  readonly s3UploadId: string;
  readonly part: number;
  readonly bytes: number;
}

/** Named for every browser: quotes and non-ASCII characters as RFC 6266 writes them. */
const attachment = (fileName: string): string =>
  `attachment; filename="${fileName.replace(/[^\w.-]/g, '_')}"; filename*=UTF-8''${encodeURIComponent(fileName).replace(/['()*]/g, (text) => `%${text.charCodeAt(0).toString(16)}`)}`;

/** A client that signs links as `s3` would. */
export function linkSigner({ config: { region, credentials, forcePathStyle, endpoint } }: S3Client): S3Client {
  return new S3Client({
    region,
    credentials,
    forcePathStyle,
    ...(endpoint === undefined ? {} : { endpoint }),
    // The default signs the checksum of the file, and the file does not exist yet.
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
}

export function createLinks(s3: S3Client): Links {
  const signer = linkSigner(s3);
  return {
    download: ({ bucket, key, versionId }, fileName, expiresIn) =>
      getSignedUrl(
        signer,
        new GetObjectCommand({
          Bucket: bucket,
          Key: key,
          VersionId: versionId,
          ResponseContentDisposition: attachment(fileName),
        }),
        { expiresIn },
      ),
    uploadPart: ({ bucket, key, s3UploadId, part, bytes }, expiresIn) =>
      getSignedUrl(
        signer,
        new UploadPartCommand({
          Bucket: bucket,
          Key: key,
          UploadId: s3UploadId,
          PartNumber: part,
          ContentLength: bytes,
        }),
        // The length is signed, so S3 declines a part of another length. Browsers set the header themselves.
        { expiresIn },
      ),
  };
}

// Uploads in parts that a browser sends by links: begun, completed and discarded here, so that the object appears only
// when all of it has arrived.

export interface MultipartUpload {
  readonly bucket: string;
  readonly key: string;
  readonly s3UploadId: string;
}

export interface FilePart {
  readonly part: number;
  readonly bytes: number;
}

export interface ArrivedPart extends FilePart {
  readonly etag: string;
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
