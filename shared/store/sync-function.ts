// Calls the sync function.
import { InvocationType, InvokeCommand, type LambdaClient, TooManyRequestsException } from '@aws-sdk/client-lambda';

/** The run of sync ended with an error. */
export class SyncFunctionFailed extends Error {
  override readonly name = 'SyncFunctionFailed';
}

/**
 * The answer as JSON; `busy` while the function runs, because it runs once at a time.
 * @throws SyncFunctionFailed
 */
export async function callSync(lambda: LambdaClient, name: string, event: unknown): Promise<unknown> {
  try {
    const answer = await lambda.send(new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) }));
    const payload: unknown = JSON.parse(answer.Payload?.transformToString() || '{}');
    if (answer.FunctionError === undefined) return payload;
    const { errorMessage } = payload as { errorMessage?: string };
    throw new SyncFunctionFailed(errorMessage ?? answer.FunctionError);
  } catch (error) {
    if (error instanceof TooManyRequestsException) return 'busy';
    throw error;
  }
}

/** Waits for no answer. While the function runs, Lambda keeps the event for some minutes. */
export async function startSync(lambda: LambdaClient, name: string, event: unknown): Promise<void> {
  const { Event } = InvocationType;
  await lambda.send(new InvokeCommand({ FunctionName: name, InvocationType: Event, Payload: JSON.stringify(event) }));
}
