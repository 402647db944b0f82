// Requests that a web page, a broken client or an attacker may send to the local emulator: none of them reads or
// changes anything, and none of them ends it.
import { type ClientRequest, type IncomingMessage, request as send } from 'node:http';
import { connect } from 'node:net';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, ListObjectsV2Command, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Emulator } from '#local/emulator-options.ts';
import { cpuMs } from '../support/cpu-time.ts';
import { connectionTo, startTestEmulator } from '../support/emulator/emulator.ts';
import { recordingStack } from '../support/emulator/templates.ts';

const page = 'http://127.0.0.1:5173';
const attacker = 'https://attacker.example';
const template = recordingStack(
  {},
  {
    Inbox: { Type: 'AWS::S3::Bucket' },
    Token: { Type: 'AWS::SecretsManager::Secret', Properties: { SecretString: 'the secret' } },
    Results: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      },
    },
  },
);

let emulator: Emulator;
let reports: readonly string[];
let s3: S3Client;
let url: string;
beforeAll(async () => {
  ({ emulator, reports } = await startTestEmulator({ templates: [template], allowedOrigins: [page] }));
  url = emulator.endpoints.s3;
  s3 = new S3Client(connectionTo(url));
  await s3.send(new PutObjectCommand({ Bucket: 'test-inbox', Key: 'numbers.csv', Body: 'msisdn' }));
});
afterAll(() => emulator.stop());

interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

/** `fetch` chooses the headers Host and Origin itself. */
const ask = (path: string, method = 'GET', headers: Record<string, string> = {}, body = ''): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const request: ClientRequest = send(`${url}${path}`, { method, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text: Buffer.concat(chunks).toString(),
        }),
      );
      response.on('error', reject);
    });
    request.on('error', reject).end(body);
  });

const target = (name: string) => ({ 'x-amz-target': name, 'content-type': 'application/x-amz-json-1.1' });
const invocation = '/2015-03-31/functions/record/invocations';
/** One request to each service, which would read or change something. */
const requests: [string, string, string, Record<string, string>, string][] = [
  ['an object', '/test-inbox/numbers.csv', 'GET', {}, ''],
  ['the list of buckets', '/', 'GET', {}, ''],
  ['a new object', '/test-inbox/new.csv', 'PUT', {}, 'x'],
  ['a table', '/', 'POST', target('DynamoDB_20120810.ListTables'), '{}'],
  ['a queue', '/', 'POST', target('AmazonSQS.ListQueues'), '{}'],
  ['a secret', '/', 'POST', target('secretsmanager.GetSecretValue'), '{"SecretId":"test-Token"}'],
  ['the event bus', '/_emulator/events', 'GET', {}, ''],
  ['the status', '/_emulator/status', 'GET', {}, ''],
  ['an invocation', invocation, 'POST', { 'content-type': 'application/json' }, '{}'],
];
const invocations = () => emulator.status().functions.record?.invocations;

describe.each(requests)('a request for %s', (_, path, method, headers, body) => {
  test.each([
    ['for a foreign host', { host: 'attacker.example' }],
    ['for a foreign host with the port of the emulator', { host: 'attacker.example:4566' }],
    ['for a host that begins like this machine', { host: '127.0.0.1.attacker.example' }],
    ['of a foreign page', { origin: attacker }],
    ['of a page without an origin', { origin: 'null' }],
    [
      'that a foreign page makes without naming its origin',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' },
    ],
    ['that a foreign page opens in its place', { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    [
      'that a page of this machine opens in a frame',
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
    ],
  ])('%s is declined', async (_reason, more) => {
    const before = invocations();
    const answer = await ask(path, method, { ...headers, ...more }, body);
    expect(answer.status).toBe(403);
    expect(answer.text).not.toContain('the secret');
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    expect(invocations()).toBe(before);
  });
});

describe('a page that is allowed', () => {
  test('may read objects, with the header that lets its browser show them', async () => {
    const answer = await ask('/test-inbox/numbers.csv', 'GET', { origin: page });
    expect(answer).toMatchObject({ status: 200, text: 'msisdn' });
    expect(answer.headers['access-control-allow-origin']).toBe(page);
  });

  test('gets an answer to the preflight request of an upload', async () => {
    const headers = {
      origin: page,
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'x-amz-date',
    };
    const answer = await ask('/test-inbox/new.csv', 'OPTIONS', headers);
    expect(answer.status).toBe(204);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': page,
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': 'x-amz-date',
    });
  });
});

describe('no service opens itself to pages', () => {
  test.each(requests)('by the answer for %s', async (_, path, method, headers, body) => {
    const answer = await ask(path, method, headers, body);
    expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    expect(answer.headers['x-content-type-options']).toBe('nosniff');
  });

  test('because a query asks S3 for the header', async () => {
    const query = '?response-access-control-allow-origin=*&response-content-type=text/html';
    const answer = await ask(`/test-inbox/numbers.csv${query}`, 'GET', { authorization: 'AWS4-HMAC-SHA256' });
    expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
  });
});

describe('headers of an object that a query asks for', () => {
  test('are given to a signed request, as on AWS', async () => {
    const command = new GetObjectCommand({
      Bucket: 'test-inbox',
      Key: 'numbers.csv',
      ResponseContentDisposition: 'attachment; filename="a.csv"',
      ResponseContentType: 'text/csv',
    });
    expect(await s3.send(command)).toMatchObject({
      ContentDisposition: 'attachment; filename="a.csv"',
      ContentType: 'text/csv',
    });
  });

  test('are declined in a request that is not signed', async () => {
    const answer = await ask('/test-inbox/numbers.csv?response-content-type=text/html');
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('<Code>InvalidRequest</Code>') });
  });

  test('are declined with characters that no header has', async () => {
    const path = '/test-inbox/numbers.csv?response-content-type=a%0d%0aset-cookie:b';
    const answer = await ask(path, 'GET', { authorization: 'AWS4-HMAC-SHA256' });
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('<Code>InvalidArgument</Code>') });
  });
});

describe('a POST that a page may send without being asked for its origin', () => {
  test.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x', undefined])(
    'as %s invokes no function and deletes no object',
    async (type) => {
      const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
      const before = invocations();
      expect(await ask(invocation, 'POST', headers, '{}')).toMatchObject({ status: 403 });
      const deletion = '<Delete><Object><Key>numbers.csv</Key></Object></Delete>';
      expect(await ask('/test-inbox?delete', 'POST', headers, deletion)).toMatchObject({ status: 403 });
      expect(invocations()).toBe(before);
      expect(await ask('/test-inbox/numbers.csv')).toMatchObject({ status: 200 });
    },
  );
});

const deep = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;
const deepObject = `{"a":${deep}}`;
const large = `"${'x'.repeat(40_000_000)}"`;

describe('the emulator goes on after', () => {
  test.each(['/%', '/%ff', '/test-inbox/%', '/2015-03-31/functions/%/invocations', '/_emulator/%'])(
    'a path that cannot be decoded: %s',
    async (path) => {
      for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
        const { status } = await ask(path, method, { 'content-type': 'application/json' });
        // 501: the embedded service has no such operation.
        expect(status === 501 ? 400 : status).toBeLessThan(500);
      }
      expect(await ask('/%')).toMatchObject({ status: 400, text: expect.stringContaining('<Code>InvalidURI</Code>') });
    },
  );

  test.each(requests)('half a request for %s', async (_, path, method, headers) => {
    const lines = Object.entries({ ...headers, 'content-length': '1000' }).map(([name, value]) => `${name}: ${value}`);
    const socket = connect(Number(new URL(url).port), '127.0.0.1');
    const text = [`${method} ${path} HTTP/1.1`, 'host: 127.0.0.1', ...lines, '', '{"half'].join('\r\n');
    await new Promise<void>((resolve) => socket.write(text, () => resolve()));
    socket.destroy();
  });

  test.each([
    ['nested too deeply', deep],
    ['an object nested too deeply', deepObject],
    ['too large', large],
    ['not JSON', '{"a'],
    ['a number', '1'],
    ['null', 'null'],
  ])('a body that is %s', async (_, body) => {
    for (const [, path, method, headers] of requests.filter(([, , method]) => method === 'POST')) {
      // The connection is closed while the client still sends, so the client may not see the answer.
      const answer = await ask(path, method, headers, body).catch(() => ({ status: 0 }));
      expect(answer.status, path).not.toBe(403);
      expect(answer.status, path).toBeLessThan(500);
    }
  });

  test.each([
    ['a size that is no number', 'zz\r\n'],
    ['a negative size', '-5\r\nhello'],
    ['a size that never ends', 'f'.repeat(100_000)],
  ])('an upload in chunks with %s', async (_, body) => {
    const headers = { 'content-encoding': 'aws-chunked', 'x-amz-decoded-content-length': '5' };
    const answer = await ask('/test-inbox/chunked.csv', 'PUT', headers, body);
    expect(answer).toMatchObject({ status: 400, text: expect.stringContaining('<Code>IncompleteBody</Code>') });
  });

  test('XML that is made to be slow', async () => {
    const headers = { authorization: 'AWS4-HMAC-SHA256' };
    const spent = await cpuMs(async () => {
      await ask('/test-inbox?delete', 'POST', headers, '<Object>'.repeat(400_000));
      await ask('/test-inbox?delete', 'POST', headers, '<Object '.repeat(400_000));
      await ask('/test-inbox?delete', 'POST', headers, '<Object><Key>&#x7fffffff;</Key></Object>');
    });
    expect(spent).toBeLessThan(2_000);
  });

  test.each([...'\u0000\u0001\u0007\n\r\u001b\u007f\u0085\u200e\u202e\ufffe'].map((one) => [one.codePointAt(0), one]))(
    'a key with the character %i',
    async (_, character) => {
      const key = `keys/a${character}b.csv`;
      const path = `/test-inbox/${encodeURIComponent(key)}`;
      const { status, text } = await ask(path, 'PUT', {}, 'x');
      // No XML can contain some of them: then the key is declined, as long as it is never half stored.
      if (status !== 200) return expect([status, text.includes('<Code>')]).toEqual([400, true]);
      const listed = await s3.send(new ListObjectsV2Command({ Bucket: 'test-inbox', Prefix: 'keys/' }));
      expect(listed.Contents?.map(({ Key }) => Key)).toEqual([key]);
      expect((await ask(path)).text).toBe('x');
      expect((await ask(path, 'DELETE')).status).toBe(204);
    },
  );

  test.each(['-1', 'many', '1e99'])('a page of %s keys', async (keys) => {
    expect((await ask(`/test-inbox?list-type=2&max-keys=${keys}`)).status).toBeLessThan(500);
  });

  afterAll(async () => {
    const table = new DynamoDBClient(connectionTo(url));
    await table.send(new PutItemCommand({ TableName: 'test-Results', Item: { pk: { S: 'a' } } }));
    const { Item } = await table.send(new GetItemCommand({ TableName: 'test-Results', Key: { pk: { S: 'a' } } }));
    expect(Item).toEqual({ pk: { S: 'a' } });
    expect(await emulator.invoke('record', { Records: [] })).toMatchObject({ ok: true });
    expect(reports).toEqual([]);
    table.destroy();
  });
});
