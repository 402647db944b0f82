// The stack of the pipeline: its storage and queues, the functions of its steps in their order, and its monitoring.
import { Stack } from 'aws-cdk-lib';
import type { IAlarmAction } from 'aws-cdk-lib/aws-cloudwatch';
import type { Construct } from 'constructs';
import { functionCode, pipelineFunctions } from './bundle.ts';
import { Announce } from './constructs/announce.ts';
import type { PipelineParts } from './constructs/console-functions.ts';
import { addDigest } from './constructs/digest.ts';
import { PipelineEvents } from './constructs/event-bus.ts';
import { functionEnvironment } from './constructs/function-environment.ts';
import { Ingest } from './constructs/ingest.ts';
import { Monitoring } from './constructs/monitoring.ts';
import { Queues } from './constructs/queues.ts';
import { Releases } from './constructs/releases.ts';
import { Report } from './constructs/report.ts';
import { Storage } from './constructs/storage.ts';
import { Submit } from './constructs/submit.ts';
import { Sync } from './constructs/sync.ts';
import { sendUploadEvents } from './constructs/upload-events.ts';
import type { Configuration } from './settings.ts';
import { writeOutputs } from './stack-outputs.ts';

const putSecret = 'aws secretsmanager put-secret-value';

export class PipelineStack extends Stack {
  /** What the console's stack uses of this one. */
  readonly parts: PipelineParts;
  readonly alarmAction: IAlarmAction | undefined;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id, {
      description: `simporter (${configuration.stage}): bulk import of mobile numbers and SIMs`,
      terminationProtection: configuration.production,
      tags: { product: 'simporter', stage: configuration.stage },
      ...(configuration.deployment ? { env: configuration.deployment } : {}),
    });
    const storage = new Storage(this, 'Storage', configuration);
    const queues = new Queues(this, 'Queues', configuration);
    const events = new PipelineEvents(this, 'Events', configuration);
    sendUploadEvents(storage.inbox, queues.ingest.queue);

    const code = functionCode(this, pipelineFunctions);
    const environment = functionEnvironment({ configuration, storage, queues, events });
    const common = { configuration, code, environment };
    const ingest = new Ingest(this, 'Ingest', { ...common, storage, queues });
    const submit = new Submit(this, 'Submit', { ...common, storage, queues });
    const sync = new Sync(this, 'Sync', { ...common, storage, queues });
    const report = new Report(this, 'Report', { ...common, storage, queues });
    const announce = new Announce(this, 'Announce', { ...common, table: storage.table, bus: events.bus });

    const { key } = storage;
    const { digestEmail: email } = configuration;
    if (email !== undefined) addDigest(this, { events, key, email });
    const functions = { ingest, submit, sync, report, announce };
    this.parts = { storage, queues, sync, environment };
    const { alarms, action } = new Monitoring(this, 'Monitoring', { configuration, key, queues, events, functions });
    this.alarmAction = action;
    if (configuration.releases !== 'direct') new Releases(this, 'Releases', { configuration, functions, alarms });
    writeOutputs(this, {
      InboxBucket: storage.inbox.bucketName,
      WorkBucket: storage.work.bucketName,
      ResultsBucket: storage.results.bucketName,
      ResultsTable: storage.table.tableName,
      IngestQueueUrl: queues.ingest.queue.queueUrl,
      SubmitQueueUrl: queues.submit.queue.queueUrl,
      ReportQueueUrl: queues.report.queue.queueUrl,
      EventBus: events.bus.eventBusName,
      EventsLog: events.log.logGroupName,
      SyncFunction: sync.target.functionName,
      SyncMissedRunsUrl: sync.deadLetters.queueUrl,
      SecretArn: storage.secretArn,
      ServiceAccountId: String(configuration.service.accountId),
      CallingCode: configuration.account.callingCode,
      SetCredentials: `${putSecret} --secret-id ${storage.secretArn} --secret-string file://credentials.json`,
    });
  }
}
