// Report: computes the state of an import from its requests, and writes results.csv.
import type { Construct } from 'constructs';
import {
  detectMissingObjects,
  queryIndex,
  readImportFiles,
  readReferenceData,
  readUploads,
  sendTo,
  useItems,
  writeAnalyticsFiles,
  writeImportFiles,
} from './permissions.ts';
import { type CommonFunctionProps, operatingProps, PipelineFunction } from './pipeline-function.ts';
import type { Queues } from './queues.ts';
import type { Storage } from './storage.ts';

export interface ReportProps extends CommonFunctionProps {
  readonly storage: Storage;
  readonly queues: Queues;
}

export class Report extends PipelineFunction {
  constructor(scope: Construct, id: string, { configuration, storage, queues, ...common }: ReportProps) {
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
    this.allow('ReadReferenceData', readReferenceData(results));
    this.allow('WriteResults', writeImportFiles(results));
    if (configuration.analytics) this.allow('WriteAnalytics', writeAnalyticsFiles(results));
    this.allow('UpdateTotals', useItems(table, 'BatchGetItem', 'GetItem', 'Query', 'UpdateItem'));
    // The corrections of an import are in its results.
    this.allow('FindCorrections', queryIndex(table, 'listed'));
    this.allow('Requeue', sendTo(queues.report));
    this.allowKey(key, ['s3']);
  }
}
