// Load on an HTTP server: so many requests at a time over kept connections, and how long each took.
import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface LoadResult {
  /** Requests answered in a second. */
  readonly perSecond: number;
  /** Milliseconds within which half, and 95 of 100, were answered. */
  readonly p50: number;
  readonly p95: number;
  readonly answers: readonly Answer[];
}

const send = async (agent: Agent, base: string, { method, path, headers, body }: Call): Promise<Answer> => {
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
  const request = httpRequest(`${base}${path}`, { agent, method, headers: { ...headers, ...length } });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
};

/** The value below which `share` of the sorted values lie. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;

/** Sends all calls, `width` at a time, in their order. */
export async function runLoad(base: string, calls: readonly Call[], width: number): Promise<LoadResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: width });
  const answers: Answer[] = [];
  const took: number[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < calls.length; index = next++) {
      const call = calls[index];
      if (call === undefined) return;
      const begun = performance.now();
      answers[index] = await send(agent, base, call);
      took.push(performance.now() - begun);
    }
  };
  const begun = performance.now();
  await Promise.all(Array.from({ length: width }, work));
  const seconds = (performance.now() - begun) / 1_000;
  agent.destroy();
  const sorted = took.toSorted((left, right) => left - right);
  return { perSecond: calls.length / seconds, p50: quantile(sorted, 0.5), p95: quantile(sorted, 0.95), answers };
}

/** @throws Error with the first answer that is not as expected */
export function mustAll(result: LoadResult, status: number, what: string): void {
  const wrong = result.answers.find((answer) => answer.status !== status);
  if (wrong) throw new Error(`${what} answered ${wrong.status}: ${wrong.text.slice(0, 300)}`);
}
