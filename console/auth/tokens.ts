// The tokens of this browser tab. They are in its session storage: a reload keeps them, and closing the tab ends them.
// Only the token of a page on this machine is kept for all tabs, so that a bookmark opens without a new link.

const tokenKey = 'simporter.token';
const renewalKey = 'simporter.renewal';

/** How a token of an identity provider is replaced by a new one. */
export interface Renewal {
  readonly refreshToken: string;
  /** Epoch milliseconds. */
  readonly expiresAt: number;
}

const isLocal = (): boolean => ['127.0.0.1', 'localhost'].includes(location.hostname);

/**
 * Moves the token of a local start from the address to the storage: a copied address does not contain it. Only
 * where nobody signs in: elsewhere, a link would put a person into the account of another.
 * @returns whether the address had one
 */
export function takeTokenFromAddress(): boolean {
  const token = new URLSearchParams(location.hash.replace(/^#\/?/, '')).get('token');
  if (token === null) return false;
  (isLocal() ? localStorage : sessionStorage).setItem(tokenKey, token);
  history.replaceState(null, '', `${location.pathname}#/`);
  return true;
}

export const readToken = (): string | undefined =>
  sessionStorage.getItem(tokenKey) ?? (isLocal() ? localStorage.getItem(tokenKey) : null) ?? undefined;

export function readRenewal(): Renewal | undefined {
  const stored = sessionStorage.getItem(renewalKey);
  return stored === null ? undefined : (JSON.parse(stored) as Renewal);
}

export function storeTokens(token: string, renewal: Renewal): void {
  sessionStorage.setItem(tokenKey, token);
  sessionStorage.setItem(renewalKey, JSON.stringify(renewal));
}

export function forgetTokens(): void {
  sessionStorage.removeItem(tokenKey);
  sessionStorage.removeItem(renewalKey);
}
