// The steps of the pipeline, each a function with what invokes it and what it may do.
import { Duration } from 'aws-cdk-lib';
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IEventBus } from 'aws-cdk-lib/aws-events';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import {
  analyticsPrefix,
  movedRequestKey,
  portsPrefix,
  referenceDataPrefix,
  searchPrefix,
} from '#shared/store/object-keys.ts';
import {
  eventSource,
  ingestNodeOptions,
  isMonitored,
  reservedConcurrency,
  submitBatchSize,
  submitConcurrency,
  submitTimeoutSeconds,
  syncTimeoutSeconds,
} from '../derived-settings.ts';
import {
  type CommonFunctionProps,
  detectMissingObjects,
  operatingProps,
  queryIndex,
  readImportFiles,
  readSecret,
  readUploads,
  SimporterFunction,
  type StepProps,
  sendTo,
  useItems,
  useItemsNamed,
  useObjects,
  writeImportFiles,
} from './function.ts';
import { deadLetterQueue } from './queues.ts';
import { Schedule } from './schedule.ts';

export class Ingest extends SimporterFunction {
  constructor(scope: Construct, id: string, { configuration, storage, queues, ...common }: StepProps) {
    const { ingest } = configuration;
    super(scope, id, {
      ...common,
      name: 'ingest',
      memoryMegabytes: ingest.memoryMegabytes,
      timeoutSeconds: ingest.timeoutSeconds,
      nodeOptions: ingestNodeOptions,
      ...operatingProps(configuration),
      // A file that waits for the service is requeued as a new message, for as long as the outage lasts.
      mayInvokeItself: true,
    });
    const { inbox, work, results, table, key } = storage;
    // One file may need the whole time-out.
    const source = { batchSize: 1, concurrency: ingest.concurrency };
    this.consumeQueue(queues.ingest.queue, source);
    this.consumeQueue(queues.command.queue, { ...source, id: 'Command' });
    this.allow('ReadUploads', readUploads(inbox));
    this.allow('DetectMissingObjects', detectMissingObjects(inbox, work, results));
    this.allow('WritePlans', writeImportFiles(work));
    // The release reads the position of each request in the plan.
    this.allow('ReadPlans', readImportFiles(work));
    this.allow('WriteRejectedRows', writeImportFiles(results));
    // A correction is compared with the earlier imports of its rows.
    this.allow('ReadRejectedRows', readImportFiles(results));
    this.allow(
      'RecordImports',
      useItems(table, 'BatchGetItem', 'GetItem', 'PartiQLInsert', 'PutItem', 'Query', 'UpdateItem'),
    );
    this.allow('RequeueReleaseAndReport', sendTo(queues.ingest, queues.command, queues.submit, queues.report));
    this.allow('ReadCredentials', readSecret(storage.secretArn));
    this.allowKey(key, ['s3', 'secretsmanager']);
  }
}

// Submit: claims the numbers of one request, makes one call to the porting service, and records its outcome.

export class Submit extends SimporterFunction {
  constructor(scope: Construct, id: string, { configuration, storage, queues, ...common }: StepProps) {
    const { submit } = configuration;
    super(scope, id, {
      ...common,
      name: 'submit',
      memoryMegabytes: submit.memoryMegabytes,
      timeoutSeconds: submitTimeoutSeconds(configuration),
      ...operatingProps(configuration),
      // A request that waits for the service or the rate limiter is requeued as a new message (fault 40).
      mayInvokeItself: true,
      reservedConcurrency: reservedConcurrency(configuration, 'submit'),
    });
    const { work, table, key } = storage;
    const concurrency = submitConcurrency(configuration);
    this.consumeQueue(queues.submit.queue, { batchSize: submitBatchSize(configuration), concurrency });
    this.allow('ReadPlans', readImportFiles(work));
    this.allow('DetectMissingPlans', detectMissingObjects(work));
    // A port that is moved takes no change: the parts of its import, and their requests, are queried.
    this.allow(
      'WriteLedger',
      useItems(table, 'BatchGetItem', 'GetItem', 'PartiQLInsert', 'PutItem', 'Query', 'UpdateItem'),
    );
    // A request that ended without its provisioning order leaves the name to another one.
    this.allow('DeleteUsesOfNames', useItemsNamed(table, 'DeleteItem', 'orderName#*'));
    this.allow('RequeueAndReport', sendTo(queues.submit, queues.report));
    this.allow('ReadCredentials', readSecret(storage.secretArn));
    this.allowKey(key, ['s3', 'secretsmanager']);
  }
}

// Sync: runs on a schedule, finds the outcome of unknown requests, and tracks every port to its end.

export class Sync extends SimporterFunction {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { configuration, storage, queues, ...common }: StepProps) {
    const { sync } = configuration;
    super(scope, id, {
      ...common,
      name: 'sync',
      memoryMegabytes: sync.memoryMegabytes,
      timeoutSeconds: syncTimeoutSeconds(configuration),
      ...operatingProps(configuration),
      reservedConcurrency: reservedConcurrency(configuration, 'sync'),
    });
    const { inbox, work, results, table, key } = storage;
    this.allow('FindDueItems', queryIndex(table, 'due'));
    // Sync compares the uploads with the imports, and requeues an upload whose event was lost (fault 6).
    this.allow('FindUploads', { actions: ['s3:ListBucketVersions'], resources: [inbox.bucketArn] });
    this.allow('FindImports', queryIndex(table, 'listed'));
    this.allow('RequeueUploads', sendTo(queues.ingest));
    this.allow('UpdatePorts', useItems(table, 'BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'));
    this.allow('DeleteLeasesAndNotifications', useItemsNamed(table, 'DeleteItem', 'lease#*', 'notification#*'));
    // The numbers in the plan prove that a port is ours.
    this.allow('ReadPlans', readImportFiles(work));
    this.allow('DetectMissingPlans', detectMissingObjects(work, results));
    // A port that changed since its move was planned.
    this.allow('ReplaceMovedRequests', {
      actions: ['s3:AbortMultipartUpload', 's3:PutObject'],
      resources: [work.arnForObjects(movedRequestKey('*', '*'))],
      wildcard: 'one file for each request of an import',
    });
    const write = ['AbortMultipartUpload', 'PutObject'] as const;
    const perService = 'one search for each account and address of the service';
    this.allow('KeepSearches', useObjects(work, searchPrefix, perService, 'GetObject', ...write));
    const perKind = 'one file for each kind of reference data';
    this.allow('WriteReferenceData', useObjects(results, referenceDataPrefix, perKind, ...write));
    this.allow('KeepPortList', useObjects(results, portsPrefix, 'one list for each account', 'GetObject', ...write));
    this.allow('ReleaseAndReport', sendTo(queues.submit, queues.report));
    this.allow('ReadCredentials', readSecret(storage.secretArn));
    this.allowKey(key, ['s3', 'secretsmanager']);
    const schedule = new Schedule(this, 'Schedule', {
      target: this,
      description: 'Tracks ports and finds the outcome of unknown requests',
      everyMinutes: sync.everyMinutes,
      deadLetters: 'SyncMissedRuns',
      startRetries: 1,
    });
    this.deadLetters = schedule.deadLetters;
  }
}

// Report: computes the state of an import from its requests, and writes results.csv.

export class Report extends SimporterFunction {
  constructor(scope: Construct, id: string, { configuration, storage, queues, ...common }: StepProps) {
    const { report } = configuration;
    super(scope, id, {
      ...common,
      name: 'report',
      memoryMegabytes: report.memoryMegabytes,
      timeoutSeconds: report.timeoutSeconds,
      ...operatingProps(configuration),
      // It never calls the service, so it needs no fixed IP address.
      network: undefined,
      // The refresh throttle of a large import requeues one message until the next update.
      mayInvokeItself: true,
    });
    const { inbox, results, table, key } = storage;
    this.consumeQueue(queues.report.queue, report);
    // Every row of results.csv begins with the columns of the upload.
    this.allow('ReadUploads', readUploads(inbox));
    this.allow('DetectMissingObjects', detectMissingObjects(inbox, results));
    this.allow('ReadIssues', readImportFiles(results));
    // The values that workbooks offer.
    this.allow('ReadReferenceData', useObjects(results, referenceDataPrefix, 'one file for each list', 'GetObject'));
    this.allow('WriteResults', writeImportFiles(results));
    if (configuration.analytics) {
      // Each written file is compared with results.csv first.
      const actions = ['AbortMultipartUpload', 'GetObject', 'PutObject'] as const;
      this.allow('WriteAnalytics', useObjects(results, analyticsPrefix, 'one file per import', ...actions));
    }
    this.allow('UpdateTotals', useItems(table, 'BatchGetItem', 'GetItem', 'Query', 'UpdateItem'));
    this.allow('Requeue', sendTo(queues.report));
    this.allowKey(key, ['s3']);
  }
}

// Announce: reads the stream of the table and publishes events for other systems.

/** Matches records by their sort key and the new image of the item. */
const matchRecord = (sk: unknown, image: Readonly<Record<string, unknown>>, eventName?: readonly string[]) =>
  FilterCriteria.filter({
    ...(eventName === undefined ? {} : { eventName }),
    dynamodb: { Keys: { sk: { S: sk } }, NewImage: image },
  });

/**
 * Only these records can cause an event. Lambda discards all others for free: claims and ends of numbers, requests in
 * progress, port snapshots without a change. An event source mapping has at most five filters.
 */
const filters = [
  matchRecord(['import'], { state: { S: ['planned', 'rejected', 'finished'] } }),
  matchRecord([{ prefix: 'event#' }], { portId: { S: FilterRule.exists() } }, ['INSERT']),
  matchRecord(['current'], { latest: { M: { ended: { BOOL: [false] } } } }),
  matchRecord(['port', { prefix: 'comparison#' }], { listed: { S: FilterRule.exists() } }),
  matchRecord([{ prefix: 'request#' }], { state: { S: ['action-required'] } }),
];

interface AnnounceProps extends CommonFunctionProps {
  readonly table: ITableV2;
  readonly bus: IEventBus;
}

export class Announce extends SimporterFunction {
  readonly deadLetters: Queue;
  /** Names the metrics of the event source. */
  readonly sourceId: string;

  constructor(scope: Construct, id: string, { configuration, table, bus, ...common }: AnnounceProps) {
    const { announce } = configuration;
    super(scope, id, {
      ...common,
      name: 'announce',
      memoryMegabytes: announce.memoryMegabytes,
      timeoutSeconds: announce.timeoutSeconds,
      ...operatingProps(configuration),
      // It never calls the service, so it needs no fixed IP address.
      network: undefined,
    });
    this.deadLetters = deadLetterQueue(this, 'AnnounceDeadLetters');
    this.sourceId = this.consumeStream(table, {
      batchSize: announce.batchSize,
      windowSeconds: announce.windowSeconds,
      retryAttempts: announce.retryAttempts,
      // The stream keeps records for 24 hours: older records are dead-lettered before it deletes them.
      maxRecordAge: Duration.hours(12),
      startingPosition: StartingPosition.TRIM_HORIZON,
      filters,
      deadLetters: this.deadLetters,
      countsEvents: isMonitored(configuration),
    });
    this.allow('PublishEvents', {
      actions: ['events:PutEvents'],
      resources: [bus.eventBusArn],
      conditions: { StringEquals: { 'events:source': eventSource(configuration.stage) } },
    });
  }
}
