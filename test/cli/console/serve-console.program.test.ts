// The console's server on this machine: `start` with the API over the real emulator and the porting simulator.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { runCommandLine } from '#cli/program.ts';
import { environments } from '#infra/derived-settings.ts';
import { openUpload } from '#shared/files/open-upload.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { startedJson } from '../../support/cli/json-shapes.ts';
import { memoryStream } from '../../support/cli/terminal.ts';
import { numberAt, simAt } from '../../support/ingest/valid-rows.ts';
import { notOn } from '../../support/not-on.ts';
import { patienceMs } from '../../support/patience.ts';

const execute = promisify(execFile);
const stopping = new AbortController();
let folder = '';
let running: Promise<unknown>;
let url = '';
let token = '';
let writes = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-console-'));
  const [out, err] = [memoryStream(), memoryStream()];
  running = runCommandLine(['start', '--json', '--no-open', '--speed', '86400'], {
    stdout: out.stream,
    stderr: err.stream,
    env: {},
    folder,
    clock: wallClock,
    signal: stopping.signal,
  });
  await vi.waitUntil(() => out.text().includes('\n'), { timeout: 120_000, interval: 100 });
  const { endpoints } = startedJson.parse(JSON.parse(out.text().split('\n')[0] ?? ''));
  [url, token] = (endpoints.console ?? '').split('/#token=') as [string, string];
});
afterAll(async () => {
  stopping.abort();
  await running;
  await rm(folder, { recursive: true, force: true });
});

interface Options {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

async function call(method: string, path: string, { body, headers = {} }: Options = {}) {
  writes += 1;
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      'idempotency-key': `write-${writes}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? JSON.parse(text) : text, headers: response.headers };
}

/** With headers that fetch does not let a caller set. */
const rawStatus = (headers: Readonly<Record<string, string>>): Promise<number | undefined> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(url);
    const sent = request({ host: '127.0.0.1', port, path: '/api/v1/me', headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    sent.on('error', reject).end();
  });

test('only the token of this start opens the API, and foreign pages and hosts are declined', async () => {
  expect(token.length).toBeGreaterThan(30);
  expect((await call('GET', '/me')).body).toMatchObject({ roles: ['viewer', 'uploader', 'approver', 'operator'] });
  const wrong = { authorization: `Bearer ${'x'.repeat(token.length)}` };
  // As on AWS, the gateway declines them: no function sees them.
  for (const headers of [{ authorization: '' }, wrong]) {
    expect(await call('GET', '/me', { headers })).toMatchObject({ status: 401, body: { message: 'Unauthorized' } });
    expect((await call('GET', '/simulator/calendar', { headers })).status).toBe(401);
  }
  const authorization = `Bearer ${token}`;
  expect(await rawStatus({ authorization })).toBe(200);
  expect(await rawStatus({ authorization, origin: url })).toBe(200);
  expect(await rawStatus({ authorization, origin: 'https://evil.example' })).toBe(403);
  expect(await rawStatus({ authorization, host: 'evil.example' })).toBe(403);
  expect(await rawStatus({ authorization, 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' })).toBe(403);
});

test('the functions of the template answer, with the settings of the environment local', async () => {
  const { limits, account } = environments.local;
  expect((await call('GET', '/environment')).body).toMatchObject({
    name: 'local',
    kind: 'local',
    simulated: true,
    zone: account.zone,
    maxFileBytes: limits.fileBytes,
    maxRowsPerRequest: limits.rowsPerRequest,
  });
  const { paths } = (await call('GET', '/openapi.json')).body;
  expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/imports', '/uploads', '/simulator/calendar']));
});

test('a method that an address does not take is 405 with those that it takes, whichever function answers', async () => {
  for (const [method, path] of [
    ['DELETE', '/imports'],
    ['PATCH', '/imports'],
  ] as const) {
    const { status, headers } = await call(method, path, { body: {} });
    expect([status, headers.get('allow')], method).toEqual([405, 'GET']);
  }
});

test('an address without the prefix of the API names it', async () => {
  const { status, body } = await call('GET', '/../../imports');
  expect([status, body]).toEqual([404, expect.stringContaining('/api/v1/imports')]);
});

test('static files have a strict policy, and no path leaves their folder', async () => {
  for (const path of [
    '/../package.json',
    '/%2e%2e/package.json',
    '/.git/config',
    '/assets/..%2f..%2f..%2fpackage.json',
  ]) {
    expect((await fetch(`${url}${path}`)).status, path).toBe(404);
  }
  const page = await fetch(url);
  expect([200, 503]).toContain(page.status);
  if (page.status === 200)
    expect(page.headers.get('content-security-policy')).toMatch(/default-src 'none'.*script-src 'self'/);
});

const columns = 'msisdn,serialNo,pac,portType,targetNetwork,sourceNetwork,connectionDate,tariff,provisioningOrder';
const csv = [
  columns,
  ...[0, 1, 2].map(
    (index) => `${numberAt(index)},${simAt(index)},ABC12345${index},Port,UK Mobile A,Source Mobile One,auto,2001,5001`,
  ),
].join('\n');

test('a file goes from a link to ported numbers through the API alone', async () => {
  const bytes = Buffer.from(csv);
  const begun = await call('POST', '/uploads', {
    body: { operation: 'create-port', fileName: 'july.csv', bytes: bytes.length },
  });
  const { uploadId } = begun.body;
  const { links } = (await call('POST', `/uploads/${uploadId}/links`, { body: { parts: [1] } })).body;
  expect(new URL(links[0].url).searchParams.get('X-Amz-SignedHeaders')).toContain('content-length');
  const sent = await fetch(links[0].url, { method: 'PUT', body: bytes, headers: { origin: url } });
  expect(sent.status).toBe(200);
  expect(sent.headers.get('access-control-allow-origin')).toBe(url);
  expect((await call('GET', `/uploads/${uploadId}`)).body.arrived).toEqual([{ part: 1, bytes: bytes.length }]);
  const { importId } = (await call('POST', `/uploads/${uploadId}/complete`)).body;

  await expect.poll(async () => (await call('GET', `/imports/${importId}`)).body.state).toBe('planned');
  const plan = (await call('GET', `/imports/${importId}/plan`)).body;
  expect(plan).toMatchObject({ rows: 3, requestCount: 1 });
  const approval = await call('POST', `/imports/${importId}/approve`, { body: { planHash: plan.planHash } });
  expect(approval.status).toBe(202);
  await expect
    .poll(async () => (await call('GET', `/imports/${importId}`)).body.outcomes, { interval: 500 })
    .toEqual({ complete: 3 });
  // Report writes the rows a moment later.
  const completeRows = async () => (await call('GET', `/imports/${importId}/rows?outcome=complete`)).body.rows;
  await expect.poll(completeRows, { interval: 500 }).toHaveLength(3);
  const link = (await call('GET', `/imports/${importId}/files/results.csv`)).body;
  const downloaded = await fetch(link.url);
  expect(downloaded.headers.get('content-disposition')).toContain('attachment');
  const results = await downloaded.text();
  expect(results).toContain('complete');
  const workbook = async () => (await call('GET', `/imports/${importId}/files/results.xlsx`)).body.url;
  await expect.poll(workbook, { interval: 500 }).toBeDefined();
  const opened = await openUpload(Readable.from([Buffer.from(await (await fetch(await workbook())).arrayBuffer())]));
  expect(opened.ok && opened.value.header.join(',')).toBe(results.split('\r\n')[0]);
});

test('rows are validated with the live lists of the service, which are kept once they are known', async () => {
  const row = { msisdn: numberAt(9), serialNo: simAt(9), pac: 'ABC123456', portType: 'Port', connectionDate: 'auto' };
  const networks = {
    targetNetwork: 'UK Mobile A',
    sourceNetwork: 'Source Mobile One',
    tariff: '2001',
    provisioningOrder: '5001',
  };
  const body = {
    operation: 'create-port',
    rows: Array.from({ length: 10 }, (_, index) => ({
      ...row,
      ...networks,
      msisdn: numberAt(20 + index),
      serialNo: simAt(20 + index),
    })),
  };
  const verdicts = async () =>
    (await call('POST', '/validate', { body })).body.rows.map(({ isValid }: { isValid: boolean }) => isValid);
  const valid = body.rows.map(() => true);
  expect(await verdicts()).toEqual(valid);
  const outage = { seed: 1, faults: [{ rate: 1, does: { kind: 'error', status: 503 } }] };
  await call('PUT', '/simulator/faults', { body: outage });
  expect(await verdicts()).toEqual(valid);
  await call('PUT', '/simulator/faults', { body: { seed: 1, faults: [] } });
});

test('an example is loaded, and the faults of the simulator are read and replaced', async () => {
  const { importId } = (await call('POST', '/simulator/example', { body: { name: 'create-port.csv' } })).body;
  await expect.poll(async () => (await call('GET', `/imports/${importId}`)).body.state).toBe('planned');
  const plan = { seed: 1, faults: [{ endpoint: 'createPort', rate: 1, times: 1, does: { kind: 'delivered-twice' } }] };
  expect((await call('PUT', '/simulator/faults', { body: plan })).status).toBe(200);
  expect((await call('GET', '/simulator/faults')).body.faults).toHaveLength(1);
  expect((await call('GET', '/simulator/calendar')).body.speed).toBe(86_400);
});

const page = readFileSync(new URL('../../../docs/reference/api.md', import.meta.url), 'utf8');
const root = fileURLToPath(new URL('../../..', import.meta.url));
/** The commands of the page, in their order; the first block only names the variables. */
const commands = [...page.matchAll(/^```sh\n(.*?)\n```$/gms)].map(([, block]) => block ?? '').slice(1);

/** What a person copies from an answer into a variable of the next command. */
const copied = ({ uploadId, importId, planHash, links }: Readonly<Record<string, unknown>>) => ({
  ...(typeof uploadId === 'string' && { UPLOAD: uploadId }),
  ...(typeof importId === 'string' && { IMPORT: importId }),
  ...(typeof planHash === 'string' && { PLAN_HASH: planHash }),
  ...(Array.isArray(links) && { LINK: links[0].url }),
});

notOn(['Windows'], 'the commands of the page are for a POSIX shell')(
  'the commands of docs/reference/api.md work in their order',
  async () => {
    let variables: Record<string, string> = { API: `${url}/api/v1`, TOKEN: token };
    expect(commands.length).toBeGreaterThan(8);
    for (const command of commands) {
      const run = async () => {
        const { stdout } = await execute('bash', ['-c', command], { cwd: root, env: { ...process.env, ...variables } });
        const answer = stdout === '' ? {} : JSON.parse(stdout);
        expect(answer.code, `${command}\n${stdout}`).toBeUndefined();
        if (answer.importId !== undefined && 'state' in answer) expect(answer.state).not.toBe('planning');
        return answer;
      };
      // An import appears, and a number is known, a moment after the command before.
      const answer = await vi.waitFor(run, { timeout: patienceMs, interval: 500 });
      variables = { ...variables, ...copied(answer) };
    }
    expect(variables).toHaveProperty('PLAN_HASH');
  },
);
