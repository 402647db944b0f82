// Starts a server in front of the real service, which compares each answer with the OpenAPI document.

import { type IncomingHttpHeaders, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { serviceAddress } from '#shared/service/service-texts.ts';
import type { Listening } from '../start-simulator.ts';
import type { AnswerChecker } from './answer-checker.ts';
import type { DifferenceReport, FoundDifference } from './difference-report.ts';
import type { Call, Recorder } from './recording.ts';
import { callOf, type Place, serve } from './serve.ts';

interface ProxyOptions extends Place {
  /** The address of the service: https, or http on this machine. */
  readonly service: string;
  /** The address of the token call. @default that of the service */
  readonly auth?: string | undefined;
  readonly checker: AnswerChecker;
  readonly report: DifferenceReport;
  readonly recorder?: Recorder | undefined;
}

/** @throws TypeError for an address that is neither https nor on this machine */
export async function startProxy(options: ProxyOptions): Promise<Listening> {
  const { checker, report, recorder } = options;
  const service = serviceAddress('--proxy', options.service);
  const auth = serviceAddress('--proxy-auth', options.auth ?? options.service);
  return serve(options, async (incoming, body, outgoing) => {
    const call = { ...callOf(incoming), text: body.toString() };
    const client = new AbortController();
    outgoing.once('close', () => client.abort());
    let answer: RawAnswer;
    try {
      answer = await forward(incoming, body, isTokenCall(call) ? auth : service, client.signal);
    } catch (error) {
      if (!client.signal.aborted) report.add([noAnswer(call, error, checker)]);
      // The proxy got no answer, so the client gets none.
      incoming.socket.destroy();
      return;
    }
    outgoing.writeHead(answer.status, answer.statusText, [...answer.rawHeaders]).end(answer.body);
    const { status, headers } = answer;
    const text = decoded(answer);
    report.add(differencesOf(call, { status, contentType: headers['content-type'] ?? '', text }, checker));
    recorder?.add(call, { status, headers, text });
  });
}

const isTokenCall = ({ path }: Call): boolean => path.split('?')[0] === '/connect/token';

/** A call that the document does not have is named by its path. */
const templateOf = ({ method, path }: Call, checker: AnswerChecker): string =>
  checker.operationOf(method, path)?.template ?? path.split('?')[0] ?? '';

function noAnswer(call: Call, error: unknown, checker: AnswerChecker): FoundDifference {
  const { code = 'the connection failed' } = error as NodeJS.ErrnoException;
  return {
    method: call.method,
    path: templateOf(call, checker),
    status: null,
    pointer: '',
    expected: `an answer (${code})`,
  };
}

function differencesOf(
  call: Call,
  answer: { readonly status: number; readonly contentType: string; readonly text: string },
  checker: AnswerChecker,
): FoundDifference[] {
  const { method, path } = call;
  const described = checker.operationOf(method, path);
  const differences = described
    ? checker.differences(described.operation, { method, path, ...answer })
    : [{ pointer: '', expected: 'a call that the document describes' }];
  const place = { method, path: templateOf(call, checker), status: answer.status };
  return differences.map((difference) => ({ ...place, ...difference }));
}

const decoders: Readonly<Record<string, (body: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync,
};

/** The body as text; empty for one that cannot be decompressed. */
function decoded({ body, headers }: RawAnswer): string {
  const decode = decoders[headers['content-encoding'] ?? ''];
  try {
    return (decode ? decode(body) : body).toString();
  } catch {
    return '';
  }
}

interface RawAnswer {
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
async function forward(incoming: IncomingMessage, body: Buffer, service: URL, signal: AbortSignal): Promise<RawAnswer> {
  const send = service.protocol === 'https:' ? requestHttps : requestHttp;
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const outgoing = send(service, {
      method: incoming.method,
      path: `${service.pathname.replace(/(?<!\/)\/+$/, '')}${incoming.url}`,
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
