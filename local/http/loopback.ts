// HTTP servers on the loopback interface only: nothing that the emulator runs is reachable from another machine.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type { Readable } from 'node:stream';
import { finished } from 'node:stream/promises';

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void | Promise<void>;

export interface LoopbackServer {
  readonly url: string;
  readonly tcpPort: number;
  /** Stops listening and closes every connection. */
  close(): Promise<void>;
}

export interface LoopbackOptions {
  /**
   * The TCP port to try first: that of an earlier run, so that addresses which people have noted stay valid.
   * @default - any free one
   */
  readonly preferredTcpPort?: number | undefined;
  /** The pages that may send requests, by their origins. @default - none */
  readonly allowedOrigins?: ((serverUrl: string) => readonly string[]) | undefined;
  /** Takes what a request failed with. @default - nobody */
  readonly log?: ((line: string) => void) | undefined;
  /** How long a client may be silent in the middle of a request; then the connection ends. @default two minutes */
  readonly silenceMs?: number | undefined;
}

const listen = async (server: Server, tcpPort: number): Promise<number> => {
  server.listen(tcpPort, '127.0.0.1');
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
};

export const sendJson = (
  response: ServerResponse,
  status: number,
  content: unknown,
  headers: Readonly<Record<string, string>> = {},
): void => {
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(content));
};

/** Whether the client closed the connection before it had sent the whole request, or before it had the answer. */
export const isClientGone = (request: IncomingMessage, response: ServerResponse): boolean =>
  response.destroyed || (request.destroyed && !request.complete);

const answerError = (error: unknown, request: IncomingMessage, response: ServerResponse): void => {
  // A partly sent answer is aborted.
  if (response.headersSent || isClientGone(request, response)) return void response.destroy();
  const status = error instanceof BodyTooLargeError ? 413 : error instanceof SyntaxError ? 400 : 500;
  const message =
    status === 500 ? 'Internal Server Error' : status === 413 ? 'Request Entity Too Large' : String(error);
  // The rest of the body is not read, so the connection cannot serve another request.
  sendJson(response, status, { message }, { connection: 'close' });
};

/**
 * Ends the connection when nothing of the body arrives for so long: a request that is half sent would be kept for ever.
 * The time of an answer is not limited.
 */
const endWhenSilent = (request: IncomingMessage, response: ServerResponse, silenceMs: number): void => {
  const { socket, headers } = request;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return;
  socket.setTimeout(silenceMs);
  request.once('end', () => {
    // Where the answer is sent already, Node waits for the next request.
    if (!response.writableEnded) socket.setTimeout(0);
  });
};

/** Serves `handler` on 127.0.0.1. A failed request does not stop the server. */
export const serveOnLoopback = async (
  handler: RequestHandler,
  { preferredTcpPort = 0, allowedOrigins = () => [], log, silenceMs = 120_000 }: LoopbackOptions = {},
): Promise<LoopbackServer> => {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // A browser must not take content for a script or a page unless that is its type.
    response.setHeader('x-content-type-options', 'nosniff');
    endWhenSilent(request, response, silenceMs);
    try {
      const reason = reasonToDecline(request, allowedOrigins(url));
      if (reason !== undefined) return sendJson(response, 403, { message: reason }, { connection: 'close' });
      await handler(request, response);
    } catch (error) {
      if (!isClientGone(request, response)) log?.(`${request.method} ${request.url}: ${String(error)}`);
      answerError(error, request, response);
    }
  };
  // A large upload takes as long as it takes, and idle clients keep their connection for the next call. Without a
  // requestTimeout, Node would also wait for ever for the headers.
  const timeouts = { requestTimeout: 0, headersTimeout: silenceMs, keepAliveTimeout: 65_000 };
  const server = createServer(
    { ...timeouts, connectionsCheckingInterval: Math.min(30_000, silenceMs) },
    (request, response) => void serve(request, response),
  );
  const tcpPort = await listen(server, preferredTcpPort).catch(() => listen(server, 0));
  const url = `http://127.0.0.1:${tcpPort}`;
  return {
    url,
    tcpPort,
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
};

/** A TCP port that was free a moment ago, for a program that cannot choose one itself. */
export const findFreeTcpPort = async (host: string): Promise<number> => {
  const probe = createTcpServer();
  probe.listen(0, host);
  await once(probe, 'listening');
  const { port } = probe.address() as AddressInfo;
  probe.close();
  await once(probe, 'close');
  return port;
};

// The body of a request, as far as the service behind it takes one.

export class BodyTooLargeError extends Error {
  override readonly name = 'BodyTooLargeError';
}

const kept = new WeakMap<object, Buffer>();

/** Reads the body before the service does. DynamoDB takes 16 MB; JSON escapes may double that. */
export const keepBody = async (request: IncomingMessage): Promise<Buffer> => {
  const body = await readBody(request, 33_554_432);
  kept.set(request, body);
  return body;
};

/** @throws BodyTooLargeError once the whole body has arrived: a client that still sends would not see the answer. */
export const readBody = async (request: Readable, limitBytes: number): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  let size = 0;
  const take = (chunk: Buffer): void => {
    size += chunk.length;
    if (size <= limitBytes) chunks.push(chunk);
  };
  const body = kept.get(request);
  // Events take a fraction of the time of an async iterator.
  if (body === undefined) await finished(request.on('data', take), { writable: false });
  else take(body);
  if (size > limitBytes) throw new BodyTooLargeError(`The body has more than ${limitBytes} bytes`);
  return Buffer.concat(chunks);
};

/** The operation that a request of AWS's JSON protocols names: `AmazonSQS.SendMessage` is `SendMessage`. */
export const operationOf = ({ headers }: IncomingMessage): string =>
  headers['x-amz-target']?.toString().split('.').at(-1) ?? '';

// Keeps web pages out. A browser on this machine reaches every server on loopback, and without an access key the
// emulator takes unsigned requests. So a request for a foreign host (DNS rebinding) is declined, and one of a page
// whose origin is not allowed.

/** `bucket.localhost` names a bucket; no other machine can own a name below `localhost`. */
const ownHost = /^(?:127\.0\.0\.1|\[::1\]|(?:[\w.-]+\.)?localhost)(?::\d+)?$/i;

/** Images, scripts and forms of method GET carry no origin; a link that a person follows is let through. */
const isLoadedByForeignPage = ({ headers }: IncomingMessage): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) && headers['sec-fetch-mode'] !== 'navigate';

/** A page that opens an address in its place or in a frame. Only a signed link may be opened from elsewhere. */
export const isOpenedByForeignPage = ({ headers }: IncomingMessage): boolean =>
  ['cross-site', 'same-site'].includes(String(headers['sec-fetch-site'])) && headers['sec-fetch-mode'] === 'navigate';

/** Why a request is declined; undefined where it may pass. */
const reasonToDecline = (request: IncomingMessage, allowedOrigins: readonly string[]): string | undefined => {
  const { host = '', origin } = request.headers;
  if (!ownHost.test(host)) return `The host ${JSON.stringify(host)} is not this machine`;
  if (origin !== undefined && !allowedOrigins.includes(origin)) return `Pages of ${origin} have no access`;
  if (origin === undefined && isLoadedByForeignPage(request)) return 'Pages of other sites have no access';
  return undefined;
};

const simpleTypes = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'];

/**
 * Whether a page could send this POST without asking first. AWS clients sign their requests, or name an operation, and
 * no page can do either without being asked for its origin.
 */
export const isSimplePost = ({ method, headers }: IncomingMessage): boolean => {
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const isMarked = Object.keys(headers).some((name) => name === 'authorization' || name.startsWith('x-amz-'));
  return method === 'POST' && !isMarked && (type === undefined || simpleTypes.includes(type));
};
