// An emulator with an access key: requests of other keys, and unsigned ones, reach no service.

import { mkdtemp, rm } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { CreateBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AwsRouter, openAwsRouter } from '#local/http/aws-router.ts';
import { readBody, sendJson } from '#local/http/loopback.ts';
import {
  type AccessKey,
  isSignedWith,
  newAccessKey,
  openKey,
  readSignature,
  sha256,
  sign,
} from '#local/http/signature.ts';
import { type EmbeddedS3, openS3 } from '#local/s3/server.ts';

const accessKey = newAccessKey();
const others: readonly (readonly [string, AccessKey])[] = [
  ['the key of an emulator with the simulator', openKey],
  ['the id of the key and another secret', { ...accessKey, secretAccessKey: newAccessKey().secretAccessKey }],
  ['another id', { ...accessKey, accessKeyId: 'LOCAL0' }],
  ['the id of S3 and the secret that everybody knows', { ...openKey, accessKeyId: 'S3-PROD-END' }],
];

let folder: string;
let router: AwsRouter;
let s3: EmbeddedS3;
const reached: string[] = [];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'simporter-signature-'));
  router = await openAwsRouter({ accessKey });
  const note = (name: string) => async (request: IncomingMessage, response: Parameters<typeof sendJson>[0]) => {
    reached.push(`${name} ${(await readBody(request, 1_000)).toString()}`);
    sendJson(response, 200, {});
  };
  s3 = openS3({
    directory: folder,
    region: 'eu-west-2',
    clock: Date.now,
    deliver: async () => {},
    log: () => {},
    accessKey,
  });
  router.route({
    sqs: note('sqs'),
    dynamodb: note('dynamodb'),
    secretsManager: note('secrets'),
    eventBridge: note('events'),
    lambda: note('lambda'),
    status: note('status'),
    events: note('shown events'),
    s3: s3.handle,
  });
  await clients(accessKey).s3.send(new CreateBucketCommand({ Bucket: 'inbox' }));
});
afterAll(async () => {
  await router.close();
  s3.stop();
  await rm(folder, { recursive: true, force: true });
});

const clients = (credentials: AccessKey) => {
  const connection = { region: 'eu-west-2', credentials, endpoint: router.url, maxAttempts: 1 };
  return { connection, s3: new S3Client({ ...connection, forcePathStyle: true }) };
};
const Message = { QueueUrl: 'http://127.0.0.1/1/submit', MessageAttributeNames: ['ü'] };
const calls: readonly (readonly [string, (key: AccessKey) => Promise<unknown>])[] = [
  ['SQS', (key) => new SQSClient(clients(key).connection).send(new ReceiveMessageCommand(Message))],
  ['DynamoDB', (key) => new DynamoDBClient(clients(key).connection).send(new ListTablesCommand())],
  [
    'Secrets Manager',
    (key) => new SecretsManagerClient(clients(key).connection).send(new GetSecretValueCommand({ SecretId: 'service' })),
  ],
  ['EventBridge', (key) => new EventBridgeClient(clients(key).connection).send(new PutEventsCommand({ Entries: [] }))],
  [
    'Lambda',
    (key) =>
      new LambdaClient(clients(key).connection).send(
        new InvokeCommand({ FunctionName: 'a:function b', Payload: '{}' }),
      ),
  ],
  [
    'S3',
    (key) => clients(key).s3.send(new PutObjectCommand({ Bucket: 'inbox', Key: "a b/ü'(1)*.csv", Body: 'msisdn' })),
  ],
];

describe.each(calls)('%s', (name, call) => {
  test('takes requests that are signed with the key', async () => {
    reached.length = 0;
    await call(accessKey);
    if (name !== 'S3') expect(reached).toEqual([expect.stringContaining('{')]);
  });

  test.each(others)('declines those of %s', async (_, key) => {
    reached.length = 0;
    await expect(call(key)).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    expect(reached).toEqual([]);
  });
});

test.each([
  ['SQS', 'POST', '/', { 'x-amz-target': 'AmazonSQS.ReceiveMessage' }],
  ['DynamoDB', 'POST', '/', { 'x-amz-target': 'DynamoDB_20120810.Scan' }],
  ['Secrets Manager', 'POST', '/', { 'x-amz-target': 'secretsmanager.GetSecretValue' }],
  ['Lambda', 'POST', '/2015-03-31/functions/sync/invocations', { 'x-amz-invocation-type': 'Event' }],
  ['a file', 'GET', '/inbox/a.csv', {}],
  ['a file with half a signature', 'GET', '/inbox/a.csv', { authorization: 'AWS4-HMAC-SHA256 Credential=a' }],
  ['a list of files', 'GET', '/inbox', {}],
  ['the status', 'GET', '/_emulator/status', {}],
  ['events of another secret', 'GET', '/_emulator/events', { authorization: 'Bearer local' }],
])('an unsigned request for %s is declined', async (_, method, path, headers: Record<string, string>) => {
  reached.length = 0;
  const response = await fetch(`${router.url}${path}`, { method, headers, ...(method === 'POST' && { body: '{}' }) });
  expect(response.status).toBe(403);
  expect(reached).toEqual([]);
});

test('the command line reads the events with the secret of the key', async () => {
  const headers = { authorization: `Bearer ${accessKey.secretAccessKey}` };
  expect((await fetch(`${router.url}/_emulator/events`, { headers })).status).toBe(200);
});

test('a link that another key signed opens no file, and one of the key does', async () => {
  await calls.at(-1)?.[1](accessKey);
  const linkOf = (key: AccessKey) =>
    getSignedUrl(clients(key).s3, new PutObjectCommand({ Bucket: 'inbox', Key: 'link.csv' }));
  const upload = async (url: string) => (await fetch(url, { method: 'PUT', body: 'msisdn' })).status;
  for (const [, key] of others) expect(await upload(await linkOf(key))).toBe(403);
  expect(await upload(await linkOf(accessKey))).toBe(200);
});

test('a body is verified, and read by the service, where no header states its hash', async () => {
  const statement = { keyId: accessKey.accessKeyId, scope: ['20260701', 'eu-west-2', 'sqs', 'aws4_request'] };
  const signature = {
    ...statement,
    date: '20260701T100000Z',
    names: ['host', 'x-amz-date'],
    content: sha256('{"a":1}'),
  };
  const target = { 'x-amz-target': 'AmazonSQS.SendMessage', 'x-amz-date': signature.date };
  const request = { method: 'POST', url: '/', headers: { ...target, host: new URL(router.url).host } };
  const text = sign(accessKey.secretAccessKey, request, signature, 2);
  const credential = `${signature.keyId}/${signature.scope.join('/')}`;
  const authorization = `AWS4-HMAC-SHA256 Credential=${credential}, SignedHeaders=host;x-amz-date, Signature=${text}`;
  const send = (body: string) => fetch(router.url, { method: 'POST', body, headers: { ...target, authorization } });
  reached.length = 0;
  expect((await send('{"a":2}')).status).toBe(403);
  expect((await send('{"a":1}')).status).toBe(200);
  expect(reached).toEqual(['sqs {"a":1}']);
});

// From the test suite of Signature Version 4 that AWS publishes.
test.each([
  ['get-vanilla', 'GET', '/', '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31'],
  ['post-vanilla', 'POST', '/', '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b'],
  [
    'get-vanilla-query-order-key-case',
    'GET',
    '/?Param2=value2&Param1=value1',
    'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  ],
])(
  'the signature of %s is that of AWS, with the hash of the body where no header states it',
  (_, method, url, text) => {
    const names = 'SignedHeaders=host;x-amz-date';
    const authorization = `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, ${names}, `;
    const date = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z' };
    const request = { method, url, headers: { ...date, authorization: `${authorization}Signature=${text}` } };
    const signature = readSignature(request);
    const check = (body: string) =>
      signature &&
      isSignedWith('wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY', request, { ...signature, content: sha256(body) }, 2);
    expect(signature?.content).toBeUndefined();
    expect([check(''), check('x')]).toEqual([true, false]);
  },
);
