// Sends one call of the service's API with a token: the only place where token and request meet (decision 44).
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { addressUnder, serviceAddress } from './address.ts';
import { CredentialsRefused } from './errors.ts';
import { type Answered, createExchange, type ExchangeSettings, type HttpRequest, type Outcome } from './exchange.ts';
import { detailsOf, judge, type Reply } from './judge.ts';
import { type CredentialsSource, createTokenSource } from './token.ts';

export interface SenderSettings extends ExchangeSettings {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly credentials: CredentialsSource;
  readonly clock?: Clock;
}

export interface ServiceCall {
  readonly method: HttpRequest['method'];
  /** Below the base address, with its query; parts that come from data are encoded by the caller. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Resolves with a 2xx answer, rejects with a `PortingFailure`. One attempt; a second only after a 401, which did nothing. */
export type Sender = (call: ServiceCall) => Promise<Reply>;

/** @throws TypeError for addresses that are neither https nor loopback. */
export function createSender(settings: SenderSettings): Sender {
  const { clock = wallClock } = settings;
  const baseUrl = serviceAddress('baseUrl', settings.baseUrl);
  const authUrl = serviceAddress('authUrl', settings.authUrl);
  const exchange = createExchange(settings);
  const tokens = createTokenSource({ exchange, authUrl, credentials: settings.credentials, clock });

  return async (call) => {
    const request = requestOf(baseUrl, call);
    const token = await tokens.current();
    let outcome = await exchange(withToken(request, token));
    if (isUnauthorised(outcome)) {
      outcome = await exchange(withToken(request, await tokens.replace(token)));
      if (isUnauthorised(outcome)) {
        throw new CredentialsRefused('a fresh token was refused', detailsOf(call, outcome));
      }
    }
    return judge(call, outcome, clock());
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
