// A private bucket: encrypted with our key, TLS only, no public access, access logs, and objects that expire.
import { Duration, type RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { fixLogicalId } from '../fixed-logical-id.ts';

interface BucketProps {
  /** Age at which an object is deleted. A replaced version is deleted this many days after its replacement. */
  readonly expireDays: number;
  readonly removalPolicy: RemovalPolicy;
}

export interface PrivateBucketProps extends BucketProps {
  readonly key: IKey;
  readonly accessLogs: IBucket;
  /** @default false */
  readonly versioned?: boolean;
}

/** `id` is part of the generated bucket name, and the folder of its access logs. */
export function privateBucket(scope: Construct, id: string, props: PrivateBucketProps): Bucket {
  const expiration = Duration.days(props.expireDays);
  const bucket = new Bucket(scope, id, {
    ...commonProps(props),
    encryption: BucketEncryption.KMS,
    encryptionKey: props.key,
    // S3 calls KMS once per bucket and a while, not once per object.
    bucketKeyEnabled: true,
    versioned: props.versioned ?? false,
    lifecycleRules: [
      {
        expiration,
        ...(props.versioned ? { noncurrentVersionExpiration: expiration } : {}),
        // A function that dies during a multipart upload leaves parts that are invisible but billed.
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
    serverAccessLogsBucket: props.accessLogs,
    serverAccessLogsPrefix: `${id.toLowerCase()}/`,
  });
  return fixLogicalId(bucket);
}

/** Lets pages of `origin` upload to the bucket by links. */
export const allowUploadsFrom = (bucket: Bucket, origin: string): void =>
  bucket.addCorsRule({
    allowedOrigins: [origin],
    allowedMethods: [HttpMethods.PUT],
    allowedHeaders: ['content-type'],
    exposedHeaders: ['ETag'],
    maxAge: 3_600,
  });

/** Holds logs of AWS services. S3 delivers access logs only to a bucket with S3's own encryption. */
export function logsBucket(
  scope: Construct,
  id: string,
  props: BucketProps & { readonly accessLogs?: IBucket },
): Bucket {
  const { accessLogs } = props;
  const bucket = new Bucket(scope, id, {
    ...commonProps(props),
    encryption: BucketEncryption.S3_MANAGED,
    lifecycleRules: [{ expiration: Duration.days(props.expireDays) }],
    ...(accessLogs && { serverAccessLogsBucket: accessLogs, serverAccessLogsPrefix: `${id.toLowerCase()}/` }),
  });
  if (accessLogs === undefined) {
    acknowledge(bucket, 'AwsSolutions-S1', 'The bucket holds the access logs: logging access to it would never end.');
  }
  return fixLogicalId(bucket);
}

const commonProps = ({ removalPolicy }: BucketProps) => ({
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
  removalPolicy,
});
