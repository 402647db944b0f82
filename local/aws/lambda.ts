// The embedded Lambda's Invoke call: a command line in another process invokes a function exactly as it does on AWS.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BodyTooLargeError, readBody, sendJson } from '../http/loopback.ts';
import type { Outcome } from '../lambda/environment.ts';
import { limits } from '../limits.ts';

export interface LambdaOptions {
  readonly invoke: (name: string, event: unknown) => Promise<Outcome>;
  /** Whether there is a function of this name. */
  readonly knows: (name: string) => boolean;
}

const invocationPath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;
const nameIn = (url = '/'): string | undefined => {
  const encoded = invocationPath.exec(url.split('?')[0] ?? '')?.[1];
  try {
    return encoded === undefined ? undefined : decodeURIComponent(encoded);
  } catch {
    return undefined;
  }
};

const decline = (response: ServerResponse, status: number, errorType: string, message: string): void =>
  sendJson(response, status, { Type: 'User', Message: message }, { 'x-amzn-errortype': errorType });

const isAsynchronous = ({ headers }: IncomingMessage): boolean => headers['x-amz-invocation-type'] === 'Event';

/** undefined: it is too large, which the caller has been told. */
const readEvent = async (
  request: IncomingMessage,
  response: ServerResponse,
): Promise<{ event: unknown } | undefined> => {
  const [type, { value: limit }] = isAsynchronous(request)
    ? ['Event', limits.lambdaAsyncEventBytes]
    : ['RequestResponse', limits.lambdaEventBytes];
  try {
    const text = (await readBody(request, limit)).toString();
    return { event: text === '' ? {} : JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof BodyTooLargeError)) throw error;
    const message = `The payload is too large for the ${type} invocation type (limit ${limit} bytes)`;
    decline(response, 413, 'RequestTooLargeException', message);
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
    const read = await readEvent(request, response);
    if (read === undefined) return;
    if (!knows(name)) return decline(response, 404, 'ResourceNotFoundException', `Function not found: ${name}`);
    if (isAsynchronous(request)) {
      void invoke(name, read.event);
      return sendJson(response, 202, {});
    }
    const outcome = await invoke(name, read.event);
    if (outcome.ok) return sendJson(response, 200, outcome.payload);
    const { name: errorType, message: errorMessage } = outcome.error;
    sendJson(response, 200, { errorType, errorMessage }, { 'x-amz-function-error': 'Unhandled' });
  };
