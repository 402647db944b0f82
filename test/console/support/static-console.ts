// Serves the built console under its Content-Security-Policy, without an API behind it.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';

const repository = join(import.meta.dirname, '..', '..', '..');
const root = join(repository, 'console');
/** The folder that `simporter start` serves. */
export const builtConsole = join(root, 'dist');
const vite = join(repository, 'node_modules', 'vite', 'bin', 'vite.js');

/** Nothing inline, nothing from another origin. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  ...["script-src 'self'", "style-src 'self'", "font-src 'self'", "img-src 'self'", "connect-src 'self'"],
  ...["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"],
].join('; ');

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Like `npm run build:console`. In this process, vitest's NODE_ENV would choose the development version of React. */
export const buildConsole = async (outDir: string): Promise<void> => {
  const options = ['build', '--config', join(root, 'vite.config.ts'), '--outDir', outDir, '--logLevel', 'error'];
  await promisify(execFile)(process.execPath, [vite, ...options], { env: { ...process.env, NODE_ENV: 'production' } });
};

export async function serveConsole(folder: string): Promise<{ url: string; close: () => Promise<void> }> {
  const server = createServer(async ({ url = '/' }, response) => {
    const path = new URL(url, 'http://console').pathname;
    const file = path === '/' ? '/index.html' : path;
    const body = path.includes('..') ? undefined : await readFile(join(folder, file)).catch(() => undefined);
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': types[extname(file)] ?? 'application/octet-stream',
      'content-security-policy': contentSecurityPolicy,
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
  return { url: `http://127.0.0.1:${port}/`, close };
}
