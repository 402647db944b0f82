// Starts the porting simulator on a TCP port of this machine, for tests, demos and local work.
import { randomUUID } from 'node:crypto';
import type { IncomingHttpHeaders, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { wallClock } from '#shared/runtime/clock.ts';
import { type Client, newClients } from './auth.ts';
import { readCatalogue } from './catalogue/catalogue.ts';
import { readChoices } from './choices.ts';
import { wireFaultHeader } from './controls/faults.ts';
import type { Random } from './dependencies.ts';
import { Problem, problemResponse } from './http/problem.ts';
import { createSimulator, type PortingSimulator, type SimulatorOptions } from './simulator.ts';
import { createMemoryStore } from './store/memory-store.ts';

/** Everything has a default: a store in memory, the catalogue that comes with the simulator, wall time. */
export interface StartOptions extends Partial<SimulatorOptions> {
  /** TCP port; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** @default 127.0.0.1 */
  readonly host?: string;
}

export interface RunningSimulator {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** The first client, and its account. */
  readonly accountId: number;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Every client: one for each account of the catalogue, unless the options name them. */
  readonly clients: readonly Client[];
  readonly simulator: PortingSimulator;
  stop(): Promise<void>;
}

const systemRandom: Random = { uuid: () => randomUUID() };

/** Breaks the connection if a fault asks for it; any other response is sent as it is. */
async function sendWithFault(response: Response, { incoming, outgoing }: HttpBindings): Promise<Response> {
  const fault = response.headers.get(wireFaultHeader);
  if (fault === null) return response;
  if (fault === 'truncated') {
    const body = Buffer.from(await response.arrayBuffer());
    outgoing.writeHead(response.status, {
      'content-type': 'application/json;charset=UTF-8',
      'content-length': body.length + 1,
    });
    await new Promise((sent) => outgoing.write(body.subarray(0, Math.floor(body.length / 2)), sent));
    incoming.socket.destroy();
  } else {
    incoming.socket.resetAndDestroy();
  }
  return RESPONSE_ALREADY_SENT;
}

/**
 * Starts a simulator and resolves once it listens. The token endpoint is at the same address.
 *
 * @example
 * const service = await startSimulator({ sandbox: true });
 * const client = createClient(service.baseUrl, service.clientId, service.clientSecret);
 * await service.stop();
 */
export async function startSimulator(options: StartOptions = {}): Promise<RunningSimulator> {
  const { port = 0, host = '127.0.0.1', catalogue = readCatalogue() } = options;
  const clients = options.clients ?? newClients(catalogue);
  const [first] = clients;
  if (first === undefined) throw new Error('The simulator needs at least one client.');
  const simulator = createSimulator({
    store: createMemoryStore(),
    clock: wallClock,
    wall: wallClock,
    random: systemRandom,
    ...options,
    catalogue,
    clients,
  });
  const server = createAdaptorServer({
    fetch: async (request, env) => {
      const bindings = env as HttpBindings;
      if (isForeignPage(bindings.incoming.headers, host))
        return problemResponse(foreignPage, readChoices(options.choices));
      return sendWithFault(await simulator.fetch(request), bindings);
    },
  }) as Server;
  const { baseUrl, stop } = await listen(server, port, host);
  return { baseUrl, authUrl: baseUrl, ...first, clients, simulator, stop };
}

// Which requests a server on this machine rejects: those of web pages that the user happens to have open.

export const foreignPage = new Problem(403, 'Pages of other origins, and requests for other hosts, have no access.');

/** The name of a host without its port: `[::1]:80` is `[::1]`. */
const nameOf = (host: string): string => host.toLowerCase().replace(/:\d+$/, '');

const ownNames = ['127.0.0.1', 'localhost', '[::1]'];
/** Listening on every address: the host names that lead here are unknown. */
const everyAddress = ['0.0.0.0', '::'];

/** `null` or an invalid address never matches the origin of a server. */
const hostOf = (origin: string): string | undefined => (URL.canParse(origin) ? new URL(origin).host : undefined);

/** Images, scripts and forms of method GET carry no origin; a link that a person follows is let through. */
const isLoadedByForeignPage = (headers: IncomingHttpHeaders): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) && headers['sec-fetch-mode'] !== 'navigate';

/**
 * Whether a page of another origin sends the request, or one whose host name was made to lead here (DNS rebinding).
 * @param address what the simulator listens on.
 */
export function isForeignPage(headers: IncomingHttpHeaders, address: string): boolean {
  const { host = '', origin } = headers;
  const isOwnHost = everyAddress.includes(address) || [...ownNames, address].includes(nameOf(host));
  if (!isOwnHost) return true;
  return origin === undefined ? isLoadedByForeignPage(headers) : hostOf(origin) !== host.toLowerCase();
}

// Starts and stops a server on a TCP port.

/** Like a load balancer. After Node's 5 s, a client on a busy machine would find its idle connection closed. */
const idleMs = 65_000;

export interface Listening {
  readonly baseUrl: string;
  stop(): Promise<void>;
}

/** Resolves once the server listens; port 0 takes a free one. @throws Error for a port that is in use */
export async function listen(server: Server, port: number, host: string): Promise<Listening> {
  server.keepAliveTimeout = idleMs;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, resolve);
  });
  return { baseUrl: `http://${host}:${(server.address() as AddressInfo).port}`, stop: () => close(server) };
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
