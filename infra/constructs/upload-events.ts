// S3 sends an event to the ingest queue for each upload.
import { Stack } from 'aws-cdk-lib';
import { ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { generatedBucketNames } from '../generated-names.ts';

/**
 * Sets the property of the bucket itself: the L2 method would add a function that runs during the deployment. There is
 * no filter by suffix, because a file that is not a CSV is rejected with a reason (fault 5).
 */
export function sendUploadEvents(inbox: Bucket, queue: Queue): void {
  const { account, partition } = Stack.of(inbox);
  const grant = queue.grantSendMessages(
    new ServicePrincipal('s3.amazonaws.com', {
      conditions: {
        StringEquals: { 'aws:SourceAccount': account },
        // The bucket's ARN would be a circular dependency: S3 checks the queue's policy when it creates the bucket.
        ArnLike: { 'aws:SourceArn': `arn:${partition}:s3:::${generatedBucketNames(inbox)}` },
      },
    }),
  );
  const bucket = inbox.node.defaultChild as CfnBucket;
  bucket.notificationConfiguration = {
    queueConfigurations: [{ event: 's3:ObjectCreated:*', queue: queue.queueArn }],
  };
  grant.applyBefore(bucket);
}
