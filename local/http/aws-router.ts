// One address for all AWS services: passes each request to the service that its headers or its path name.
import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  isOpenedByForeignPage,
  isSimplePost,
  keepBody,
  type LoopbackOptions,
  type LoopbackServer,
  type RequestHandler,
  sendJson,
  serveOnLoopback,
} from './loopback.ts';
import { type AccessKey, hasBearer, isSignedWith, readSignature, sha256 } from './signature.ts';

interface Routes {
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

/** Whether the request is signed with the key. S3 checks its own requests: a link is signed in its query. */
const isSigned = async (request: IncomingMessage, service: keyof Routes, key: AccessKey): Promise<boolean> => {
  if (service === 's3') return true;
  if (service === 'status' || service === 'events') return hasBearer(request, key.secretAccessKey);
  const signature = readSignature(request);
  if (signature?.keyId !== key.accessKeyId) return false;
  const content = signature.content ?? sha256(await keepBody(request));
  return isSignedWith(key.secretAccessKey, request, { ...signature, content }, 2);
};

interface AwsRouterOptions extends LoopbackOptions {
  /** The only key that requests may be signed with. @default - any, and none */
  readonly accessKey?: AccessKey | undefined;
}

export const openAwsRouter = async ({ accessKey, ...options }: AwsRouterOptions): Promise<AwsRouter> => {
  const routes: Partial<Routes> = {};
  const server = await serveOnLoopback(async (request, response) => {
    const { origin } = request.headers;
    if (origin !== undefined) allowPage(origin, request, response);
    if (request.method === 'OPTIONS') return void response.writeHead(204).end();
    if (isSimplePost(request)) return sendJson(response, 403, { message: 'A POST must be signed' });
    if (isOpenedByForeignPage(request) && readSignature(request) === undefined) {
      return sendJson(response, 403, { message: 'Pages of other sites have no access' });
    }
    const service = serviceOf(request);
    if (accessKey !== undefined && !(await isSigned(request, service, accessKey))) {
      const message = 'The request is not signed with the access key of this emulator';
      return sendJson(response, 403, { __type: 'InvalidSignatureException', message }, { connection: 'close' });
    }
    const handle = routes[service];
    if (handle === undefined) return sendJson(response, 503, { message: 'The emulator is still starting' });
    return handle(request, response);
  }, options);
  return { ...server, route: (more) => void Object.assign(routes, more) };
};
