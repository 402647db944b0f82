// Starts and stops a server on a TCP port.
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

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
