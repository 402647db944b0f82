// The embedded Lambda's Invoke call: a command line in another process invokes a function exactly as it does on AWS.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendJson } from '../http/loopback.ts';
import { readBody } from '../http/read-body.ts';
import type { Outcome } from '../lambda/environment.ts';

export interface LambdaOptions {
  readonly invoke: (name: string, event: unknown) => Promise<Outcome>;
  /** Whether there is a function of this name. */
  readonly knows: (name: string) => boolean;
}

const invocationPath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
const largestPayloadBytes = 6_291_456;

const nameIn = (url = '/'): string | undefined => {
  const encoded = invocationPath.exec(url.split('?')[0] ?? '')?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

export const handleInvoke =
  ({ invoke, knows }: LambdaOptions) =>
  async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const name = nameIn(request.url);
    if (request.method !== 'POST' || name === undefined) {
      return sendJson(response, 501, { message: 'The embedded Lambda implements Invoke only' });
    }
    const body = (await readBody(request, largestPayloadBytes)).toString();
    const event: unknown = body === '' ? {} : JSON.parse(body);
    if (!knows(name)) {
      const headers = { 'x-amzn-errortype': 'ResourceNotFoundException' };
      return sendJson(response, 404, { Type: 'User', Message: `Function not found: ${name}` }, headers);
    }
    if (request.headers['x-amz-invocation-type'] === 'Event') {
      void invoke(name, event);
      return sendJson(response, 202, {});
    }
    const outcome = await invoke(name, event);
    if (outcome.ok) return sendJson(response, 200, outcome.payload);
    const { name: errorType, message: errorMessage } = outcome.error;
    sendJson(response, 200, { errorType, errorMessage }, { 'x-amz-function-error': 'Unhandled' });
  };
