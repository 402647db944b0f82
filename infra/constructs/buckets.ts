// A private bucket: encrypted with our key, TLS only, no public access, and objects that expire. Below, the trail of
// who reads and writes the objects of some buckets.
import { Duration, type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnTrail } from 'aws-cdk-lib/aws-cloudtrail';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type CfnBucket,
  HttpMethods,
  type IBucket,
  ObjectOwnership,
} from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { acknowledge, fixLogicalId, generatedBucketNames, removalOfLogs } from '../cdk-conventions.ts';
import { stackName } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';

interface LogsBucketProps {
  /** Age at which an object is deleted. */
  readonly expireDays: number;
  /** Where access to the bucket is recorded. @default - nobody needs to know who accessed it */
  readonly accessLogs?: Bucket | undefined;
}

interface PrivateBucketProps extends LogsBucketProps {
  readonly key: IKey;
  readonly removalPolicy: RemovalPolicy;
  /** @default false */
  readonly versioned?: boolean;
}

/**
 * In a bucket with versions, an object that expires becomes a noncurrent version first, and S3 counts the days of those
 * from then on. So an object is hidden after a week, and every version is deleted in time: also one that was replaced,
 * which is younger than a week and may be that of an import in progress.
 */
const visibleDays = 7;

/** `id` is part of the generated bucket name, and the folder of its access logs. */
export function privateBucket(scope: Construct, id: string, props: PrivateBucketProps): Bucket {
  const { expireDays, versioned = false } = props;
  const bucket = new Bucket(scope, id, {
    ...commonProps,
    removalPolicy: props.removalPolicy,
    encryption: BucketEncryption.KMS,
    encryptionKey: props.key,
    // S3 calls KMS once per bucket and a while, not once per object.
    bucketKeyEnabled: true,
    versioned,
    lifecycleRules: [
      {
        expiration: Duration.days(versioned ? visibleDays : expireDays),
        ...(versioned ? { noncurrentVersionExpiration: Duration.days(expireDays - visibleDays) } : {}),
        // A function that dies during a multipart upload leaves parts that are invisible but billed.
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
  });
  if (props.accessLogs) logAccess(bucket, props.accessLogs);
  else acknowledge(bucket, 'AwsSolutions-S1', 'The environment records no access.');
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
export function logsBucket(scope: Construct, id: string, { expireDays, accessLogs }: LogsBucketProps): Bucket {
  const bucket = new Bucket(scope, id, {
    ...commonProps,
    removalPolicy: removalOfLogs,
    encryption: BucketEncryption.S3_MANAGED,
    lifecycleRules: [{ expiration: Duration.days(expireDays) }],
  });
  if (accessLogs === undefined) {
    acknowledge(bucket, 'AwsSolutions-S1', 'The bucket holds the access logs: logging access to it would never end.');
    allowAccessLogs(bucket);
  } else {
    logAccess(bucket, accessLogs);
  }
  return fixLogicalId(bucket);
}

/** By the names that the stack's buckets will have: their ARNs would create this policy after them. */
function allowAccessLogs(accessLogs: Bucket): void {
  const { account, partition } = Stack.of(accessLogs);
  accessLogs.addToResourcePolicy(
    new PolicyStatement({
      sid: 'WriteAccessLogs',
      principals: [new ServicePrincipal('logging.s3.amazonaws.com')],
      actions: ['s3:PutObject'],
      resources: [accessLogs.arnForObjects('*')],
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        ArnLike: { 'aws:SourceArn': `arn:${partition}:s3:::${generatedBucketNames(accessLogs)}` },
      },
    }),
  );
}

/** The property of the CDK would allow it by the ARN of the bucket, which is created before that policy then. */
function logAccess(bucket: Bucket, accessLogs: Bucket): void {
  const resource = bucket.node.defaultChild as CfnBucket;
  const logFilePrefix = `${bucket.node.id.toLowerCase()}/`;
  resource.loggingConfiguration = { destinationBucketName: accessLogs.bucketName, logFilePrefix };
  if (accessLogs.policy) resource.node.addDependency(accessLogs.policy);
}

const commonProps = {
  blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
  objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
  enforceSSL: true,
  minimumTLSVersion: 1.2,
} as const;

// CloudTrail records who reads and writes the objects of some buckets, and keeps the records in a bucket of logs.

interface AuditTrailProps {
  readonly configuration: Configuration;
  readonly accessLogs: Bucket;
  readonly audited: readonly IBucket[];
}

export class AuditTrail extends Construct {
  constructor(scope: Construct, id: string, { configuration, accessLogs, audited }: AuditTrailProps) {
    super(scope, id);
    const { partition, region, account } = Stack.of(this);
    const expireDays = configuration.retention.auditDays;
    const logs = logsBucket(this, 'AuditLogs', { expireDays, accessLogs });
    const trailName = `${stackName(configuration.stage)}-audit`;
    const fromTrail = { 'aws:SourceArn': `arn:${partition}:cloudtrail:${region}:${account}:trail/${trailName}` };
    const principals = [new ServicePrincipal('cloudtrail.amazonaws.com')];
    logs.addToResourcePolicy(
      new PolicyStatement({
        sid: 'CheckBucket',
        principals,
        actions: ['s3:GetBucketAcl'],
        resources: [logs.bucketArn],
        conditions: { StringEquals: fromTrail },
      }),
    );
    logs.addToResourcePolicy(
      new PolicyStatement({
        sid: 'WriteRecords',
        principals,
        actions: ['s3:PutObject'],
        resources: [logs.arnForObjects(`AWSLogs/${account}/*`)],
        conditions: { StringEquals: { ...fromTrail, 's3:x-amz-acl': 'bucket-owner-full-control' } },
      }),
    );
    const trail = new CfnTrail(this, 'Trail', {
      trailName,
      s3BucketName: logs.bucketName,
      isLogging: true,
      enableLogFileValidation: true,
      isMultiRegionTrail: false,
      includeGlobalServiceEvents: false,
      advancedEventSelectors: [
        {
          name: 'Objects of uploads, plans and results',
          fieldSelectors: [
            { field: 'eventCategory', equalTo: ['Data'] },
            { field: 'resources.type', equalTo: ['AWS::S3::Object'] },
            { field: 'resources.ARN', startsWith: audited.map((bucket) => bucket.arnForObjects('')) },
          ],
        },
      ],
    });
    // CloudTrail checks the policy of the bucket when the trail is created.
    if (logs.policy) trail.node.addDependency(logs.policy);
  }
}
