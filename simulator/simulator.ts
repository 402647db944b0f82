// The porting simulator: one function from Request to Response. Node and Lambda wrap it; tests may call it directly.
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { getPath } from 'hono/utils/url';
import { placeOf } from '#shared/api/endpoint.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { simulatorPath } from '#shared/service/service-texts.ts';
import { answerToken, type Client, createTokens, readTokenForm, type Tokens } from './auth.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { type Choices, readChoices } from './choices.ts';
import { createTestControls, latestTime, type TestControls } from './controls/controls.ts';
import type { Dependencies, Random } from './dependencies.ts';
import { createSerialiseByKey } from './dependencies.ts';
import { mountViewer, openApiDocument } from './http/openapi.ts';
import { Problem, problemResponse, tryAgain } from './http/problem.ts';
import { type Caller, type Endpoint, fullList, type ListView } from './http/route.ts';
import { controlRoutes } from './routes/controls.ts';
import { lookupRoutes } from './routes/lookups.ts';
import { portingRoutes } from './routes/porting.ts';
import { submissionRoutes } from './routes/submissions.ts';
import { type Store, StoreBusy } from './store/store.ts';

export interface SimulatorOptions {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly clients: readonly Client[];
  /** The time by which ports live, epoch milliseconds. */
  readonly clock: Clock;
  /** Wall time: tokens and the limit of requests live by it. */
  readonly wall: Clock;
  readonly random: Random;
  /** Whether the test controls under /_sandbox exist. @default false */
  readonly sandbox?: boolean;
  /** What the spec leaves open (choices.ts). @default the first value of each */
  readonly choices?: Partial<Choices>;
  /** @default 3600 */
  readonly tokenSeconds?: number;
  /** Requests of an account in a second, then 429. @default no limit */
  readonly requestsPerSecond?: number;
  /** @default 8 MiB */
  readonly maxBodyBytes?: number;
  /** Gets what fails inside; never a body, a token or a secret. */
  readonly onError?: (error: unknown, method: string, path: string) => void;
}

export interface PortingSimulator {
  fetch(request: Request): Promise<Response>;
  /** Advances the clock of every account. @throws Error if the test controls are not enabled */
  advanceClock(milliseconds: number): Promise<void>;
}

/** Everything that one request passes through. */
interface Server {
  readonly tokens: Tokens;
  readonly choices: Choices;
  readonly controls: TestControls | undefined;
  readonly limit: RequestLimit;
  readonly onError: NonNullable<SimulatorOptions['onError']>;
}

const json = { 'content-type': 'application/json;charset=UTF-8' };

function callerOf(tokens: Tokens, context: Context): Caller {
  const [scheme, token, ...more] = (context.req.header('authorization') ?? '').split(' ');
  const isBearer = scheme?.toLowerCase() === 'bearer' && more.length === 0;
  const caller = isBearer && token ? tokens.verify(token) : null;
  if (caller === null) throw new Problem(401, 'A valid bearer token is required.');
  return caller;
}

function problemFrom(error: unknown, context: Context, { onError }: Server): Problem {
  if (error instanceof Problem) return error;
  if (error instanceof StoreBusy) return tryAgain(error.message);
  // A client that disconnects while it sends its body is not a failure of the service.
  if (context.req.raw.signal.aborted) return new Problem(400, 'The body ended early.');
  onError(error, context.req.method, context.req.path);
  return new Problem(500, 'The service failed. The request may or may not have had an effect.');
}

/** Runs an endpoint. An error is a response too, so that a fault can hide it. */
async function serve(
  endpoint: Endpoint,
  server: Server,
  context: Context,
  caller: Caller,
  list: ListView = fullList,
): Promise<Response> {
  try {
    const answer = await endpoint.run({
      path: context.req.param() as Record<string, string>,
      query: context.req.query(),
      header: (name) => context.req.header(name),
      body: () => context.req.arrayBuffer(),
      caller,
      list,
      isStrict: server.choices.strict === 'on',
    });
    const body = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(body, { status: answer.status, headers: body === null ? {} : json });
  } catch (error) {
    return problemResponse(problemFrom(error, context, server), server.choices);
  }
}

function mountEndpoint(app: Hono, endpoint: Endpoint, server: Server): void {
  const { controls, tokens, choices, limit } = server;
  const { method, routerPath } = placeOf(endpoint.at);
  app.on(method, routerPath, async (context) => {
    const caller = callerOf(tokens, context);
    if (!limit.take(caller.accountId)) {
      return problemResponse(new Problem(429, 'Too many requests.', { retryAfterSeconds: 1 }), choices);
    }
    const serveOnce = (list: ListView) => serve(endpoint, server, context, caller, list);
    return controls ? controls.handle(endpoint.operationId, caller.accountId, context, serveOnce) : serveOnce(fullList);
  });
}

function mountToken(app: Hono, { tokens, controls }: Server): void {
  app.post('/connect/token', async (context) => {
    const form = readTokenForm(context.req.header('content-type') ?? '', await context.req.text());
    const caller = tokens.callerOf(form.client_id ?? '');
    const serveOnce = async () => answerToken(tokens, form);
    return controls && caller ? controls.handle('token', caller.accountId, context, serveOnce, form) : serveOnce();
  });
}

/** Faults never hit the test controls, and the journal does not list them. */
function mountControls(
  app: Hono,
  dependencies: Dependencies,
  server: Server,
  endpoints: readonly Endpoint[],
): Endpoint[] {
  const { controls, tokens } = server;
  if (controls === undefined) return [];
  const operations = ['token', ...endpoints.map(({ operationId }) => operationId)];
  const routes = controlRoutes({ dependencies, controls, operations });
  for (const endpoint of routes) {
    const { method, routerPath } = placeOf(endpoint.at);
    app.on(method, routerPath, async (context) => {
      const caller = callerOf(tokens, context);
      await controls.runLateRequests(caller.accountId);
      return serve(endpoint, server, context, caller);
    });
  }
  return routes;
}

/** Every endpoint of the spec except the token request, which is a form. */
const publicEndpoints = (dependencies: Dependencies): Endpoint[] => [
  ...portingRoutes(dependencies),
  ...lookupRoutes(dependencies),
  ...submissionRoutes(dependencies),
];

function mountFailures(app: Hono, server: Server): void {
  app.notFound((context) => {
    const problem = new Problem(404, `There is no ${context.req.method} ${context.req.path}.`);
    return problemResponse(problem, server.choices);
  });
  app.onError((error, context) => problemResponse(problemFrom(error, context, server), server.choices));
}

function createServer(options: SimulatorOptions, choices: Choices, controls: TestControls | undefined): Server {
  const { clients, wall, random, tokenSeconds = 3600, requestsPerSecond } = options;
  const accountTime = controls?.timeOf ?? options.clock;
  const timeOf = choices['token-clock'] === 'account' ? accountTime : wall;
  return {
    tokens: createTokens({ clients, timeOf, nonce: random.uuid, lifetimeSeconds: tokenSeconds }),
    choices,
    controls,
    limit: createRequestLimit(requestsPerSecond, wall),
    onError: options.onError ?? (() => undefined),
  };
}

function mountBodyLimit(app: Hono, choices: Choices, maxSize: number): void {
  const onError = () => problemResponse(new Problem(413, `The body is larger than ${maxSize} bytes.`), choices);
  app.use(bodyLimit({ maxSize, onError }));
}

export function createSimulator(options: SimulatorOptions): PortingSimulator {
  const { store, catalogue, random, clock, maxBodyBytes = 8 * 1024 * 1024 } = options;
  const choices = readChoices(options.choices);
  const boundedClock = () => Math.min(clock(), latestTime);
  const controls = options.sandbox ? createTestControls(store, boundedClock, choices, random.uuid) : undefined;
  const serialise = createSerialiseByKey();
  const timeOf = controls?.timeOf ?? boundedClock;
  const dependencies: Dependencies = { store, catalogue, choices, timeOf, random, serialise };
  const server = createServer(options, choices, controls);
  const app = new Hono({ getPath: (request) => withoutSimulatorPath(getPath(request)) });

  mountBodyLimit(app, choices, maxBodyBytes);
  if (controls) {
    app.use(async (_context, next) => {
      await controls.refresh();
      await next();
    });
  }
  mountToken(app, server);
  const endpoints = publicEndpoints(dependencies);
  for (const endpoint of endpoints) mountEndpoint(app, endpoint, server);
  const controlEndpoints = mountControls(app, dependencies, server, endpoints);
  mountViewer(app, () => openApiDocument([...endpoints, ...controlEndpoints]));
  mountFailures(app, server);
  return {
    fetch: async (request) => app.fetch(request),
    async advanceClock(milliseconds) {
      if (controls === undefined) throw new Error('The clock moves only where the sandbox is enabled.');
      await controls.refresh();
      for (const { accountId } of catalogue.data.accounts) await controls.advance(accountId, milliseconds);
    },
  };
}

/** simporter calls the simulator by an address that tells it from the real service. */
const withoutSimulatorPath = (path: string): string =>
  path.startsWith(`${simulatorPath}/`) ? path.slice(simulatorPath.length) : path;

interface RequestLimit {
  /** False if the account has no request left in this second. */
  take(accountId: number): boolean;
}

/** A token bucket for each account: a number of requests a second, and as many at once after a pause. */
function createRequestLimit(perSecond: number | undefined, wall: Clock): RequestLimit {
  if (perSecond === undefined) return { take: () => true };
  const buckets = new Map<number, { tokens: number; at: number }>();
  return {
    take(accountId) {
      const now = wall();
      const { tokens, at } = buckets.get(accountId) ?? { tokens: perSecond, at: now };
      const filled = Math.min(perSecond, tokens + (Math.max(0, now - at) / 1000) * perSecond);
      const isAllowed = filled >= 1;
      buckets.set(accountId, { tokens: isAllowed ? filled - 1 : filled, at: now });
      return isAllowed;
    },
  };
}
