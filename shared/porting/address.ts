// Where a call may go: only to the configured host, over TLS or on this machine (spec gap 43).

/**
 * Checks a configured address.
 * @throws TypeError that names the setting, unless it is https (or http on loopback) without credentials and query
 */
export function serviceAddress(setting: string, text: string): URL {
  const address = URL.canParse(text) ? new URL(text) : undefined;
  if (address === undefined) throw new TypeError(`${setting}: expected an https address, got ${JSON.stringify(text)}`);
  if (address.username !== '' || address.password !== '' || address.search !== '' || address.hash !== '') {
    throw new TypeError(`${setting}: expected an address without user, password, query or fragment`);
  }
  if (address.protocol !== 'https:' && !(address.protocol === 'http:' && isLoopback(address.hostname))) {
    throw new TypeError(`${setting}: expected https (http only on loopback), got ${address.protocol}//${address.host}`);
  }
  return address;
}

/** `path` under `base`, joined by exactly one slash (spec gap 2). @throws TypeError when the result has another host */
export function addressUnder(base: URL, path: string): URL {
  const address = new URL(`${base.href.replace(/\/+$/, '')}/${path.replace(/^\/+/, '')}`);
  if (address.origin !== base.origin) throw new TypeError(`expected a path of ${base.origin}, got another host`);
  return address;
}

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(\.\d{1,3}){3}$/.test(hostname);
}
