// Sends a request on as it came, and returns the answer as it came: no header is added, no body is decoded.
import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';

export interface RawAnswer {
  readonly status: number;
  readonly statusText: string;
  /** Each name before its value, as sent. */
  readonly rawHeaders: readonly string[];
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** They belong to a connection, and not to a request or an answer. */
const ofConnection = new Set(['connection', 'keep-alive', 'proxy-connection']);

function withoutNames(rawHeaders: readonly string[], names: ReadonlySet<string>): string[] {
  const isKept = (_: string, index: number) => !names.has(rawHeaders[index - (index % 2)]?.toLowerCase() ?? '');
  return rawHeaders.filter(isKept);
}

/** @throws Error without a complete answer */
export async function forward(
  incoming: IncomingMessage,
  body: Buffer,
  service: URL,
  signal: AbortSignal,
): Promise<RawAnswer> {
  const send = service.protocol === 'https:' ? requestHttps : requestHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send(service, {
      method: incoming.method,
      path: `${service.pathname.replace(/\/+$/, '')}${incoming.url}`,
      headers: ['Host', service.host, ...withoutNames(incoming.rawHeaders, new Set([...ofConnection, 'host']))],
      // The service may close an idle connection at the moment at which a request is sent: each gets a new one.
      agent: false,
      signal,
    });
    outgoing.once('response', resolve);
    outgoing.once('error', reject);
    outgoing.end(body);
  });
  return {
    status: response.statusCode ?? 0,
    statusText: response.statusMessage ?? '',
    rawHeaders: withoutNames(response.rawHeaders, ofConnection),
    headers: response.headers,
    body: await buffer(response),
  };
}
