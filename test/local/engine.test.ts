// The engine as a whole, on small templates: what it starts, what it keeps, and what it leaves behind (nothing).
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ListQueuesCommand, ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findRunningEngine } from '#local/directory.ts';
import type { Engine } from '#local/engine.ts';
import { connectionTo, depthOf, receiveUntil, recordsOf, sendAll, startTestEngine } from '../support/local-engine.ts';
import { arnOf, queue, recordingStack, stackOf } from '../support/local-templates.ts';

let running: Engine[] = [];
let directory: string;
const start = async (options: Parameters<typeof startTestEngine>[0]) => {
  const started = await startTestEngine(options);
  running.push(started.engine);
  return started;
};
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simporter-test-'));
});
afterEach(async () => {
  await Promise.all(running.map((engine) => engine.stop()));
  running = [];
  await rm(directory, { recursive: true, force: true });
});

const storage = stackOf(
  {
    Inbox: {
      Type: 'AWS::S3::Bucket',
      Properties: {
        NotificationConfiguration: {
          QueueConfigurations: [
            {
              Event: 's3:ObjectCreated:*',
              Queue: arnOf('Arrivals'),
              Filter: { S3Key: { Rules: [{ Name: 'suffix', Value: '.csv' }] } },
            },
          ],
        },
      },
    },
    Arrivals: queue(),
    Results: {
      Type: 'AWS::DynamoDB::GlobalTable',
      Properties: {
        AttributeDefinitions: [{ AttributeName: 'pk', AttributeType: 'S' }],
        KeySchema: [{ AttributeName: 'pk', KeyType: 'HASH' }],
      },
    },
    Token: { Type: 'AWS::SecretsManager::Secret', Properties: { GenerateSecretString: { PasswordLength: 20 } } },
    Role: { Type: 'AWS::IAM::Role' },
  },
  {
    Outputs: {
      Bucket: { Value: { Ref: 'Inbox' } },
      ArrivalsUrl: { Value: { Ref: 'Arrivals' } },
      Table: { Value: { Ref: 'Results' } },
      Secret: { Value: { Ref: 'Token' } },
    },
  },
);

const storageClients = (engine: Engine) => ({
  s3: new S3Client(connectionTo(engine.endpoints.s3)),
  dynamodb: new DynamoDBClient(connectionTo(engine.endpoints.dynamodb)),
  secrets: new SecretsManagerClient(connectionTo(engine.endpoints.secretsManager)),
});

const secretOf = async (engine: Engine) => {
  const command = new GetSecretValueCommand({ SecretId: engine.outputs.Secret });
  return (await storageClients(engine).secrets.send(command)).SecretString;
};

describe('an engine', () => {
  test('delivers what is sent to a queue to the function the template maps it to', async () => {
    const { engine, sqs } = await start({ templates: [recordingStack()] });

    await sendAll(sqs, engine.outputs.WorkUrl, ['hello']);

    const [record] = recordsOf(await receiveUntil(sqs, engine.outputs.RecordsUrl, 1));
    expect(record?.bodies).toEqual(['hello']);
  });

  test('announces an upload to the queue of the template, after the test event', async () => {
    const { engine, sqs } = await start({ templates: [storage] });
    const { s3 } = storageClients(engine);

    await s3.send(new PutObjectCommand({ Bucket: engine.outputs.Bucket, Key: 'create-port/a.csv', Body: 'msisdn\n' }));

    const bodies = (await receiveUntil(sqs, engine.outputs.ArrivalsUrl, 2)).map(({ Body }) => JSON.parse(Body ?? ''));
    expect(bodies[0]).toMatchObject({ Event: 's3:TestEvent', Bucket: engine.outputs.Bucket });
    expect(bodies[1].Records[0].s3.object.key).toBe('create-port/a.csv');
  });

  test('names the resource and the type that it cannot run, and leaves nothing running', async () => {
    const templates = [stackOf({ Machine: { Type: 'AWS::StepFunctions::StateMachine' } })];

    await expect(start({ templates, directory })).rejects.toThrow(
      'test: the engine cannot run Machine (AWS::StepFunctions::StateMachine)',
    );
    expect(existsSync(join(directory, 'engine.lock'))).toBe(false);
  });

  test('takes its temporary folder away when it stops', async () => {
    const { engine } = await start({ templates: [storage] });
    expect(existsSync(engine.directory)).toBe(true);

    await engine.stop();

    expect(existsSync(engine.directory)).toBe(false);
  });

  test('uses the services that the caller names instead of its own', async () => {
    const outside = await start({ templates: [storage] });

    const { engine } = await start({
      templates: [recordingStack()],
      callerEnvironment: { AWS_ENDPOINT_URL_SQS: outside.engine.endpoints.sqs },
    });

    const { QueueUrls } = await outside.sqs.send(new ListQueuesCommand({}));
    expect(engine.endpoints.sqs).toBe(outside.engine.endpoints.sqs);
    expect(QueueUrls).toContain(engine.outputs.WorkUrl);
  });

  test('runs a function for another process through the Invoke call of Lambda', async () => {
    const { engine } = await start({ templates: [recordingStack()] });

    const response = await fetch(`${engine.endpoints.lambda}/2015-03-31/functions/record/invocations`, {
      method: 'POST',
      body: JSON.stringify({ Records: [{ body: 'by hand' }] }),
    });

    expect(await response.json()).toMatchObject({ bodies: ['by hand'] });
  });
});

describe('an engine with a folder', () => {
  test('keeps objects, items, messages, secrets and endpoints over a restart', async () => {
    const first = await start({ templates: [storage], directory });
    const { s3, dynamodb } = storageClients(first.engine);
    const { Bucket, Table, ArrivalsUrl } = first.engine.outputs;
    await s3.send(new PutObjectCommand({ Bucket, Key: 'kept.csv', Body: 'bytes' }));
    await dynamodb.send(new PutItemCommand({ TableName: Table, Item: { pk: { S: 'kept' } } }));
    const secret = await secretOf(first.engine);
    await first.engine.stop();

    const second = await start({ templates: [storage], directory });

    expect(second.engine.endpoints).toEqual(first.engine.endpoints);
    expect(await secretOf(second.engine)).toBe(secret);
    const again = storageClients(second.engine);
    const object = await again.s3.send(new GetObjectCommand({ Bucket, Key: 'kept.csv' }));
    expect(await object.Body?.transformToString()).toBe('bytes');
    const { Item } = await again.dynamodb.send(new GetItemCommand({ TableName: Table, Key: { pk: { S: 'kept' } } }));
    expect(Item).toEqual({ pk: { S: 'kept' } });
    // The test event and the upload; the same configuration is not announced twice.
    expect(await depthOf(second.sqs, ArrivalsUrl)).toEqual({ ready: 2, inFlight: 0 });
  });

  test('shows messages again at once that were in flight when it ended', async () => {
    const first = await start({ templates: [storage], directory });
    await sendAll(first.sqs, first.engine.outputs.ArrivalsUrl, ['taken']);
    await first.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: first.engine.outputs.ArrivalsUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 43_200,
      }),
    );
    await first.engine.stop();

    const { engine, sqs } = await start({ templates: [storage], directory });

    expect(await depthOf(sqs, engine.outputs.ArrivalsUrl)).toEqual({ ready: 2, inFlight: 0 });
  });

  test('is the only one there', async () => {
    await start({ templates: [storage], directory });

    await expect(start({ templates: [storage], directory })).rejects.toThrow(
      `An engine already runs on ${directory} (process ${process.pid})`,
    );
  });

  test('is found by the command line while it runs, without any secret in its file', async () => {
    const { engine } = await start({ templates: [storage], directory, speed: 60 });

    const found = await findRunningEngine(directory);
    const { mode } = await stat(join(directory, 'engine.json'));
    await engine.stop();

    expect(found).toMatchObject({ pid: process.pid, endpoints: engine.endpoints, outputs: engine.outputs, speed: 60 });
    expect((mode & 0o777).toString(8)).toBe('600');
    expect(await findRunningEngine(directory)).toBeUndefined();
  });
});
