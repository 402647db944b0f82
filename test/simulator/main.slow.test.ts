// `npm run service` as a process.
import { type ChildProcess, spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { Document } from '#simulator/proxy/answer-checker.ts';
import { startDynamoDb } from '../support/embedded/simulator-dynamodb.ts';
import { notOn } from '../support/not-on.ts';

const main = fileURLToPath(new URL('../../simulator/main.ts', import.meta.url));

interface Announcement {
  baseUrl: string;
  authUrl: string;
  clients: { clientId: string; clientSecret: string; accountId: number }[];
}

interface Program {
  readonly process: ChildProcess;
  readonly announcement: Announcement;
  kill(): Promise<void>;
}

const launch = (options: readonly string[], env: NodeJS.ProcessEnv = {}): ChildProcess =>
  spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...options], {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });

async function start(options: readonly string[] = [], env: NodeJS.ProcessEnv = {}): Promise<Program> {
  const child = launch(['--port', '0', '--json', ...options], env);
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await ended;
  };
  onTestFinished(kill);
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  const [first] = await new Promise<[string]>((resolve) => lines.once('line', (line) => resolve([line])));
  return { process: child, announcement: JSON.parse(first), kill };
}

async function bearer({ authUrl, clients }: Announcement): Promise<Record<string, string>> {
  const [client] = clients;
  const body = new URLSearchParams({
    client_id: client?.clientId ?? '',
    client_secret: client?.clientSecret ?? '',
    grant_type: 'client_credentials',
  });
  const response = await fetch(`${authUrl}/connect/token`, { method: 'POST', body });
  const { access_token: token } = (await response.json()) as { access_token: string };
  return { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
}

async function ended(child: ChildProcess): Promise<{ code: number | null; complaint: string }> {
  const text: string[] = [];
  child.stderr?.on('data', (chunk) => text.push(String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, complaint: text.join('') };
}

test('the first line names the addresses and two clients of two accounts', async () => {
  const { announcement } = await start();
  expect(announcement).toEqual({
    baseUrl: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    authUrl: announcement.baseUrl,
    clients: [1001, 1002].map((accountId) => ({
      clientId: expect.any(String),
      clientSecret: expect.stringMatching(/^.{20,}$/),
      accountId,
    })),
  });
});

test('the clock runs at the given speed, from the given time', async () => {
  const origin = Date.now() - 1000;
  const { announcement } = await start(['--sandbox', '--speed', '86400', '--origin', String(origin)]);
  const response = await fetch(`${announcement.baseUrl}/_sandbox/clock`, { headers: await bearer(announcement) });
  const { epochMs } = (await response.json()) as { epochMs: number };
  expect(epochMs).toBeGreaterThan(origin + 86_400_000);
});

test('the clients can be given by the environment', async () => {
  const clients = [{ clientId: 'mine', clientSecret: 'known to both', accountId: 1002 }];
  const { announcement } = await start([], { PORTING_SERVICE_CLIENTS: JSON.stringify(clients) });
  expect(announcement.clients).toEqual(clients);
});

test('clients that are not right end the program, without their text in the complaint', async () => {
  const { code, complaint } = await ended(
    launch(['--port', '0'], { PORTING_SERVICE_CLIENTS: '[{"clientSecret": "hush"' }),
  );
  expect([code, complaint]).toEqual([2, 'PORTING_SERVICE_CLIENTS is not JSON.\nSee: npm run -s service -- --help\n']);
});

test.each([
  [['--speed', 'fast'], 'speed'],
  [['--store', 'paper'], 'store'],
  [['--colour'], '--colour'],
  [['--catalogue', 'nowhere.json'], 'nowhere.json'],
  [['--speed', '10000000'], 'speed'],
  [['--origin', '-1'], 'origin'],
  [['--list-order', 'random'], 'list-order'],
  [['--record', 'calls.jsonl'], '--record needs --proxy'],
  [['--proxy-auth', 'https://id.example.com'], '--proxy-auth needs --proxy'],
])('%j ends the program with what is wrong and where help is', async (options, named) => {
  const { code, complaint } = await ended(launch(options));
  expect(code).toBe(2);
  expect(complaint).toContain(named);
  expect(complaint).toContain('--help');
});

test('no PAC, token or secret is written after the announcement', async () => {
  const { announcement, process: child } = await start(['--sandbox']);
  const written: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => written.push(String(chunk)));
  const headers = await bearer(announcement);
  const post = (path: string, body: string) =>
    fetch(`${announcement.baseUrl}${path}`, { method: 'POST', headers, body });
  await post('/api/porting/1001', '{"pac": "PAC987654"');
  await post('/api/porting/1001', JSON.stringify({ rows: [{ pac: 'PAC987654' }] }));
  await post('/api/simSubmission', JSON.stringify({ type: 'PAC987654' }));
  await post('/connect/token', `client_secret=${announcement.clients[0]?.clientSecret}`);
  expect(written.join('')).toBe('');
});

test('a port outlives the process where the store is DynamoDB', async () => {
  const dynamoDb = await startDynamoDb();
  onTestFinished(() => dynamoDb.stop());
  const options = ['--store', 'dynamodb', '--table', 'kept', '--sandbox'];
  const env = { AWS_ENDPOINT_URL_DYNAMODB: dynamoDb.endpoint };
  const first = await start(options, env);
  const headers = await bearer(first.announcement);
  const call = (base: string, method: string, path: string, body?: object) =>
    fetch(`${base}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
  await call(first.announcement.baseUrl, 'POST', '/_sandbox/clock', { to: '2035-07-02T09:00:00Z' });
  const row = {
    groupName: 'g',
    esim: false,
    msisdn: '07700900123',
    serialNo: '8944110000000000123',
    provisioningOrder: 5001,
    pac: 'ABC123456',
    tariffId: 2001,
    boltOns: [],
    services: null,
  };
  const body = {
    name: 'p',
    targetNetworkId: 11,
    sourceNetworkId: 1,
    connectionDate: '2035-07-05',
    portType: 'Port',
    rows: [row],
  };
  const created = await call(first.announcement.baseUrl, 'POST', '/api/porting/1001', body);
  expect(created.status).toBe(201);
  const id = await created.json();
  await first.kill();

  const second = await start(options, env);
  const again = await bearer(second.announcement);
  const response = await fetch(`${second.announcement.baseUrl}/api/porting/1001/port/${id}`, { headers: again });
  expect(await response.json()).toMatchObject({ id, statusName: 'Created', rows: [{ msisdn: '07700900123' }] });
});

test('the program waits until a new table can be used', async () => {
  const calls: string[] = [];
  const server = createServer((request, response) => {
    const action = String(request.headers['x-amz-target']).split('.')[1] ?? '';
    calls.push(action);
    const isActive = calls.filter((call) => call === 'DescribeTable').length >= 2;
    const table = { TableName: 'new', TableStatus: isActive ? 'ACTIVE' : 'CREATING' };
    response.setHeader('content-type', 'application/x-amz-json-1.0');
    response.end(JSON.stringify(action === 'CreateTable' ? { TableDescription: table } : { Table: table }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const env = { AWS_ENDPOINT_URL_DYNAMODB: `http://127.0.0.1:${port}` };
  await start(['--store', 'dynamodb', '--table', 'new'], env);
  expect(calls.slice(0, 3)).toEqual(['CreateTable', 'DescribeTable', 'DescribeTable']);
});

test('a choice of the command line is one of the simulator', async () => {
  const { announcement } = await start(['--strict', '--submission-status', '202']);
  const headers = { ...(await bearer(announcement)), 'content-type': 'text/plain' };
  const response = await fetch(`${announcement.baseUrl}/api/porting/1001`, { method: 'POST', headers, body: '{}' });
  expect(response.status).toBe(415);
  const { paths } = (await (await fetch(`${announcement.baseUrl}/openapi.json`)).json()) as Document;
  expect(paths['/api/simSubmission/SendSms']?.post?.responses).toHaveProperty('202');
});

notOn(['Windows'], 'kill ends a program without its handler of SIGTERM')(
  'in front of a service, the program names differences and their counts on stderr',
  async () => {
    const { announcement: service } = await start(['--submission-status', '202']);
    const { announcement: proxy, process: child } = await start(['--proxy', service.baseUrl]);
    expect(proxy).toEqual({ baseUrl: expect.stringMatching(/^http:/), authUrl: proxy.baseUrl });
    const end = ended(child);
    const headers = await bearer({ ...service, authUrl: proxy.authUrl });
    const body = JSON.stringify({
      serialNumbers: ['89440010110010000104'],
      services: [{ name: 'Roaming', value: 'false' }],
    });
    const path = '/api/simSubmission/BarServiceConfig';
    const answer = await fetch(`${proxy.baseUrl}${path}`, { method: 'POST', headers, body });
    expect(answer.status).toBe(202);
    child.kill('SIGTERM');
    const { code, complaint } = await end;
    const lines = complaint
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect([code, ...lines]).toEqual([
      0,
      expect.objectContaining({ path, status: 202, expected: expect.stringContaining('status 200') }),
      expect.objectContaining({ path, count: 1 }),
      { calls: 2, kinds: 1 },
    ]);
  },
);
