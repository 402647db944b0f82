// The names of what the pipeline is made of, as its stack puts them out; the same on AWS and on one machine.
import * as z from 'zod';
import { Failure } from './failure.ts';

const outputs = z.object({
  InboxBucket: z.string().min(1),
  WorkBucket: z.string().min(1),
  ResultsBucket: z.string().min(1),
  ResultsTable: z.string().min(1),
  IngestQueueUrl: z.string().min(1),
  SubmitQueueUrl: z.string().min(1),
  ReportQueueUrl: z.string().min(1),
  SyncMissedRunsUrl: z.string().min(1),
  SyncFunction: z.string().min(1),
  ServiceAccountId: z.coerce.number().int().positive(),
  CallingCode: z.string().min(1),
});

export interface Resources {
  readonly inboxBucket: string;
  readonly workBucket: string;
  readonly resultsBucket: string;
  readonly resultsTable: string;
  readonly ingestQueueUrl: string;
  readonly submitQueueUrl: string;
  readonly reportQueueUrl: string;
  /** Where runs of sync are recorded that failed or never began. */
  readonly missedRunsUrl: string;
  readonly syncFunction: string;
  readonly account: number;
  /** Of the account: what a national number belongs to. */
  readonly callingCode: string;
}

/** @throws Failure that names the outputs which are missing: then it is not a stack of ours */
export function readResources(found: Readonly<Record<string, string>>, where: string): Resources {
  const parsed = outputs.safeParse(found);
  if (!parsed.success) {
    const missing = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    throw new Failure(`${where} does not look like simporter: its outputs lack ${missing.join(', ')}.`, {
      advice: 'Name the pipeline stack, as `cdk deploy` printed it.',
    });
  }
  const { data } = parsed;
  return {
    inboxBucket: data.InboxBucket,
    workBucket: data.WorkBucket,
    resultsBucket: data.ResultsBucket,
    resultsTable: data.ResultsTable,
    ingestQueueUrl: data.IngestQueueUrl,
    submitQueueUrl: data.SubmitQueueUrl,
    reportQueueUrl: data.ReportQueueUrl,
    missedRunsUrl: data.SyncMissedRunsUrl,
    syncFunction: data.SyncFunction,
    account: data.ServiceAccountId,
    callingCode: data.CallingCode,
  };
}
