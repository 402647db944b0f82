// The shared token: cached, fetched once at a time, replaced once (spec gap 42; faults 41, 42 and 50).
import { describe, expect, test } from 'vitest';
import { type Answer, goodTokens, json, type Script, serialQueue } from '../../support/service/fault-server.ts';
import {
  createPortBody,
  failureOf,
  portDetail,
  portId,
  scriptedClient,
  timeoutFor,
} from '../../support/service/scripted-server.ts';

const found: Script = () => json(200, portDetail());

/** Rejects every token except these. */
const accepting =
  (...tokens: readonly string[]): Script =>
  ({ headers }) =>
    tokens.includes((headers.authorization ?? '').replace('Bearer ', '')) ? json(200, portDetail()) : { status: 401 };

describe('a token is cached', () => {
  test('for 80 % of its lifetime, and then fetched again', async () => {
    let now = 1_000_000;
    await using scripted = await scriptedClient(found, { clock: () => now });
    const { client, server } = scripted;

    await client.port(portId);
    now += 0.8 * 3_600_000 - 1;
    await client.port(portId);
    expect(server.tokenRequests).toHaveLength(1);
    now += 1;
    await client.port(portId);

    expect(server.tokenRequests).toHaveLength(2);
    expect(server.requests.map((request) => request.headers.authorization)).toEqual([
      'Bearer token-1',
      'Bearer token-1',
      'Bearer token-2',
    ]);
  });

  test('and fetched once for concurrent callers', async () => {
    await using scripted = await scriptedClient(found);

    await Promise.all(Array.from({ length: 20 }, () => scripted.client.port(portId)));

    expect(scripted.server.tokenRequests).toHaveLength(1);
  });

  test.each([
    ['0', 0, 2],
    ['negative', -5, 2],
  ])(
    'not at all when its lifetime is %s, and every call still works (fault 42)',
    async (_name, expires_in, fetches) => {
      await using scripted = await scriptedClient(found, {
        tokens: () => json(200, { access_token: 'short', expires_in }),
      });

      await scripted.client.port(portId);
      await scripted.client.port(portId);

      expect(scripted.server.tokenRequests).toHaveLength(fetches);
    },
  );

  test('for a few minutes when its lifetime is not stated (fault 42)', async () => {
    let now = 0;
    const tokens: Script = () => json(200, { access_token: 'unstated' });
    await using scripted = await scriptedClient(found, { clock: () => now, tokens });

    await scripted.client.port(portId);
    now += 239_999;
    await scripted.client.port(portId);
    expect(scripted.server.tokenRequests).toHaveLength(1);
    now += 1;
    await scripted.client.port(portId);

    expect(scripted.server.tokenRequests).toHaveLength(2);
  });

  test('and requested as a form, as in the spec', async () => {
    await using scripted = await scriptedClient(found);

    await scripted.client.port(portId);

    expect(scripted.server.tokenRequests[0]).toMatchObject({
      method: 'POST',
      path: '/connect/token',
      body: 'client_id=client-1&client_secret=the-very-secret-secret&grant_type=client_credentials',
    });
    expect(scripted.server.tokenRequests[0]?.headers['content-type']).toBe('application/x-www-form-urlencoded');
  });
});

describe('a token is rejected during a run (fault 41)', () => {
  test('one refresh serves all rejected calls, and each is made again', async () => {
    await using scripted = await scriptedClient(accepting('token-2'));
    const { client, server } = scripted;

    await Promise.all(Array.from({ length: 10 }, () => client.port(portId)));

    expect(server.tokenRequests).toHaveLength(2);
    expect(server.requests).toHaveLength(20);
  });

  test('a create is made again, too: a 401 did nothing', async () => {
    await using scripted = await scriptedClient(serialQueue({ status: 401 }, json(201, portId)));

    expect(await scripted.client.createPort(createPortBody())).toBe(portId);
  });

  test('a rejected fresh token ends the call: there is no third attempt', async () => {
    await using scripted = await scriptedClient(() => ({ status: 401 }));

    const failure = await failureOf(scripted.client.port(portId));

    expect(failure).toMatchObject({ kind: 'credentials-rejected', status: 401, retryable: false });
    expect(scripted.server.requests).toHaveLength(2);
    expect(scripted.server.tokenRequests).toHaveLength(2);
  });
});

describe('there is no token (fault 42)', () => {
  const failing: [string, Answer, string][] = [
    ['invalid_client', json(400, { error: 'invalid_client' }), 'credentials-rejected'],
    ['a 401', { status: 401 }, 'credentials-rejected'],
    ['a 400 of a proxy', { status: 400, body: '<html>' }, 'not-sent'],
    ['a 500', { status: 500 }, 'not-sent'],
    ['a 302', { status: 302, headers: { location: 'http://127.0.0.1:9/' } }, 'not-sent'],
    ['a reset', { fault: 'reset' }, 'not-sent'],
    ['a silence', { fault: 'hang' }, 'not-sent'],
    ['half a token', { fault: 'truncate', status: 200, body: '{"access_token": "half-a-token"}' }, 'not-sent'],
    ['a page', { status: 200, body: '<html>' }, 'not-sent'],
    ['an empty token', json(200, { access_token: '' }), 'not-sent'],
    ['a 429', { status: 429, headers: { 'retry-after': '9' } }, 'rate-limited'],
  ];

  test.each(failing)('%s: nothing is posted', async (_name, answer, kind) => {
    await using scripted = await scriptedClient(() => json(201, portId), {
      tokens: () => answer,
      ...timeoutFor(answer),
    });

    const failure = await failureOf(scripted.client.createPort(createPortBody()));

    expect(failure.kind).toBe(kind);
    expect(scripted.server.requests).toEqual([]);
  });

  test('a failed fetch is not cached', async () => {
    const tokens: Script = (request, nth) => (nth === 1 ? { status: 500 } : goodTokens(request, nth));
    await using scripted = await scriptedClient(() => json(201, portId), { tokens });

    await failureOf(scripted.client.createPort(createPortBody()));

    expect(await scripted.client.createPort(createPortBody())).toBe(portId);
  });

  test('credentials that cannot be read are not sent', async () => {
    const credentials = () => Promise.reject(new Error('throttled'));
    await using scripted = await scriptedClient(found, { credentials });

    expect(await failureOf(scripted.client.createPort(createPortBody()))).toMatchObject({ kind: 'not-sent' });
    expect(scripted.server.tokenRequests).toEqual([]);
  });

  test('a token that is no valid header value is not quoted in the error', async () => {
    const tokens: Script = () => json(200, { access_token: 'secret-token\nx: y', expires_in: 60 });
    await using scripted = await scriptedClient(found, { tokens });

    const failure = await failureOf(scripted.client.createPort(createPortBody()));

    expect(failure.kind).toBe('not-sent');
    expect(JSON.stringify(failure) + failure.stack + String(failure.cause)).not.toContain('secret-token');
  });
});

test('a secret that rotated during a run is read again, once (fault 50)', async () => {
  const asked: (boolean | undefined)[] = [];
  const credentials = async (options?: { fresh?: boolean }) => {
    asked.push(options?.fresh);
    return { clientId: 'client-1', clientSecret: options?.fresh ? 'new' : 'old' };
  };
  const tokens: Script = ({ body }, nth) =>
    body.includes('client_secret=new') ? goodTokens({} as never, nth) : json(400, { error: 'invalid_client' });
  await using scripted = await scriptedClient(found, { credentials, tokens });

  await scripted.client.port(portId);

  expect(asked).toEqual([false, true]);
});
