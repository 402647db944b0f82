// Inbox: the bucket where CSVs are dropped, and the queue that tells ingest of each.
import { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { Bucket, CfnBucket, IBucket } from 'aws-cdk-lib/aws-s3';
import { Construct } from 'constructs';
import type { StageConfiguration } from '../config.ts';
import { privateBucket } from './private-bucket.ts';
import { WorkQueue } from './work-queue.ts';

export interface InboxProps {
  readonly configuration: StageConfiguration;
  readonly key: IKey;
  readonly accessLogs: IBucket;
}

export class Inbox extends Construct {
  readonly bucket: Bucket;
  readonly arrivals: WorkQueue;

  constructor(scope: Construct, id: string, { configuration, key, accessLogs }: InboxProps) {
    super(scope, id);
    this.bucket = privateBucket(this, 'Inbox', {
      key,
      accessLogs,
      expireDays: configuration.retention.inboxDays,
      // Each version is an import of its own: overwriting a file never changes one that is under way (fault 2).
      versioned: true,
      protect: configuration.protect,
    });
    this.arrivals = new WorkQueue(this, 'Arrivals', {
      reader: 'Ingest',
      consumerTimeoutSeconds: configuration.ingest.timeoutSeconds,
    });
    this.announceUploads();
  }

  /**
   * Written on the bucket itself: the L2 method would add a function of its own that runs at deploy time. There is no
   * filter by suffix, because a file that is not a CSV deserves an answer too (fault 5).
   */
  private announceUploads(): void {
    const { queue } = this.arrivals;
    const granted = queue.grantSendMessages(
      new ServicePrincipal('s3.amazonaws.com', {
        conditions: {
          StringEquals: { 'aws:SourceAccount': Stack.of(this).account },
          // The bucket's own ARN here would make a circle: S3 checks the queue's policy when the bucket is made. Its
          // generated name always begins with the stack's.
          ArnLike: { 'aws:SourceArn': `arn:${Stack.of(this).partition}:s3:::${Stack.of(this).stackName}-*` },
        },
      }),
    );
    const bucket = this.bucket.node.defaultChild as CfnBucket;
    bucket.notificationConfiguration = {
      queueConfigurations: [{ event: 's3:ObjectCreated:*', queue: queue.queueArn }],
    };
    granted.applyBefore(bucket);
  }
}
