// POST /connect/token (spec "Authentication"): client credentials in a form, a bearer token in JSON.
import * as z from 'zod';
import { accessToken } from '#shared/service/contract.ts';
import type { Tokens } from '../auth/tokens.ts';

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
