// The proxy in front of the service: calls and answers pass unchanged, and every difference from the document is named.
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createPortingClient } from '#shared/service/client.ts';
import { createAnswerChecker } from '#simulator/proxy/answer-checker.ts';
import { createDifferenceReport } from '#simulator/proxy/difference-report.ts';
import { startProxy } from '#simulator/proxy/start-proxy.ts';
import { scriptedClient } from '../../support/service/scripted-server.ts';
import { portBody, portRow, startTestSimulator } from '../../support/service/simulator.ts';

const document = new URL('../../../docs/reference/simulator.openapi.json', import.meta.url);
const checker = createAnswerChecker(JSON.parse(readFileSync(document, 'utf8')));

/** A proxy with the lines that it has written. */
async function startTestProxy(
  service: string,
  { format = 'text', auth }: { format?: 'text' | 'json'; auth?: string } = {},
) {
  const lines: string[] = [];
  const report = createDifferenceReport(format, (line) => lines.push(line));
  const proxy = await startProxy({ port: 0, host: '127.0.0.1', service, auth, checker, report });
  onTestFinished(proxy.stop);
  return { url: proxy.baseUrl, lines, report };
}

async function startServer(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const answering =
  (status: number, body: string, contentType = 'application/json'): RequestListener =>
  (_incoming, outgoing) =>
    void outgoing.writeHead(status, { 'content-type': contentType }).end(body);

test('the calls of the client through the proxy show no difference in front of the simulator', async () => {
  const service = await startTestSimulator();
  const { url, lines, report } = await startTestProxy(service.baseUrl);
  const { accountId, clientId, clientSecret } = service;
  const credentials = async () => ({ clientId, clientSecret });
  const client = createPortingClient({ baseUrl: url, authUrl: url, accountId, credentials });
  await client.networks();
  const id = await client.createPort(portBody({ rows: [portRow(1), portRow(2, { pac: 'INV000002' })] }));
  service.pass(3 * 3_600_000);
  expect((await client.listPorts(1)).total).toBe(1);
  expect((await client.port(id)).statusName).toBe('Pac Check Failed');
  await client.updatePort(id, { Rows: [{ Msisdn: portRow(2).msisdn, Pac: 'ABC000002', PortRowStatus: 'Amended' }] });
  await client.cancelPort(id);
  await expect(client.createPort(portBody({ sourceNetworkId: 999 }))).rejects.toThrow();
  const [{ targetNetworks = [] } = {}] = await client.networks();
  // Of Type-A and of Type-B.
  for (const { networkNumber } of targetNetworks) {
    await client.provisioningOrders(networkNumber);
    const [tariff] = (await client.tariffs(networkNumber)).tariffs;
    await client.boltOns(tariff?.number ?? 0);
    await client.networkServices(networkNumber);
  }
  await client.companies();
  report.finish();
  expect(lines).toEqual([expect.stringMatching(/^\d\d+ calls, 0 kinds of difference$/)]);
});

test('each kind of difference is named once, with its place and what was expected, and counted at the end', async () => {
  const network = { id: 'eleven', name: 'Net', minPortDays: 1, allowEsim: null, sourceNetworks: [] };
  const wrong = { portTypeName: 'Port', portType: 1, targetNetworks: [network, network] };
  const service = await startServer(answering(200, JSON.stringify([wrong])));
  const { url, lines, report } = await startTestProxy(service);
  for (const _ of [1, 2]) await fetch(`${url}/api/porting/1001/networks`);
  const at = 'GET /api/porting/{accountId}/networks 200 /0/targetNetworks/0';
  const kinds = [
    `${at}/maxPortDays: expected a value`,
    `${at}/networkNumber: expected a value`,
    `${at}/upcomingHolidays: expected a value`,
    `${at}/id: expected integer`,
    `${at}/allowEsim: expected boolean`,
  ];
  expect(lines.toSorted()).toEqual(kinds.map((kind) => `difference: ${kind}`).toSorted());
  lines.length = 0;
  report.finish();
  expect(lines.toSorted()).toEqual(
    [...kinds.map((kind) => `4 x ${kind}`), '2 calls, 5 kinds of difference'].toSorted(),
  );
});

test.each([
  [answering(418, '{}'), 'GET /api/company 418: expected status 200, 401, 429, 500, 503, 5XX'],
  [answering(200, '[]', 'text/html'), 'GET /api/company 200: expected content type application/json'],
  [answering(200, '{"result"'), 'GET /api/company 200: expected JSON'],
  [answering(200, '{"result":[],"totalCount":"1","count":1}'), 'GET /api/company 200 /totalCount: expected integer'],
  [answering(401, '{}'), 'GET /api/company 401 /message: expected a value'],
])('the status, the content type and the body are compared: %#', async (listener, difference) => {
  const { url, lines } = await startTestProxy(await startServer(listener));
  await fetch(`${url}/api/company`);
  expect(lines).toEqual([`difference: ${difference}`]);
});

test('a body that may be of several shapes is compared with the one that it resembles', async () => {
  const { url, lines } = await startTestProxy(await startServer(answering(200, '[{"number":1}]')));
  await fetch(`${url}/api/account/1001/network/1/tariff`);
  expect(lines).toEqual([
    'difference: GET /api/account/{accountId}/network/{networkId}/tariff 200 /0/name: expected a value',
  ]);
});

test('a difference as JSON has the same members, and no text of the answer or of an unknown path', async () => {
  const { url, lines, report } = await startTestProxy(await startServer(answering(200, '"ABC123456"')), {
    format: 'json',
  });
  await fetch(`${url}/api/nothing/PAC%20ABC123456?pac=ABC123456`);
  await fetch(`${url}/api/nothing/ABC123456`);
  report.finish();
  expect(lines.map((line) => JSON.parse(line)).slice(0, 1)).toEqual([
    {
      method: 'GET',
      path: expect.any(String),
      status: 200,
      pointer: '',
      expected: 'a call that the document describes',
    },
  ]);
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ calls: 2, kinds: 2 });
  expect(lines.join()).not.toContain('ABC123456');
});

test('method, path, query, headers and body arrive as they were sent, and the answer too, also compressed', async () => {
  const body = gzipSync('{"result":[],"totalCount":0,"count":0}');
  const seen: unknown[] = [];
  const service = await startServer(async (incoming, outgoing) => {
    const { method, url, rawHeaders } = incoming;
    seen.push([method, url, rawHeaders.slice(2), Buffer.concat(await Array.fromAsync(incoming)).toString()]);
    outgoing.writeHead(200, 'Fine', [
      'Content-Type',
      'application/json',
      'content-encoding',
      'gzip',
      'X-Own',
      '1',
      'X-Own',
      '2',
    ]);
    outgoing.end(body);
  });
  const { url, lines } = await startTestProxy(`${service}/v1/`);
  const headers = { 'x-pagenumber': '2', authorization: 'Bearer secret-token' };
  const sent = { method: 'POST', headers: { ...headers, 'content-type': 'text/odd' }, body: '{"a": 1 }' };
  const response = await fetch(`${url}/api/%7Ea/./b?x=%20y&x=2`, sent);
  expect([response.status, response.statusText, response.headers.get('x-own')]).toEqual([200, 'Fine', '1, 2']);
  expect(await response.text()).toContain('totalCount');
  await fetch(`${service}/v1/api/%7Ea/b?x=%20y&x=2`, sent);
  const [[...proxied], [...direct]] = seen as [unknown[], unknown[]];
  expect(proxied.toSpliced(2, 1)).toEqual(direct.toSpliced(2, 1));
  expect(connectionless(proxied[2])).toEqual(connectionless(direct[2]));
  await fetch(`${url}/api/company`);
  expect(lines.filter((line) => line.includes('/api/company'))).toEqual([]);
});

/** Without the headers of a connection, which are the proxy's own. */
const connectionless = (rawHeaders: unknown): string[][] =>
  (rawHeaders as string[])
    .flatMap((name, index, all) => (index % 2 === 0 ? [[name, all[index + 1] ?? '']] : []))
    .filter(([name]) => name?.toLowerCase() !== 'connection');

test('the token call goes to its own address', async () => {
  const auth = await startServer(answering(400, '{"error":"invalid_client"}'));
  const { url, lines } = await startTestProxy(await startServer(answering(500, '')), { auth });
  const response = await fetch(`${url}/connect/token`, { method: 'POST' });
  expect([response.status, lines]).toEqual([400, []]);
});

test.each(['reset', 'truncate'] as const)(
  'a service that breaks off (%s) breaks the call, and is named',
  async (fault) => {
    const answer = fault === 'reset' ? ({ fault } as const) : ({ fault, status: 200, body: '[1, 2]' } as const);
    await using scripted = await scriptedClient(() => answer);
    const { url, lines } = await startTestProxy(scripted.server.url);
    await expect(fetch(`${url}/api/porting/1001`, { method: 'POST' })).rejects.toThrow();
    expect(lines).toEqual(['difference: POST /api/porting/{accountId} no answer: expected an answer (ECONNRESET)']);
  },
);

test('neither an address without TLS nor a page of another origin is served', async () => {
  await expect(startTestProxy('http://service.example')).rejects.toThrow('--proxy: expected https');
  const { url } = await startTestProxy(await startServer(answering(200, '[]')));
  expect((await fetch(url, { headers: { origin: 'https://elsewhere.example' } })).status).toBe(403);
});
