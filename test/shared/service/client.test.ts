// Each method against the spec: address, headers and body of the request, and the result of the answer.

import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import type { SubmissionPath } from '#shared/service/contract.ts';
import { type Answer, json, serialQueue } from '../../support/service/fault-server.ts';
import {
  clientSecret,
  createPortBody,
  failureOf,
  portDetail,
  portId,
  portSummary,
  scriptedClient,
  ticketNumber,
  timeoutFor,
} from '../../support/service/scripted-server.ts';

const tariff = { name: 'Data 1', number: 10, isLegacy: false, requiresDataBoltOn: false, supportsFullPooling: true };
const tariffB = { name: 'Data B', number: 11, configurationAttributes: null };
const boltOn = { name: 'Extra', number: 20, isDataBoltOn: true, isLegacy: false, isTemporal: false };
const service = { name: 'Roaming', readOnly: false, type: 'Service', availableOptions: ['true', 'false', null] };
const serialNumbers = ['8944100000000000001'];
const sms = { serialNumbers, message: 'hello' };
const submissions: Record<SubmissionPath, unknown> = {
  '/api/simSubmission': {
    type: 'bar',
    commands: [{ serialNumbers, commandOptions: { type: 'vendor-detailed-bar', outgoing: true } }],
  },
  '/api/simSubmission/Provision': { stock: [{ serialNumber: serialNumbers[0] }], tariffNumber: 10 },
  '/api/simSubmission/ChangeProvision': { stock: [{ serialNumber: serialNumbers[0] }], tariffNumber: 10 },
  '/api/simSubmission/BarServiceConfig': { serialNumbers, services: [{ name: 'Roaming', value: 'true' }] },
  '/api/simSubmission/SendSms': sms,
  '/api/simsubmission/ConfigureBundleControl': {
    serialNumbers,
    zone: 'EU',
    bundleControlPeriod: 'monthly',
    sizeMb: 100,
    startDate: '2026-07-01T00:00:00',
    bundleControlEndAction: 'cutoff',
  },
};
const ipGroup = {
  id: 1,
  number: 2,
  name: 'Public',
  startIpAddress: '192.0.2.1',
  endIpAddress: '192.0.2.9',
  totalIpAddresses: 9,
  availableIpAddresses: 4,
};

describe('a read goes to the address in the spec', () => {
  const reads: [string, (client: PortingClient) => Promise<unknown>, unknown][] = [
    ['/api/porting/1001/networks', (client) => client.networks(), []],
    ['/api/porting/1001', (client) => client.listPorts(1), { total: 0, totalPages: 0, data: [] }],
    [`/api/porting/1001/port/${portId}`, (client) => client.port(portId), portDetail()],
    ['/api/account/1001/network/7/provisioningOrder', (client) => client.provisioningOrders(7), []],
    ['/api/account/1001/network/7/tariff', (client) => client.tariffs(7), []],
    ['/api/account/1001/tariff/10/boltons', (client) => client.boltOns(10), []],
    ['/api/account/1001/PublicIpGroups/7', (client) => client.publicIpGroups(7), [ipGroup]],
    ['/api/account/1001/StaticIpGroups/7', (client) => client.staticIpGroups(7), [ipGroup]],
    ['/api/sim/8944100000000000001/services', (client) => client.simServices('8944100000000000001'), []],
    ['/api/network/7/services', (client) => client.networkServices(7), [{ groupName: 'Data', services: [service] }]],
    ['/api/network/7/services?tariffNo=10', (client) => client.networkServices(7, 10), []],
    ['/api/network/7/bundleTopup', (client) => client.bundleSizes(7), [{ id: 1, name: '1 GB', size: 1024 }]],
    ['/api/account/1001/provisioningTemplates?networkId=7', (client) => client.provisioningTemplates(7), []],
    ['/api/company', (client) => client.companies(), { result: [{ id: 1, name: 'A' }], totalCount: 1, count: 1 }],
  ];

  test.each(reads)('GET %s', async (path, read, answer) => {
    await using scripted = await scriptedClient(() => json(200, answer));

    await read(scripted.client);

    expect(scripted.server.requests).toMatchObject([{ method: 'GET', path, body: '' }]);
    expect(scripted.server.requests[0]?.headers).toMatchObject({ authorization: 'Bearer token-1' });
  });

  test('also below a base address with a path', async () => {
    await using plain = await scriptedClient(() => json(200, []));
    await using scripted = await scriptedClient(() => json(200, []), { baseUrl: `${plain.server.url}/gateway/` });

    await scripted.client.networks();

    expect(plain.server.requests[0]?.path).toBe('/gateway/api/porting/1001/networks');
  });

  test('and a serial from a file cannot change the address', async () => {
    await using scripted = await scriptedClient(() => json(200, []));

    await scripted.client.simServices('../company?x=');

    expect(scripted.server.requests[0]?.path).toBe('/api/sim/..%2Fcompany%3Fx%3D/services');
  });
});

test('the page of ports is requested in headers', async () => {
  const page = { total: 1, totalPages: 1, data: [portSummary(portId)] };
  await using scripted = await scriptedClient(() => json(200, page));

  expect(await scripted.client.listPorts(3, 20)).toEqual(page);
  expect(scripted.server.requests[0]?.headers).toMatchObject({ 'x-pagenumber': '3', 'x-pagesize': '20' });
});

test('fields that are not in the spec are kept', async () => {
  await using scripted = await scriptedClient(() => json(200, { ...portDetail(), statusName: 'Paused', extra: 1 }));

  expect(await scripted.client.port(portId)).toMatchObject({ statusName: 'Paused', extra: 1 });
});

describe('creating a port', () => {
  test.each([
    ['quoted, as the spec has it', `"${portId}"`],
    ['bare', portId],
    ['with white space', ` "${portId}"\r\n`],
  ])('returns its id, %s', async (_name, body) => {
    await using scripted = await scriptedClient(() => ({ status: 201, body }));

    expect(await scripted.client.createPort(createPortBody())).toBe(portId);
    expect(scripted.server.requests).toMatchObject([{ method: 'POST', path: '/api/porting/1001' }]);
    expect(JSON.parse(scripted.server.requests[0]?.body ?? '')).toEqual(createPortBody());
    expect(scripted.server.requests[0]?.headers['content-type']).toBe('application/json;charset=UTF-8');
  });

  test('keeps names in other alphabets', async () => {
    await using scripted = await scriptedClient(() => json(201, portId));

    await scripted.client.createPort(createPortBody({ name: 'Zürich – 東京 🚆' }));

    expect(JSON.parse(scripted.server.requests[0]?.body ?? '')).toMatchObject({ name: 'Zürich – 東京 🚆' });
  });
});

test('a body that breaks the contract is rejected before it is sent, with the name of the field', async () => {
  await using scripted = await scriptedClient(() => json(201, portId));

  const failure = await failureOf(scripted.client.createPort(createPortBody({ name: 'x'.repeat(256), rows: [] })));

  expect(failure).toMatchObject({
    kind: 'rejected',
    status: undefined,
    decline: { fieldErrors: [{ field: 'name' }, { field: 'rows' }] },
  });
  expect(scripted.server.requests).toEqual([]);
});

test('an update is a PATCH with upper-case names', async () => {
  await using scripted = await scriptedClient(() => ({ status: 202 }));
  const body = { Rows: [{ Msisdn: '07700900123', Pac: 'DEF123456', PortRowStatus: 'Amended' as const }] };

  await scripted.client.updatePort(portId, body);

  expect(scripted.server.requests).toMatchObject([{ method: 'PATCH', path: `/api/porting/1001/port/${portId}` }]);
  expect(JSON.parse(scripted.server.requests[0]?.body ?? '')).toEqual(body);
});

test('a cancel is a DELETE without a body', async () => {
  await using scripted = await scriptedClient(() => ({ status: 202 }));

  await scripted.client.cancelPort(portId);

  expect(scripted.server.requests).toMatchObject([
    { method: 'DELETE', path: `/api/porting/1001/port/${portId}`, body: '' },
  ]);
});

describe('a submission', () => {
  test.each(Object.entries(submissions))('to %s returns its ticket', async (path, body) => {
    await using scripted = await scriptedClient(() => json(200, { ticketNumber }));

    expect(await scripted.client.submit(path as SubmissionPath, body)).toBe(ticketNumber);
    expect(scripted.server.requests).toMatchObject([{ method: 'POST', path, body: JSON.stringify(body) }]);
  });

  test('with a body that breaks the contract is rejected before it is sent', async () => {
    await using scripted = await scriptedClient(() => json(200, { ticketNumber }));

    const failure = await failureOf(scripted.client.submit('/api/simSubmission/Provision', { stock: [] }));

    expect(failure).toMatchObject({
      kind: 'rejected',
      decline: { fieldErrors: [{ field: 'stock' }, { field: 'tariffNumber' }] },
    });
    expect(scripted.server.requests).toEqual([]);
  });

  test.each([200, 201, 202])('may be answered %i', async (status) => {
    await using scripted = await scriptedClient(() => json(status, { ticketNumber }));

    expect(await scripted.client.submit('/api/simSubmission/SendSms', sms)).toBe(ticketNumber);
  });
});

describe('provisioning orders', () => {
  test('are listed', async () => {
    await using scripted = await scriptedClient(() => json(200, [{ number: 5, name: 'Main', hiremanCurrencyId: 1 }]));

    expect(await scripted.client.provisioningOrders(7)).toEqual([{ number: 5, name: 'Main', hiremanCurrencyId: 1 }]);
  });

  test('are not available on a Type-B network, which answers 409', async () => {
    await using scripted = await scriptedClient(() => json(409, { message: 'Not valid for this network' }));

    expect(await scripted.client.provisioningOrders(7)).toBe('not-available');
  });

  test('are not reported as unavailable for any other decline', async () => {
    await using scripted = await scriptedClient(() => ({ status: 403 }));

    expect(await failureOf(scripted.client.provisioningOrders(7))).toMatchObject({ kind: 'rejected', status: 403 });
  });
});

describe('a list has several wrappings', () => {
  test.each([
    ['an array', [tariff], [tariff], true],
    ['one object, as written in the spec', tariff, [tariff], true],
    ['a result of Type-B tariffs', { result: [tariffB] }, [tariffB], false],
    ['a result of Type-A tariffs', { result: [tariff] }, [tariff], true],
    ['an empty result', { result: [] }, [], false],
    ['an array of tariffs with null attributes', [tariffB], [tariffB], true],
    ['null', null, [], true],
    ['a result of null', { result: null }, [], false],
  ])('tariffs: %s', async (_name, answer, tariffs, hasAttributes) => {
    await using scripted = await scriptedClient(() => json(200, answer));

    expect(await scripted.client.tariffs(7)).toEqual({ tariffs, hasAttributes });
  });

  test.each([
    ['an array', [boltOn], [boltOn]],
    ['one object', boltOn, [boltOn]],
    ['the empty result of a Type-B tariff', { result: [], count: 0 }, []],
    ['null', null, []],
  ])('bolt-ons: %s', async (_name, answer, expected) => {
    await using scripted = await scriptedClient(() => json(200, answer));

    expect(await scripted.client.boltOns(10)).toEqual(expected);
  });

  test.each([
    ['a text', '"none"'],
    ['an item without a number', '[{"name":"x"}]'],
    ['nothing', ''],
  ])('but %s breaks the contract', async (_name, body) => {
    await using scripted = await scriptedClient(() => ({ status: 200, body }));

    expect(await failureOf(scripted.client.boltOns(10))).toMatchObject({ kind: 'contract-broken' });
  });
});

test('consecutive calls share a connection', async () => {
  await using scripted = await scriptedClient(() => json(200, []));

  for (let call = 0; call < 5; call += 1) await scripted.client.networks();

  expect(scripted.server.connections).toBeLessThanOrEqual(2);
});

// How the client classifies every failure of a service (faults 36 to 43), over real sockets.
describe('failures', () => {
  const created = json(201, portId);
  const sms = { serialNumbers: ['8944100000000000001'], message: 'hello' };

  describe('a change with an unknown outcome is sent once and ends ambiguous', () => {
    const unclear: [string, Answer][] = [
      ['fault 36: the connection is reset before an answer', { fault: 'reset' }],
      ['fault 36: the connection is closed before an answer', { fault: 'close' }],
      ['fault 37: no answer within the time-out', { fault: 'hang' }],
      ['fault 37: bytes that drip past the time-out', { fault: 'drip', status: 201, body: `"${portId}"` }],
      ['fault 38: a 201 cut short', { fault: 'truncate', status: 201, body: `"${portId}"` }],
      ['fault 38: a 201 with a page for browsers', { status: 201, body: '<html><body>OK</body></html>' }],
      ['fault 38: a 201 with nothing in it', { status: 201 }],
      ['fault 38: a 201 with an object instead of an id', json(201, { id: portId })],
      ['fault 38: a 201 with something that is no guid', json(201, '12345')],
      ['fault 38: bytes that are not HTTP', { fault: 'raw', bytes: 'SMTP ready\r\n\r\n' }],
      ['fault 39: 500', { status: 500, body: 'oops' }],
      ['fault 39: 502', { status: 502, body: '<html>bad gateway</html>' }],
      ['fault 39: 503 with a time to come back', { status: 503, headers: { 'retry-after': '5' } }],
      ['fault 39: 504', { status: 504 }],
      ['fault 39: 408 from a gateway', { status: 408 }],
      ['fault 43: 302', { status: 302, headers: { location: 'http://127.0.0.1:9/elsewhere' } }],
      ['fault 43: 307', { status: 307, headers: { location: 'http://127.0.0.1:9/elsewhere' } }],
    ];

    test.each(unclear)('%s', async (_name, answer) => {
      await using scripted = await scriptedClient(() => answer, timeoutFor(answer));

      const failure = await failureOf(scripted.client.createPort(createPortBody()));

      expect(failure).toMatchObject({ kind: 'ambiguous', retryable: false, call: 'POST /api/porting/1001' });
      expect(scripted.server.requests).toHaveLength(1);
    });

    test('also for an update, a cancel and a submission', async () => {
      await using scripted = await scriptedClient(() => ({ fault: 'reset' }));
      const { client, server } = scripted;

      const failures = await Promise.all([
        failureOf(
          client.updatePort(portId, { Rows: [{ Msisdn: '07700900123', PortRowStatus: 'CancellationRequested' }] }),
        ),
        failureOf(client.cancelPort(portId)),
        failureOf(client.submit('/api/simSubmission/SendSms', sms)),
      ]);

      expect(failures.map((failure) => failure.kind)).toEqual(['ambiguous', 'ambiguous', 'ambiguous']);
      expect(server.requests).toHaveLength(3);
    });

    test('a submission answered without a ticket is ambiguous', async () => {
      await using scripted = await scriptedClient(() => json(200, { message: 'thank you' }));

      const failure = await failureOf(scripted.client.submit('/api/simSubmission/SendSms', sms));

      expect(failure).toMatchObject({ kind: 'ambiguous', status: 200 });
    });
  });

  describe('a certain outcome has its own kind', () => {
    test('a refused connection is not sent', async () => {
      const closed = await listening(createTcpServer());
      await closed.stop();
      await using scripted = await scriptedClient(() => created, { baseUrl: `http://127.0.0.1:${closed.number}` });

      const failure = await failureOf(scripted.client.createPort(createPortBody()));

      expect(failure).toMatchObject({ kind: 'not-sent', retryable: true, status: undefined });
      expect(failure.message).toContain('ECONNREFUSED');
    });

    test('a server that does not speak TLS is not sent', async () => {
      const plain = await listening(createHttpServer());
      await using scripted = await scriptedClient(() => created, { baseUrl: `https://127.0.0.1:${plain.number}` });

      const failure = await failureOf(scripted.client.createPort(createPortBody()));

      expect(failure).toMatchObject({ kind: 'not-sent' });
      expect(failure.message).toContain('WRONG_VERSION_NUMBER');
      await plain.stop();
    });

    test('a 400 is rejected with the message, the fields and the numbers of the service', async () => {
      const answer = json(
        400,
        {
          message: 'MSISDN 07700900123 already exists on the stock records',
          errors: [{ field: 'rows[0].msisdn', message: '07700900123 and +447700900124 are known' }],
        },
        { 'x-request-id': 'req-7' },
      );
      await using scripted = await scriptedClient(() => answer);

      const failure = await failureOf(scripted.client.createPort(createPortBody()));

      expect(failure).toMatchObject({
        kind: 'rejected',
        status: 400,
        requestId: 'req-7',
        retryable: false,
        decline: {
          message: 'MSISDN 07700900123 already exists on the stock records',
          fieldErrors: [{ field: 'rows[0].msisdn', message: '07700900123 and +447700900124 are known' }],
          msisdns: ['07700900123', '+447700900124'],
        },
      });
    });

    test('404 and 409 have their own kinds', async () => {
      const unknown = { status: 404, body: '{"message":"no such port"}' };
      await using scripted = await scriptedClient(serialQueue(unknown, { status: 409, body: '"locked"' }));

      expect(await failureOf(scripted.client.cancelPort(portId))).toMatchObject({ kind: 'not-found' });
      expect(await failureOf(scripted.client.cancelPort(portId))).toMatchObject({
        kind: 'conflict',
        decline: { message: 'locked' },
      });
    });
  });

  describe('a 4xx that is not the error of the service leaves the outcome of a change unknown', () => {
    const page = '<html><h1>403 Forbidden</h1></html>';
    test.each<[string, Answer]>([
      ['the page of a gateway', { status: 403, body: page }],
      ['plain text', { status: 400, body: 'Bad Request' }],
      ['an empty body', { status: 404 }],
      ['JSON without a message', { status: 409, body: '{}' }],
      ['half an error', { fault: 'truncate', status: 422, body: '{"message":"the date is a holiday"}' }],
    ])('%s', async (_, answer) => {
      await using scripted = await scriptedClient(() => answer);

      expect(await failureOf(scripted.client.createPort(createPortBody()))).toMatchObject({ kind: 'ambiguous' });
      expect(await failureOf(scripted.client.cancelPort(portId))).toMatchObject({ kind: 'ambiguous' });
    });
  });

  describe('a read is repeated', () => {
    const passing: [string, Answer][] = [
      ['a reset', { fault: 'reset' }],
      ['a close', { fault: 'close' }],
      ['a silence', { fault: 'hang' }],
      ['half an answer', { fault: 'truncate', status: 200, body: JSON.stringify(portDetail()) }],
      ['a 500', { status: 500 }],
      ['a 504', { status: 504 }],
      ['a 429', { status: 429 }],
    ];

    test.each(passing)('after %s', async (_name, answer) => {
      await using scripted = await scriptedClient(serialQueue(answer, json(200, portDetail())), timeoutFor(answer));

      expect((await scripted.client.port(portId)).id).toBe(portId);
      expect(scripted.waits).toEqual([100]);
    });

    test('four times, then it is unavailable', async () => {
      await using scripted = await scriptedClient(() => ({ status: 503 }));

      const failure = await failureOf(scripted.client.port(portId));

      expect(failure).toMatchObject({ kind: 'unavailable', status: 503 });
      expect(scripted.server.requests).toHaveLength(4);
      expect(scripted.waits).toEqual([100, 200, 400]);
    });

    test('but not when the answer breaks the contract', async () => {
      await using scripted = await scriptedClient(() => json(200, { ...portDetail(), rows: 'none' }));

      const failure = await failureOf(scripted.client.port(portId));

      expect(failure).toMatchObject({ kind: 'contract-broken', status: 200 });
      expect(failure.message).toContain('rows');
      expect(scripted.server.requests).toHaveLength(1);
    });

    test('nor when it is redirected (fault 43)', async () => {
      await using other = await scriptedClient(() => json(200, portDetail()));
      const answer = { status: 302, headers: { location: `${other.server.url}/api/porting/1001/port/${portId}` } };
      await using scripted = await scriptedClient(() => answer);

      expect(await failureOf(scripted.client.port(portId))).toMatchObject({ kind: 'contract-broken', status: 302 });
      expect(other.server.requests).toEqual([]);
    });
  });

  describe('429 (fault 40)', () => {
    const now = Date.parse('2026-07-01T12:00:00Z');
    const asked: [string, string | undefined, number][] = [
      ['in seconds', '7', 7_000],
      ['as a date', 'Wed, 01 Jul 2026 12:00:30 GMT', 30_000],
      ['as garbage', 'soon', 0],
      ['not at all', undefined, 0],
      ['for a century', '3153600000', 900_000],
    ];

    test.each(asked)(
      'a wait requested %s is returned to the caller of a change',
      async (_name, header, retryAfterMs) => {
        const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header };
        await using scripted = await scriptedClient(() => ({ status: 429, headers }), { clock: () => now });

        const failure = await failureOf(scripted.client.createPort(createPortBody()));

        expect(failure).toMatchObject({ kind: 'rate-limited', retryable: true, retryAfterMs });
        expect(scripted.server.requests).toHaveLength(1);
      },
    );

    test('a read waits at least as long as requested', async () => {
      const answer: Answer = { status: 429, headers: { 'retry-after': '3' } };
      await using scripted = await scriptedClient(serialQueue(answer, json(200, portDetail())));

      await scripted.client.port(portId);

      expect(scripted.waits).toEqual([3_100]);
    });

    test('a read that would have to wait too long is not repeated', async () => {
      await using scripted = await scriptedClient(() => ({ status: 429, headers: { 'retry-after': '600' } }));

      expect(await failureOf(scripted.client.port(portId))).toMatchObject({
        kind: 'rate-limited',
        retryAfterMs: 600_000,
      });
      expect(scripted.waits).toEqual([]);
    });
  });

  describe('no secret leaves the sender', () => {
    test('errors hold neither PAC, token nor secret, whatever the service echoes', async () => {
      await using scripted = await scriptedClient((request) => ({
        status: 400,
        body: `you sent ${request.headers.authorization} and ${request.body}`,
      }));

      const failure = await failureOf(scripted.client.createPort(createPortBody()));
      const everything = JSON.stringify(failure) + failure.message + failure.stack;

      expect(everything).toContain('you sent');
      expect(everything).not.toMatch(/ABC123456|token-1|the-very-secret/);
    });

    test('only the first 500 characters of a body are kept', async () => {
      await using scripted = await scriptedClient(() => ({ status: 500, body: 'x'.repeat(10_000) }));

      const failure = await failureOf(scripted.client.createPort(createPortBody()));

      expect(failure.body?.length).toBeLessThanOrEqual(501);
    });

    test('an address that is neither https nor loopback is rejected at once', () => {
      const settings = {
        baseUrl: 'http://porting.example.com',
        authUrl: 'https://auth.example.com',
        accountId: 1,
        credentials: async () => ({ clientId: 'client-1', clientSecret }),
      };

      expect(() => createPortingClient(settings)).toThrow(/baseUrl: expected https/);
    });
  });

  test('an answer that never ends is cut off at the size limit', async () => {
    const endless = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n"${'x'.repeat(17 * 1024 * 1024)}`;
    await using scripted = await scriptedClient(() => ({ fault: 'raw', bytes: endless }));

    const failure = await failureOf(scripted.client.submit('/api/simSubmission/SendSms', sms));

    expect(failure).toMatchObject({ kind: 'ambiguous', status: 200 });
    expect(failure.message).toContain('larger than');
  });

  async function listening(server: Server): Promise<{ number: number; stop: () => Promise<void> }> {
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const stop = async () => {
      server.close();
      await once(server, 'close');
    };
    return { number: (server.address() as AddressInfo).port, stop };
  }
});
