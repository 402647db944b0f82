// Submit: claims the numbers of one request, makes one call to the porting service, and records its outcome.
import type { Construct } from 'constructs';
import { submitBatchSize, submitConcurrency, submitTimeoutSeconds } from '../derived-settings.ts';
import { detectMissingObjects, queryIndex, readImportFiles, readSecret, sendTo, useItems } from './permissions.ts';
import { operatingProps, PipelineFunction, type StepProps } from './pipeline-function.ts';

export class Submit extends PipelineFunction {
  constructor(scope: Construct, id: string, { configuration, storage, queues, ...common }: StepProps) {
    const { submit } = configuration;
    const concurrency = submitConcurrency(configuration);
    super(scope, id, {
      ...common,
      name: 'submit',
      memoryMegabytes: submit.memoryMegabytes,
      timeoutSeconds: submitTimeoutSeconds(configuration),
      ...operatingProps(configuration),
      // A request that waits for the service or the rate limiter is requeued as a new message (fault 40).
      mayInvokeItself: true,
      // Calls of others in the account leave it what the rate limit needs.
      reservedConcurrency: concurrency,
    });
    const { work, table, key } = storage;
    this.consumeQueue(queues.submit.queue, { batchSize: submitBatchSize(configuration), concurrency });
    this.allow('ReadPlans', readImportFiles(work));
    this.allow('DetectMissingPlans', detectMissingObjects(work));
    this.allow('WriteLedger', useItems(table, 'BatchGetItem', 'GetItem', 'PartiQLInsert', 'PutItem', 'UpdateItem'));
    // A port that is being moved takes no change.
    this.allow('FindMoves', queryIndex(table, 'due'));
    this.allow('RequeueAndReport', sendTo(queues.submit, queues.report));
    this.allow('ReadCredentials', readSecret(storage.secretArn));
    this.allowKey(key, ['s3', 'secretsmanager']);
  }
}
