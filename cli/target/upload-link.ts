// Signs a link by which one file can be uploaded once, without AWS credentials.
import { PutObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { linkSigner } from '#shared/store/files/links.ts';

export interface UploadLinkRequest {
  readonly key: string;
  readonly seconds: number;
  /** The only size that S3 accepts. @default - any, up to the limit of ingest */
  readonly bytes?: number | undefined;
}

export interface UploadLink {
  readonly url: string;
  /** The headers without which S3 rejects the upload. */
  readonly headers: Readonly<Record<string, string>>;
  /** Epoch milliseconds at which the signature, or the credentials behind it, end. */
  readonly expiresAt: number;
}

/** `If-None-Match: *` is part of the signature: S3 creates the object and never replaces it, so the link works once. */
export async function signUpload(
  s3: S3Client,
  bucket: string,
  { key, seconds, bytes }: UploadLinkRequest,
): Promise<UploadLink> {
  const signingDate = new Date();
  const command = new PutObjectCommand({
    ...{ Bucket: bucket, Key: key, IfNoneMatch: '*' },
    ...(bytes === undefined ? {} : { ContentLength: bytes }),
  });
  const url = await getSignedUrl(linkSigner(s3), command, { expiresIn: seconds, signingDate });
  const { expiration } = await s3.config.credentials();
  const sessionEnd = expiration?.getTime() ?? Number.POSITIVE_INFINITY;
  const expiresAt = Math.min(signingDate.getTime() + seconds * 1_000, sessionEnd);
  return { url, headers: { 'if-none-match': '*' }, expiresAt };
}
