// What a web page, a broken client or an attacker may send to the servers of `simporter start`: the console with its
// API, the porting simulator and an HTTP API. The AWS services have the same tests in emulator.test.ts.
import { request as send } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { openConsoleServer } from '#cli/console/serve-console.ts';
import { createApiHandler } from '#functions/api/http/lambda.ts';
import { openHttpApis } from '#local/http/http-api.ts';
import { readBody, serveOnLoopback } from '#local/http/loopback.ts';
import type { HttpApiPlan } from '#local/template/blueprint.ts';
import { apiPrefix } from '#shared/api/agreed-names.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { startSimulator } from '#simulator/start-simulator.ts';
import { operator, startApiWorld } from '../support/api/simulated-api.ts';

type Headers = Readonly<Record<string, string>>;
interface Target {
  readonly url: string;
  /** Of a caller that may do everything. */
  readonly headers: Headers;
  /** A read that this caller may make. */
  readonly read: string;
  /** Writes that take JSON, with their methods. */
  readonly writes: readonly (readonly [method: string, path: string])[];
}

const token = 'a'.repeat(32);
const failures: string[] = [];
const targets = new Map<string, Target>();
const closing: (() => Promise<void>)[] = [];

const plan = (needsToken: boolean, ...keys: readonly string[]): HttpApiPlan => ({
  logicalId: 'Api',
  id: 'api',
  routes: keys.map((key) => ({ key, needsToken, functionArn: 'function' })),
});

async function openConsole(): Promise<Target> {
  const { api } = startApiWorld();
  const server = await openConsoleServer({ callers: new Map([[token, operator]]) });
  // As the emulator runs it, without a process for its function.
  const apis = await openHttpApis(['api'], {}, wallClock);
  const handle = createApiHandler(api);
  const routes = ['GET', 'POST', 'PUT', 'DELETE'].map((method) => `${method} ${apiPrefix}/{proxy+}`);
  apis.serve(
    [plan(true, ...routes)],
    async (_, event) => ({ ok: true, payload: await handle(event) }),
    server.readClaims,
  );
  const apiEndpoint = apis.endpoints.api ?? '';
  server.serve({ apiEndpoint, simulator: undefined, folder: '/nowhere', s3Endpoint: 'http://127.0.0.1:1' });
  closing.push(server.close, apis.close);
  return {
    url: server.url,
    headers: { authorization: `Bearer ${token}`, 'idempotency-key': 'key-of-a-test' },
    read: '/api/v1/me',
    writes: [
      ['POST', '/api/v1/uploads'],
      ['POST', '/api/v1/validate'],
      ['POST', '/api/v1/imports/0123456789abcdef/approve'],
      ['POST', '/api/v1/requests/0123456789abcdef/1/resolve'],
    ],
  };
}

async function openSimulator(): Promise<Target> {
  const simulator = await startSimulator({ sandbox: true, onError: (error) => void failures.push(String(error)) });
  closing.push(simulator.stop);
  const { authUrl, baseUrl, accountId, clientId, clientSecret } = simulator;
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
  const answer = await fetch(`${authUrl}/connect/token`, { method: 'POST', body: new URLSearchParams(form) });
  const { access_token: bearer } = (await answer.json()) as { access_token: string };
  return {
    url: baseUrl,
    headers: { authorization: `Bearer ${bearer}` },
    read: '/openapi.json',
    writes: [
      ['POST', '/connect/token'],
      ['POST', `/api/porting/${accountId}`],
      ['POST', '/api/simSubmission/SendSms'],
      ['PUT', '/_sandbox/faults'],
      ['PUT', '/_sandbox/state'],
    ],
  };
}

async function openHttpApi(): Promise<Target> {
  const apis = await openHttpApis(['api'], {}, wallClock);
  apis.serve(
    [plan(false, '$default')],
    async () => ({ ok: true, payload: {} }),
    () => undefined,
  );
  closing.push(apis.close);
  return { url: apis.endpoints.api ?? '', headers: {}, read: '/', writes: [['POST', '/any']] };
}

beforeAll(async () => {
  targets.set('the console', await openConsole());
  targets.set('the porting simulator', await openSimulator());
  targets.set('an HTTP API', await openHttpApi());
});
afterAll(() => Promise.all(closing.map((close) => close())));

const targetOf = (name: string): Target => targets.get(name) as Target;

/**
 * `fetch` chooses the headers Host and Origin itself. A connection that ends without an answer is status 0. Each
 * request has its own connection: the server may end one that is kept.
 */
const statusOf = (url: string, method: string, headers: Headers, body = ''): Promise<number> =>
  new Promise((resolve) => {
    const request = send(url, { method, headers, agent: false }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode ?? 0));
    });
    request.on('error', () => resolve(0)).end(body);
  });

const json = { 'content-type': 'application/json' };
const deep = '['.repeat(100_000) + ']'.repeat(100_000);

describe.each(['the console', 'the porting simulator', 'an HTTP API'])('%s', (name) => {
  const read = (more: Headers) => {
    const { url, headers, read: path } = targetOf(name);
    return statusOf(`${url}${path}`, 'GET', { ...headers, ...more });
  };
  afterAll(async () => {
    expect(await read({})).toBe(200);
    expect(failures).toEqual([]);
  });

  test.each([
    ['for a foreign host', { host: 'attacker.example' }],
    ['for a foreign host with a port', { host: 'attacker.example:8080' }],
    ['for a host that begins like this machine', { host: '127.0.0.1.attacker.example' }],
    ['of a foreign page', { origin: 'https://attacker.example' }],
    ['of another server on this machine', { origin: 'http://127.0.0.1:1' }],
    ['of a page without an origin', { origin: 'null' }],
    ['that a foreign page loads', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }],
  ])('declines a read and every write %s', async (_reason, more) => {
    const { url, headers, writes } = targetOf(name);
    expect(await read(more)).toBe(403);
    for (const [method, path] of writes) {
      expect(await statusOf(`${url}${path}`, method, { ...headers, ...json, ...more }, '{}'), path).toBe(403);
    }
  });

  test('takes requests of pages that it serves', async () => {
    const { url } = targetOf(name);
    expect(await read({ origin: url })).toBe(200);
    expect(await read({ host: new URL(url).host.replace('127.0.0.1', 'localhost') })).toBe(200);
  });

  test.each(['/%', '/%ff', '/%00', '/api/v1/imports/%', '/api/porting/%/port/%', '/..%2f..%2fpackage.json'])(
    'goes on after a path that cannot be decoded: %s',
    async (path) => {
      const { url, headers } = targetOf(name);
      for (const method of ['GET', 'PUT', 'POST', 'DELETE', 'PATCH']) {
        const status = await statusOf(`${url}${path}`, method, { ...headers, ...json });
        expect(status, method).toBeLessThan(500);
        expect(status, method).toBeGreaterThan(0);
      }
    },
  );

  test.each(['TRACE', 'PROPFIND', 'OPTIONS', 'HEAD', 'QUERY'])(
    'answers a %s, which no page sends, without an error of the server',
    async (method) => {
      const { url, headers, read: path } = targetOf(name);
      for (const to of [path, '/', '/api/v1/imports']) {
        const status = await statusOf(`${url}${to}`, method, headers);
        expect(status, to).toBeLessThan(500);
        expect(status, to).toBeGreaterThan(0);
      }
    },
  );

  test('closes the connection of a CONNECT, and a method that does not exist is no HTTP request', async () => {
    const { url, headers } = targetOf(name);
    expect(await statusOf(url, 'CONNECT', headers)).toBe(0);
    const { port } = new URL(url);
    const answer = await new Promise<string>((resolve) => {
      let text = '';
      const socket = connect(Number(port), '127.0.0.1');
      socket.on('data', (chunk) => (text += chunk)).on('close', () => resolve(text));
      socket.write('NONSENSE / HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
    });
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
  });

  test.each([
    ['a list nested too deeply', deep],
    ['an object nested too deeply', `{"a":${deep}}`],
    ['a member of every request nested too deeply', `{"rows":${deep},"faults":${deep},"name":${deep}}`],
    ['not JSON', '{"a'],
    ['a number', '1'],
    ['null', 'null'],
    ['a list of 300,000 numbers', `[${'1,'.repeat(300_000)}1]`],
    ['an object of 50,000 members', `{${Array.from({ length: 50_000 }, (_, at) => `"m${at}":1`).join()}}`],
    ['a prototype', '{"__proto__":{"a":1},"constructor":{"prototype":{}}}'],
  ])('answers a body that is %s with a problem', async (_what, body) => {
    const { url, headers, writes } = targetOf(name);
    for (const [method, path] of writes) {
      const status = await statusOf(`${url}${path}`, method, { ...headers, ...json }, body);
      expect(status, path).toBeLessThan(500);
      expect(status, path).toBeGreaterThan(0);
    }
  });

  test('answers a body that is too large with 413', async () => {
    const { url, headers, writes } = targetOf(name);
    for (const [method, path] of writes.filter(([, path]) => path !== '/connect/token')) {
      const status = await statusOf(`${url}${path}`, method, { ...headers, ...json }, `"${'x'.repeat(9_000_000)}"`);
      // The connection is closed while the client still sends, so the client may not see the answer.
      expect([413, 0], path).toContain(status);
    }
  });

  test('answers others while requests are half sent, and after they end', async () => {
    const { url, headers, writes, read: path } = targetOf(name);
    const lines = Object.entries({ ...headers, ...json, 'content-length': '1000' }).map((pair) => pair.join(': '));
    const halves = [
      `GET ${path} HT`,
      `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\n`,
      ...writes.map(([method, to]) =>
        [`${method} ${to} HTTP/1.1`, 'host: 127.0.0.1', ...lines, '', '{"h'].join('\r\n'),
      ),
    ];
    const open = halves.map((half) => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      socket.on('error', () => undefined).write(half);
      return socket;
    });
    expect(await read({})).toBe(200);
    for (const socket of open) socket.destroy();
    expect(await read({})).toBe(200);
  });
});

test('the console declines a method that CloudFront does not forward with 405, and names those that it does', async () => {
  const { url, headers } = targetOf('the console');
  for (const path of ['/', '/api/v1/me', '/api/v1/simulator/clock']) {
    const allow = await new Promise<unknown>((resolve) => {
      const request = send(`${url}${path}`, { method: 'TRACE', headers, agent: false }, (response) => {
        response.resume().on('close', () => resolve([response.statusCode, response.headers.allow]));
      });
      request.end();
    });
    expect(allow, path).toEqual([405, 'GET, HEAD, OPTIONS, PUT, PATCH, POST, DELETE']);
  }
});

test('the console answers 502, and writes nothing to the terminal, where its API does not answer', async () => {
  const written = vi.spyOn(console, 'error');
  const server = await openConsoleServer({ callers: new Map([[token, operator]]) });
  server.serve({ apiEndpoint: 'http://127.0.0.1:1', simulator: undefined, folder: '/nowhere', s3Endpoint: '' });
  const headers = { authorization: `Bearer ${token}` };
  expect(await statusOf(`${server.url}/api/v1/me`, 'GET', headers)).toBe(502);
  await server.close();
  expect(written).not.toHaveBeenCalled();
});

describe('a server on this machine ends a connection', () => {
  const silenceMs = 50;
  /** What arrives until the server closes the connection. */
  const sendHalf = async (text: string): Promise<string> => {
    const server = await serveOnLoopback(
      async (request, response) => {
        response.end((await readBody(request, 1_000)).toString());
      },
      { silenceMs },
    );
    try {
      return await new Promise((resolve) => {
        let answer = '';
        const socket = connect(server.tcpPort, '127.0.0.1');
        socket.on('data', (chunk) => (answer += chunk)).on('close', () => resolve(answer));
        socket.write(text);
      });
    } finally {
      await server.close();
    }
  };

  test.each([
    ['nothing', ''],
    ['half a line', 'GET / HT'],
    ['half the headers', 'GET / HTTP/1.1\r\nhost: 127.0.0.1\r\n'],
    ['half a body', 'PUT / HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-length: 100\r\n\r\nhalf'],
    ['half a chunk', 'PUT / HTTP/1.1\r\nhost: 127.0.0.1\r\ntransfer-encoding: chunked\r\n\r\n64\r\nhalf'],
  ])('that sent %s, and then nothing more', async (_what, text) => {
    expect(await sendHalf(text)).not.toContain('200 OK');
  });
});
