// Sync: on a schedule, finds what became of requests with an unknown outcome and follows every port to its end.
import { Stack } from 'aws-cdk-lib';
import { PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { CfnEventInvokeConfig } from 'aws-cdk-lib/aws-lambda';
import { CfnSchedule } from 'aws-cdk-lib/aws-scheduler';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { syncTimeoutSeconds } from '../config.ts';
import {
  environmentOf,
  listUploads,
  noticeGone,
  type Parts,
  queryIndex,
  readCredentials,
  readImportFiles,
  sendTo,
  strikeMarks,
  useItems,
} from './parts.ts';
import { PipelineFunction } from './pipeline-function.ts';
import { deadLetterQueue } from './work-queue.ts';

export class Sync extends PipelineFunction {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, parts: Parts) {
    const { sync, retention, network } = parts.configuration;
    super(scope, id, {
      name: 'sync',
      code: parts.code,
      memoryMegabytes: sync.memoryMegabytes,
      timeoutSeconds: syncTimeoutSeconds(parts.configuration),
      environment: environmentOf(parts),
      logDays: retention.logDays,
      network,
      // Runs never overlap; the lease in the table says so too, as a redrive or a person may start one (fault 47).
      reservedConcurrency: 1,
    });
    this.allow('FindDue', queryIndex(parts, 'due'));
    // An upload whose event got lost is found beside the imports, and announced once more (fault 6).
    this.allow('FindUploads', listUploads(parts));
    this.allow('FindImports', queryIndex(parts, 'listed'));
    this.allow('AnnounceUploads', sendTo(parts.inbox.arrivals));
    this.allow('FollowPorts', useItems(parts, 'GetItem', 'PartiQLUpdate', 'PutItem'));
    this.allow('StrikeMarks', strikeMarks(parts));
    // Whether a port is ours is proven by the numbers in its plan.
    this.allow('ReadPlans', readImportFiles(parts.work));
    this.allow('NoticeGone', noticeGone(parts.work));
    this.allow('WriteLookupPack', {
      actions: ['s3:AbortMultipartUpload', 's3:PutObject'],
      resources: [parts.results.arnForObjects('catalogue/*')],
      wildcard: 'one file per lookup',
    });
    this.allow('ReleaseAndReport', sendTo(parts.submissions, parts.reports));
    this.allow('ReadCredentials', readCredentials(parts));
    this.allowKey(parts.key, ['s3', 'secretsmanager']);

    this.deadLetters = deadLetterQueue(this, 'SyncMissedRuns');
    acknowledge(
      this.deadLetters,
      'AwsSolutions-SQS3',
      'This is the dead-letter queue of the schedule and of its runs.',
    );
    this.giveUpEarly(sync.everyMinutes);
    this.runEvery(sync.everyMinutes);
  }

  /** The next run does what a failed one left, so a failed run is put aside at once instead of being tried again. */
  private giveUpEarly(minutes: number): void {
    this.allow('PutAside', { actions: ['sqs:SendMessage'], resources: [this.deadLetters.queueArn] });
    new CfnEventInvokeConfig(this, 'Runs', {
      functionName: this.lambda.functionName,
      qualifier: '$LATEST',
      maximumRetryAttempts: 0,
      maximumEventAgeInSeconds: 60 * minutes,
      destinationConfig: { onFailure: { destination: this.deadLetters.queueArn } },
    });
  }

  private runEvery(minutes: number): void {
    const { account } = Stack.of(this);
    const role = new Role(this, 'ScheduleRole', {
      description: 'Starts sync and puts aside what could not be started',
      assumedBy: new ServicePrincipal('scheduler.amazonaws.com', {
        conditions: { StringEquals: { 'aws:SourceAccount': account } },
      }),
    });
    role.addToPolicy(
      new PolicyStatement({
        sid: 'StartSync',
        actions: ['lambda:InvokeFunction'],
        resources: [this.lambda.functionArn],
      }),
    );
    role.addToPolicy(
      new PolicyStatement({
        sid: 'PutAside',
        actions: ['sqs:SendMessage'],
        resources: [this.deadLetters.queueArn],
      }),
    );
    new CfnSchedule(this, 'Schedule', {
      description: 'Follows ports and settles requests of unknown outcome',
      scheduleExpression: `rate(${minutes} ${minutes === 1 ? 'minute' : 'minutes'})`,
      flexibleTimeWindow: { mode: 'OFF' },
      target: {
        arn: this.lambda.functionArn,
        roleArn: role.roleArn,
        // The default is 185 tries over a day: by then hundreds of later runs have done the work.
        retryPolicy: { maximumRetryAttempts: 1, maximumEventAgeInSeconds: 60 * minutes },
        deadLetterConfig: { arn: this.deadLetters.queueArn },
      },
    });
  }
}
