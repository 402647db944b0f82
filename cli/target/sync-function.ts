// Calls the sync function and waits for its answer.
import {
  GetFunctionConcurrencyCommand,
  LambdaClient,
  type LambdaClientConfig,
  ResourceNotFoundException,
  type ThrottleReason,
  TooManyRequestsException,
} from '@aws-sdk/client-lambda';
import type * as z from 'zod/mini';
import {
  type ExamineAnswer,
  type ExamineCommand,
  examineAnswer,
  type ListPortsAnswer,
  type ListPortsCommand,
  listPortsAnswer,
  type Resolution,
  type ResolveAnswer,
  type ResolveCommand,
  resolveAnswer,
  type SyncAnswer,
  type SyncCommand,
  syncAnswer,
} from '#shared/request/messages.ts';
import { invocationTimeouts } from '#shared/store/client-timeouts.ts';
import { callSync, SyncFunctionFailed } from '#shared/store/sync-function.ts';
import { CliError } from '../context/cli-error.ts';

/** The answer, or `busy`. @throws CliError where no run was started, or the run ended with an error */
async function call(options: LambdaClientConfig, name: string, event: unknown): Promise<unknown> {
  const lambda = new LambdaClient({ ...invocationTimeouts, ...options });
  try {
    return await callSync(lambda, name, event);
  } catch (error) {
    if (error instanceof TooManyRequestsException) return await explainThrottle(lambda, name, error);
    if (error instanceof ResourceNotFoundException) {
      const advice = 'Deploy the stack with --revert-drift.';
      throw new CliError(`The function ${name} does not exist: it was deleted.`, { advice, cause: error });
    }
    if (!(error instanceof SyncFunctionFailed)) throw error;
    const advice = `Read the log of ${name} for the details.`;
    throw new CliError(`Sync ended with an error: ${error.message}.`, { advice, cause: error });
  } finally {
    lambda.destroy();
  }
}

const later = 'Try again in a minute.';

/** What else than another run of sync keeps Lambda from starting one, and what a person does about it. */
const throttles: Readonly<Record<ThrottleReason, readonly [message: string, advice: string]>> = {
  ConcurrentInvocationLimitExceeded: [
    'all concurrent executions of the AWS account are in use',
    `${later} If it happens often, request a higher limit: "Concurrent executions" in Service Quotas.`,
  ],
  FunctionInvocationRateLimitExceeded: ['it was called too often within a second', later],
  ReservedFunctionInvocationRateLimitExceeded: ['it was called too often within a second', later],
  ReservedFunctionConcurrentInvocationLimitExceeded: [
    'another run is in progress, or its reserved concurrency is 0',
    `${later} If it does not help: docs/guides/recovery.md#enable-what-was-stopped`,
  ],
  CallerRateLimitExceeded: ['the AWS account called Lambda too often within a second', later],
  ConcurrentSnapshotCreateLimitExceeded: ['Lambda is preparing too many functions of the AWS account', later],
};

/** `busy` if another run of sync is in progress. @throws CliError with any other reason */
async function explainThrottle(lambda: LambdaClient, name: string, cause: TooManyRequestsException): Promise<'busy'> {
  const { Reason: reason } = cause;
  // Lambda gives a function that may not run at all the same reason as one that runs.
  const reserved = reason?.startsWith('ReservedFunction') ? await readReserved(lambda, name) : undefined;
  if (reserved === 0) {
    const advice = 'To enable it again: docs/guides/recovery.md#enable-what-was-stopped';
    throw new CliError(`Sync was not started: the reserved concurrency of ${name} is 0.`, { advice, cause });
  }
  if (reserved !== undefined && reason === 'ReservedFunctionConcurrentInvocationLimitExceeded') return 'busy';
  const [message, advice] = reason === undefined ? [cause.message, later] : throttles[reason];
  throw new CliError(`Sync was not started: ${message}.`, { advice, cause });
}

/** undefined where this person may not read it. */
async function readReserved(lambda: LambdaClient, name: string): Promise<number | undefined> {
  // Only a function has it: the name without that of its alias.
  const [FunctionName = name] = name.split(':');
  return lambda.send(new GetFunctionConcurrencyCommand({ FunctionName })).then(
    ({ ReservedConcurrentExecutions: reserved }) => reserved,
    () => undefined,
  );
}

export async function runSync(options: LambdaClientConfig, name: string): Promise<SyncAnswer> {
  const answer = await call(options, name, { checkSecret: true } satisfies SyncCommand);
  return answer === 'busy' ? { skipped: true, left: 0, secretChecked: false } : syncAnswer.parse(answer);
}

/** `busy` while another run of sync is in progress. @throws CliError where the deployed version cannot do it */
async function command<Answer>(
  [options, name]: readonly [LambdaClientConfig, string],
  event: ResolveCommand | ExamineCommand | ListPortsCommand,
  schema: z.ZodMiniType<Answer>,
  cannot: string,
): Promise<Answer | 'busy'> {
  const answer = await call(options, name, event);
  if (answer === 'busy') return answer;
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CliError(`${cannot}.`, { advice: 'Deploy this version first.' });
}

export const resolveRequest = (
  options: LambdaClientConfig,
  name: string,
  resolution: Resolution,
): Promise<ResolveAnswer | 'busy'> => {
  const cannot = 'Nothing was changed: the deployed version of sync cannot resolve requests';
  return command([options, name], { resolve: resolution }, resolveAnswer, cannot);
};

export const examineService = (...target: [LambdaClientConfig, string]): Promise<ExamineAnswer | 'busy'> =>
  command(target, { examine: true }, examineAnswer, 'The deployed version of sync cannot examine the service');

export const listPorts = (...target: [LambdaClientConfig, string]): Promise<ListPortsAnswer | 'busy'> =>
  command(target, { listPorts: true }, listPortsAnswer, 'The deployed version of sync cannot list the ports');
