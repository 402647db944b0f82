// Ingest: turns one upload into a plan, the invalid rows, and one message for each request.
import type { Construct } from 'constructs';
import { ingestNodeOptions } from '../derived-settings.ts';
import {
  detectMissingObjects,
  queryIndex,
  readImportFiles,
  readSecret,
  readUploads,
  sendTo,
  useItems,
  writeImportFiles,
} from './permissions.ts';
import { operatingProps, PipelineFunction, type StepProps } from './pipeline-function.ts';

export class Ingest extends PipelineFunction {
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
    this.allow('FindCorrections', queryIndex(table, 'listed'));
    this.allow(
      'RecordImports',
      useItems(table, 'BatchGetItem', 'GetItem', 'PartiQLInsert', 'PutItem', 'Query', 'UpdateItem'),
    );
    this.allow('RequeueReleaseAndReport', sendTo(queues.ingest, queues.command, queues.submit, queues.report));
    this.allow('ReadCredentials', readSecret(storage.secretArn));
    this.allowKey(key, ['s3', 'secretsmanager']);
  }
}
