// Serves the console on 127.0.0.1 and passes the requests of its page to the API, as CloudFront does. Its token gives
// access; requests from pages of other origins, and for other hosts, are declined.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { extname, join, posix } from 'node:path';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import { proxy } from 'hono/proxy';
import type { Api } from '#functions/api/http/app.ts';
import type { Caller } from '#functions/api/http/endpoint.ts';
import { contentSecurityPolicy } from '#infra/content-security-policy.ts';
import { installation } from '#installation';
import { sendJson, serveOnLoopback } from '#local/http/loopback.ts';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { openStores } from '#shared/store/account.ts';
import type { CliContext } from '../context/cli-context.ts';
import { emulatorClients } from '../target/aws-target.ts';
import { type EmulatorInfo, type EmulatorRequest, runEmulator } from '../target/emulator.ts';
import type { Session } from '../target/target.ts';
import { createCalendarControl, createSimulatorApi, keepChecking } from './simulator-controls.ts';

interface ConsoleServerOptions {
  /** Tried first, so that the address stays the same from start to start. */
  readonly preferredTcpPort?: number;
  /** The token of an operator. @default - a new one */
  readonly token?: string;
  /** The user of each token. @default - the token's operator only */
  readonly callers?: ReadonlyMap<string, Caller>;
}

interface ConsoleContent {
  /** The address of the API that the emulator runs. */
  readonly apiEndpoint: string;
  /** The controls of the simulator; undefined where there is none. */
  readonly simulator: Api | undefined;
  /** The folder of the built console. */
  readonly folder: string;
  readonly s3Endpoint: string;
}

const person = process.env.USER ?? process.env.USERNAME ?? 'local';
const localOperator: Caller = { id: 'local', name: person, roles: ['operator'] };

/** Opens the address at once: the emulator must know it before it starts. */
export async function openConsoleServer(options: ConsoleServerOptions = {}) {
  const callers = options.callers ?? new Map([[options.token ?? newToken(), localOperator]]);
  const [token = ''] = callers.keys();
  let listener: ReturnType<typeof getRequestListener> | undefined;
  const server = await serveOnLoopback(
    (request, response) => {
      if (listener === undefined) return sendJson(response, 503, { message: 'simporter is still starting' });
      return listener(request, response) as Promise<void>;
    },
    {
      preferredTcpPort: options.preferredTcpPort,
      allowedOrigins: (url) => [url, url.replace('127.0.0.1', 'localhost')],
    },
  );
  return {
    ...server,
    token,
    /** The claims that Cognito would issue for the user of a token. */
    readClaims: (token: string): Record<string, string> | undefined => {
      const caller = findCaller(token, callers);
      if (caller === undefined) return undefined;
      const { id: sub, name: email, roles } = caller;
      return { sub, token_use: 'id', email, email_verified: 'true', 'cognito:groups': `[${roles.join(' ')}]` };
    },
    /** With the token in its fragment, which no server receives. */
    address: `${server.url}/#token=${token}`,
    /** Answers requests from now on; before, they are answered 503. */
    serve(content: ConsoleContent): void {
      const app = createConsoleApp(content, callers);
      listener = getRequestListener((request) => app.fetch(request), { overrideGlobalObjects: false });
    },
  };
}

/** Those that CloudFront takes. A TRACE could not even be passed on: `fetch` declines it. */
const forwardedMethods: readonly string[] = ['GET', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'POST', 'DELETE'];

const methodNotAllowed = (): Response =>
  new Response('This address does not take this method.', {
    status: 405,
    headers: { allow: forwardedMethods.join(', ') },
  });

function createConsoleApp(content: ConsoleContent, callers: ReadonlyMap<string, Caller>): Hono {
  const { apiEndpoint, simulator, folder, s3Endpoint } = content;
  const app = new Hono();
  app.use(async ({ req }, next) => {
    if (!forwardedMethods.includes(req.method)) return methodNotAllowed();
    return next();
  });
  if (simulator) {
    app.all(`${apiPrefix}/simulator/*`, ({ req }) => {
      const token = /^Bearer (\S+)$/i.exec(req.header('authorization') ?? '')?.[1] ?? '';
      return simulator.fetch(req.raw, { caller: findCaller(token, callers) });
    });
  }
  app.all(`${apiPrefix}/*`, ({ req }) => {
    const { pathname, search } = new URL(req.url);
    // The request was of this server's own page, and the API has another address.
    const { host: _, origin: __, ...headers } = req.header();
    // A page that is closed ends its requests, and an emulator that stops answers none.
    const failed = () => new Response('The API does not answer.', { status: 502 });
    return proxy(`${apiEndpoint}${pathname}${search}`, { raw: req.raw, headers }).catch(failed);
  });
  app.get('*', (context) => serveFile(folder, context.req.path, s3Endpoint));
  return app;
}

/** Compares every token in constant time. */
function findCaller(text: string, callers: ReadonlyMap<string, Caller>): Caller | undefined {
  const given = Buffer.from(text);
  let found: Caller | undefined;
  for (const [token, caller] of callers) {
    const expected = Buffer.from(token);
    if (expected.length === given.length && timingSafeEqual(expected, given)) found = caller;
  }
  return found;
}

const contentTypes: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
  '.md': 'text/plain; charset=utf-8',
};

/** undefined for a path that cannot be decoded, such as `/%`. */
function decoded(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

/**
 * The file of a request below the folder of the console, in the notation of addresses on every machine; undefined where
 * no file can be meant. On Windows a backslash separates folders, and a colon follows a drive.
 */
export function fileOfRequest(path: string): string | undefined {
  const name = posix.normalize(path === '/' ? '/index.html' : (decoded(path) ?? ''));
  const isSafe = name.startsWith('/') && !/[\\:\0]/.test(name) && !name.split('/').some((part) => part.startsWith('.'));
  return isSafe && extname(name) in contentTypes ? name : undefined;
}

async function serveFile(folder: string, path: string, s3Endpoint: string): Promise<Response> {
  const name = fileOfRequest(path);
  if (name === undefined) return missing(path);
  const content = await readFile(join(folder, name)).catch(() => undefined);
  if (content === undefined) return missing(path);
  return new Response(content, {
    headers: {
      'content-type': contentTypes[extname(name)] ?? '',
      'content-security-policy': contentSecurityPolicy([s3Endpoint]),
      'cache-control': name.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    },
  });
}

const missing = (path: string): Response =>
  new Response(`There is no ${path}. The API is below ${apiPrefix}: for example ${apiPrefix}/imports.`, {
    status: 404,
  });

const shape = /^[\w-]{32}$/;

const newToken = (): string => randomBytes(24).toString('base64url');

/**
 * The token is kept with the data, so that a bookmark works after the next start. Creates it where the folder has none.
 * Only the user of the machine may read it.
 */
export async function keptToken(directory: string): Promise<string> {
  const path = join(directory, 'console-token');
  const kept = await readFile(path, 'utf8').catch(() => '');
  if (shape.test(kept)) return kept;
  const token = newToken();
  await mkdir(directory, { recursive: true });
  await writeFile(path, token, { mode: 0o600 });
  return token;
}

// An emulator together with the console and its API.

/** Kept from start to start where it is free, so that an open page finds the next start. */
const usualTcpPort = 4_747;

interface ConsoleRequest extends EmulatorRequest {
  readonly directory: string;
  /** Whether the calendar pauses while a person must act. */
  readonly pausesCalendar: boolean;
}

/** As runEmulator; `endpoints.console` is the address to open, with its token. */
export async function runEmulatorWithConsole<Result>(
  context: CliContext,
  { pausesCalendar, ...request }: ConsoleRequest,
  use: (session: Session, emulator: EmulatorInfo) => Promise<Result>,
): Promise<Result> {
  const token = await keptToken(request.directory);
  const server = await openConsoleServer({ preferredTcpPort: usualTcpPort, token });
  try {
    const folder = await installation.buildConsole();
    const allowedOrigins = [server.url, server.url.replace('127.0.0.1', 'localhost')];
    const options = { ...request, allowedOrigins, readClaims: server.readClaims, sandbox: true };
    return await runEmulator(context, options, async (session, emulator) => {
      const { endpoints, apiEndpoint, service, calendar } = emulator;
      const clients = emulatorClients(emulator as Parameters<typeof emulatorClients>[0]);
      const { resources } = session.target;
      const { imports } = openStores(clients, resources);
      const control = createCalendarControl({
        calendar,
        automatic: pausesCalendar,
        report: (line) => context.terminal.note(line),
        imports,
      });
      const controls = { service, calendar: control, clients, resources };
      const simulator = resources.simulated ? createSimulatorApi(controls) : undefined;
      server.serve({ apiEndpoint, simulator, folder, s3Endpoint: endpoints.s3 ?? '' });
      const stopping = new AbortController();
      const checking = keepChecking(control.check, stopping.signal);
      try {
        return await use(session, { ...emulator, endpoints: { ...endpoints, console: server.address } });
      } finally {
        stopping.abort();
        await checking;
      }
    });
  } finally {
    await server.close();
  }
}
