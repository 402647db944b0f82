// POST /connect/token and the bearer header (spec "Authentication").
import { expect, test } from 'vitest';
import { hour, requestToken, startTestSimulator } from '../support/service/simulator.ts';

const credentials = (service: { clients: readonly { clientId: string; clientSecret: string }[] }) => ({
  client_id: service.clients[0]?.clientId ?? '',
  client_secret: service.clients[0]?.clientSecret ?? '',
  grant_type: 'client_credentials',
});

test('good credentials get a bearer token with its lifetime in seconds and a scope', async () => {
  const service = await startTestSimulator();
  const reply = await requestToken(service, credentials(service));
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual({
    access_token: expect.stringMatching(/^\S{20,}$/),
    expires_in: 3600,
    token_type: 'Bearer',
    scope: expect.any(String),
  });
  expect(reply.headers.get('cache-control')).toBe('no-store');
});

test.each([
  ['a wrong secret', { client_secret: 'wrong' }],
  ['an unknown client', { client_id: 'nobody' }],
])('%s is answered 400 invalid_client', async (_case, change) => {
  const service = await startTestSimulator();
  const reply = await requestToken(service, { ...credentials(service), ...change });
  expect([reply.status, reply.body]).toEqual([400, { error: 'invalid_client' }]);
});

test('another grant type is answered 400 unsupported_grant_type', async () => {
  const service = await startTestSimulator();
  const reply = await requestToken(service, { ...credentials(service), grant_type: 'password' });
  expect([reply.status, reply.body]).toEqual([400, { error: 'unsupported_grant_type' }]);
});

test('a form without the fields, or that is not a form, is answered 400 invalid_request', async () => {
  const service = await startTestSimulator();
  expect((await requestToken(service, { client_id: 'x' })).body).toEqual({ error: 'invalid_request' });
  const asJson = await fetch(`${service.authUrl}/connect/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(credentials(service)),
  });
  expect([asJson.status, await asJson.json()]).toEqual([400, { error: 'invalid_request' }]);
});

test.each([
  ['no header', {}],
  ['no scheme', { authorization: 'abc' }],
  ['another scheme', { authorization: 'Basic abc' }],
  ['a made-up token', { authorization: 'Bearer abc.def' }],
])('a call with %s is answered 401', async (_case, headers) => {
  const service = await startTestSimulator();
  const response = await fetch(`${service.baseUrl}/api/company`, { headers });
  expect(response.status).toBe(401);
  expect(await response.json()).toEqual({ message: 'A valid bearer token is required.', errors: [] });
});

test('a token whose payload was changed is answered 401', async () => {
  const service = await startTestSimulator();
  const { access_token: token } = (await requestToken(service, credentials(service))).body;
  const [payload, signature] = token.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
  const forged = Buffer.from(JSON.stringify({ ...claims, expires: claims.expires + 1 })).toString('base64url');
  const response = await fetch(`${service.baseUrl}/api/company`, {
    headers: { authorization: `Bearer ${forged}.${signature}` },
  });
  expect(response.status).toBe(401);
});

test('a token ends after its lifetime of wall time, however far the calendar goes', async () => {
  let wall = Date.parse('2026-07-06T09:00:00Z');
  const service = await startTestSimulator({ wall: () => wall });
  service.pass(100 * hour);
  expect((await service.call('GET', '/api/company')).status).toBe(200);
  wall += 3600 * 1000;
  expect((await service.call('GET', '/api/company')).status).toBe(401);
});

test('a client sees its own account only', async () => {
  const service = await startTestSimulator();
  for (const path of ['/api/porting/1002', '/api/porting/1002/networks', '/api/account/1002/network/101/tariff']) {
    const reply = await service.call('GET', path);
    expect([path, reply.status]).toEqual([path, 403]);
  }
  expect((await service.call('GET', '/api/porting/1002', { client: 1 })).status).toBe(200);
});

test.each([
  ['a part after the signature', (token: string) => `${token}.more`],
  ['a letter after the signature', (token: string) => `${token}A`],
  ['a word after the token', (token: string) => `${token} more`],
  ['another token', (token: string) => `${token},${token}`],
])('a token with %s appended is answered 401', async (_what, changed) => {
  const service = await startTestSimulator();
  const { access_token: token } = (await requestToken(service, credentials(service))).body;
  const ask = async (text: string) =>
    (await fetch(`${service.baseUrl}/api/company`, { headers: { authorization: `Bearer ${text}` } })).status;
  expect([await ask(token), await ask(changed(token))]).toEqual([200, 401]);
});
