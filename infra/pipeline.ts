// The pipeline: its storage and queues, the functions of its steps in their order, and its monitoring.
import { Annotations, Stack } from 'aws-cdk-lib';
import type { IAlarm, IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import type { Bucket, CfnBucket } from 'aws-cdk-lib/aws-s3';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { functionCode } from '#function-code';
import type { EnvironmentName } from '#shared/runtime/config.ts';
import { type SettingName, settingVariables } from '#shared/runtime/settings.ts';
import { portingAccount } from '#shared/text/identity.ts';
import { generatedBucketNames, writeOutputs } from './cdk-conventions.ts';
import { Analytics } from './constructs/analytics.ts';
import { ConfirmedSettings } from './constructs/confirmed-settings.ts';
import type { PipelineParts } from './constructs/console-functions.ts';
import { PipelineEvents } from './constructs/event-bus.ts';
import type { SimporterFunction } from './constructs/function.ts';
import { addDigest, addWebhook } from './constructs/messages.ts';
import { Monitoring } from './constructs/monitoring.ts';
import { Queues } from './constructs/queues.ts';
import { Releases } from './constructs/releases.ts';
import { Announce, Ingest, Report, Submit, Sync } from './constructs/steps.ts';
import { Storage } from './constructs/storage.ts';
import {
  approvalMode,
  eventSource,
  isMonitored,
  leaseSeconds,
  metricsNamespace,
  neededConcurrency,
  releaseMode,
  serviceOf,
} from './derived-settings.ts';
import { pipelineFunctions } from './function-names.ts';
import type { Configuration } from './settings.ts';

const putSecret = 'aws secretsmanager put-secret-value';

/** What other constructs may need of the pipeline. */
export interface PipelineResources {
  readonly parts: PipelineParts;
  readonly events: PipelineEvents;
  readonly alarms: readonly IAlarm[];
  readonly alarmActions: readonly IAlarmAction[];
}

/** Creates the resources of the pipeline below `scope`, and the outputs by which the command line finds them. */
export function addPipeline(scope: Construct, configuration: Configuration): PipelineResources {
  const storage = new Storage(scope, 'Storage', configuration);
  const queues = new Queues(scope, 'Queues', configuration);
  const events = new PipelineEvents(scope, 'Events', configuration);
  sendUploadEvents(storage.inbox, queues.ingest.queue);
  new ConfirmedSettings(scope, 'Confirmed', configuration, storage.inbox);

  const environment = functionEnvironment({ configuration, storage, queues, events });
  const common = { configuration, code: functionCode(Stack.of(scope), pipelineFunctions), environment };
  const ingest = new Ingest(scope, 'Ingest', { ...common, storage, queues });
  const submit = new Submit(scope, 'Submit', { ...common, storage, queues });
  const sync = new Sync(scope, 'Sync', { ...common, storage, queues });
  const report = new Report(scope, 'Report', { ...common, storage, queues });
  denyOtherSenders(queues.ingest.queue, [ingest, sync]);
  const announce = new Announce(scope, 'Announce', { ...common, table: storage.table, bus: events.bus });

  const { key } = storage;
  const { digestEmail: email, webhook } = configuration;
  const { secretName } = webhook;
  if (email !== undefined) addDigest(scope, { events, key, email });
  const ofWebhook = secretName === undefined ? {} : addWebhook(scope, { configuration, events, secretName });
  const functions = { ingest, submit, sync, report, announce };
  const monitoring = isMonitored(configuration)
    ? new Monitoring(scope, 'Monitoring', { configuration, key, queues, events, functions })
    : undefined;
  if (releaseMode(configuration) !== 'direct') {
    new Releases(scope, 'Releases', { configuration, functions, alarms: monitoring?.alarms });
  }
  // Always, so that the stack can be deployed without the console while the stack of the console uses them.
  for (const { bucketArn } of [storage.inbox, storage.work, storage.results]) Stack.of(scope).exportValue(bucketArn);
  const analytics = configuration.analytics ? new Analytics(scope, 'Analytics', { configuration, storage }) : undefined;
  writeOutputs(scope, {
    ...analytics?.outputs,
    ...ofWebhook,
    InboxBucket: storage.inbox.bucketName,
    WorkBucket: storage.work.bucketName,
    ResultsBucket: storage.results.bucketName,
    ResultsTable: storage.table.tableName,
    IngestQueueUrl: queues.ingest.queue.queueUrl,
    CommandQueueUrl: queues.command.queue.queueUrl,
    SubmitQueueUrl: queues.submit.queue.queueUrl,
    ReportQueueUrl: queues.report.queue.queueUrl,
    EventBus: events.bus.eventBusName,
    EventsLog: events.log.logGroupName,
    SyncFunction: sync.target.functionName,
    AnnounceFunction: announce.target.functionName,
    SyncMissedRunsUrl: sync.deadLetters.queueUrl,
    AnnounceDeadLettersUrl: announce.deadLetters.queueUrl,
    EventDeadLettersUrl: events.deadLetters.queueUrl,
    SecretArn: storage.secretArn,
    ...(configuration.alarms.topicArn !== undefined && { AlarmTopicArn: configuration.alarms.topicArn }),
    ServiceBaseUrl: configuration.service.baseUrl,
    PortingAccount: portingAccount(serviceOf(configuration)),
    CallingCode: configuration.account.callingCode,
    SetCredentials: `${putSecret} --secret-id ${storage.secretArn} --secret-string file://credentials.json`,
  });
  const { alarms, actions: alarmActions = [] } = monitoring ?? {};
  noteConcurrency(scope, configuration);
  return { parts: { storage, queues, sync, environment }, events, alarms: alarms?.all ?? [], alarmActions };
}

/** `cdk synth` shows it: a deployment fails where the account has a lower limit. */
export function noteConcurrency(scope: Construct, configuration: Configuration): void {
  const { reserved, shared, limit } = neededConcurrency(configuration);
  const parts = reserved.map(([name, executions]) => `${name} ${executions}`).join(', ');
  const message =
    `Environment "${configuration.stage}" needs a limit of at least ${limit} concurrent executions of Lambda in its AWS ` +
    `account and region${parts && `: reserved for ${parts}, and ${shared} for all other functions`}.`;
  Annotations.of(scope).addInfoV2('simporter:concurrency', message);
}

/** Only the functions of the API have these. */
export const apiVariables = [
  'ENVIRONMENT_NAME',
  'ENVIRONMENT_KIND',
  'ENVIRONMENT_COLOUR',
  'SYNC_FUNCTION',
] as const satisfies readonly EnvironmentName[];
type ApiVariable = (typeof apiVariables)[number];

/** What shared/runtime/config.ts parses. Only the emulator sets the calendar. */
type FunctionEnvironment = Record<
  Exclude<EnvironmentName, 'CALENDAR_FILE' | ApiVariable> | SettingName | 'POWERTOOLS_METRICS_NAMESPACE',
  string
>;

interface FunctionEnvironmentProps {
  readonly configuration: Configuration;
  readonly storage: Storage;
  readonly queues: Queues;
  readonly events: PipelineEvents;
}

/** One record for all functions: each parses the variables that it uses. */
function functionEnvironment(props: FunctionEnvironmentProps): FunctionEnvironment {
  const { configuration, storage, queues, events } = props;
  return {
    INBOX_BUCKET: storage.inbox.bucketName,
    WORK_BUCKET: storage.work.bucketName,
    RESULTS_BUCKET: storage.results.bucketName,
    RESULTS_TABLE: storage.table.tableName,
    INGEST_QUEUE_URL: queues.ingest.queue.queueUrl,
    COMMAND_QUEUE_URL: queues.command.queue.queueUrl,
    SUBMIT_QUEUE_URL: queues.submit.queue.queueUrl,
    REPORT_QUEUE_URL: queues.report.queue.queueUrl,
    EVENT_BUS: events.bus.eventBusName,
    EVENT_SOURCE: eventSource(configuration.stage),
    SERVICE_SECRET_ARN: storage.secretArn,
    LEASE_SECONDS: String(leaseSeconds(configuration)),
    ...settingVariables({
      ...configuration,
      service: serviceOf(configuration),
      approval: approvalMode(configuration),
    }),
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(configuration.stage),
  };
}

/**
 * Ingest believes the uploader that an event in this queue names, so nobody else may write one, whatever their own
 * permissions are. S3 states the bucket as the source of its call, which no other caller can.
 */
function denyOtherSenders(queue: Queue, senders: readonly SimporterFunction[]): void {
  queue.addToResourcePolicy(
    new PolicyStatement({
      sid: 'DenyOtherSenders',
      effect: Effect.DENY,
      principals: [new AnyPrincipal()],
      actions: ['sqs:SendMessage'],
      resources: [queue.queueArn],
      conditions: {
        Null: { 'aws:SourceArn': 'true' },
        ArnNotEquals: { 'aws:PrincipalArn': senders.map(({ roleArn }) => roleArn) },
      },
    }),
  );
}

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
