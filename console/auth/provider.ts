// The identity provider that signs people in: the requests of the authorization code flow with PKCE (RFC 7636), by
// which a page without a secret gets tokens. The paths are those of a Cognito user pool.
import { ApiUnavailable } from '../api/answers.ts';

/** What config.json contains where people sign in. On one machine it is empty: the address has a token. */
export interface Provider {
  /** `https://…` without a slash at the end. */
  readonly signIn: string;
  readonly clientId: string;
}

export interface GrantedTokens {
  readonly idToken: string;
  /** A renewal has none: the earlier one stays valid. */
  readonly refreshToken: string | undefined;
  readonly lifetimeMs: number;
}

/** The provider declined: the person must sign in (again). */
export class SignInDeclined extends Error {}

/** undefined where nobody signs in. @throws ApiUnavailable */
export async function readProvider(): Promise<Provider | undefined> {
  const response = await send('/config.json', { cache: 'no-cache' });
  if (response.status >= 500) throw new ApiUnavailable({ status: response.status });
  if (!response.ok)
    throw new Error(
      `/config.json cannot be read (${response.status}). Run the command in the output UploadConfig of the stack.`,
    );
  const { signIn, clientId } = (await response.json()) as Partial<Provider>;
  return signIn === undefined || clientId === undefined ? undefined : { signIn, clientId };
}

/** Where the provider sends people back to: the page without its fragment. */
const page = (): string => `${location.origin}/`;

export async function signInAddress({ signIn, clientId }: Provider, state: string, verifier: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: page(),
    scope: 'openid email',
    state,
    code_challenge: base64Url(new Uint8Array(digest)),
    code_challenge_method: 'S256',
  });
  return `${signIn}/oauth2/authorize?${query}`;
}

export function signOutAddress({ signIn, clientId }: Provider): string {
  return `${signIn}/logout?${new URLSearchParams({ client_id: clientId, logout_uri: page() })}`;
}

export const exchangeCode = (provider: Provider, code: string, verifier: string): Promise<GrantedTokens> =>
  requestTokens(provider, { grant_type: 'authorization_code', code, redirect_uri: page(), code_verifier: verifier });

export const renewTokens = (provider: Provider, refreshToken: string): Promise<GrantedTokens> =>
  requestTokens(provider, { grant_type: 'refresh_token', refresh_token: refreshToken });

/** Ends the session at the provider, so that a copied refresh token is useless. @throws ApiUnavailable */
export async function revokeTokens({ signIn, clientId }: Provider, refreshToken: string): Promise<void> {
  const body = new URLSearchParams({ token: refreshToken, client_id: clientId });
  await send(`${signIn}/oauth2/revoke`, { method: 'POST', body });
}

/** @throws SignInDeclined, ApiUnavailable */
async function requestTokens(
  { signIn, clientId }: Provider,
  grant: Readonly<Record<string, string>>,
): Promise<GrantedTokens> {
  const body = new URLSearchParams({ ...grant, client_id: clientId });
  const response = await send(`${signIn}/oauth2/token`, { method: 'POST', body });
  if (response.status >= 500 || response.status === 429) throw new ApiUnavailable({ status: response.status });
  const answer = await response.json();
  if (!response.ok) throw new SignInDeclined(String(answer.error ?? response.status));
  return { idToken: answer.id_token, refreshToken: answer.refresh_token, lifetimeMs: answer.expires_in * 1_000 };
}

async function send(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, { credentials: 'omit', redirect: 'error', ...init });
  } catch (cause) {
    throw new ApiUnavailable({ cause });
  }
}

/** For unguessable values. */
export const randomText = (): string => base64Url(crypto.getRandomValues(new Uint8Array(32)));

const base64Url = (bytes: Uint8Array): string =>
  btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
