// Ingest: one upload at a time becomes a plan, a list of rejected rows, and one message per request.
import type { Construct } from 'constructs';
import { ingestNodeOptions } from '../config.ts';
import {
  environmentOf,
  noticeGone,
  type Parts,
  readCredentials,
  readImportFiles,
  readUploads,
  sendTo,
  useItems,
  writeImportFiles,
} from './parts.ts';
import { PipelineFunction } from './pipeline-function.ts';

export class Ingest extends PipelineFunction {
  constructor(scope: Construct, id: string, parts: Parts) {
    const { ingest, retention, network } = parts.configuration;
    super(scope, id, {
      name: 'ingest',
      code: parts.code,
      memoryMegabytes: ingest.memoryMegabytes,
      timeoutSeconds: ingest.timeoutSeconds,
      environment: environmentOf(parts),
      nodeOptions: ingestNodeOptions,
      logDays: retention.logDays,
      network,
    });
    // A file may take the whole time-out, so files never share an invocation.
    this.consume(parts.inbox.arrivals.queue, { batchSize: 1, concurrency: ingest.concurrency });
    this.allow('ReadUploads', readUploads(parts));
    this.allow('NoticeGone', noticeGone(parts.inbox.bucket, parts.work));
    this.allow('WritePlans', writeImportFiles(parts.work));
    // Release reads back where in the plan each request stands.
    this.allow('ReadPlans', readImportFiles(parts.work));
    this.allow('WriteRejected', writeImportFiles(parts.results));
    this.allow('RecordImports', useItems(parts, 'GetItem', 'PartiQLInsert', 'PutItem', 'Query', 'UpdateItem'));
    // A file that waits for the service goes back as a new, delayed message: its receive count is not burnt.
    this.allow('WaitReleaseAndReport', sendTo(parts.inbox.arrivals, parts.submissions, parts.reports));
    this.allow('ReadCredentials', readCredentials(parts));
    this.allowKey(parts.key, ['s3', 'secretsmanager']);
  }
}
