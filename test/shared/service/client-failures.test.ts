// How the client classifies every failure of a service (faults 36 to 43), over real sockets.
import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server } from 'node:net';
import { describe, expect, test } from 'vitest';
import { createPortingClient } from '#shared/service/client.ts';
import { type Answer, json, serialQueue } from '../../support/service/fault-server.ts';
import {
  clientSecret,
  createPortBody,
  failureOf,
  portDetail,
  portId,
  scriptedClient,
  timeoutFor,
} from '../../support/service/scripted-server.ts';

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

  test.each(asked)('a wait requested %s is returned to the caller of a change', async (_name, header, retryAfterMs) => {
    const headers: Record<string, string> = header === undefined ? {} : { 'retry-after': header };
    await using scripted = await scriptedClient(() => ({ status: 429, headers }), { clock: () => now });

    const failure = await failureOf(scripted.client.createPort(createPortBody()));

    expect(failure).toMatchObject({ kind: 'rate-limited', retryable: true, retryAfterMs });
    expect(scripted.server.requests).toHaveLength(1);
  });

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
