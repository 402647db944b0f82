// The access token: fetched once for all callers, kept for 80 % of its life, replaced once when a call is refused (decision 42).
// Neither the token nor the secret is ever part of an error.
import * as z from 'zod/mini';
import { redactText } from '#shared/domain/redact.ts';
import type { Clock } from '#shared/runtime/clock.ts';
import { addressUnder } from './address.ts';
import { accessToken } from './contract.ts';
import { type CallDetails, CredentialsRefused, NotSent, RateLimited } from './errors.ts';
import type { Answered, Exchange } from './exchange.ts';
import { retryAfterMs } from './retry.ts';

export interface ClientCredentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** `fresh` asks to bypass what is kept: the service refused the kept ones, so they may have been rotated. */
export type CredentialsSource = (options?: { readonly fresh?: boolean }) => Promise<ClientCredentials>;

/** Both reject with `NotSent` (no token to be had), `RateLimited` or `CredentialsRefused`. */
export interface TokenSource {
  current(): Promise<string>;
  /** A token other than `refused`; callers that were refused the same one share one fetch. */
  replace(refused: string): Promise<string>;
}

export interface TokenSettings {
  readonly exchange: Exchange;
  readonly authUrl: URL;
  readonly credentials: CredentialsSource;
  readonly clock: Clock;
}

/** For an answer that does not say how long its token lives: short, as a 401 costs more than a token call. */
const unstatedLifeSeconds = 300;
const longestLifeSeconds = 24 * 3600;

const call = 'POST /connect/token';

export function createTokenSource(settings: TokenSettings): TokenSource {
  let kept: { readonly token: string; readonly until: number } | undefined;
  let flight: Promise<string> | undefined;

  async function fetchToken(): Promise<string> {
    const answer = await obtain(settings);
    const lifeSeconds = Math.min(answer.expires_in ?? unstatedLifeSeconds, longestLifeSeconds);
    kept = { token: answer.access_token, until: settings.clock() + lifeSeconds * 800 };
    return answer.access_token;
  }

  const current = async (): Promise<string> => {
    if (kept !== undefined && settings.clock() < kept.until) return kept.token;
    flight ??= fetchToken().finally(() => {
      flight = undefined;
    });
    return flight;
  };

  return {
    current,
    replace: (refused) => {
      if (kept?.token === refused) kept = undefined;
      return current();
    },
  };
}

type TokenAnswer = z.infer<typeof accessToken>;

/** Asks with the credentials at hand, and once more with fresh ones where those differ: a secret can rotate mid-run. */
async function obtain(settings: TokenSettings): Promise<TokenAnswer> {
  const first = await readCredentials(settings, false);
  try {
    return await ask(settings, first);
  } catch (error) {
    if (!(error instanceof CredentialsRefused)) throw error;
    const fresh = await readCredentials(settings, true);
    if (fresh.clientId === first.clientId && fresh.clientSecret === first.clientSecret) throw error;
    return ask(settings, fresh);
  }
}

async function readCredentials({ credentials }: TokenSettings, fresh: boolean): Promise<ClientCredentials> {
  try {
    return await credentials({ fresh });
  } catch (cause) {
    throw new NotSent('the credentials could not be read', { call, cause });
  }
}

async function ask({ exchange, authUrl, clock }: TokenSettings, credentials: ClientCredentials): Promise<TokenAnswer> {
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

/** A token is put in a header: a character that does not belong there would be quoted by fetch in its error. */
const usableToken = z.extend(accessToken, { access_token: z.string().check(z.regex(/^[\x21-\x7e]+$/)) });
const tokenFailure = z.looseObject({ error: z.string() });

function readTokenAnswer({ status, headers, text }: Answered, now: number): TokenAnswer {
  const details: CallDetails = { call, status };
  if (status === 429) throw new RateLimited(retryAfterMs(headers.get('retry-after'), now), details);
  const json = jsonOf(text);
  if (status >= 200 && status < 300) {
    const answer = usableToken.safeParse(json);
    if (!answer.success) throw new NotSent(`no token: answered ${status} without a usable one`, details);
    return answer.data;
  }
  const failure = tokenFailure.safeParse(json);
  // Spec, Authentication 4; some authorisation servers say 401 or 403 for the same, with or without a body.
  if (status === 401 || status === 403 || (status === 400 && failure.success)) {
    const reason = failure.success ? redactText(failure.data.error).slice(0, 100) : `answered ${status}`;
    throw new CredentialsRefused(`the credentials were refused: ${reason}`, details);
  }
  throw new NotSent(`no token: answered ${status}`, details);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
