// Report: computes the state of an import from its requests, and writes results.csv.
import type { Construct } from 'constructs';
import { analyticsPrefix, referenceDataPrefix } from '#shared/store/object-keys.ts';
import {
  detectMissingObjects,
  queryIndex,
  readImportFiles,
  readUploads,
  sendTo,
  useItems,
  useObjects,
  writeImportFiles,
} from './permissions.ts';
import { operatingProps, PipelineFunction, type StepProps } from './pipeline-function.ts';

export class Report extends PipelineFunction {
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
    // The corrections of an import are in its results.
    this.allow('FindCorrections', queryIndex(table, 'listed'));
    this.allow('Requeue', sendTo(queues.report));
    this.allowKey(key, ['s3']);
  }
}
