// Sync: runs on a schedule, finds the outcome of unknown requests, and tracks every port to its end.
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { movedRequestKey, portsPrefix, referenceDataPrefix, searchPrefix } from '#shared/store/files/object-keys.ts';
import { syncTimeoutSeconds } from '../derived-settings.ts';
import {
  deleteLeasesAndNotifications,
  detectMissingObjects,
  listUploads,
  queryIndex,
  readImportFiles,
  readSecret,
  sendTo,
  useItems,
} from './permissions.ts';
import { type CommonFunctionProps, operatingProps, PipelineFunction } from './pipeline-function.ts';
import type { Queues } from './queues.ts';
import { Schedule } from './schedule.ts';
import type { Storage } from './storage.ts';

export interface SyncProps extends CommonFunctionProps {
  readonly storage: Storage;
  readonly queues: Queues;
}

export class Sync extends PipelineFunction {
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, { configuration, storage, queues, ...common }: SyncProps) {
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
    this.allow('FindUploads', listUploads(inbox));
    this.allow('FindImports', queryIndex(table, 'listed'));
    this.allow('RequeueUploads', sendTo(queues.ingest));
    this.allow('UpdatePorts', useItems(table, 'BatchGetItem', 'GetItem', 'PutItem', 'UpdateItem'));
    this.allow('DeleteLeasesAndNotifications', deleteLeasesAndNotifications(table));
    // The numbers in the plan prove that a port is ours.
    this.allow('ReadPlans', readImportFiles(work));
    this.allow('DetectMissingPlans', detectMissingObjects(work, results));
    // A port that changed since its move was planned.
    this.allow('ReplaceMovedRequests', {
      actions: ['s3:AbortMultipartUpload', 's3:PutObject'],
      resources: [work.arnForObjects(movedRequestKey('*', '*'))],
      wildcard: 'one file for each request of an import',
    });
    this.allow('KeepSearches', {
      actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
      resources: [work.arnForObjects(`${searchPrefix}*`)],
      wildcard: 'one search for each account and address of the service',
    });
    this.allow('WriteReferenceData', {
      actions: ['s3:AbortMultipartUpload', 's3:PutObject'],
      resources: [results.arnForObjects(`${referenceDataPrefix}*`)],
      wildcard: 'one file for each kind of reference data',
    });
    this.allow('KeepPortList', {
      actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
      resources: [results.arnForObjects(`${portsPrefix}*`)],
      wildcard: 'one list for each account',
    });
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
