// HTTP APIs: a request becomes an event of payload format 2.0, and the function's answer becomes the response, as in
// API Gateway.
import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import * as z from 'zod';
import type { Outcome } from '../lambda/environment.ts';
import { limits } from '../limits.ts';
import type { HttpApiPlan, HttpRoutePlan } from '../template/blueprint.ts';
import { BodyTooLargeError, type LoopbackServer, readBody, sendJson, serveOnLoopback } from './loopback.ts';

type Invoke = (functionArn: string, event: unknown) => Promise<Outcome>;
type Claims = Readonly<Record<string, unknown>>;
/** What a JWT authorizer finds in a bearer token; undefined for a token that it declines. */
export type ReadClaims = (token: string) => Claims | undefined;

const answerSchema = z.object({
  statusCode: z.int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]).transform(String)).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

/** A function returns a response, or anything else, which becomes the body of a 200. */
const responseOf = (payload: unknown): z.output<typeof answerSchema> => {
  if (typeof payload === 'object' && payload !== null && 'statusCode' in payload) return answerSchema.parse(payload);
  const headers = { 'content-type': 'application/json' };
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return { statusCode: 200, headers, cookies: [], body, isBase64Encoded: false };
};

/** Text arrives as text, everything else (forms too) in base64. */
const isText = (contentType: string | undefined): boolean =>
  /^(text\/|application\/(json|javascript|xml)\b)/.test(contentType ?? '');

/** In spite of its name the path is decoded, and ends at a question mark that was encoded. The query is as it came. */
const pathAndQuery = ({ url = '/' }: IncomingMessage) => {
  const [path = '/', rawQueryString = ''] = url.split(/\?(.*)/s);
  const [rawPath = '/'] = decoded(path).split('?');
  return { rawPath, rawQueryString };
};

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const isGreedy = (segment: string): boolean => /^\{\w+\+\}$/.test(segment);
const isVariable = (segment: string): boolean => /^\{\w+\+?\}$/.test(segment);

const matches = ({ key }: HttpRoutePlan, method: string | undefined, path: string): boolean => {
  if (key === '$default') return true;
  const [routeMethod, routePath = ''] = key.split(' ');
  const wanted = routePath.split('/');
  const given = path.split('/');
  const hasLength = isGreedy(wanted.at(-1) ?? '') ? given.length >= wanted.length : given.length === wanted.length;
  return (
    routeMethod === method &&
    hasLength &&
    wanted.every((segment, index) => (isVariable(segment) ? given[index] !== '' : segment === given[index]))
  );
};

/** As in API Gateway: a route without variables before one with, then one with `{name+}`, and `$default` last. */
const rankOf = ({ key }: HttpRoutePlan): number => {
  if (key === '$default') return Number.POSITIVE_INFINITY;
  const segments = key.split('/');
  return segments.filter(isVariable).length + (segments.some(isGreedy) ? 1_000 : 0);
};

const findRoute = ({ routes }: HttpApiPlan, request: IncomingMessage): HttpRoutePlan | undefined => {
  const { rawPath } = pathAndQuery(request);
  const found = routes.filter((route) => matches(route, request.method, rawPath));
  return found.toSorted((a, b) => rankOf(a) - rankOf(b))[0];
};

interface Routed {
  readonly apiId: string;
  readonly routeKey: string;
  readonly claims: Claims | undefined;
}

const eventOf = ({ apiId, routeKey, claims }: Routed, request: IncomingMessage, body: Buffer, time: number) => {
  const { method = 'GET', headers } = request;
  const { rawPath, rawQueryString } = pathAndQuery(request);
  const text = isText(headers['content-type']);
  const query = new URLSearchParams(rawQueryString);
  const queryStringParameters = Object.fromEntries([...query.keys()].map((key) => [key, query.getAll(key).join(',')]));
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString,
    ...(rawQueryString !== '' && { queryStringParameters }),
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    requestContext: {
      apiId,
      domainName: headers.host ?? '127.0.0.1',
      http: {
        method,
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp: request.socket.remoteAddress ?? '',
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: randomUUID(),
      routeKey,
      ...(claims && { authorizer: { jwt: { claims, scopes: null } } }),
      stage: '$default',
      timeEpoch: time,
    },
    ...(body.length > 0 && { body: body.toString(text ? 'utf8' : 'base64') }),
    isBase64Encoded: body.length > 0 && !text,
  };
};

const reply = (response: ServerResponse, payload: unknown): void => {
  const { statusCode, headers, cookies, body, isBase64Encoded } = responseOf(payload);
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const setCookie = cookies.length > 0 ? { 'set-cookie': cookies } : {};
  // A 204 and a 304 have no body and no length of one.
  const length = statusCode === 204 || statusCode === 304 ? {} : { 'content-length': bytes.length };
  response.writeHead(statusCode, { ...headers, ...setCookie, ...length }).end(bytes);
};

/** API Gateway counts the request line and the values of the headers, without their names. */
const headBytes = ({ method, url = '/', httpVersion, rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce(
    (sum, text, index) => (index % 2 === 0 ? sum : sum + Buffer.byteLength(text)),
    Buffer.byteLength(`${method} ${url} HTTP/${httpVersion}`),
  );

/** undefined: the function has not answered in time. It goes on, and nobody reads its answer. */
const answerInTime = async (invocation: Promise<Outcome>): Promise<Outcome | undefined> => {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), limits.httpSeconds.value * 1_000);
  try {
    return await Promise.race([invocation, promise]);
  } finally {
    clearTimeout(timer);
  }
};

/** The answer if the function failed or returned an invalid response. */
const failed = { message: 'Internal Server Error' };
const unavailable = { message: 'Service Unavailable' };

/** @throws BodyTooLargeError for an event that is too large for Lambda */
const answerByFunction = async (
  invoke: () => Promise<Outcome>,
  event: object,
  response: ServerResponse,
): Promise<void> => {
  const { value: limit } = limits.lambdaEventBytes;
  if (Buffer.byteLength(JSON.stringify(event)) > limit) throw new BodyTooLargeError(`The event exceeds ${limit} bytes`);
  const outcome = await answerInTime(invoke());
  if (outcome === undefined) return sendJson(response, 503, unavailable);
  if (!outcome.ok) return sendJson(response, 500, failed);
  reply(response, outcome.payload);
};

/**
 * Opens an address for each API. Its own pages may use it, and no others.
 * @param tcpPorts those of the last run, by id: they are used again where they are free.
 */
export const openHttpApis = async (
  ids: readonly string[],
  tcpPorts: Readonly<Record<string, number>>,
  clock: () => number,
) => {
  let connected:
    | { readonly plans: readonly HttpApiPlan[]; readonly invoke: Invoke; readonly readClaims: ReadClaims }
    | undefined;

  const answer = async (apiId: string, request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const plan = connected?.plans.find(({ id }) => id === apiId);
    if (connected === undefined || plan === undefined) return sendJson(response, 503, unavailable);
    const { invoke, readClaims } = connected;
    if (headBytes(request) > limits.httpHeadBytes.value) {
      return sendJson(response, 431, { message: 'Request Header Fields Too Large' }, { connection: 'close' });
    }
    const route = findRoute(plan, request);
    if (route === undefined) return sendJson(response, 404, { message: 'Not Found' });
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    const claims = route.needsToken ? readClaims(token) : undefined;
    if (route.needsToken && claims === undefined) return sendJson(response, 401, { message: 'Unauthorized' });
    const body = await readBody(request, limits.lambdaEventBytes.value);
    const event = eventOf({ apiId, routeKey: route.key, claims }, request, body, clock());
    await answerByFunction(() => invoke(route.functionArn, event), event, response);
  };

  const servers = new Map<string, LoopbackServer>();
  const close = async (): Promise<void> => {
    await Promise.all([...servers.values()].map((server) => server.close()));
  };
  for (const id of ids) {
    const server = await serveOnLoopback((request, response) => answer(id, request, response), {
      preferredTcpPort: tcpPorts[id],
      allowedOrigins: (url) => [url, url.replace('127.0.0.1', 'localhost')],
    });
    servers.set(id, server);
  }
  return {
    /** The address of each API, by its id. */
    endpoints: Object.fromEntries([...servers].map(([id, { url }]) => [id, url])),
    tcpPorts: Object.fromEntries([...servers].map(([id, { tcpPort }]) => [id, tcpPort])),
    /** Lets requests reach the functions; until then they are answered 503. */
    serve: (plans: readonly HttpApiPlan[], invoke: Invoke, readClaims: ReadClaims): void => {
      connected = { plans, invoke, readClaims };
    },
    close,
  };
};
