// The service: one function from Request to Response. Node and Lambda wrap it; tests may call it directly.
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Catalogue } from './catalogue.ts';
import { docsPage } from './docs-page.ts';
import type { Caller, Endpoint } from './endpoint.ts';
import { type ListFault, withFaults } from './faults.ts';
import { openApiDocument } from './openapi.ts';
import { Problem, problemResponse } from './problem.ts';
import { lookupRoutes } from './routes/lookups.ts';
import { portingRoutes } from './routes/porting.ts';
import { sandboxRoutes } from './routes/sandbox.ts';
import { submissionRoutes } from './routes/submissions.ts';
import { answerToken } from './routes/token.ts';
import { createSandbox, type Sandbox } from './sandbox.ts';
import type { Random, ServiceParts } from './service-parts.ts';
import type { Store } from './store.ts';
import { type Client, createTokens, type Tokens } from './tokens.ts';

export interface ServiceOptions {
  readonly store: Store;
  readonly catalogue: Catalogue;
  readonly clients: readonly Client[];
  /** The time ports live by, epoch milliseconds. */
  readonly clock: Clock;
  /** The time tokens live by. */
  readonly wall: Clock;
  readonly random: Random;
  /** Whether the controls under /_sandbox exist. @default false */
  readonly sandbox?: boolean;
  /** Type-A tariffs and bolt-ons as one object instead of an array. @default false */
  readonly singleLookups?: boolean;
  /** @default 3600 */
  readonly tokenSeconds?: number;
  /** @default 8 MiB */
  readonly maxBodyBytes?: number;
  /** Told of what goes wrong inside; never given a body, a token or a secret. */
  readonly onError?: (error: unknown, method: string, path: string) => void;
}

export interface Service {
  fetch(request: Request): Promise<Response>;
  /** Moves the sandbox's clock on. @throws Error where the sandbox is not enabled */
  advanceClock(milliseconds: number): Promise<void>;
}

const json = { 'content-type': 'application/json;charset=UTF-8' };

function callerOf(tokens: Tokens, context: Context): Caller {
  const [scheme, token] = (context.req.header('authorization') ?? '').split(' ');
  const caller = scheme?.toLowerCase() === 'bearer' && token ? tokens.verify(token) : null;
  if (caller === null) throw new Problem(401, 'A valid bearer token is required.');
  return caller;
}

const routerPath = (path: string): string => path.replace(/\{(\w+)\}/g, ':$1');

function mount(app: Hono, endpoint: Endpoint, tokens: Tokens, sandbox?: Sandbox): void {
  const serve = async (context: Context, listFault: ListFault): Promise<Response> => {
    const answer = await endpoint.run({
      path: context.req.param() as Record<string, string>,
      query: context.req.query(),
      header: (name) => context.req.header(name),
      bodyText: () => context.req.text(),
      caller: callerOf(tokens, context),
      listFault,
    });
    const body = answer.body === undefined ? null : JSON.stringify(answer.body);
    return new Response(body, { status: answer.status, headers: body === null ? {} : json });
  };
  app.on(endpoint.method, routerPath(endpoint.path), (context) =>
    withFaults(sandbox, endpoint.operationId, (listFault) => serve(context, listFault)),
  );
}

/** The controls under /_sandbox; no fault hits them. */
function mountControls(app: Hono, parts: ServiceParts, tokens: Tokens, sandbox: Sandbox): Endpoint[] {
  app.use('/_sandbox/*', async (_context, next) => {
    await sandbox.refresh();
    await next();
  });
  const controls = sandboxRoutes(parts, sandbox);
  for (const endpoint of controls) mount(app, endpoint, tokens);
  return controls;
}

/** The document is made when it is first asked for: most processes never are. */
function mountDocs(app: Hono, endpoints: readonly Endpoint[]): void {
  app.get('/openapi.json', (context) => context.json(openApiDocument(endpoints)));
  app.get('/docs', (context) => context.html(docsPage(openApiDocument(endpoints))));
}

/** Every endpoint of the spec but the token's, which is not JSON. */
export const serviceEndpoints = (parts: ServiceParts): Endpoint[] => [
  ...portingRoutes(parts),
  ...lookupRoutes(parts),
  ...submissionRoutes(parts),
];

export function createService(options: ServiceOptions): Service {
  const {
    store,
    catalogue,
    clients,
    wall,
    random,
    singleLookups = false,
    tokenSeconds = 3600,
    maxBodyBytes = 8 * 1024 * 1024,
  } = options;
  const tokens = createTokens({ clients, wall, nonce: random.uuid, lifetimeSeconds: tokenSeconds });
  const sandbox = options.sandbox ? createSandbox(store, options.clock) : undefined;
  const parts: ServiceParts = { store, catalogue, clock: sandbox?.clock ?? options.clock, random, singleLookups };
  const app = new Hono();

  app.use(
    bodyLimit({
      maxSize: maxBodyBytes,
      onError: () => problemResponse(new Problem(413, `The body is larger than ${maxBodyBytes} bytes.`)),
    }),
  );
  app.post('/connect/token', (context) =>
    withFaults(sandbox, 'token', async () =>
      answerToken(tokens, context.req.header('content-type') ?? '', await context.req.text()),
    ),
  );
  const endpoints = serviceEndpoints(parts);
  for (const endpoint of endpoints) mount(app, endpoint, tokens, sandbox);
  const controls = sandbox ? mountControls(app, parts, tokens, sandbox) : [];
  mountDocs(app, [...endpoints, ...controls]);

  app.notFound((context) =>
    problemResponse(new Problem(404, `There is no ${context.req.method} ${context.req.path}.`)),
  );
  app.onError((error, context) => {
    if (error instanceof Problem) return problemResponse(error);
    options.onError?.(error, context.req.method, context.req.path);
    return problemResponse(new Problem(500, 'The service failed. The request may or may not have had an effect.'));
  });
  return {
    fetch: async (request) => app.fetch(request),
    async advanceClock(milliseconds) {
      if (sandbox === undefined) throw new Error('The clock moves only where the sandbox is enabled.');
      await sandbox.refresh();
      await sandbox.advance(milliseconds);
    },
  };
}
