// Report: rolls an import's requests up into its state, and writes results.csv when that says something new.
import type { Construct } from 'constructs';
import {
  environmentOf,
  noticeGone,
  type Parts,
  readImportFiles,
  readUploads,
  sendTo,
  useItems,
  writeImportFiles,
} from './parts.ts';
import { PipelineFunction } from './pipeline-function.ts';

export class Report extends PipelineFunction {
  constructor(scope: Construct, id: string, parts: Parts) {
    const { report, retention, network } = parts.configuration;
    super(scope, id, {
      name: 'report',
      code: parts.code,
      memoryMegabytes: report.memoryMegabytes,
      timeoutSeconds: report.timeoutSeconds,
      environment: environmentOf(parts),
      logDays: retention.logDays,
      network,
    });
    this.consume(parts.reports.queue, report);
    // Every line of results.csv begins with the columns that were dropped.
    this.allow('ReadUploads', readUploads(parts));
    this.allow('NoticeGone', noticeGone(parts.inbox.bucket, parts.results));
    this.allow('ReadIssues', readImportFiles(parts.results));
    this.allow('WriteResults', writeImportFiles(parts.results));
    this.allow('RollUp', useItems(parts, 'BatchGetItem', 'GetItem', 'Query', 'UpdateItem'));
    // A large import rests between two looks: one message waits for the end of the rest.
    this.allow('PutOff', sendTo(parts.reports));
    this.allowKey(parts.key, ['s3']);
  }
}
