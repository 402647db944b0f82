// The service on a TCP socket of this machine, for tests, demos and rehearsals.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { createService, type Service } from './app.ts';
import { type Catalogue, readCatalogue } from './catalogue.ts';
import { newClients } from './clients.ts';
import { wireFaultHeader } from './faults.ts';
import type { Random } from './service-parts.ts';
import type { Store } from './store.ts';
import { createMemoryStore } from './store-memory.ts';
import type { Client } from './tokens.ts';

export interface ServerOptions {
  /** TCP port; 0 takes a free one. @default 0 */
  readonly port?: number;
  /** @default 127.0.0.1 */
  readonly host?: string;
  /** The time ports live by. @default wall time */
  readonly clock?: Clock;
  /** The time tokens live by. @default wall time */
  readonly wall?: Clock;
  /** @default the catalogue that comes with the service */
  readonly catalogue?: Catalogue;
  /** @default one client per account of the catalogue, with a new secret */
  readonly clients?: readonly Client[];
  /** @default in memory */
  readonly store?: Store;
  readonly random?: Random;
  /** Whether the controls under /_sandbox exist. @default false */
  readonly sandbox?: boolean;
  /** Type-A tariffs and bolt-ons as one object instead of an array. @default false */
  readonly singleLookups?: boolean;
  readonly tokenSeconds?: number;
  readonly maxBodyBytes?: number;
  readonly onError?: (error: unknown, method: string, path: string) => void;
}

export interface RunningServer {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clients: readonly Client[];
  readonly service: Service;
  close(): Promise<void>;
}

const systemRandom: Random = { uuid: () => randomUUID() };

/** Plays what a fault asks of the socket; any other response goes its way. */
async function sendFaulty(response: Response, { incoming, outgoing }: HttpBindings): Promise<Response> {
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

function listen(server: Server, port: number, host: string): Promise<AddressInfo> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve(server.address() as AddressInfo));
  });
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

/** Starts the service and answers once it listens. Both addresses are the same server. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { port = 0, host = '127.0.0.1', clock = wallClock, wall = wallClock, ...rest } = options;
  const catalogue = options.catalogue ?? readCatalogue();
  const clients = options.clients ?? newClients(catalogue);
  const store = options.store ?? createMemoryStore();
  const random = options.random ?? systemRandom;
  const service = createService({ ...rest, catalogue, clients, store, random, clock, wall });
  const server = createAdaptorServer({
    fetch: async (request, env) => sendFaulty(await service.fetch(request), env as HttpBindings),
  }) as Server;
  const address = await listen(server, port, host);
  const baseUrl = `http://${host}:${address.port}`;
  return { baseUrl, authUrl: baseUrl, clients, service, close: () => close(server) };
}
