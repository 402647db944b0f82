// The embedded Lambda's Invoke call, so that a command line in another process starts a function here exactly as it does
// on AWS; and the engine's status, for people and for the command line.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from '../lambda/environment.ts';
import { type Loopback, serveOnLoopback } from '../loopback.ts';

export interface LambdaEndpointOptions {
  readonly invoke: (name: string, event: unknown) => Promise<Outcome>;
  readonly knows: (name: string) => boolean;
  readonly status: () => unknown;
  readonly preferredTcpPort?: number;
}

const invocationPath = /^\/2015-03-31\/functions\/([^/]+)\/invocations$/;

const readJson = async (request: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : JSON.parse(text);
};

const reply = (
  response: ServerResponse,
  status: number,
  content: unknown,
  headers: Record<string, string> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(content));
};

const answer = async (options: LambdaEndpointOptions, request: IncomingMessage, response: ServerResponse) => {
  const path = new URL(request.url ?? '/', 'http://local').pathname;
  if (request.method === 'GET' && path === '/status') return reply(response, 200, options.status());
  const name = decodeURIComponent(invocationPath.exec(path)?.[1] ?? '');
  if (request.method !== 'POST' || name === '') {
    return reply(response, 501, {
      message: 'This endpoint invokes functions (POST) and tells the status (GET /status)',
    });
  }
  const event = await readJson(request);
  if (!options.knows(name)) {
    const headers = { 'x-amzn-errortype': 'ResourceNotFoundException' };
    return reply(response, 404, { Type: 'User', Message: `Function not found: ${name}` }, headers);
  }
  if (request.headers['x-amz-invocation-type'] === 'Event') {
    void options.invoke(name, event);
    return reply(response, 202, {});
  }
  const outcome = await options.invoke(name, event);
  if (outcome.ok) return reply(response, 200, outcome.payload);
  const { name: errorType, message: errorMessage } = outcome.error;
  reply(response, 200, { errorType, errorMessage }, { 'x-amz-function-error': 'Unhandled' });
};

export const startLambdaEndpoint = (options: LambdaEndpointOptions): Promise<Loopback> =>
  serveOnLoopback((request, response) => {
    answer(options, request, response).catch((error: unknown) => reply(response, 400, { message: String(error) }));
  }, options.preferredTcpPort);
