// The API as one Hono app: the same on AWS, on one machine and in tests. The host names the caller; the app decides
// what this person may do, parses, limits, and answers problems.
import { hash } from 'node:crypto';
import { Hono, type HonoRequest } from 'hono';
import { addresses } from '#shared/api/addresses.ts';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { placeOf } from '#shared/api/endpoint.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { IdempotencyStore } from '#shared/store/idempotency-keys.ts';
import { readAtMost } from '#shared/text/first-bytes.ts';
import { shortId } from '#shared/text/identity.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import {
  ApiProblem,
  type Caller,
  type Description,
  type Endpoint,
  type FileAnswer,
  hasRole,
  type Incoming,
  isWrite,
  problemResponse,
} from './endpoint.ts';

/** What the host of the app knows of a request. */
export interface Bindings {
  /** undefined: the request has no valid token. */
  readonly caller?: Caller | undefined;
}
type Environment = { Bindings: Bindings };

/** An endpoint with everything that it needs. */
export interface MountedEndpoint {
  readonly name: string;
  readonly description: Description;
  readonly run: (incoming: Incoming) => Promise<unknown>;
}

export const bindEndpoints = <Dependencies>(
  endpoints: Readonly<Record<string, Endpoint<Dependencies>>>,
  dependencies: Dependencies,
): MountedEndpoint[] =>
  Object.entries(endpoints).map(([name, { description, run }]) => ({
    name,
    description,
    run: (incoming) => run(incoming, dependencies),
  }));

export interface ApiOptions {
  readonly endpoints: readonly MountedEndpoint[];
  /** Absent where no endpoint writes. */
  readonly idempotency?: Idempotency;
  /** The OpenAPI document. One of the functions returns it for both. */
  readonly document?: () => Promise<object>;
  readonly limit: RateLimit;
  readonly wall: Clock;
  readonly log: Log;
}

export type Api = Hono<Environment>;

export function createApi(options: ApiOptions): Api {
  const { endpoints, document, limit, wall, log } = options;
  const app: Api = new Hono<Environment>();
  const takeSlot = createCallerLimit(limit, wall);
  app.use(async (context, next) => {
    await next();
    // Answers hold phone numbers: nothing on the way keeps them.
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
  });
  for (const endpoint of endpoints) mountEndpoint(app, endpoint, options, takeSlot);
  if (document) app.get(`${apiPrefix}/openapi.json`, async (context) => context.json(await document()));
  mountOtherMethods(app);
  app.notFound((context) =>
    problemResponse(new ApiProblem('not-found', `There is no ${context.req.path}. See ${apiPrefix}/openapi.json.`)),
  );
  app.onError((error, { req }) => {
    if (error instanceof ApiProblem) return problemResponse(error);
    log.error('a request failed', { method: req.method, route: req.routePath, error });
    return problemResponse(new ApiProblem('internal-error', 'The error is in the log. Repeat the request.'));
  });
  return app;
}

function mountEndpoint(
  app: Api,
  { name, description, run }: MountedEndpoint,
  { idempotency, log }: ApiOptions,
  takeSlot: TakeSlot,
): void {
  const { method, routerPath } = placeOf(description.at);
  app.on(method, `${apiPrefix}${routerPath}`, async (context) => {
    const caller = admit(context.env?.caller, description, takeSlot);
    const { req } = context;
    // Reads leave no entry in the audit trail, except for links to files: this shows who read what.
    const { importId, fileName } = req.param() as Record<string, string | undefined>;
    log.info('a person called', { caller: caller.id, route: description.at, importId, fileName });
    const text = description.accepts.body === undefined ? undefined : await readJsonText(req.raw);
    const path = req.param() as Record<string, string>;
    const parts = { path, query: queryOf(req), body: () => readJson(text) };
    const read = () => run({ ...parts, caller, writeId: '' });
    if (!isWrite(description) && !description.isSlow) {
      return answerOf(description, await read(), req.header('if-none-match'));
    }
    if (idempotency === undefined) throw new Error(`${name} writes or is slow, and nothing keeps its keys`);
    if (!isWrite(description)) return answerOf(description, await idempotency.share(caller, read), undefined);
    const request = { caller, key: req.header('idempotency-key'), content: [req.method, req.path, text ?? ''] };
    const answer = await idempotency.once(request, (writeId) => run({ ...parts, caller, writeId }));
    return answerOf(description, answer, undefined);
  });
}

/** @throws ApiProblem for a parameter that is there twice: only one of its values would have an effect */
function queryOf(req: HonoRequest): Record<string, string> {
  const repeated = Object.entries(req.queries()).filter(([, values]) => values.length > 1);
  const errors = repeated.map(([field]) => ({ field, message: 'expected it once' }));
  const [first] = errors;
  if (first === undefined) return req.query();
  throw new ApiProblem('invalid-request', `${first.field}: ${first.message}.`, { errors });
}

/** A correction of 10,000 rows has about 2 MB. */
const maxBytes = 4 * 1024 * 1024;

/** @throws ApiProblem for a body that is larger, or whose type is not JSON */
async function readJsonText(request: Request): Promise<string> {
  if (request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase() !== 'application/json') {
    throw new ApiProblem('unsupported-content', 'Send the body with content-type: application/json.');
  }
  const bytes = request.body === null ? Buffer.alloc(0) : await readAtMost(request.body, maxBytes);
  if (bytes === undefined) throw new ApiProblem('body-too-large', `Send at most ${maxBytes} bytes.`);
  return bytes.toString('utf8');
}

function readJson(text = ''): unknown {
  const value = parseJson(text);
  if (value !== undefined) return value;
  throw new ApiProblem('invalid-request', 'The body is not JSON.', {
    errors: [{ field: 'body', message: 'expected JSON' }],
  });
}

/** @param knownTag the If-None-Match of the request */
function answerOf(description: Description, answer: unknown, knownTag: string | undefined): Response {
  const { status = 200, etag } = description;
  if (description.files !== undefined) return fileResponse(answer as FileAnswer);
  if (answer === undefined) return new Response(null, { status });
  const text = JSON.stringify(answer);
  const headers: Record<string, string> = { 'content-type': 'application/json' };
  if (!etag) return new Response(text, { status, headers });
  headers.etag = `"${hash('sha256', JSON.stringify(answer, sortMembers), 'base64url').slice(0, 22)}"`;
  const isKnown = knownTag?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === headers.etag) === true;
  return isKnown ? new Response(null, { status: 304, headers }) : new Response(text, { status, headers });
}

/** DynamoDB returns the members of a tally in any order. */
const sortMembers = (_key: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value;

const fileResponse = ({ fileName, contentType, content }: FileAnswer): Response =>
  new Response(content, {
    status: 200,
    headers: {
      'content-type': contentType,
      'content-disposition': `attachment; filename="${fileName}"`,
    },
  });

/** @throws ApiProblem 403 without the role, 429 above the rate limit */
function admit(caller: Caller | undefined, { role }: Description, takeSlot: TakeSlot): Caller {
  if (caller === undefined) throw new ApiProblem('not-signed-in', 'Sign in, and send the token as a bearer token.');
  const seconds = takeSlot(caller.id);
  if (seconds > 0) {
    throw new ApiProblem('too-many-requests', 'Repeat the request after the time in Retry-After.', {
      retryAfterSeconds: seconds,
    });
  }
  if (hasRole(caller, role)) return caller;
  const owned = caller.roles.length === 0 ? 'no role' : `only ${caller.roles.join(', ')}`;
  throw new ApiProblem('role-required', `This needs the role ${role}, and you have ${owned}. Ask your administrator.`);
}

/** A path that exists, here or in the other function, with a method that it does not take. */
function mountOtherMethods(app: Api): void {
  const places = Object.values(addresses).map((at) => placeOf(at));
  for (const [path, ofPath] of Map.groupBy(places, ({ routerPath }) => routerPath)) {
    const methods = ofPath.map(({ method }) => method).join(', ');
    app.all(`${apiPrefix}${path}`, () => {
      const response = problemResponse(new ApiProblem('method-not-allowed', `This address takes ${methods}.`));
      response.headers.set('allow', methods);
      return response;
    });
  }
}

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** Callers that are remembered; the longest idle one is removed first. */
const maxCallers = 10_000;

/** Seconds to wait; 0 where the request may pass. */
export type TakeSlot = (callerId: string) => number;

export function createCallerLimit({ perSecond, burst }: RateLimit, clock: Clock): TakeSlot {
  const buckets = new Map<string, { slots: number; at: number }>();
  return (callerId) => {
    const now = clock();
    const before = buckets.get(callerId) ?? { slots: burst, at: now };
    const slots = Math.min(burst, before.slots + (Math.max(0, now - before.at) / 1_000) * perSecond);
    const isAllowed = slots >= 1;
    buckets.delete(callerId);
    buckets.set(callerId, { slots: isAllowed ? slots - 1 : slots, at: now });
    if (buckets.size > maxCallers) buckets.delete(buckets.keys().next().value ?? '');
    return isAllowed ? 0 : Math.max(1, Math.ceil((1 - slots) / perSecond));
  };
}

// Makes a write happen once: a repeat with the same key gets the answer of the first.

interface KeyedRequest {
  readonly caller: Caller;
  /** The Idempotency-Key of the request. */
  readonly key: string | undefined;
  /** What makes it this request: method, path and body. */
  readonly content: readonly string[];
}

interface Idempotency {
  /** @param run gets an id that is the same for a repeat of the same write */
  once(request: KeyedRequest, run: (writeId: string) => Promise<unknown>): Promise<unknown>;
  /** Runs a slow request in a share of this person. @throws ApiProblem 429 where all of them are in use */
  share<Answer>(caller: Caller, run: () => Promise<Answer>): Promise<Answer>;
}

/** Slow requests at a time. In production ten executions write (`reservedConcurrency`): commands have the others. */
const slowRequests = { ofPerson: 2, ofAll: 6 } as const;
/** What a share is taken for makes no difference. */
const anySlowRequest = 'slow';

const validKey = /^[\x21-\x7e]{1,200}$/;

/** A failed write leaves no answer, so that its repeat tries again. */
export const createIdempotency = (store: IdempotencyStore): Idempotency => ({
  async once({ caller, key = '', content }, run) {
    if (!validKey.test(key)) {
      const detail = 'Send an Idempotency-Key of 1 to 200 visible ASCII characters, new for each write: a UUID.';
      throw new ApiProblem('idempotency-key-required', detail);
    }
    const writeId = shortId(['write', caller.id, key], 26);
    // The key is not stored, so no PAC in the body can be guessed from this hash.
    const fingerprint = shortId(['content', key, ...content], 26);
    const begun = await store.begin(writeId, fingerprint);
    if (begun.state === 'other-request') {
      throw new ApiProblem('idempotency-key-reused', 'Use a new Idempotency-Key for a new write.');
    }
    if (begun.state === 'in-progress') {
      const detail = 'The first request with this Idempotency-Key has not ended. Repeat it in a few seconds.';
      throw new ApiProblem('request-in-progress', detail, { retryAfterSeconds: 2 });
    }
    if (begun.state === 'done') return begun.answer;
    try {
      const answer = await run(writeId);
      await store.finish(writeId, fingerprint, answer);
      return answer;
    } catch (error) {
      await store.fail(writeId, fingerprint);
      throw error;
    }
  },
  async share(caller, run) {
    const taken: string[] = [];
    const take = async (count: number, ...name: readonly string[]): Promise<void> => {
      const first = Number.parseInt(shortId(['first', caller.id], 4), 36) % count;
      for (let tried = 0; tried < count; tried += 1) {
        const id = shortId(['share', ...name, (first + tried) % count], 26);
        if ((await store.begin(id, anySlowRequest)).state !== 'new') continue;
        taken.push(id);
        return;
      }
      const detail = 'Too many such requests are running. Repeat the request after the time in Retry-After.';
      throw new ApiProblem('too-many-requests', detail, { retryAfterSeconds: 1 });
    };
    try {
      await take(slowRequests.ofPerson, 'person', caller.id);
      await take(slowRequests.ofAll, 'all');
      return await run();
    } finally {
      await Promise.all(taken.map((id) => store.fail(id, anySlowRequest)));
    }
  },
});
