// The pipeline, in flow order: inbox, ingest, submit, sync, report, and what they share; announce tells others of it.
import { CfnOutput, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import { functionCode, pipelineFunctions } from './bundle.ts';
import { type StageConfiguration, submitTimeoutSeconds } from './config.ts';
import { Announce } from './constructs/announce.ts';
import { Digest } from './constructs/digest.ts';
import { Events } from './constructs/event-bus.ts';
import { Inbox } from './constructs/inbox.ts';
import { Ingest } from './constructs/ingest.ts';
import type { Parts } from './constructs/parts.ts';
import { accessLogsBucket, privateBucket } from './constructs/private-bucket.ts';
import { Report } from './constructs/report.ts';
import { resultsTable } from './constructs/results-table.ts';
import { serviceCredentials } from './constructs/service-credentials.ts';
import { Submit } from './constructs/submit.ts';
import { Sync } from './constructs/sync.ts';
import { Watch } from './constructs/watch.ts';
import { WorkQueue } from './constructs/work-queue.ts';
import { keepId } from './logical-id.ts';

export class PipelineStack extends Stack {
  constructor(scope: Construct, id: string, configuration: StageConfiguration) {
    super(scope, id, {
      description: `simporter (${configuration.stage}): bulk import of mobile numbers and SIMs`,
      terminationProtection: configuration.protect,
      tags: { product: 'simporter', stage: configuration.stage },
      ...(configuration.deployment ? { env: configuration.deployment } : {}),
    });
    const parts = this.parts(configuration);

    const ingest = new Ingest(this, 'Ingest', parts);
    const submit = new Submit(this, 'Submit', parts);
    const sync = new Sync(this, 'Sync', parts);
    const report = new Report(this, 'Report', parts);
    const announce = new Announce(this, 'Announce', parts);

    new Watch(this, 'Watch', { parts, ingest, submit, sync, report, announce });
    const { digestEmail: email } = configuration.watch;
    const { key, events } = parts;
    if (email !== undefined) new Digest(this, 'Digest', { configuration, key, bus: events.bus, email });
    this.tell(parts, sync);
  }

  /** Everything that holds something; the functions only come and go. */
  private parts(configuration: StageConfiguration): Parts {
    const { protect, retention } = configuration;
    const key = new Key(this, 'Key', {
      description: 'Encrypts everything of simporter that holds a PAC or a credential',
      enableKeyRotation: true,
      removalPolicy: protect ? RemovalPolicy.RETAIN : RemovalPolicy.DESTROY,
    });
    keepId(key);
    const accessLogs = accessLogsBucket(this, 'AccessLogs', retention.logDays, protect);
    return {
      configuration,
      code: functionCode(this, pipelineFunctions),
      key,
      inbox: new Inbox(this, 'Inbox', { configuration, key, accessLogs }),
      work: privateBucket(this, 'Work', {
        key,
        accessLogs,
        expireDays: retention.planDays,
        protect,
      }),
      results: privateBucket(this, 'Results', {
        key,
        accessLogs,
        expireDays: retention.resultsDays,
        protect,
      }),
      table: resultsTable(this, 'Table', protect),
      submissions: new WorkQueue(this, 'Submissions', {
        reader: 'Submit',
        consumerTimeoutSeconds: submitTimeoutSeconds(configuration),
      }),
      reports: new WorkQueue(this, 'Reports', {
        reader: 'Report',
        consumerTimeoutSeconds: configuration.report.timeoutSeconds,
      }),
      events: new Events(this, 'Events', configuration),
      credentialsArn: serviceCredentials(this, 'Credentials', {
        key,
        protect,
        name: configuration.service.secretName,
      }).ref,
    };
  }

  /** The command line finds a deployed stack by these names: they are a contract. */
  private tell(parts: Parts, sync: Sync): void {
    const { service, account } = parts.configuration;
    const outputs = {
      InboxBucket: parts.inbox.bucket.bucketName,
      WorkBucket: parts.work.bucketName,
      ResultsBucket: parts.results.bucketName,
      ResultsTable: parts.table.tableName,
      IngestQueueUrl: parts.inbox.arrivals.queue.queueUrl,
      SubmitQueueUrl: parts.submissions.queue.queueUrl,
      ReportQueueUrl: parts.reports.queue.queueUrl,
      EventBus: parts.events.bus.eventBusName,
      EventsLog: parts.events.log.logGroupName,
      SyncFunction: sync.lambda.functionName,
      SyncMissedRunsUrl: sync.deadLetters.queueUrl,
      SecretArn: parts.credentialsArn,
      ServiceAccountId: String(service.accountId),
      CallingCode: account.callingCode,
      SetCredentials: `aws secretsmanager put-secret-value --secret-id ${parts.credentialsArn} --secret-string file://credentials.json`,
    };
    const scope = new Construct(this, 'Outputs');
    for (const [name, value] of Object.entries(outputs)) new CfnOutput(scope, name, { value }).overrideLogicalId(name);
  }
}
