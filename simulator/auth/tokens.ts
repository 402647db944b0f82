// Access tokens by client credentials. They are signed, so that every process that knows the clients can verify them.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Caller } from '../http/endpoint.ts';

export const clientSchema = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  accountId: z.int(),
});
export type Client = z.infer<typeof clientSchema>;

const claimsSchema = z.object({ client: z.string(), expires: z.number(), nonce: z.string() });

/** Equal in constant time, whatever the lengths. */
const sameText = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());

interface TokenOptions {
  readonly clients: readonly Client[];
  /** The time by which the tokens of an account expire, epoch milliseconds. */
  readonly timeOf: (accountId: number) => number;
  readonly nonce: () => string;
  readonly lifetimeSeconds: number;
}

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function claimsOf(payload: string): z.infer<typeof claimsSchema> | null {
  try {
    return claimsSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
  } catch {
    return null;
  }
}

/** The key of a client's tokens is its secret: a new secret ends every token issued for the old one. */
export function createTokens({ clients, timeOf, nonce, lifetimeSeconds }: TokenOptions) {
  const byId = new Map(clients.map((client) => [client.clientId, client]));
  const sign = (client: Client, payload: string): string =>
    createHmac('sha256', client.clientSecret).update(payload).digest('base64url');
  /** Without any proof. */
  const callerOf = (clientId: string): Caller | null => {
    const client = byId.get(clientId);
    return client ? { accountId: client.accountId } : null;
  };
  return {
    lifetimeSeconds,
    /** The caller that a client id names, without any proof. */
    callerOf,
    /** A new token, or null if the id and the secret do not belong together. */
    issue(clientId: string, clientSecret: string): string | null {
      const client = byId.get(clientId);
      const matches = sameText(clientSecret, client?.clientSecret ?? '');
      if (client === undefined || !matches) return null;
      const expires = timeOf(client.accountId) + lifetimeSeconds * 1000;
      const payload = encoded({ client: clientId, expires, nonce: nonce() });
      return `${payload}.${sign(client, payload)}`;
    },
    /** The caller, or null for a token that is forged, expired or issued for another secret. */
    verify(token: string): Caller | null {
      const parts = token.split('.');
      const [payload = '', signature = ''] = parts;
      const claims = claimsOf(payload);
      const client = claims === null ? undefined : byId.get(claims.client);
      if (claims === null || client === undefined || parts.length !== 2) return null;
      if (!sameText(signature, sign(client, payload))) return null;
      return claims.expires > timeOf(client.accountId) ? callerOf(client.clientId) : null;
    },
  };
}

export type Tokens = ReturnType<typeof createTokens>;
