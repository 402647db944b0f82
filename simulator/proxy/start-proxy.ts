// Starts a server in front of the real service, which compares each answer with the OpenAPI document.
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import { serviceAddress } from '#shared/porting/address.ts';
import type { Listening } from '../http/listen.ts';
import type { AnswerChecker } from './answer-checker.ts';
import type { DifferenceReport, FoundDifference } from './difference-report.ts';
import { forward, type RawAnswer } from './forward.ts';
import type { Call, Recorder } from './recording.ts';
import { callOf, type Place, serve } from './serve.ts';

export interface ProxyOptions extends Place {
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
      // The client gets what the proxy got: nothing.
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
