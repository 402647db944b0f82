// Who may do what: every route with every role, without a role and without a token.
import { expect, test } from 'vitest';
import { bindEndpoints, createApi } from '#functions/api/app.ts';
import { descriptions } from '#functions/api/openapi-document.ts';
import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { writeEndpoints } from '#functions/api/write/endpoints.ts';
import { apiPrefix, type Role, roles } from '#shared/api/agreed-names.ts';
import { person, startApiWorld } from '../../support/api-world.ts';
import { silentLog } from '../../support/results-rig.ts';

/** What a person with one role may do, as the documentation has it: written down here a second time on purpose. */
const mayUse: Readonly<Record<Role, readonly Role[]>> = {
  viewer: ['viewer'],
  uploader: ['viewer', 'uploader'],
  approver: ['viewer', 'approver'],
  operator: ['viewer', 'uploader', 'approver', 'operator'],
};

const pathOf = ({ path }: { readonly path: string }): string =>
  path
    .replace('{importId}', '0123456789abcdef')
    .replace('{uploadId}', '00000000-0000-4000-8000-000000000000')
    .replace('{operation}', 'create-port')
    .replace('{fileName}', 'results.csv')
    .replace('{request}', '1')
    .replace(/\{\w+\}/g, 'x');

const matrix = roles.flatMap((role) =>
  Object.entries(descriptions).map(([name, route]) => [role, name, route] as const),
);

/** One empty account for all: nothing here changes it. */
const { call: callEmpty } = startApiWorld();

test.each(matrix)('%s and %s', async (role, _name, route) => {
  const as = person('someone@example.com', role);
  const body = route.method === 'POST' || route.method === 'PUT' ? { body: {} } : {};
  const { status, body: answer } = await callEmpty(route.method, pathOf(route), { as, ...body });
  const isAllowed = mayUse[role].includes(route.role);
  expect(answer?.code === 'role-required').toBe(!isAllowed);
  if (!isAllowed) expect(status).toBe(403);
  else expect([200, 202, 400, 404, 503]).toContain(status);
});

test('without a token and without a role every route is closed', async () => {
  for (const route of Object.values(descriptions)) {
    const body = route.method === 'POST' ? { body: {} } : {};
    expect((await callEmpty(route.method, pathOf(route), { as: null, ...body })).status, route.path).toBe(401);
    const nobody = { as: person('nobody@example.com') };
    expect((await callEmpty(route.method, pathOf(route), { ...nobody, ...body })).status, route.path).toBe(403);
  }
});

test('a person who asks too often waits, and others do not', async () => {
  const { call } = startApiWorld({ limit: { perSecond: 1, burst: 2 } });
  const [one, other] = [person('one', 'viewer'), person('other', 'viewer')];
  expect((await call('GET', '/me', { as: one })).status).toBe(200);
  expect((await call('GET', '/me', { as: one })).status).toBe(200);
  const limited = await call('GET', '/me', { as: one });
  expect(limited.body).toMatchObject({ status: 429, code: 'too-many-requests' });
  expect(limited.headers.get('retry-after')).toBe('1');
  expect((await call('GET', '/me', { as: other })).status).toBe(200);
});

test.each([
  ['read', readEndpoints, 'POST', '/imports/abcdefgh12345678/approve', 'POST'],
  ['read', readEndpoints, 'POST', '/imports', 'GET'],
  ['write', writeEndpoints, 'DELETE', '/imports', 'GET'],
  ['write', writeEndpoints, 'PATCH', '/imports/abcdefgh12345678/drafts', 'GET, PUT'],
])(
  'the function that can %s knows which methods an address of the other takes',
  async (_name, endpoints, method, path, allowed) => {
    const mounted = bindEndpoints<unknown>(endpoints as never, undefined);
    const api = createApi({ endpoints: mounted, limit: { perSecond: 1, burst: 1 }, wall: () => 0, log: silentLog });
    const response = await api.request(`${apiPrefix}${path}`, { method: method === allowed ? 'PATCH' : method });
    expect([response.status, response.headers.get('allow')]).toEqual([405, allowed]);
  },
);

test('another method, another address and another content type have their own problems', async () => {
  const { call, api } = startApiWorld();
  const method = await call('DELETE', '/imports');
  expect(method.body).toMatchObject({ status: 405, code: 'method-not-allowed' });
  expect(method.headers.get('allow')).toBe('GET');
  expect((await call('GET', '/secrets')).body).toMatchObject({ status: 404, code: 'not-found' });
  const text = { body: '{}', headers: { 'content-type': 'text/plain' } };
  expect((await call('POST', '/uploads', text)).body.code).toBe('unsupported-content');
  const large = await call('POST', '/uploads', { body: { x: 'x'.repeat(5_000_000) } });
  expect(large.body.code).toBe('body-too-large');
  const { headers } = await api.request(`${apiPrefix}/me`, {}, { caller: person('v', 'viewer') });
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('x-content-type-options')).toBe('nosniff');
});
