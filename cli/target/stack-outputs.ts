// The outputs of the pipeline stack, which name its resources; the same on AWS and on the local emulator.
import * as z from 'zod';
import { isSimulator } from '#shared/service/service-texts.ts';
import { clientTimeouts } from '#shared/store/client-timeouts.ts';
import { CliError } from '../context/cli-error.ts';

const stackOutputs = z
  .object({
    InboxBucket: z.string().min(1),
    WorkBucket: z.string().min(1),
    ResultsBucket: z.string().min(1),
    ResultsTable: z.string().min(1),
    IngestQueueUrl: z.string().min(1),
    CommandQueueUrl: z.string().min(1),
    SubmitQueueUrl: z.string().min(1),
    ReportQueueUrl: z.string().min(1),
    SyncMissedRunsUrl: z.string().min(1),
    AnnounceDeadLettersUrl: z.string().min(1),
    EventDeadLettersUrl: z.string().min(1),
    SyncFunction: z.string().min(1),
    ServiceBaseUrl: z.url(),
    PortingAccount: z.string().min(1),
    CallingCode: z.string().min(1),
    /** Only a stack with the setting `analytics` has these two. */
    AnalyticsDatabase: z.string().optional(),
    AnalyticsWorkgroup: z.string().optional(),
  })
  .transform((outputs) => ({
    inboxBucket: outputs.InboxBucket,
    workBucket: outputs.WorkBucket,
    resultsBucket: outputs.ResultsBucket,
    resultsTable: outputs.ResultsTable,
    ingestQueueUrl: outputs.IngestQueueUrl,
    commandQueueUrl: outputs.CommandQueueUrl,
    submitQueueUrl: outputs.SubmitQueueUrl,
    reportQueueUrl: outputs.ReportQueueUrl,
    /** The queue that records the runs of sync that failed or never started. */
    missedRunsUrl: outputs.SyncMissedRunsUrl,
    /** Changes of the table whose events could not be published, and events that could not be delivered. */
    announceDeadLettersUrl: outputs.AnnounceDeadLettersUrl,
    eventDeadLettersUrl: outputs.EventDeadLettersUrl,
    syncFunction: outputs.SyncFunction,
    account: outputs.PortingAccount,
    /** The country of a national number of this account. */
    callingCode: outputs.CallingCode,
    /** Where Athena finds the rows of all imports; undefined: the setting `analytics` is off. */
    analyticsDatabase: outputs.AnalyticsDatabase,
    analyticsWorkgroup: outputs.AnalyticsWorkgroup,
    /** The porting service is a simulator: nothing reaches a network. */
    simulated: isSimulator(outputs.ServiceBaseUrl),
  }));
export type Resources = z.infer<typeof stackOutputs>;

/** @throws CliError that names the missing outputs: then it is not a stack of simporter */
export function readResources(outputs: Readonly<Record<string, string>>, owner: string): Resources {
  const parsed = stackOutputs.safeParse(outputs);
  if (!parsed.success) {
    const missing = [...new Set(parsed.error.issues.map((issue) => String(issue.path[0])))];
    throw new CliError(`${owner} is not a simporter pipeline: its outputs lack ${missing.join(', ')}.`, {
      advice: 'Name the pipeline stack, as `cdk deploy` printed it.',
    });
  }
  return parsed.data;
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
