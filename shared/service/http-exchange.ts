// One HTTP exchange. The outcome shows what may have happened at the service: answered, never sent, or broken in
// between.

/** `headers` and `body` may hold secrets: no error or reason repeats them. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface Answered {
  readonly kind: 'answered';
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** `not-sent`: no byte of the request was sent. `broken`: it may have arrived, and no complete answer came back. */
export interface Unanswered {
  readonly kind: 'not-sent' | 'broken';
  readonly reason: string;
  readonly status?: number;
  readonly cause?: unknown;
}

export type Outcome = Answered | Unanswered;
export type HttpExchange = (request: HttpRequest) => Promise<Outcome>;

export interface ExchangeSettings {
  readonly fetch?: typeof fetch;
  readonly timeoutMs?: number;
}

/** Longer than the 10 s connect time-out of fetch, so that an unreachable host counts as not sent. */
const defaultTimeoutMs = 20_000;
const maximumAnswerBytes = 16 * 1024 * 1024;

export function createHttpExchange({
  fetch = globalThis.fetch,
  timeoutMs = defaultTimeoutMs,
}: ExchangeSettings): HttpExchange {
  return async ({ method, url, headers, body }) => {
    const { signal, clear } = createTimeout(timeoutMs);
    try {
      // Following a redirect could turn a POST into a GET that looks like success, and send the token to another host.
      const options = { method, headers, body: body ?? null, redirect: 'manual', signal } as const;
      return await answerOf(await fetch(url, options), timeoutMs);
    } catch (thrown) {
      const cause = causeOf(thrown);
      return wasNeverSent(cause)
        ? { kind: 'not-sent', reason: `no connection to ${url.host} (${nameOf(cause)})`, cause }
        : { kind: 'broken', reason: reasonOf(cause, timeoutMs, 'the connection closed before an answer'), cause };
    } finally {
      clear();
    }
  };
}

/** `AbortSignal.timeout` would go on, and abort, after each call has ended. */
function createTimeout(milliseconds: number) {
  const controller = new AbortController();
  const abort = (): void => controller.abort(new DOMException('no complete answer in time', 'TimeoutError'));
  const timer = setTimeout(abort, milliseconds);
  return { signal: controller.signal, clear: () => clearTimeout(timer) };
}

async function answerOf(response: Response, timeoutMs: number): Promise<Outcome> {
  const { status, headers } = response;
  const text: string[] = [];
  try {
    await readText(response, text);
  } catch (thrown) {
    // The status of an error decides, and its text is only for people: a part of the text is enough.
    if (status < 400) {
      const cause = causeOf(thrown);
      return { kind: 'broken', status, reason: reasonOf(cause, timeoutMs, 'the answer is incomplete'), cause };
    }
  }
  return { kind: 'answered', status, headers, text: text.join('') };
}

async function readText(response: Response, text: string[]): Promise<void> {
  const decoder = new TextDecoder();
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maximumAnswerBytes) throw new RangeError(`the answer is larger than ${maximumAnswerBytes} bytes`);
    text.push(decoder.decode(chunk, { stream: true }));
  }
  text.push(decoder.decode());
}

/** fetch wraps the real error in a TypeError that contains only "fetch failed" or "terminated". */
function causeOf(thrown: unknown): unknown {
  return thrown instanceof TypeError && thrown.cause !== undefined ? thrown.cause : thrown;
}

function reasonOf(cause: unknown, timeoutMs: number, otherwise: string): string {
  if (cause instanceof Error && cause.name === 'TimeoutError') return `no complete answer within ${timeoutMs} ms`;
  if (cause instanceof RangeError) return cause.message;
  return `${otherwise} (${nameOf(cause)})`;
}

function nameOf(cause: unknown): string {
  return codeOf(cause) ?? (cause instanceof Error ? cause.name : typeof cause);
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Failures of the TLS handshake, which ends before the request is written. */
const certificateCodes = new Set([
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REVOKED',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_SSL_WRONG_VERSION_NUMBER',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/**
 * True only where it is certain. A system call other than `connect` and the name lookup, such as a reset while
 * reading, means that there was a connection. The code alone does not decide: ETIMEDOUT can be either.
 */
export function wasNeverSent(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(wasNeverSent);
  const code = codeOf(error);
  if (code === undefined) return false;
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || certificateCodes.has(code)) return true;
  const systemCall = error instanceof Error && 'syscall' in error ? error.syscall : undefined;
  return systemCall === 'connect' || systemCall === 'getaddrinfo';
}
