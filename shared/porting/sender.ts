// Sends one call with a token. No other code combines a token with a request (spec gap 44).
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { classifyResponse, detailsOf, type Reply } from '#shared/service/classify-response.ts';
import { CredentialsRejected } from '#shared/service/errors.ts';
import {
  type Answered,
  createHttpExchange,
  type ExchangeSettings,
  type HttpRequest,
  type Outcome,
} from '#shared/service/http-exchange.ts';
import { type CredentialsSource, createTokenSource } from '#shared/service/sender.ts';
import { codesIn } from '#shared/service/service-texts.ts';
import { addressUnder, serviceAddress } from './address.ts';

export interface SenderSettings extends ExchangeSettings {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly credentials: CredentialsSource;
  readonly clock?: Clock;
}

export interface ServiceCall {
  readonly method: HttpRequest['method'];
  /** Below the base address, with its query; the caller encodes parts that come from data. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
}

/** Resolves with a 2xx answer, rejects with a `PortingFailure`. One attempt; a second one only after a 401. */
export type Sender = (call: ServiceCall) => Promise<Reply>;

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
