// Sends one call with a token. No other code combines a token with a request (spec gap 44).
import * as z from 'zod/mini';
import { redactText } from '#shared/row/redact.ts';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { parseJson } from '#shared/text/stored-values.ts';
import { truncate } from '#shared/text/wording.ts';
import { classifyResponse, detailsOf, nameOfCall, type Reply } from './classify-response.ts';
import { accessToken } from './contract.ts';
import { type CallDetails, CredentialsRejected, isDecline, NotSent, RateLimited } from './errors.ts';
import {
  type Answered,
  createHttpExchange,
  type ExchangeSettings,
  type HttpExchange,
  type HttpRequest,
  type Outcome,
} from './http-exchange.ts';
import type { RateLimiter } from './rate-limiter.ts';
import { retryAfterMs } from './retry-policy.ts';
import { addressUnder, codesIn, serviceAddress } from './service-texts.ts';

export interface SenderSettings extends ExchangeSettings {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly credentials: CredentialsSource;
  readonly clock?: Clock;
}

interface ServiceCall {
  readonly method: HttpRequest['method'];
  /** Below the base address, with its query; the caller encodes parts that come from data. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Resolves with a 2xx answer, rejects with a `PortingFailure`. One attempt; a second one only after a 401. */
type Sender = (call: ServiceCall) => Promise<Reply>;

/** @throws TypeError for addresses that are neither https nor loopback */
export function createSender(settings: SenderSettings): Sender {
  const { clock = wallClock } = settings;
  const baseUrl = serviceAddress('baseUrl', settings.baseUrl);
  const authUrl = serviceAddress('authUrl', settings.authUrl);
  const exchange = createHttpExchange(settings);
  const tokens = createTokenSource({ exchange, authUrl, credentials: settings.credentials, clock });

  return async (call) => {
    const request = requestOf(baseUrl, call);
    const name = { method: call.method, path: call.path, codes: codesIn(request.body ?? '') };
    const token = await tokens.current();
    let outcome = await exchange(withToken(request, token));
    if (isUnauthorised(outcome)) {
      outcome = await exchange(withToken(request, await tokens.replace(token)));
      if (isUnauthorised(outcome)) {
        throw new CredentialsRejected('a fresh token was rejected', detailsOf(name, outcome));
      }
    }
    return classifyResponse(name, outcome, clock());
  };
}

function requestOf(baseUrl: URL, { method, path, headers, body }: ServiceCall): HttpRequest {
  const request = { method, url: addressUnder(baseUrl, path), headers: { accept: 'application/json', ...headers } };
  if (body === undefined) return request;
  return {
    ...request,
    headers: { ...request.headers, 'content-type': 'application/json;charset=UTF-8' },
    body: JSON.stringify(body),
  };
}

const withToken = (request: HttpRequest, token: string): HttpRequest => ({
  ...request,
  headers: { ...request.headers, authorization: `Bearer ${token}` },
});

const isUnauthorised = (outcome: Outcome): outcome is Answered => outcome.kind === 'answered' && outcome.status === 401;

// The access token: fetched once for all callers, cached for 80 % of its lifetime, and replaced once after a 401
// (spec gap 42). No error contains the token or the secret.

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** `fresh` bypasses the cache: the service rejected the cached credentials, so they may have been rotated. */
export type CredentialsSource = (options?: { readonly fresh?: boolean }) => Promise<ClientCredentials>;

/** Both methods reject with `NotSent` (no token), `RateLimited` or `CredentialsRejected`. */
export interface TokenSource {
  current(): Promise<string>;
  /** Another token than `rejected`; callers with the same rejected token share one fetch. */
  replace(rejected: string): Promise<string>;
}

export interface TokenSettings {
  readonly exchange: HttpExchange;
  readonly authUrl: URL;
  readonly credentials: CredentialsSource;
  readonly clock: Clock;
}

/** For an answer without a lifetime. Short, because a 401 costs more than a token call. */
const defaultLifetimeSeconds = 300;
const longestLifetimeSeconds = 24 * 3600;

const call = 'POST /connect/token';

function createTokenSource(settings: TokenSettings): TokenSource {
  let cached: { readonly token: string; readonly until: number } | undefined;
  let pending: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const answer = await fetchWithCredentials(settings);
    const lifetimeSeconds = Math.min(answer.expires_in ?? defaultLifetimeSeconds, longestLifetimeSeconds);
    cached = { token: answer.access_token, until: settings.clock() + lifetimeSeconds * 800 };
    return answer.access_token;
  }

  const current = async (): Promise<string> => {
    if (cached !== undefined && settings.clock() < cached.until) return cached.token;
    pending ??= fetchToken().finally(() => {
      pending = undefined;
    });
    return pending;
  };

  return {
    current,
    replace: (rejected) => {
      if (cached?.token === rejected) cached = undefined;
      return current();
    },
  };
}

type TokenAnswer = z.infer<typeof accessToken>;

/** Requests a token with the cached credentials, and again with fresh ones if they differ: a secret can rotate. */
async function fetchWithCredentials(settings: TokenSettings): Promise<TokenAnswer> {
  const first = await readCredentials(settings, { fresh: false });
  try {
    return await requestToken(settings, first);
  } catch (error) {
    if (!(error instanceof CredentialsRejected)) throw error;
    const fresh = await readCredentials(settings, { fresh: true });
    if (fresh.clientId === first.clientId && fresh.clientSecret === first.clientSecret) throw error;
    return requestToken(settings, fresh);
  }
}

async function readCredentials(
  { credentials }: TokenSettings,
  options: { readonly fresh: boolean },
): Promise<ClientCredentials> {
  try {
    return await credentials(options);
  } catch (cause) {
    throw new NotSent('the credentials could not be read', { call, cause });
  }
}

async function requestToken(
  { exchange, authUrl, clock }: TokenSettings,
  credentials: ClientCredentials,
): Promise<TokenAnswer> {
  const outcome = await exchange({
    method: 'POST',
    url: addressUnder(authUrl, '/connect/token'),
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({
      client_id: credentials.clientId,
      client_secret: credentials.clientSecret,
      grant_type: 'client_credentials',
    }).toString(),
  });
  if (outcome.kind !== 'answered') {
    throw new NotSent(`no token: ${outcome.reason}`, { call, status: outcome.status, cause: outcome.cause });
  }
  return readTokenAnswer(outcome, clock());
}

/** The token goes into a header: fetch would quote a character that is not allowed there in its error. */
const usableToken = z.extend(accessToken, { access_token: z.string().check(z.regex(/^[\x21-\x7e]+$/)) });
const tokenFailure = z.looseObject({ error: z.string() });

function readTokenAnswer({ status, headers, text }: Answered, now: number): TokenAnswer {
  const details: CallDetails = { call, status };
  if (status === 429) throw new RateLimited(retryAfterMs(headers.get('retry-after'), now), details);
  const json = parseJson(text);
  if (status >= 200 && status < 300) {
    const answer = usableToken.safeParse(json);
    if (!answer.success) throw new NotSent(`no token: answered ${status} without a usable token`, details);
    return answer.data;
  }
  const failure = tokenFailure.safeParse(json);
  // Spec, Authentication 4. Some authorisation servers answer 401 or 403 instead, with or without a body.
  if (status === 401 || status === 403 || (status === 400 && failure.success)) {
    const reason = failure.success ? truncate(redactText(failure.data.error), 100) : `answered ${status}`;
    throw new CredentialsRejected(`the credentials were rejected: ${reason}`, details);
  }
  throw new NotSent(`no token: answered ${status}`, details);
}

// A sender that waits for the rate limiter before each call and reports the outcome of the call to it.

/** Every account has what the probe reads: a service that declines it gives these credentials no access. */
async function sendProbe(sender: Sender, probe: ServiceCall) {
  try {
    return await sender(probe);
  } catch (error) {
    if (!isDecline(error)) throw error;
    throw new CredentialsRejected(error.decline.message, error);
  }
}

/** `probe` is the call that shows whether an outage is over; it must change nothing. */
export function rateLimitedSender(sender: Sender, rateLimiter: RateLimiter | undefined, probe: ServiceCall) {
  if (rateLimiter === undefined) return { send: sender, throwIfDeferred: async () => {}, ready: async () => {} };
  const check = () => sendProbe(sender, probe);
  const send: Sender = async (call) => {
    const begunAt = await rateLimiter.acquire(nameOfCall(call), check);
    let failure: unknown;
    try {
      return await (call.method === probe.method && call.path === probe.path ? check() : sender(call));
    } catch (error) {
      failure = error;
      throw error;
    } finally {
      await rateLimiter.recordOutcome(failure, begunAt);
    }
  };
  return {
    send,
    throwIfDeferred: () => rateLimiter.throwIfDeferred(check),
    ready: () => rateLimiter.ready(check),
  };
}
