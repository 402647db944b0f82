// Access tokens by client credentials: signed, so that any process that knows the clients can check them, and short-lived.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import type { Clock } from '#shared/runtime/clock.ts';
import type { Caller } from './endpoint.ts';

export const clientSchema = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  accountId: z.int(),
});
export type Client = z.infer<typeof clientSchema>;

const claimsSchema = z.object({ client: z.string(), expires: z.number(), nonce: z.string() });

export interface Tokens {
  readonly lifetimeSeconds: number;
  /** A new token, or null where the id and the secret do not belong together. */
  issue(clientId: string, clientSecret: string): string | null;
  /** Who calls, or null for a token that is forged, of a client now unknown, or past its time. */
  verify(token: string): Caller | null;
}

/** Equal in constant time, whatever the lengths. */
const sameText = (left: string, right: string): boolean =>
  timingSafeEqual(createHash('sha256').update(left).digest(), createHash('sha256').update(right).digest());

interface TokenOptions {
  readonly clients: readonly Client[];
  /** Wall time: a token's hour does not shrink when the calendar of the ports runs faster. */
  readonly wall: Clock;
  readonly nonce: () => string;
  readonly lifetimeSeconds: number;
}

/** The key of a client's tokens is its secret: a new secret ends every token given for the old one. */
export function createTokens({ clients, wall, nonce, lifetimeSeconds }: TokenOptions): Tokens {
  const byId = new Map(clients.map((client) => [client.clientId, client]));
  const sign = (client: Client, payload: string): string =>
    createHmac('sha256', client.clientSecret).update(payload).digest('base64url');
  const claimsOf = (payload: string): z.infer<typeof claimsSchema> | null => {
    try {
      return claimsSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()));
    } catch {
      return null;
    }
  };
  return {
    lifetimeSeconds,
    issue(clientId, clientSecret) {
      const client = byId.get(clientId);
      const matches = sameText(clientSecret, client?.clientSecret ?? '');
      if (client === undefined || !matches) return null;
      const claims = { client: clientId, expires: wall() + lifetimeSeconds * 1000, nonce: nonce() };
      const payload = Buffer.from(JSON.stringify(claims)).toString('base64url');
      return `${payload}.${sign(client, payload)}`;
    },
    verify(token) {
      const [payload = '', signature = ''] = token.split('.');
      const claims = claimsOf(payload);
      const client = claims === null ? undefined : byId.get(claims.client);
      if (claims === null || client === undefined || !sameText(signature, sign(client, payload))) return null;
      return claims.expires > wall() ? { clientId: client.clientId, accountId: client.accountId } : null;
    },
  };
}
