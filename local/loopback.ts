// HTTP servers on the loopback interface only: nothing the engine runs is reachable from another machine.
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer as createTcpServer } from 'node:net';

export interface Loopback {
  readonly url: string;
  readonly tcpPort: number;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

const listen = async (server: Server, tcpPort: number): Promise<number> => {
  server.listen(tcpPort, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

/**
 * Serves `handler` on 127.0.0.1. `preferred` is the TCP port to try first (the one of an earlier run, so that endpoints
 * which people have typed somewhere stay valid); any free one is taken where it is occupied.
 */
export const serveOnLoopback = async (handler: RequestListener, preferred = 0): Promise<Loopback> => {
  // Uploads may rest for as long as their client likes, and idle clients keep their connection for the next call.
  const server = createServer({ requestTimeout: 0, keepAliveTimeout: 65_000 }, handler);
  const tcpPort = await listen(server, preferred).catch(() => listen(server, 0));
  return {
    url: `http://127.0.0.1:${tcpPort}`,
    tcpPort,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** A TCP port that was free a moment ago, for a program that cannot choose one itself; `preferred` where it is free. */
export const findFreeTcpPort = async (preferred = 0): Promise<number> => {
  const tryPort = async (tcpPort: number): Promise<number> => {
    const probe = createTcpServer();
    probe.listen(tcpPort, '127.0.0.1');
    await once(probe, 'listening');
    const found = (probe.address() as AddressInfo).port;
    probe.close();
    await once(probe, 'close');
    return found;
  };
  return tryPort(preferred).catch(() => tryPort(0));
};
