// Submit: one message, one claim, one call to the porting service, one record of what came of it.
import type { Construct } from 'constructs';
import { submitTimeoutSeconds } from '../config.ts';
import { environmentOf, noticeGone, type Parts, readCredentials, readImportFiles, sendTo, useItems } from './parts.ts';
import { PipelineFunction } from './pipeline-function.ts';

export class Submit extends PipelineFunction {
  constructor(scope: Construct, id: string, parts: Parts) {
    const { submit, retention, network } = parts.configuration;
    super(scope, id, {
      name: 'submit',
      code: parts.code,
      memoryMegabytes: submit.memoryMegabytes,
      timeoutSeconds: submitTimeoutSeconds(parts.configuration),
      environment: environmentOf(parts),
      logDays: retention.logDays,
      network,
    });
    this.consume(parts.submissions.queue, {
      batchSize: submit.batchSize,
      concurrency: submit.concurrency,
    });
    this.allow('ReadPlans', readImportFiles(parts.work));
    this.allow('NoticeGone', noticeGone(parts.work));
    this.allow('KeepLedger', useItems(parts, 'BatchGetItem', 'GetItem', 'PartiQLInsert', 'PartiQLUpdate', 'PutItem'));
    // A rate-limited request goes back as a new, delayed message: its receive count is not burnt (fault 40).
    this.allow('DelayAndReport', sendTo(parts.submissions, parts.reports));
    this.allow('ReadCredentials', readCredentials(parts));
    this.allowKey(parts.key, ['s3', 'secretsmanager']);
  }
}
