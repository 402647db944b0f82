// Sync: runs on a schedule, finds the outcome of unknown requests, and tracks every port to its end.
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { movedRequestKey, portsPrefix, referenceDataPrefix, searchPrefix } from '#shared/store/object-keys.ts';
import { syncTimeoutSeconds } from '../derived-settings.ts';
import {
  detectMissingObjects,
  queryIndex,
  readImportFiles,
  readSecret,
  sendTo,
  useItems,
  useObjects,
} from './permissions.ts';
import { operatingProps, PipelineFunction, type StepProps } from './pipeline-function.ts';
import { Schedule } from './schedule.ts';

export class Sync extends PipelineFunction {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { configuration, storage, queues, ...common }: StepProps) {
    const { sync } = configuration;
    super(scope, id, {
      ...common,
      name: 'sync',
      memoryMegabytes: sync.memoryMegabytes,
      timeoutSeconds: syncTimeoutSeconds(configuration),
      ...operatingProps(configuration),
      // Runs never overlap. A lease in the table ensures it too: a redrive or a person may start a run (fault 47).
      reservedConcurrency: 1,
    });
    const { inbox, work, results, table, key } = storage;
    this.allow('FindDueItems', queryIndex(table, 'due'));
    // Sync compares the uploads with the imports, and requeues an upload whose event was lost (fault 6).
    this.allow('FindUploads', { actions: ['s3:ListBucketVersions'], resources: [inbox.bucketArn] });
    this.allow('FindImports', queryIndex(table, 'listed'));
    this.allow('RequeueUploads', sendTo(queues.ingest));
    this.allow('UpdatePorts', useItems(table, 'BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'));
    // Functions delete no other items than leases and report notifications.
    this.allow('DeleteLeasesAndNotifications', {
      ...useItems(table, 'DeleteItem'),
      conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['lease#*', 'notification#*'] } },
    });
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
