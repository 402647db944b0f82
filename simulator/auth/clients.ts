// The clients that may call: those of the environment, or new ones.
import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { type Client, clientSchema } from './tokens.ts';

const clientList = z.array(clientSchema).min(1);

/** One client per account of the catalogue, each with a new secret. */
export const newClients = (catalogue: Catalogue): Client[] =>
  catalogue.data.accounts.map(({ accountId, clientId }) => ({
    clientId,
    clientSecret: randomBytes(24).toString('base64url'),
    accountId,
  }));

/**
 * Clients from a JSON text: `{"clientId", "clientSecret", "accountId"}`, or a list of them.
 * @throws Error that states what is wrong without the text, which has secrets
 */
export function parseClients(text: string, source: string): Client[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new Error(`${source} is not JSON.`);
  }
  const parsed = clientList.safeParse(Array.isArray(value) ? value : [value]);
  if (!parsed.success) throw new Error(`${source} is not a list of clients:\n${z.prettifyError(parsed.error)}`);
  return parsed.data;
}
