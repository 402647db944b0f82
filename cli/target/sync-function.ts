// Calls the sync function and waits for its answer.
import { LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
import {
  type Resolution,
  type ResolveAnswer,
  type ResolveCommand,
  resolveAnswer,
} from '#shared/domain/requests/resolution.ts';
import {
  type ExamineAnswer,
  type ExamineCommand,
  examineAnswer,
  type ListPortsAnswer,
  type ListPortsCommand,
  listPortsAnswer,
  type SyncAnswer,
  type SyncCommand,
  syncAnswer,
} from '#shared/domain/requests/sync-command.ts';
import { invocationTimeouts } from '#shared/store/client-timeouts.ts';
import { callSync, SyncFunctionFailed } from '#shared/store/sync-function.ts';
import { CliError } from '../context/cli-error.ts';

async function call(options: LambdaClientConfig, name: string, event: unknown): Promise<unknown> {
  const lambda = new LambdaClient({ ...invocationTimeouts, ...options });
  try {
    return await callSync(lambda, name, event);
  } catch (error) {
    if (!(error instanceof SyncFunctionFailed)) throw error;
    const advice = `Read the log of ${name} for the details.`;
    throw new CliError(`Sync ended with an error: ${error.message}.`, { advice, cause: error });
  } finally {
    lambda.destroy();
  }
}

export async function runSync(options: LambdaClientConfig, name: string): Promise<SyncAnswer> {
  const answer = await call(options, name, { checkSecret: true } satisfies SyncCommand);
  return answer === 'busy' ? { skipped: true, left: 0 } : syncAnswer.parse(answer);
}

export async function resolveRequest(
  options: LambdaClientConfig,
  name: string,
  resolution: Resolution,
): Promise<ResolveAnswer | 'busy'> {
  const answer = await call(options, name, { resolve: resolution } satisfies ResolveCommand);
  if (answer === 'busy') return answer;
  const parsed = resolveAnswer.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw olderVersion('Nothing was changed: the deployed version of sync cannot resolve requests.');
}

/** `busy` while another run of sync is in progress. */
export async function examineService(options: LambdaClientConfig, name: string): Promise<ExamineAnswer | 'busy'> {
  const answer = await call(options, name, { examine: true } satisfies ExamineCommand);
  if (answer === 'busy') return answer;
  const parsed = examineAnswer.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw olderVersion('The deployed version of sync cannot examine the service.');
}

/** `busy` while another run of sync is in progress. */
export async function listPorts(options: LambdaClientConfig, name: string): Promise<ListPortsAnswer | 'busy'> {
  const answer = await call(options, name, { listPorts: true } satisfies ListPortsCommand);
  if (answer === 'busy') return answer;
  const parsed = listPortsAnswer.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw olderVersion('The deployed version of sync cannot list the ports.');
}

const olderVersion = (message: string) => new CliError(message, { advice: 'Deploy this version first.' });
