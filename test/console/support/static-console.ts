// Serves the built console under its Content-Security-Policy, without an API behind it.
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';

/** Nothing inline, nothing from another origin; calls also to the provider that signs people in. */
const contentSecurityPolicy = (provider: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "font-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${provider}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.woff2': 'font/woff2',
};

export interface StaticConsole {
  readonly url: string;
  /** Serves another config.json from now on, as a deployment that signs people in does. */
  readonly configure: (config: { readonly signIn: string; readonly clientId: string }) => void;
  readonly close: () => Promise<void>;
}

export async function serveConsole(folder: string): Promise<StaticConsole> {
  let config: { readonly signIn: string } | undefined;
  const server = createServer(async ({ url = '/' }, response) => {
    const path = new URL(url, 'http://console').pathname;
    const file = path === '/' ? '/index.html' : path;
    const stored = path.includes('..') ? undefined : await readFile(join(folder, file)).catch(() => undefined);
    const body = path === '/config.json' && config !== undefined ? JSON.stringify(config) : stored;
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy(config?.signIn ?? ''),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const close = () =>
    new Promise<void>((resolve) => {
      server.closeAllConnections();
      server.close(() => resolve());
    });
  const configure = (next: typeof config) => {
    config = next;
  };
  return { url: `http://127.0.0.1:${port}/`, configure, close };
}
