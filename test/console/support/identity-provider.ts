// An identity provider over HTTP, with the requests of a Cognito user pool. It checks what a provider must check: the
// client, the address to return to, and that the code is exchanged by the page that asked for it.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

export const clientId = 'console-client';

export interface IdentityProvider {
  readonly url: string;
  /** The ID token that the API accepts now. */
  readonly token: () => string;
  /** Paths that were called, without those of the sign-in page. */
  readonly calls: readonly string[];
  readonly revoke: () => void;
  readonly isRevoked: () => boolean;
  readonly close: () => Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

const json = (status: number, body: object): Answer => ({
  status,
  headers: { 'content-type': 'application/json', 'access-control-allow-origin': '*' },
  body: JSON.stringify(body),
});
const redirect = (location: string): Answer => ({ status: 302, headers: { location } });
const html = (body: string): Answer => ({ status: 200, headers: { 'content-type': 'text/html' }, body });

/** @param page the only address that people are sent back to */
export async function startIdentityProvider(page: string): Promise<IdentityProvider> {
  const challenges = new Map<string, string>();
  const calls: string[] = [];
  let issued = 0;
  let refreshToken: string | undefined;

  const grant = (): Answer => {
    issued += 1;
    const tokens = { id_token: `id-token-${issued}`, access_token: 'unused', expires_in: 3_600 };
    return json(200, { ...tokens, token_type: 'Bearer', refresh_token: refreshToken });
  };
  const exchange = (form: URLSearchParams): Answer => {
    const verifier = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const code = form.get('code') ?? '';
    const isValid = challenges.get(code) === verifier && form.get('redirect_uri') === page;
    challenges.delete(code);
    if (!isValid) return json(400, { error: 'invalid_grant' });
    refreshToken = randomUUID();
    return grant();
  };
  const takeForm = (path: string, form: URLSearchParams): Answer => {
    calls.push(`${path} ${form.get('grant_type') ?? ''}`.trim());
    if (form.get('client_id') !== clientId) return json(400, { error: 'invalid_client' });
    if (path === '/oauth2/revoke') {
      if (form.get('token') === refreshToken) refreshToken = undefined;
      return json(200, {});
    }
    if (form.get('grant_type') === 'authorization_code') return exchange(form);
    const isKnown = refreshToken !== undefined && form.get('refresh_token') === refreshToken;
    return isKnown ? grant() : json(400, { error: 'invalid_grant' });
  };
  const showPage = ({ pathname, searchParams: query }: URL): Answer => {
    const returnTo = new URL(page);
    if (query.get('client_id') !== clientId) return { status: 400, body: 'unknown client' };
    if (pathname === '/logout') {
      calls.push(pathname);
      return query.get('logout_uri') === page ? redirect(page) : { status: 400, body: 'unknown logout_uri' };
    }
    const isComplete = query.get('response_type') === 'code' && query.get('code_challenge_method') === 'S256';
    if (!isComplete || query.get('redirect_uri') !== page) return { status: 400, body: 'invalid request' };
    const code = randomUUID();
    challenges.set(code, query.get('code_challenge') ?? '');
    returnTo.search = new URLSearchParams({ code, state: query.get('state') ?? '' }).toString();
    const declined = new URL(page);
    declined.search = new URLSearchParams({ error: 'access_denied', state: query.get('state') ?? '' }).toString();
    return html(`<a href="${returnTo}">Continue as Anna</a> <a href="${declined}">Cancel</a>`);
  };
  const answer = async (request: IncomingMessage): Promise<Answer> => {
    const url = new URL(request.url ?? '/', 'http://provider');
    if (request.method === 'POST') return takeForm(url.pathname, new URLSearchParams(await text(request)));
    return showPage(url);
  };

  const server = createServer(async (request, response) => {
    const { status, headers, body } = await answer(request);
    response.writeHead(status, headers).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: () => `id-token-${issued}`,
    calls,
    revoke: () => {
      refreshToken = undefined;
    },
    isRevoked: () => refreshToken === undefined,
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}
