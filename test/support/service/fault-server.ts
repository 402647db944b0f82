// A server with faults: resets, truncated answers, slow bodies, silence. It uses a bare socket, because an HTTP library
// does not allow them. The token endpoint answers correctly by default.
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

export interface SeenRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export type Answer =
  | { readonly status: number; readonly body?: string; readonly headers?: Readonly<Record<string, string>> }
  /** `reset` and `close` send nothing; `hang` keeps the connection open without an answer. */
  | { readonly fault: 'reset' | 'close' | 'hang' }
  /** The header announces the whole body; half of it is sent, then a reset. */
  | { readonly fault: 'truncate'; readonly status: number; readonly body: string }
  /** One byte every few milliseconds, without an end. */
  | { readonly fault: 'drip'; readonly status: number; readonly body: string }
  | { readonly fault: 'raw'; readonly bytes: string };

/** `nth` counts from 1 over the requests with the same method and path. */
export type Script = (request: SeenRequest, nth: number) => Answer | Promise<Answer>;

export interface FaultServer {
  readonly url: string;
  /** Everything but token calls, in the order of arrival. */
  readonly requests: readonly SeenRequest[];
  readonly tokenRequests: readonly SeenRequest[];
  readonly connections: number;
  [Symbol.asyncDispose](): Promise<void>;
}

export const json = (status: number, body: unknown, headers: Record<string, string> = {}): Answer => ({
  status,
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json;charset=UTF-8', ...headers },
});

/** The first request gets the first answer, and so on; the last one is repeated. */
export const serialQueue =
  (...answers: readonly Answer[]): Script =>
  (_request, nth) =>
    answers[Math.min(nth, answers.length) - 1] ?? { fault: 'close' };

/** Tokens `token-1`, `token-2`, … that are valid for one hour. */
export const goodTokens: Script = (_request, nth) =>
  json(200, { access_token: `token-${nth}`, expires_in: 3600, token_type: 'Bearer', scope: 'api' });

export async function startFaultServer(script: Script, tokens: Script = goodTokens): Promise<FaultServer> {
  const requests: SeenRequest[] = [];
  const tokenRequests: SeenRequest[] = [];
  const counts = new Map<string, number>();
  const sockets = new Set<Socket>();
  let connections = 0;

  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy());
    readRequests(socket, async (request) => {
      const key = `${request.method} ${request.path}`;
      const nth = (counts.get(key) ?? 0) + 1;
      counts.set(key, nth);
      const isToken = request.path === '/connect/token';
      (isToken ? tokenRequests : requests).push(request);
      give(socket, await (isToken ? tokens : script)(request, nth));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    tokenRequests,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

function readRequests(socket: Socket, onRequest: (request: SeenRequest) => void): void {
  let buffered = '';
  socket.setEncoding('latin1').on('data', (chunk) => {
    buffered += chunk;
    for (;;) {
      const read = firstRequest(buffered);
      if (read === undefined) return;
      buffered = read.rest;
      onRequest(read.request);
    }
  });
}

function firstRequest(text: string): { request: SeenRequest; rest: string } | undefined {
  const headEnd = text.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const [start = '', ...lines] = text.slice(0, headEnd).split('\r\n');
  const [method = '', path = ''] = start.split(' ');
  const headers = Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]),
  );
  const bodyStart = headEnd + 4;
  const bodyEnd = bodyStart + Number(headers['content-length'] ?? 0);
  if (text.length < bodyEnd) return undefined;
  const body = Buffer.from(text.slice(bodyStart, bodyEnd), 'latin1').toString('utf8');
  return { request: { method, path, headers, body }, rest: text.slice(bodyEnd) };
}

function give(socket: Socket, answer: Answer): void {
  if (!('fault' in answer)) {
    socket.write(wholeAnswer(answer.status, answer.body ?? '', answer.headers));
    return;
  }
  if (answer.fault === 'reset') socket.resetAndDestroy();
  if (answer.fault === 'close') socket.end();
  if (answer.fault === 'raw') socket.end(answer.bytes);
  if (answer.fault === 'truncate') {
    const bytes = wholeAnswer(answer.status, answer.body);
    socket.write(bytes.subarray(0, bytes.length - Math.ceil(answer.body.length / 2)), () => socket.destroySoon());
  }
  if (answer.fault === 'drip') drip(socket, wholeAnswer(answer.status, answer.body.repeat(1_000)));
}

function drip(socket: Socket, bytes: Buffer): void {
  let sent = bytes.indexOf('\r\n\r\n') + 4;
  socket.write(bytes.subarray(0, sent));
  const timer = setInterval(() => socket.write(bytes.subarray(sent, ++sent)), 5);
  socket.on('close', () => clearInterval(timer));
}

function wholeAnswer(status: number, body: string, headers: Readonly<Record<string, string>> = {}): Buffer {
  const all = { 'content-length': String(Buffer.byteLength(body)), ...headers };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`HTTP/1.1 ${status} Scripted\r\n${lines.join('')}\r\n${body}`);
}
