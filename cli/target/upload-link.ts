// Signs a link by which a file can be uploaded without AWS credentials.
import { PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';

export function signUpload(
  s3: S3Client,
  { bucket, key }: { readonly bucket: string; readonly key: string },
  seconds: number,
): Promise<string> {
  const { region, credentials, forcePathStyle, endpoint } = s3.config;
  const signer = new S3Client({
    ...{ region, credentials, forcePathStyle },
    ...(endpoint === undefined ? {} : { endpoint }),
    // The default signs the checksum of the file, and the file does not exist yet.
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
  return getSignedUrl(signer, new PutObjectCommand({ Bucket: bucket, Key: key }), { expiresIn: seconds });
}
