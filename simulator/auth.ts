// Who may call: the clients of the environment or new ones, their tokens, and the call that gives a token.
import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import * as z from 'zod';
import { accessToken } from '#shared/service/contract.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { Caller } from './http/route.ts';

// The clients that may call: those of the environment, or new ones.

const clientSchema = z.object({
  clientId: z.string().min(1),
  clientSecret: z.string().min(1),
  accountId: z.int(),
});
export type Client = z.infer<typeof clientSchema>;
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

// Access tokens by client credentials. They are signed, so that every process that knows the clients can verify them.

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

// POST /connect/token (spec "Authentication"): client credentials in a form, a bearer token in JSON.

const tokenForm = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  grant_type: z.literal('client_credentials'),
});
const tokenError = z.object({
  error: z.string().meta({ description: '`invalid_client` for bad credentials.' }),
});

export const tokenShapes = { form: tokenForm, error: tokenError };

export const tokenEndpoint = {
  example: { client_id: 'northwind-api', client_secret: 'the secret', grant_type: 'client_credentials' },
  answers: {
    200: {
      description: 'A bearer token.',
      schema: accessToken,
      example: {
        access_token: 'eyJjbGllbnQiOiJub3J0aHdpbmQtYXBpIn0.c2lnbmF0dXJl',
        expires_in: 3600,
        token_type: 'Bearer',
        scope: 'sim-porting',
      },
    },
    400: {
      description: 'Bad credentials, or another form field is wrong.',
      schema: tokenError,
      example: { error: 'invalid_client' },
    },
  },
} as const;

const noStore = { 'content-type': 'application/json;charset=UTF-8', 'cache-control': 'no-store' };
const failed = (error: string): Response => Response.json({ error }, { status: 400, headers: noStore });

/** The form of a token request; empty if it is not a form. */
export const readTokenForm = (contentType: string, bodyText: string): Readonly<Record<string, string>> =>
  contentType.toLowerCase().startsWith('application/x-www-form-urlencoded')
    ? Object.fromEntries(new URLSearchParams(bodyText))
    : {};

/** Answers 400 `{error}` unless the credentials are good (RFC 6749, 5.2, names the other errors). */
export function answerToken(tokens: Tokens, form: Readonly<Record<string, string>>): Response {
  if (form.grant_type !== undefined && form.grant_type !== 'client_credentials') {
    return failed('unsupported_grant_type');
  }
  const parsed = tokenForm.safeParse(form);
  if (!parsed.success) return failed('invalid_request');
  const token = tokens.issue(parsed.data.client_id, parsed.data.client_secret);
  if (token === null) return failed('invalid_client');
  const body = { access_token: token, expires_in: tokens.lifetimeSeconds, token_type: 'Bearer', scope: 'sim-porting' };
  return Response.json(body, { headers: noStore });
}
