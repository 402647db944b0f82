// POST /connect/token (spec "Authentication"): client credentials in a form, a bearer token in JSON.

import * as z from 'zod';
import type { Tokens } from '../tokens.ts';

export const tokenForm = z.object({
  client_id: z.string(),
  client_secret: z.string(),
  grant_type: z.literal('client_credentials'),
});
export const tokenError = z.object({
  error: z.string().meta({ description: '`invalid_client` for bad credentials.' }),
});

const noStore = { 'content-type': 'application/json;charset=UTF-8', 'cache-control': 'no-store' };
const refuse = (error: string): Response => Response.json({ error }, { status: 400, headers: noStore });

/** Answers 400 `{error}` for anything but good credentials (RFC 6749, 5.2, names the other errors). */
export function answerToken(tokens: Tokens, contentType: string, bodyText: string): Response {
  if (!contentType.toLowerCase().startsWith('application/x-www-form-urlencoded')) return refuse('invalid_request');
  const form = Object.fromEntries(new URLSearchParams(bodyText));
  const grant = form.grant_type;
  if (grant !== undefined && grant !== 'client_credentials') return refuse('unsupported_grant_type');
  const parsed = tokenForm.safeParse(form);
  if (!parsed.success) return refuse('invalid_request');
  const token = tokens.issue(parsed.data.client_id, parsed.data.client_secret);
  if (token === null) return refuse('invalid_client');
  const body = { access_token: token, expires_in: tokens.lifetimeSeconds, token_type: 'Bearer', scope: 'sim-porting' };
  return Response.json(body, { headers: noStore });
}
