// The outputs of the pipeline stack, which name its resources; the same on AWS and on the local emulator.
import * as z from 'zod';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { CliError } from '../context/cli-error.ts';

const stackOutputs = z.object({
  InboxBucket: z.string().min(1),
  WorkBucket: z.string().min(1),
  ResultsBucket: z.string().min(1),
  ResultsTable: z.string().min(1),
  IngestQueueUrl: z.string().min(1),
  CommandQueueUrl: z.string().min(1),
  SubmitQueueUrl: z.string().min(1),
  ReportQueueUrl: z.string().min(1),
  SyncMissedRunsUrl: z.string().min(1),
  SyncFunction: z.string().min(1),
  ServiceAccountId: z.coerce.number().int().positive(),
  CallingCode: z.string().min(1),
  /** Of a stack with the setting `analytics`. */
  AnalyticsDatabase: z.string().optional(),
  AnalyticsWorkgroup: z.string().optional(),
  /** Missing in the outputs of an earlier version. */
  Simulated: z.stringbool().default(false),
});

export interface Resources {
  readonly inboxBucket: string;
  readonly workBucket: string;
  readonly resultsBucket: string;
  readonly resultsTable: string;
  readonly ingestQueueUrl: string;
  readonly commandQueueUrl: string;
  readonly submitQueueUrl: string;
  readonly reportQueueUrl: string;
  /** The queue that records the runs of sync that failed or never started. */
  readonly missedRunsUrl: string;
  readonly syncFunction: string;
  readonly account: number;
  /** The country of a national number of this account. */
  readonly callingCode: string;
  /** Where Athena finds the rows of all imports; undefined: the setting `analytics` is off. */
  readonly analyticsDatabase: string | undefined;
  readonly analyticsWorkgroup: string | undefined;
  /** The porting service is a simulator: nothing reaches a network. */
  readonly simulated: boolean;
}

/** @throws CliError that names the missing outputs: then it is not a stack of simporter */
export function readResources(outputs: Readonly<Record<string, string>>, owner: string): Resources {
  const parsed = stackOutputs.safeParse(outputs);
  if (!parsed.success) {
    const missing = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    throw new CliError(`${owner} is not a simporter pipeline: its outputs lack ${missing.join(', ')}.`, {
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
    commandQueueUrl: data.CommandQueueUrl,
    submitQueueUrl: data.SubmitQueueUrl,
    reportQueueUrl: data.ReportQueueUrl,
    missedRunsUrl: data.SyncMissedRunsUrl,
    syncFunction: data.SyncFunction,
    account: data.ServiceAccountId,
    callingCode: data.CallingCode,
    analyticsDatabase: data.AnalyticsDatabase,
    analyticsWorkgroup: data.AnalyticsWorkgroup,
    simulated: data.Simulated,
  };
}

/**
 * The outputs of a deployed stack by name, read with the usual AWS credentials and region.
 * @throws CliError when that account and region have no such stack
 */
export async function readStackOutputs(name: string): Promise<Record<string, string>> {
  const { CloudFormationClient, DescribeStacksCommand } = await import('@aws-sdk/client-cloudformation');
  const command = new DescribeStacksCommand({ StackName: name });
  const { Stacks } = await new CloudFormationClient(clientTimeouts).send(command).catch((cause: unknown) => {
    if (!(cause instanceof Error && cause.name === 'ValidationError')) throw cause;
    throw new CliError(`There is no stack "${name}" here.`, {
      code: 'not-found',
      advice: 'Check the name, AWS_PROFILE and AWS_REGION: `aws cloudformation list-stacks` shows every stack.',
      cause,
    });
  });
  const outputs: Record<string, string> = {};
  for (const { OutputKey, OutputValue } of Stacks?.[0]?.Outputs ?? []) {
    if (OutputKey !== undefined && OutputValue !== undefined) outputs[OutputKey] = OutputValue;
  }
  return outputs;
}
