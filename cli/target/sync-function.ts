// Calls the sync function and waits for its answer.
import { LambdaClient, type LambdaClientConfig } from '@aws-sdk/client-lambda';
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
