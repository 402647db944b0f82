// A bucket as all of ours are: encrypted with our key, TLS only, closed to the public, logged, and emptied by age.
import { Duration, RemovalPolicy } from 'aws-cdk-lib';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import { BlockPublicAccess, Bucket, BucketEncryption, type IBucket, ObjectOwnership } from 'aws-cdk-lib/aws-s3';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { keepId } from '../logical-id.ts';

export interface PrivateBucketProps {
  readonly key: IKey;
  readonly accessLogs: IBucket;
  /** Age at which an object is deleted; an older version goes as many days after it was replaced. */
  readonly expireDays: number;
  /** @default false - an object that is written again replaces the one before */
  readonly versioned?: boolean;
  /** Whether the bucket outlives its stack. */
  readonly protect: boolean;
}

/** `id` is a part of the bucket's generated name, and the folder of its access logs. */
export function privateBucket(scope: Construct, id: string, props: PrivateBucketProps): Bucket {
  const expiration = Duration.days(props.expireDays);
  const bucket = new Bucket(scope, id, {
    encryption: BucketEncryption.KMS,
    encryptionKey: props.key,
    // One call to KMS per bucket and a while instead of one per object.
    bucketKeyEnabled: true,
    ...closed,
    versioned: props.versioned ?? false,
    lifecycleRules: [
      {
        expiration,
        ...(props.versioned ? { noncurrentVersionExpiration: expiration } : {}),
        // A function that is killed while it streams a file leaves parts behind that nobody can see but everybody pays.
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
    serverAccessLogsBucket: props.accessLogs,
    serverAccessLogsPrefix: `${id.toLowerCase()}/`,
    removalPolicy: props.protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  return keepId(bucket);
}

/** Where the other buckets' access logs go. S3 can deliver them only to a bucket with its own encryption, not with a key of ours. */
export function accessLogsBucket(scope: Construct, id: string, expireDays: number, protect: boolean): Bucket {
  const bucket = new Bucket(scope, id, {
    encryption: BucketEncryption.S3_MANAGED,
    ...closed,
    lifecycleRules: [{ expiration: Duration.days(expireDays) }],
    removalPolicy: protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
  });
  acknowledge(bucket, 'AwsSolutions-S1', 'This bucket holds the access logs: logging its own access would never end.');
  return keepId(bucket);
}

const closed = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
} as const;
