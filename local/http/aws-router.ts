// One address for all AWS services: passes each request to the service that its headers or its path name.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  type LoopbackOptions,
  type LoopbackServer,
  type RequestHandler,
  sendJson,
  serveOnLoopback,
} from './loopback.ts';
import { isSimplePost } from './request-guard.ts';

export interface Routes {
  readonly sqs: RequestHandler;
  readonly dynamodb: RequestHandler;
  readonly secretsManager: RequestHandler;
  readonly eventBridge: RequestHandler;
  readonly lambda: RequestHandler;
  readonly s3: RequestHandler;
  /** `GET /_emulator/status`. No bucket can have the name `_emulator`. */
  readonly status: RequestHandler;
  /** `GET /_emulator/events`: the events of the bus. */
  readonly events: RequestHandler;
}

export interface AwsRouter extends LoopbackServer {
  /** Adds routes; a request for a service that has none yet is answered 503. */
  route(routes: Partial<Routes>): void;
}

const targets: readonly (readonly [prefix: string, service: keyof Routes])[] = [
  ['AmazonSQS.', 'sqs'],
  ['DynamoDB_', 'dynamodb'],
  ['secretsmanager.', 'secretsManager'],
  ['AWSEvents.', 'eventBridge'],
];

const serviceOf = ({ url = '/', headers }: IncomingMessage): keyof Routes => {
  const target = headers['x-amz-target']?.toString() ?? '';
  const named = targets.find(([prefix]) => target.startsWith(prefix));
  if (named !== undefined) return named[1];
  if (url.startsWith('/2015-03-31/functions/')) return 'lambda';
  if (url.startsWith('/_emulator/events')) return 'events';
  return url.startsWith('/_emulator/') ? 'status' : 's3';
};

/** Lets the page read the answer: requests of pages that are not allowed have been declined already. */
const allowPage = (origin: string, request: IncomingMessage, response: ServerResponse): void => {
  response.setHeader('access-control-allow-origin', origin);
  response.setHeader('access-control-expose-headers', 'etag, x-amz-request-id, x-amz-version-id');
  response.setHeader('vary', 'origin');
  if (request.method !== 'OPTIONS') return;
  response.setHeader('access-control-allow-methods', 'GET, HEAD, PUT, POST, DELETE');
  response.setHeader('access-control-allow-headers', request.headers['access-control-request-headers'] ?? '');
};

export const openAwsRouter = async (options: LoopbackOptions): Promise<AwsRouter> => {
  const routes: Partial<Routes> = {};
  const server = await serveOnLoopback((request, response) => {
    const { origin } = request.headers;
    if (origin !== undefined) allowPage(origin, request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (isSimplePost(request)) return sendJson(response, 403, { message: 'A POST must be signed' });
    const handle = routes[serviceOf(request)];
    if (handle === undefined) return sendJson(response, 503, { message: 'The emulator is still starting' });
    return handle(request, response);
  }, options);
  return { ...server, route: (more) => void Object.assign(routes, more) };
};
