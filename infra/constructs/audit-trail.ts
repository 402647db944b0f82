// CloudTrail records who reads and writes the objects of some buckets, and keeps the records in a bucket of logs.
import { type RemovalPolicy, Stack } from 'aws-cdk-lib';
import { CfnTrail } from 'aws-cdk-lib/aws-cloudtrail';
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import { stackName } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import { logsBucket } from './private-bucket.ts';

export interface AuditTrailProps {
  readonly configuration: Configuration;
  readonly accessLogs: IBucket;
  readonly removalPolicy: RemovalPolicy;
  readonly audited: readonly IBucket[];
}

export class AuditTrail extends Construct {
  constructor(scope: Construct, id: string, { configuration, accessLogs, removalPolicy, audited }: AuditTrailProps) {
    super(scope, id);
    const { partition, region, account } = Stack.of(this);
    const expireDays = configuration.retention.auditDays;
    const logs = logsBucket(this, 'AuditLogs', { expireDays, removalPolicy, accessLogs });
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
