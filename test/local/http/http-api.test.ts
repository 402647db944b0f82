// HTTP APIs of a template: the event that a function gets for a request, and the response for its answer.
import { availableParallelism } from 'node:os';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '#local/emulator-options.ts';
import { readBlueprint } from '#local/template/blueprint.ts';
import { startTestEmulator } from '../../support/emulator/emulator.ts';
import { arnOf, blueprintContext, lambda, stackOf } from '../../support/emulator/templates.ts';

const part = (type: string, properties: object) => ({ Type: `AWS::ApiGatewayV2::${type}`, Properties: properties });
const apiStack = (changes: Readonly<Record<string, object>> = {}) => {
  const ApiId = { Ref: 'Api' };
  const parts = {
    Api: { ProtocolType: 'HTTP', Name: 'test' },
    Integration: {
      ApiId,
      IntegrationType: 'AWS_PROXY',
      PayloadFormatVersion: '2.0',
      IntegrationUri: arnOf('Answers'),
    },
    Route: { ApiId, RouteKey: '$default', Target: { 'Fn::Join': ['/', ['integrations', { Ref: 'Integration' }]] } },
    Stage: { ApiId, StageName: '$default', AutoDeploy: true },
  };
  const resources = Object.entries(parts).map(([type, properties]) => [
    type,
    part(type, { ...properties, ...changes[type] }),
  ]);
  return stackOf(
    { Answers: lambda('http'), ...Object.fromEntries(resources) },
    { Outputs: { Address: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } } } },
  );
};

describe('an HTTP API', () => {
  let emulator: Emulator;
  const ask = (path: string, init?: RequestInit) => fetch(`${emulator.outputs.Address}${path}`, init);
  const eventOf = async (path: string, init?: RequestInit) => (await ask(path, init)).json();
  beforeAll(async () => {
    ({ emulator } = await startTestEmulator({ templates: [apiStack()] }));
  });
  afterAll(() => emulator.stop());

  test('gives its function the event of payload format 2.0', async () => {
    const headers = { 'x-one': 'a', Accept: 'application/json' };

    const event = await eventOf('/some/path?b=2&a=1&a=3', { headers });

    expect(event).toMatchObject({
      version: '2.0',
      routeKey: '$default',
      rawPath: '/some/path',
      rawQueryString: 'b=2&a=1&a=3',
      queryStringParameters: { b: '2', a: '1,3' },
      headers: { 'x-one': 'a', accept: 'application/json' },
      requestContext: { stage: '$default', http: { method: 'GET', path: '/some/path', protocol: 'HTTP/1.1' } },
      isBase64Encoded: false,
    });
    expect(event).not.toHaveProperty('body');
  });

  test('decodes the path, which ends at an encoded question mark, and not the query', async () => {
    const event = await eventOf('/numbers/50%25%20%23%2B1%3Frest?name=a%20b');

    expect(event).toMatchObject({ rawPath: '/numbers/50% #+1', rawQueryString: 'name=a%20b' });
    expect(event).toMatchObject({ requestContext: { http: { path: '/numbers/50% #+1' } } });
  });

  test('passes text as text', async () => {
    const headers = { 'content-type': 'application/json;charset=UTF-8' };

    const event = await eventOf('/', { method: 'POST', headers, body: '{"name":"café"}' });

    expect(event).toMatchObject({ body: '{"name":"café"}', isBase64Encoded: false });
  });

  test('passes a form, like everything that is not text, in base64', async () => {
    const event = await eventOf('/', { method: 'POST', body: new URLSearchParams({ a: '1' }) });

    expect(event).toMatchObject({ body: Buffer.from('a=1').toString('base64'), isBase64Encoded: true });
  });

  test('answers with the status, headers, cookies and body of its function', async () => {
    const response = await ask('/cookies', { method: 'DELETE' });

    expect(response.status).toBe(202);
    expect(response.headers.get('x-answer')).toBe('42');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('done');
  });

  test('answers bytes, and an empty body', async () => {
    expect([...new Uint8Array(await (await ask('/bytes')).arrayBuffer())]).toEqual([0, 255, 10]);
    expect(await ask('/empty')).toMatchObject({ status: 204, body: null });
  });

  test('uses an answer that is not a response as the body', async () => {
    const response = await ask('/plain');

    expect(response.status).toBe(200);
    expect(await response.json()).toEqual({ any: 'thing' });
  });

  test.each(['/throw', '/nonsense'])('does not show what failed inside: %s', async (path) => {
    const response = await ask(path);

    expect(response.status).toBe(500);
    expect(await response.json()).toEqual({ message: 'Internal Server Error' });
  });

  test('declines a body whose event is too large for an invocation: bytes travel in base64', async () => {
    const post = (body: string | Buffer<ArrayBuffer>, headers = {}) => ask('/plain', { method: 'POST', body, headers });
    const bytes = Buffer.alloc(5_000_000, 'x');

    expect((await post(bytes.toString())).status).toBe(200);
    expect((await post(bytes, { 'content-type': 'application/octet-stream' })).status).toBe(413);
    expect((await post('"'.repeat(3_200_000))).status).toBe(413);
  });
});

describe('an HTTP API with routes and an authorizer', () => {
  let emulator: Emulator;
  const authorization = { authorization: 'Bearer good' };
  const ask = (path: string, init?: RequestInit) => fetch(`${emulator.outputs.Address}${path}`, init);
  beforeAll(async () => {
    const { stackName, body } = apiStack({ Route: { RouteKey: 'GET /files/{proxy+}', AuthorizationType: 'JWT' } });
    const { Resources, ...more } = body as { readonly Resources: Record<string, { Properties: object }> };
    const other = (RouteKey: string) => ({
      ...Resources.Route,
      Properties: { ...Resources.Route?.Properties, RouteKey },
    });
    const routes = {
      One: other('GET /files/{name}/size'),
      Two: other('GET /files/all/size'),
      Send: other('POST /files'),
    };
    const resources = { ...Resources, ...routes, Slow: lambda('slow') };
    const template = { stackName, body: { ...more, Resources: resources } };
    const readClaims = (token: string) => (token === 'good' ? { sub: 'me' } : undefined);
    ({ emulator } = await startTestEmulator({ templates: [template], readClaims, capacity: 1 }));
  });
  afterAll(() => emulator.stop());

  test.each([
    ['/files/a', 'GET /files/{proxy+}'],
    ['/files/a/b/c?d=1', 'GET /files/{proxy+}'],
    ['/files/a/size', 'GET /files/{name}/size'],
    ['/files/all/size', 'GET /files/all/size'],
  ])('%s goes to the most specific route, %s', async (path, routeKey) => {
    const event = await (await ask(path, { headers: authorization })).json();

    expect(event).toMatchObject({
      routeKey,
      requestContext: { routeKey, authorizer: { jwt: { claims: { sub: 'me' } } } },
    });
  });

  test('its function does not wait for the work of others', async () => {
    const working = emulator.invoke('slow', { milliseconds: 1_000 });

    expect((await ask('/files/a', { headers: authorization })).status).toBe(200);

    expect(emulator.status().functions.slow?.running).toBe(1);
    await working;
  });

  test.each(['/files', '/files/', '/other/files/a'])('nothing is at %s', async (path) => {
    expect((await ask(path, { headers: authorization })).status).toBe(404);
  });

  test.each([undefined, 'Bearer bad', 'good', 'Basic good'])(
    'no function sees a request with the token %s',
    async (given) => {
      const before = emulator.status().functions.http?.invocations;
      const response = await ask('/files/a', given === undefined ? {} : { headers: { authorization: given } });

      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ message: 'Unauthorized' });
      expect(emulator.status().functions.http?.invocations).toBe(before);
    },
  );
});

describe('many calls of a page at once', () => {
  const most = availableParallelism() + 1;
  let emulator: Emulator;
  const ask = (path: string) => fetch(`${emulator.outputs.Address}${path}`);
  const statusOfFunction = () => emulator.status().functions.http;
  beforeEach(async () => {
    ({ emulator } = await startTestEmulator({ templates: [apiStack()] }));
  });
  afterEach(() => emulator.stop());

  test('start one environment more than there are processors, and wait for these', async () => {
    const askOften = (calls: number) => Promise.all(Array.from({ length: calls }, () => ask('/plain')));
    await expect.poll(async () => (await askOften(most)) && statusOfFunction()?.environments).toBe(most);
    const answers = await askOften(most + 20);

    expect(answers.map(({ ok }) => ok)).not.toContain(false);
    expect(statusOfFunction()?.environments).toBe(most);
  });

  test('that do not end keep no other one waiting for long', async () => {
    const endless = Array.from({ length: most }, () => ask('/never'));
    await expect.poll(() => statusOfFunction()?.running).toBe(most);

    expect((await ask('/plain')).ok).toBe(true);

    await emulator.stop();
    expect((await Promise.all(endless)).map(({ ok }) => ok)).not.toContain(true);
  });
});

describe('an HTTP API that the emulator cannot serve', () => {
  const around = { ...blueprintContext, httpApiEndpoints: { 'test-Api': 'http://127.0.0.1:2' } };
  const read = (changes: Readonly<Record<string, object>>) => readBlueprint([apiStack(changes)], around);

  test.each([
    ['a WebSocket', { Api: { ProtocolType: 'WEBSOCKET' } }, /Api \(AWS::ApiGatewayV2::Api\).*ProtocolType/s],
    ['a route for any method', { Route: { RouteKey: 'ANY /ports' } }, /Route .*RouteKey/s],
    ['an authorizer of another kind', { Route: { AuthorizationType: 'AWS_IAM' } }, /Route .*AuthorizationType/s],
    [
      'the older payload format',
      { Integration: { PayloadFormatVersion: '1.0' } },
      /Integration .*PayloadFormatVersion/s,
    ],
    ['a named stage', { Stage: { StageName: 'v1' } }, /Stage .*StageName/s],
    [
      'a route to nowhere',
      { Route: { Target: 'integrations/other' } },
      'test: Api: an HTTP API needs a stage $default',
    ],
  ])('%s is named', (_, changes, message) => {
    expect(() => read(changes)).toThrow(message);
  });
});
