// Calls of the porting simulator's test controls.
import * as z from 'zod';
import type { ServiceAccess } from '#cli/local-pipeline/local-pipeline.ts';
import { until } from '../emulator/start-process.ts';

/** Calls a test control until it answers: a fault may affect the request for a token. */
export function createCall(access: ServiceAccess) {
  let token: Promise<string> | undefined;
  const once = async (method: string, path: string, body?: unknown): Promise<unknown> => {
    token ??= fetchToken(access);
    const response = await fetch(`${access.baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${await token}`, 'content-type': 'application/json' },
      body: body === undefined ? null : JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
    return response.json();
  };
  return (method: string, path: string, body?: unknown): Promise<unknown> =>
    until(`${method} ${path}`, () =>
      once(method, path, body).catch(() => {
        token = undefined;
        return undefined;
      }),
    );
}

async function fetchToken({ authUrl, clientId, clientSecret }: ServiceAccess): Promise<string> {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const response = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  return z.object({ access_token: z.string() }).parse(await response.json()).access_token;
}
