// The token of this browser tab. A local start prints it in the fragment of the address, which no server log contains.

const storageKey = 'simporter.token';

/** Moves a token from the address to the tab's storage, so that a copied address does not contain it. */
export function takeTokenFromAddress(): void {
  const token = new URLSearchParams(location.hash.replace(/^#\/?/, '')).get('token');
  if (token === null) return;
  sessionStorage.setItem(storageKey, token);
  history.replaceState(null, '', `${location.pathname}#/`);
}

export const readToken = (): string | undefined => sessionStorage.getItem(storageKey) ?? undefined;
