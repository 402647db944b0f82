// Calls the sync function and waits for its answer.
import { InvokeCommand, LambdaClient, type LambdaClientConfig, TooManyRequestsException } from '@aws-sdk/client-lambda';
import {
  type Resolution,
  type ResolveAnswer,
  type ResolveCommand,
  resolveAnswer,
} from '#shared/domain/requests/resolution.ts';
import { type SyncAnswer, type SyncCommand, syncAnswer } from '#shared/domain/requests/sync-command.ts';
import { CliError } from '../context/cli-error.ts';

/** The answer as JSON; `busy` while the function runs, because it runs once at a time. */
async function callSync(options: LambdaClientConfig, name: string, event: unknown): Promise<unknown> {
  const lambda = new LambdaClient(options);
  try {
    const answer = await lambda.send(new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) }));
    const payload: unknown = JSON.parse(answer.Payload?.transformToString() || '{}');
    if (answer.FunctionError === undefined) return payload;
    const { errorMessage } = payload as { errorMessage?: string };
    throw new CliError(`Sync ended with an error: ${errorMessage ?? answer.FunctionError}.`, {
      advice: `Read the log of ${name} for the details.`,
    });
  } catch (error) {
    if (error instanceof TooManyRequestsException) return 'busy';
    throw error;
  } finally {
    lambda.destroy();
  }
}

export async function runSync(options: LambdaClientConfig, name: string): Promise<SyncAnswer> {
  const answer = await callSync(options, name, { checkSecret: true } satisfies SyncCommand);
  return answer === 'busy' ? { skipped: true, left: 0 } : syncAnswer.parse(answer);
}

export async function resolveRequest(
  options: LambdaClientConfig,
  name: string,
  resolution: Resolution,
): Promise<ResolveAnswer | 'busy'> {
  const answer = await callSync(options, name, { resolve: resolution } satisfies ResolveCommand);
  if (answer === 'busy') return answer;
  const parsed = resolveAnswer.safeParse(answer);
  if (parsed.success) return parsed.data;
  throw new CliError('Nothing was changed: the deployed version of sync cannot resolve requests.', {
    advice: 'Deploy this version first.',
  });
}
