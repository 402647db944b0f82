// The service behind an HTTP API on Lambda, with events as AWS sends them (payload format 2.0).
import { expect, test } from 'vitest';
import { simulatorPath } from '#shared/service/service-texts.ts';
import { readCatalogue } from '#simulator/catalogue/catalogue.ts';
import { createLambdaHandler, type LambdaResponse } from '#simulator/lambda-handler.ts';
import { createSimulator, type PortingSimulator } from '#simulator/simulator.ts';
import { createMemoryStore } from '#simulator/store/memory-store.ts';
import { monday, portBody } from '../support/service/simulator.ts';

const client = { clientId: 'northwind-api', clientSecret: 'correct horse', accountId: 1001 };

function newService(sandbox = true): PortingSimulator {
  let ids = 0;
  const uuid = () => `00000000-0000-4000-8000-${String(ids++).padStart(12, '0')}`;
  const catalogue = readCatalogue();
  return createSimulator({
    store: createMemoryStore(),
    catalogue,
    clients: [client],
    sandbox,
    random: { uuid },
    clock: () => monday,
    wall: () => monday,
  });
}

const event = (method: string, path: string, rest: object = {}) => ({
  version: '2.0',
  rawPath: `${simulatorPath}${path}`,
  rawQueryString: '',
  headers: {},
  requestContext: { domainName: 'service.example', http: { method } },
  isBase64Encoded: false,
  ...rest,
});

type Invoke = (event: unknown) => Promise<LambdaResponse | undefined>;

async function bearer(invoke: Invoke): Promise<Record<string, string>> {
  const body = new URLSearchParams({
    client_id: client.clientId,
    client_secret: client.clientSecret,
    grant_type: 'client_credentials',
  });
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const encoded = Buffer.from(body.toString()).toString('base64');
  const answer = await invoke(event('POST', '/connect/token', { headers, body: encoded, isBase64Encoded: true }));
  return { authorization: `Bearer ${JSON.parse(answer?.body ?? '').access_token}`, 'content-type': 'application/json' };
}

test('a request goes in as an event and comes out as an answer', async () => {
  const invoke = createLambdaHandler(newService());
  const headers = await bearer(invoke);
  const created = await invoke(event('POST', '/api/porting/1001', { headers, body: JSON.stringify(portBody()) }));
  expect(created).toMatchObject({ statusCode: 201, headers: { 'content-type': 'application/json;charset=UTF-8' } });
  const services = await invoke(
    event('GET', '/api/network/101/services', { headers, rawQueryString: 'tariffNo=2003' }),
  );
  expect(services?.body).not.toContain('5G');
});

test('the path of an event, which is decoded, names what is not there, and not a shorter path', async () => {
  const invoke = createLambdaHandler(newService());
  const headers = await bearer(invoke);
  const statusOf = async (path: string) => (await invoke(event('GET', path, { headers })))?.statusCode;
  expect([await statusOf('/api/company'), await statusOf('/api/company#1')]).toEqual([200, 404]);
});

test('a scheduled event moves the clock of the sandbox', async () => {
  const invoke = createLambdaHandler(newService());
  expect(await invoke({ advanceMs: 3_600_000 })).toBeUndefined();
  const clock = await invoke(event('GET', '/_sandbox/clock', { headers: await bearer(invoke) }));
  expect(JSON.parse(clock?.body ?? '').now).toBe('2026-07-06T10:00:00.000Z');
});

test('the clock of a service without a sandbox is not moved', async () => {
  await expect(createLambdaHandler(newService(false))({ advanceMs: 1 })).rejects.toThrow(
    'only where the sandbox is enabled',
  );
});

test('a fault on the wire becomes a failed invocation or half a body', async () => {
  const invoke = createLambdaHandler(newService());
  const headers = await bearer(invoke);
  const plan = (does: object) =>
    invoke(
      event('PUT', '/_sandbox/faults', {
        headers,
        body: JSON.stringify({ faults: [{ endpoint: 'getCompanies', does }] }),
      }),
    );
  await plan({ kind: 'reset', when: 'after' });
  await expect(invoke(event('GET', '/api/company', { headers }))).rejects.toThrow('reset');
  await plan({ kind: 'truncated' });
  const cut = await invoke(event('GET', '/api/company', { headers }));
  expect(() => JSON.parse(cut?.body ?? '')).toThrow();
});

test('an address that does not name the simulator has nothing: who calls it cannot take it for the real service', async () => {
  const invoke = createLambdaHandler(newService());
  const answer = await invoke(event('GET', '', { rawPath: '/api/company', headers: await bearer(invoke) }));
  expect(answer).toMatchObject({ statusCode: 404, body: expect.stringContaining('ends in /simporter-simulator') });
});

test('an event of another kind is rejected', async () => {
  await expect(createLambdaHandler(newService())({ Records: [] })).rejects.toThrow();
});
