// Starts the porting simulator on a TCP port of this machine, for tests, demos and local work.
import { randomUUID } from 'node:crypto';
import type { Server } from 'node:http';
import { createAdaptorServer, type HttpBindings } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { wallClock } from '#shared/runtime/clock.ts';
import { newClients } from './auth/clients.ts';
import type { Client } from './auth/tokens.ts';
import { readCatalogue } from './catalogue/catalogue.ts';
import { readChoices } from './choices.ts';
import { wireFaultHeader } from './controls/faults.ts';
import type { Random } from './dependencies.ts';
import { foreignPage, isForeignPage } from './http/foreign-page.ts';
import { listen } from './http/listen.ts';
import { problemResponse } from './http/problem.ts';
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
