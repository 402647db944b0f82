// The API as one Hono app: the same on AWS, on one machine and in tests. The host names the caller; the app decides
// what this person may do, parses, limits, and answers problems.
import { Hono } from 'hono';
import { contract, type RouteShapes } from '#shared/api/contract.ts';
import { apiPrefix, isWrite, type Route, type RouteName, routes } from '#shared/api/route-table.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import { answerOf } from './http/answer.ts';
import { ApiProblem, problemResponse } from './http/api-problem.ts';
import { type Caller, hasRole } from './http/caller.ts';
import type { Idempotency } from './http/idempotency.ts';
import { parseCall } from './http/parse-call.ts';
import { createCallerLimit, type RateLimit, type TakeSlot } from './http/rate-limit.ts';
import { readJsonText } from './http/read-body.ts';
import { openApiDocument } from './openapi.ts';

/** What the host of the app knows of a request. */
export interface Bindings {
  /** undefined: the request has no valid token. */
  readonly caller?: Caller | undefined;
}
type Environment = { Bindings: Bindings };

/** A route with everything that it needs: `any`, because each handler takes the call of one route. */
// biome-ignore lint/suspicious/noExplicitAny: parseCall makes the call that the handler of this name takes
export type MountedHandlers = Partial<Record<RouteName, (call: any) => Promise<unknown>>>;

export interface ApiOptions {
  readonly handlers: MountedHandlers;
  /** Absent where no handler writes. */
  readonly idempotency?: Idempotency;
  readonly limit: RateLimit;
  readonly wall: Clock;
  readonly log: Log;
}

export type Api = Hono<Environment>;

export function createApi(options: ApiOptions): Api {
  const { handlers, limit, wall, log } = options;
  const app: Api = new Hono<Environment>();
  const names = Object.keys(handlers) as RouteName[];
  const takeSlot = createCallerLimit(limit, wall);
  app.use(async (context, next) => {
    await next();
    // Answers hold phone numbers: nothing on the way keeps them.
    context.header('cache-control', 'no-store');
    context.header('x-content-type-options', 'nosniff');
  });
  for (const name of names) mountRoute(app, name, options, takeSlot);
  app.get(`${apiPrefix}/openapi.json`, (context) => context.json(openApiDocument(documentedNames(names))));
  mountOtherMethods(app, names);
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

/** All routes of the environment: on AWS this function answers some of them, and another one the others. */
const documentedNames = (mounted: readonly RouteName[]): RouteName[] =>
  (Object.keys(routes) as RouteName[]).filter((name) => {
    const { localOnly }: Route = routes[name];
    return localOnly !== true || mounted.includes(name);
  });

/** `/imports/{importId}` as Hono writes it. */
const pathOf = ({ path }: Route): string => `${apiPrefix}${path.replace(/\{(\w+)\}/g, ':$1')}`;

function mountRoute(app: Api, name: RouteName, options: ApiOptions, takeSlot: TakeSlot): void {
  const route: Route = routes[name];
  const shapes: RouteShapes = contract[name];
  const handle = options.handlers[name];
  if (handle === undefined) return;
  app.on(route.method, pathOf(route), async (context) => {
    const caller = admit(context.env?.caller, route, takeSlot);
    const { req } = context;
    const body = shapes.body === undefined ? undefined : await readJsonText(req.raw);
    const incoming = { path: req.param() as Record<string, string>, query: req.query(), body, caller };
    const run = async (writeId: string) => handle(parseCall(name, { ...incoming, writeId }));
    if (!isWrite(route)) return answerOf(shapes, await run(''), req.header('if-none-match'));
    if (options.idempotency === undefined) throw new Error(`${name} writes, and nothing keeps its idempotency keys`);
    const request = { caller, key: req.header('idempotency-key'), content: [req.method, req.path, body ?? ''] };
    return answerOf(shapes, await options.idempotency.once(request, run), undefined);
  });
}

/** @throws ApiProblem for a person who may not do this, or not so often */
function admit(caller: Caller | undefined, { role }: Route, takeSlot: TakeSlot): Caller {
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

/** A path that exists, with a method that it does not take. */
function mountOtherMethods(app: Api, names: readonly RouteName[]): void {
  const byPath = Map.groupBy(names, (name) => pathOf(routes[name]));
  for (const [path, ofPath] of byPath) {
    const methods = ofPath.map((name) => routes[name].method).join(', ');
    app.all(path, () => {
      const response = problemResponse(new ApiProblem('method-not-allowed', `This address takes ${methods}.`));
      response.headers.set('allow', methods);
      return response;
    });
  }
}
