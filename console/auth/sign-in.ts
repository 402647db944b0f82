// Signing in and out: leaves the page for the identity provider, takes its answer, and renews the token in time.
import { forgetWork } from '../app/kept-work.ts';
import {
  exchangeCode,
  type GrantedTokens,
  type Provider,
  randomText,
  readProvider,
  renewTokens,
  revokeTokens,
  SignInDeclined,
  signInAddress,
  signOutAddress,
} from './provider.ts';

export interface SignIn {
  /** undefined on one machine: nobody signs in there. */
  readonly provider: Provider | undefined;
  /** Why the last attempt failed. */
  readonly failure: string | undefined;
}

/** Between leaving for the provider and its answer. */
const pendingKey = 'simporter.signIn';
interface Pending {
  readonly state: string;
  readonly verifier: string;
  /** The screen to return to. */
  readonly hash: string;
}

/** A token is renewed when less than this is left, so that a call never ends with an expired one. */
const marginMs = 60_000;

/** Reads whether people sign in here, and completes an answer of the provider in the address. @throws ApiUnavailable */
export async function openSignIn(): Promise<SignIn> {
  const provider = await readProvider();
  if (provider === undefined) {
    takeTokenFromAddress();
    // In a tab that shows the console, the address with the token changes the fragment only.
    addEventListener('hashchange', () => takeTokenFromAddress() && location.reload());
    return { provider, failure: undefined };
  }
  try {
    await takeAnswer(provider);
    return { provider, failure: undefined };
  } catch (error) {
    if (error instanceof SignInDeclined) return { provider, failure: error.message };
    throw error;
  }
}

/** Leaves the page. */
export async function startSignIn(provider: Provider): Promise<void> {
  const pending: Pending = { state: randomText(), verifier: randomText(), hash: location.hash };
  sessionStorage.setItem(pendingKey, JSON.stringify(pending));
  location.assign(await signInAddress(provider, pending.state, pending.verifier));
}

/** Leaves the page. The tokens of this tab, names of files and choices are removed even without a connection. */
export async function signOut(provider: Provider): Promise<void> {
  const renewal = readRenewal();
  forgetTokens();
  forgetWork();
  if (renewal !== undefined) await Promise.allSettled([revokeTokens(provider, renewal.refreshToken)]);
  location.assign(signOutAddress(provider));
}

async function takeAnswer(provider: Provider): Promise<void> {
  const answer = new URLSearchParams(location.search);
  const [code, error] = [answer.get('code'), answer.get('error')];
  if (code === null && error === null) return;
  const stored = sessionStorage.getItem(pendingKey);
  const pending = stored === null ? undefined : (JSON.parse(stored) as Pending);
  sessionStorage.removeItem(pendingKey);
  // Neither a reload nor a copied address may use the code again.
  history.replaceState(null, '', `${location.pathname}${pending?.hash || '#/'}`);
  // An answer that this tab did not request may belong to another person.
  if (pending === undefined || answer.get('state') !== pending.state) throw new SignInDeclined('invalid_state');
  if (code === null) throw new SignInDeclined(answer.get('error_description') ?? error ?? '');
  store(await exchangeCode(provider, code, pending.verifier));
}

function store({ idToken, refreshToken = readRenewal()?.refreshToken ?? '', lifetimeMs }: GrantedTokens): void {
  storeTokens(idToken, { refreshToken, expiresAt: Date.now() + lifetimeMs });
}

let renewing: Promise<void> | undefined;

/** The token for a call, renewed before it expires; undefined where nobody is signed in. @throws ApiUnavailable */
export async function currentToken(): Promise<string | undefined> {
  const renewal = readRenewal();
  if (renewal !== undefined && renewal.expiresAt - Date.now() < marginMs) {
    renewing ??= renew(renewal).finally(() => {
      renewing = undefined;
    });
    await renewing;
  }
  return readToken();
}

async function renew({ refreshToken }: Renewal): Promise<void> {
  const provider = await readProvider();
  if (provider === undefined) return;
  try {
    store(await renewTokens(provider, refreshToken));
  } catch (error) {
    if (!(error instanceof SignInDeclined)) throw error;
    endSession();
    forgetTokens();
  }
}

/**
 * What is kept for the next page is forgotten when the session of this tab has expired: the next person at this browser
 * may be another. A page without a session, such as one that is opened again, keeps it.
 */
export function endSession(): void {
  if (readToken() !== undefined) forgetWork();
}

// The tokens are in the session storage of this tab: a reload keeps them, and closing the tab ends them. Only the token
// of a page on this machine is kept for all tabs, so that a bookmark opens without a new link.
const tokenKey = 'simporter.token';
const renewalKey = 'simporter.renewal';

/** How a token of an identity provider is replaced by a new one. */
interface Renewal {
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
function takeTokenFromAddress(): boolean {
  const token = new URLSearchParams(location.hash.replace(/^#\/?/, '')).get('token');
  if (token === null) return false;
  (isLocal() ? localStorage : sessionStorage).setItem(tokenKey, token);
  history.replaceState(null, '', `${location.pathname}#/`);
  return true;
}

const readToken = (): string | undefined =>
  sessionStorage.getItem(tokenKey) ?? (isLocal() ? localStorage.getItem(tokenKey) : null) ?? undefined;

function readRenewal(): Renewal | undefined {
  const stored = sessionStorage.getItem(renewalKey);
  return stored === null ? undefined : (JSON.parse(stored) as Renewal);
}

function storeTokens(token: string, renewal: Renewal): void {
  sessionStorage.setItem(tokenKey, token);
  sessionStorage.setItem(renewalKey, JSON.stringify(renewal));
}

function forgetTokens(): void {
  sessionStorage.removeItem(tokenKey);
  sessionStorage.removeItem(renewalKey);
}
