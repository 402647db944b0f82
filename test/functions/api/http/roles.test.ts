// Who may do what: every route with every role, without a role and without a token.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { bindEndpoints, createApi } from '#functions/api/http/app.ts';
import { descriptions } from '#functions/api/openapi-document.ts';
import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { writeEndpoints } from '#functions/api/write/endpoints.ts';
import { apiPrefix, type Role, roles } from '#shared/api/agreed-names.ts';
import { csvTextOf } from '../../../chaos/scenario.ts';
import { type ApiWorld, person, startApiWorld } from '../../../support/api/simulated-api.ts';
import { announceUploads, two, uploadFile } from '../../../support/api/uploads.ts';
import { silentLog } from '../../../support/steps/test-pipeline.ts';

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

test('the log names who called which route, of which import and file', async () => {
  const { call, send, logged } = startApiWorld();
  const importId = await send('july.csv', two);
  const as = person('vera@example.com', 'viewer');
  await call('GET', `/imports/${importId}/files/results.csv`, { as });
  await call('POST', `/imports/${importId}/approve`, { as, body: {} });
  expect(logged.filter(({ caller }) => caller === as.id)).toMatchObject([
    { caller: as.id, route: 'GET /imports/{importId}/files/{fileName}', importId, fileName: 'results.csv' },
  ]);
});

/** Who may do what to whose: docs/reference/permissions.md. */
const table = [
  ...readFileSync('docs/reference/permissions.md', 'utf8').matchAll(/^\| `([A-Z]+ \S+)` \| (\w+) \| (.*) \|$/gm),
].map(([, route = '', role = '', whose = '']) => ({ route, role, whose }));

test('the page about permissions has each route with its role, and nothing else', () => {
  const routes = Object.values(descriptions).map(({ method, path, role }) => [`${method} ${path}`, role]);
  const advice = 'change the table of routes in docs/reference/permissions.md';
  expect(table.map(({ route, role }) => [route, role]).sort(), advice).toEqual(routes.sort());
});

const [uma, other, olga] = [
  person('uma@example.com', 'uploader', 'approver'),
  person('udo@example.com', 'uploader', 'approver'),
  person('olga@example.com', 'operator'),
];

/** The ids of an upload that is not complete, and of an import, both of Uma. */
async function idsOfUma(api: ApiWorld) {
  const importId = await uploadFile(api, Buffer.from(csvTextOf(two)), uma);
  await announceUploads(api);
  const begun = { operation: 'create-port', fileName: 'july.csv', bytes: 10 };
  const { uploadId } = (await api.call('POST', '/uploads', { as: uma, body: begun })).body;
  return { importId, uploadId };
}

test.each(table.filter(({ whose }) => whose !== 'all'))('$route is for: $whose', async ({ route, whose }) => {
  const api = startApiWorld({ settings: { approval: 'two' } });
  const { importId, uploadId } = await idsOfUma(api);
  const planHash = (await api.call('GET', `/imports/${importId}/plan`)).body.planHash;
  const [method = '', path = ''] = route.split(' ');
  const address = path.replace('{importId}', importId).replace('{uploadId}', uploadId);
  const bodies: Readonly<Record<string, object>> = {
    approve: { planHash },
    drafts: { rows: [] },
    links: { parts: [1] },
    readings: { reading: 1, settings: {} },
  };
  const body = ['POST', 'PUT'].includes(method) ? { body: bodies[path.split('/').at(-1) ?? ''] ?? {} } : {};
  const ask = async (as: typeof uma, query = '') =>
    (await api.call(method, `${address}${query}`, { as, ...body })).status;
  const isOpen = async (...args: Parameters<typeof ask>) => ![403, 404].includes(await ask(...args));
  const answers: Readonly<Record<string, () => Promise<unknown>>> = {
    'own upload': async () => [await isOpen(other), await isOpen(olga), await isOpen(uma)],
    'own file': async () => [await isOpen(other), await isOpen(uma), await isOpen(olga)],
    'own file with other options; of others as it was read': async () => [
      await isOpen(other, '?headerRow=2'),
      await isOpen(other),
      await isOpen(uma, '?headerRow=2'),
      await isOpen(olga, '?headerRow=2'),
    ],
    'own file with other settings; rows of all': async () => {
      const rows = { as: other, body: { reading: 1, leaveOut: [2] } };
      return [
        await isOpen(other),
        (await api.call(method, address, rows)).status,
        await isOpen(uma),
        await isOpen(olga),
      ];
    },
    'of others, where two persons are needed': async () => [await isOpen(uma), await isOpen(other)],
    'own draft': async () => {
      const drafts = await Promise.all([uma, other].map((as) => api.call(method, address, { as, ...body })));
      return drafts[0]?.body.draftId === drafts[1]?.body.draftId;
    },
  };
  const expected: Readonly<Record<string, unknown>> = {
    'own upload': [false, false, true],
    'own file': [false, true, true],
    'own file with other options; of others as it was read': [false, true, true, true],
    'own file with other settings; rows of all': [false, 202, true, true],
    'of others, where two persons are needed': [false, true],
    'own draft': false,
  };
  expect(Object.keys(answers)).toContain(whose);
  expect(await answers[whose]?.()).toEqual(expected[whose]);
});
