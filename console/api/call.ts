// Calls one route of the API. Types come from the contract, so that a wrong path, query, body or answer is a compile
// error.
import type { Addresses, AnswerOf, BodyInput, EndpointName, PathInput, QueryInput } from '#functions/api/contract.ts';
import { addresses } from '#shared/api/addresses.ts';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { currentToken, endSession } from '../auth/sign-in.ts';
import { sessionExpired } from '../text/words.ts';
import { ApiUnavailable, Problem, type ProblemBody } from './answers.ts';

type Needed<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : { readonly [K in Key]: Value };
type Optional<Key extends string, Value> = [Value] extends [undefined]
  ? { readonly [K in Key]?: undefined }
  : { readonly [K in Key]?: Value };

export type CallInput<Name extends EndpointName> = Needed<'path', PathInput<Name>> &
  Optional<'query', QueryInput<Name>> &
  Needed<'body', BodyInput<Name>> & { readonly signal?: AbortSignal };

/** An outage is shown after this time without an answer. */
const timeoutMs = 20_000;
/** The last answer of each address that has an ETag, so that an unchanged answer is not sent again. */
const answersByUrl = new Map<string, { readonly etag: string; readonly answer: unknown }>();
const rememberedAnswers = 200;

/** @throws Problem, ApiUnavailable */
export async function call<Name extends EndpointName>(name: Name, input: CallInput<Name>): Promise<AnswerOf<Name>> {
  const { method } = addressOf(name);
  const url = urlOf(name, input);
  const remembered = method === 'GET' ? answersByUrl.get(url) : undefined;
  const response = await request(name, input, remembered?.etag);
  if (response.status === 304 && remembered) return remembered.answer as AnswerOf<Name>;
  const answer: unknown = response.status === 204 ? undefined : await readJson(response);
  const etag = response.headers.get('etag');
  if (etag !== null && method === 'GET') remember(url, etag, answer);
  return answer as AnswerOf<Name>;
}

/** For a route that returns a file. @throws Problem, ApiUnavailable */
export async function callForFile<Name extends EndpointName>(name: Name, input: CallInput<Name>): Promise<Blob> {
  return (await request(name, input)).blob();
}

/** The OpenAPI document: it needs the token, too. @throws Problem, ApiUnavailable */
export async function callForDocument(): Promise<Blob> {
  const url = `${apiPrefix}/openapi.json`;
  const headers = headersOf('GET', await currentToken(), undefined);
  return (await answered(await send(url, { headers, signal: AbortSignal.timeout(timeoutMs) }))).blob();
}

async function request<Name extends EndpointName>(
  name: Name,
  input: CallInput<Name>,
  etag?: string,
): Promise<Response> {
  const { method } = addressOf(name);
  const response = await send(urlOf(name, input), {
    method,
    headers: headersOf(method, await currentToken(), etag),
    ...(input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
    signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(input.signal ? [input.signal] : [])]),
  });
  return answered(response);
}

async function answered(response: Response): Promise<Response> {
  if (response.ok || response.status === 304) return response;
  throw await problemOf(response);
}

/** The compiler compares every address with its endpoint. */
const known: Addresses = addresses;

function addressOf(name: EndpointName): { readonly method: string; readonly path: string } {
  const [method = '', path = ''] = known[name].split(' ');
  return { method, path };
}

function urlOf(name: EndpointName, { path, query }: { readonly path?: unknown; readonly query?: unknown }): string {
  const values = (path ?? {}) as Record<string, string | number>;
  // API Gateway decodes a path before it finds the endpoint: a text in it must not have these, also not encoded.
  const filled = addressOf(name).path.replaceAll(/\{(\w+)\}/g, (_segment, key: string) =>
    encodeURIComponent(String(values[key]).replaceAll(/[/?]/g, ' ')),
  );
  const given = Object.entries((query ?? {}) as Record<string, string | undefined>);
  const search = new URLSearchParams(given.flatMap(([key, value]) => (value ? [[key, value]] : [])));
  return `${apiPrefix}${filled}${search.size === 0 ? '' : `?${search}`}`;
}

function headersOf(method: string, token: string | undefined, etag: string | undefined): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(etag === undefined ? {} : { 'if-none-match': etag }),
    ...(method === 'GET' ? {} : { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() }),
  };
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { ...init, cache: 'no-store', credentials: 'omit', redirect: 'error' });
  } catch (cause) {
    if (init.signal?.aborted && (init.signal.reason as Error)?.name === 'AbortError') throw cause;
    throw new ApiUnavailable({ cause });
  }
}

const readJson = async (response: Response): Promise<unknown> => {
  try {
    return await response.json();
  } catch (cause) {
    throw new ApiUnavailable({ cause });
  }
};

/**
 * An answer that the API itself did not write means that the API is unavailable. Only the gateway before it declines
 * tokens.
 */
async function problemOf(response: Response): Promise<Error> {
  if (!response.headers.get('content-type')?.includes('json')) return new ApiUnavailable({ status: response.status });
  const body = (await readJson(response)) as ProblemBody;
  if (typeof body.code === 'string') return new Problem(body);
  return response.status === 401 ? notSignedIn() : new ApiUnavailable({ status: response.status });
}

function notSignedIn(): Problem {
  endSession();
  return new Problem({
    type: 'about:blank',
    code: 'not-signed-in',
    status: 401,
    title: sessionExpired.title,
    detail: sessionExpired.text,
  });
}

function remember(url: string, etag: string, answer: unknown): void {
  answersByUrl.delete(url);
  answersByUrl.set(url, { etag, answer });
  const [oldest] = answersByUrl.keys();
  if (answersByUrl.size > rememberedAnswers && oldest !== undefined) answersByUrl.delete(oldest);
}
