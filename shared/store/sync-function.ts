// Calls the sync function.
import { InvocationType, InvokeCommand, type LambdaClient } from '@aws-sdk/client-lambda';

/** The run of sync ended with an error. */
export class SyncFunctionFailed extends Error {
  override readonly name = 'SyncFunctionFailed';
}

/** The answer as JSON. @throws SyncFunctionFailed, and what Lambda throws where it started no run */
export async function callSync(lambda: LambdaClient, name: string, event: unknown): Promise<unknown> {
  const answer = await lambda.send(new InvokeCommand({ FunctionName: name, Payload: JSON.stringify(event) }));
  const payload: unknown = JSON.parse(answer.Payload?.transformToString() || '{}');
  if (answer.FunctionError === undefined) return payload;
  const { errorMessage } = payload as { errorMessage?: string };
  throw new SyncFunctionFailed(errorMessage ?? answer.FunctionError);
}

/** Waits for no answer. While the function runs, Lambda keeps the event for some minutes. */
export async function startSync(lambda: LambdaClient, name: string, event: unknown): Promise<void> {
  const { Event } = InvocationType;
  await lambda.send(new InvokeCommand({ FunctionName: name, InvocationType: Event, Payload: JSON.stringify(event) }));
}
