// Whatever is sent, the API answers a documented problem and never a failure; the world of these tests checks each
// answer against the OpenAPI document.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { descriptions } from '#functions/api/openapi-document.ts';
import { settle } from '../../chaos/drive.ts';
import { rowsFrom } from '../../chaos/scenario.ts';
import { startApiWorld } from '../../support/api/simulated-api.ts';

const all = Object.values(descriptions);
const segment = fc.oneof(
  fc.string({ minLength: 1 }),
  fc.constantFrom(
    '0123456789abcdef',
    '__proto__',
    'constructor',
    '%00',
    '%2e%2e',
    '-1',
    '1e9',
    '0',
    "'; DROP",
    '<script>',
  ),
);

test('any ids, queries, cursors and bodies', async () => {
  const { call, plan } = startApiWorld();
  const importId = await plan('july.csv', rowsFrom(0, ['ABC123456']));
  const requests = fc.record({
    route: fc.constantFrom(...all),
    segments: fc.array(fc.oneof(segment, fc.constant(importId)), { minLength: 2, maxLength: 2 }),
    query: fc.dictionary(
      fc.constantFrom('limit', 'cursor', 'outcome', 'code', 'column', 'text', 'state', 'severity', 'by', 'lists', 'x'),
      fc.oneof(fc.string(), fc.base64String(), fc.constantFrom('-1', '0', '501', 'e30', 'bnVsbA', '__proto__')),
      { maxKeys: 3 },
    ),
    body: fc.oneof(fc.jsonValue(), fc.object(), fc.string()),
  });
  await fc.assert(
    fc.asyncProperty(requests, async ({ route, segments, query, body }) => {
      // A URL does not keep a segment of dots: it would be the address of another route.
      fc.pre(segments.every((one) => one !== '.' && one !== '..'));
      const left = [...segments];
      const path = route.path.replace(/\{\w+\}/g, () => encodeURIComponent((left.shift() ?? 'x').toWellFormed()));
      const search = new URLSearchParams(
        Object.entries(query).map(([key, value]): [string, string] => [key, value.toWellFormed()]),
      );
      const isRead = route.method === 'GET' || route.method === 'DELETE';
      const text = typeof body === 'string' ? body : (JSON.stringify(body) ?? '');
      const { status } = await call(
        route.method,
        `${path}?${search}`,
        isRead ? {} : { body: text.toWellFormed(), headers: { 'content-type': 'application/json' } },
      );
      expect([200, 201, 202, 204, 304, 400, 404, 405, 409, 410, 422, 503]).toContain(status);
    }),
    { numRuns: 400 },
  );
});

test('a cursor of another list, a foreign one and a broken one are declined', async () => {
  const { call, plan } = startApiWorld();
  const importId = await plan('july.csv', rowsFrom(0, ['ABC123456', 'ABC123457']));
  const { nextCursor } = (await call('GET', `/imports/${importId}/rows?limit=1`)).body;
  expect(nextCursor).not.toBeNull();
  for (const cursor of [nextCursor, 'x', 'e30', Buffer.from('{"before":1}').toString('base64url')]) {
    expect((await call('GET', `/imports?cursor=${cursor}`)).body.code, cursor).toBe('invalid-cursor');
  }
});

test('names and cells that are code come back as text, in JSON that no browser takes for a page', async () => {
  const { call, plan } = startApiWorld();
  const hostile = '<img src=x onerror=alert(1)>.csv';
  const [row] = rowsFrom(0, ['ABC123456']);
  if (row === undefined) throw new Error('there is no row');
  const importId = await plan(hostile, [{ ...row, boltOns: '"=cmd|\' /C calc\'!A0</script>"' }, row]);
  const { body, headers } = await call('GET', `/imports/${importId}`);
  expect(body.file).toBe(hostile);
  expect(headers.get('content-type')).toBe('application/json');
  const rows = await call('GET', `/imports/${importId}/rows`);
  expect(rows.body.rows[0].cells[3]).toBe("=cmd|' /C calc'!A0</script>");
  const link = await call('GET', `/imports/${importId}/files/results.csv`);
  expect(link.body.fileName).toBe(`${importId}-results.csv`);
});

test('no answer of any route contains a PAC', async () => {
  const { call, send } = startApiWorld();
  const pacs = ['ZQX731469', 'INV846125'];
  const importId = await send('july.csv', rowsFrom(0, pacs));
  const reads = all
    .filter(({ method, path }) => method === 'GET' && !path.includes('{uploadId}'))
    .map(({ path }) => path.replace('{importId}', importId).replace('{request}', '1').replace('{format}', 'csv'))
    .map((path) => path.replace('{fileName}', 'results.csv').replace('{operation}', 'create-port'))
    .map((path) => path.replace('{msisdn}', '07700900001').replace(/\{\w+\}/, 'x'));
  for (const path of reads) {
    const { text } = await call('GET', path);
    for (const pac of pacs) expect(text, path).not.toContain(pac);
  }
});

test('a key belongs to its request also after the write failed', async () => {
  const { call } = startApiWorld();
  const write = (importId: string) =>
    call('POST', `/imports/${importId}/stop`, { body: {}, headers: { 'idempotency-key': 'the-key' } });
  expect((await write('0123456789abcdef')).body.code).toBe('not-found');
  expect((await write('0123456789abcdee')).body.code).toBe('idempotency-key-reused');
  expect((await write('0123456789abcdef')).body.code).toBe('not-found');
});

test.each(['ABC123456', '07700900123', '447700900123', 'port of 07700 900123'])(
  '%s is no port id: it is not stored, and no answer repeats it',
  async (typed) => {
    const { call, world } = startApiWorld();
    for (const [method, path] of [
      ['POST', 'adopt'],
      ['GET', ''],
    ] as const) {
      const address = `/ports/${encodeURIComponent(typed)}${path && `/${path}`}`;
      const { status, text } = await call(method, address, method === 'POST' ? { body: {} } : {});
      expect(status).toBe(404);
      expect(text).not.toContain(typed);
    }
    world.queue.add('https://sqs.example/command', { adopt: typed }, 0);
    await settle(world);
    expect(JSON.stringify((await call('GET', '/imports')).body)).not.toContain(typed);
  },
);
