// Links that let a browser read or write one object for a short time, without AWS credentials.
import { GetObjectCommand, S3Client, UploadPartCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { ObjectRef } from '#shared/store/files.ts';

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
