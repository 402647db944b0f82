// The emulator as a whole, on small templates: what it starts, what it keeps, and that it leaves nothing behind.
import { existsSync } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ReceiveMessageCommand } from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { findRunningEmulator } from '#local/data-folder.ts';
import type { Emulator } from '#local/emulator-options.ts';
import {
  connectionTo,
  depthOf,
  receiveUntil,
  recordsOf,
  sendAll,
  startTestEmulator,
} from '../support/emulator/emulator.ts';
import { arnOf, queue, recordingStack, stackOf } from '../support/emulator/templates.ts';
import { notOn } from '../support/not-on.ts';

let running: Emulator[] = [];
let directory: string;
const start = async (options: Parameters<typeof startTestEmulator>[0]) => {
  const started = await startTestEmulator(options);
  running.push(started.emulator);
  return started;
};
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'simporter-test-'));
});
afterEach(async () => {
  await Promise.all(running.map((emulator) => emulator.stop()));
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

const storageClients = (emulator: Emulator) => ({
  s3: new S3Client(connectionTo(emulator.endpoints.s3)),
  dynamodb: new DynamoDBClient(connectionTo(emulator.endpoints.dynamodb)),
  secrets: new SecretsManagerClient(connectionTo(emulator.endpoints.secretsManager)),
});

const secretOf = async (emulator: Emulator) => {
  const command = new GetSecretValueCommand({ SecretId: emulator.outputs.Secret });
  return (await storageClients(emulator).secrets.send(command)).SecretString;
};

describe('an emulator', () => {
  test('delivers messages of a queue to the function that the template maps it to', async () => {
    const { emulator, sqs } = await start({ templates: [recordingStack()] });

    await sendAll(sqs, emulator.outputs.WorkUrl, ['hello']);

    const [record] = recordsOf(await receiveUntil(sqs, emulator.outputs.RecordsUrl, 1));
    expect(record?.bodies).toEqual(['hello']);
  });

  test('notifies the queue of the template of an upload, after the test event', async () => {
    const { emulator, sqs } = await start({ templates: [storage] });
    const { s3 } = storageClients(emulator);

    await s3.send(
      new PutObjectCommand({ Bucket: emulator.outputs.Bucket, Key: 'create-port/a.csv', Body: 'msisdn\n' }),
    );

    const bodies = (await receiveUntil(sqs, emulator.outputs.ArrivalsUrl, 2)).map(({ Body }) => JSON.parse(Body ?? ''));
    expect(bodies[0]).toMatchObject({ Event: 's3:TestEvent', Bucket: emulator.outputs.Bucket });
    expect(bodies[1].Records[0].s3.object.key).toBe('create-port/a.csv');
  });

  test('names the resource and the type that it cannot run, and leaves nothing running', async () => {
    const templates = [stackOf({ Machine: { Type: 'AWS::StepFunctions::StateMachine' } })];

    await expect(start({ templates, directory })).rejects.toThrow(
      'test: the emulator cannot run Machine (AWS::StepFunctions::StateMachine)',
    );
    expect(existsSync(join(directory, 'emulator.lock'))).toBe(false);
  });

  test('removes its temporary folder when it stops', async () => {
    const { emulator } = await start({ templates: [storage] });
    expect(existsSync(emulator.directory)).toBe(true);

    await emulator.stop();

    expect(existsSync(emulator.directory)).toBe(false);
  });

  test('runs a function for another process by the Invoke call of Lambda', async () => {
    const { emulator } = await start({ templates: [recordingStack()] });

    const lambda = new LambdaClient(connectionTo(emulator.endpoints.lambda));
    const Payload = JSON.stringify({ Records: [{ body: 'by hand' }] });
    const answer = await lambda.send(new InvokeCommand({ FunctionName: 'record', Payload }));

    expect(JSON.parse(answer.Payload?.transformToString() ?? '')).toMatchObject({ bodies: ['by hand'] });
  });
});

describe('an emulator with a folder', () => {
  test('keeps objects, items, messages, secrets and endpoints over a restart', async () => {
    const first = await start({ templates: [storage], directory });
    const { s3, dynamodb } = storageClients(first.emulator);
    const { Bucket, Table, ArrivalsUrl } = first.emulator.outputs;
    await s3.send(new PutObjectCommand({ Bucket, Key: 'kept.csv', Body: 'bytes' }));
    await dynamodb.send(new PutItemCommand({ TableName: Table, Item: { pk: { S: 'kept' } } }));
    const secret = await secretOf(first.emulator);
    await first.emulator.stop();

    const second = await start({ templates: [storage], directory });

    expect(second.emulator.endpoints).toEqual(first.emulator.endpoints);
    expect(await secretOf(second.emulator)).toBe(secret);
    const again = storageClients(second.emulator);
    const object = await again.s3.send(new GetObjectCommand({ Bucket, Key: 'kept.csv' }));
    expect(await object.Body?.transformToString()).toBe('bytes');
    const { Item } = await again.dynamodb.send(new GetItemCommand({ TableName: Table, Key: { pk: { S: 'kept' } } }));
    expect(Item).toEqual({ pk: { S: 'kept' } });
    // The test event and the upload: the same configuration makes no second test event.
    expect(await depthOf(second.sqs, ArrivalsUrl)).toEqual({ ready: 2, inFlight: 0 });
  });

  test('redelivers at once the messages that were in flight when it stopped', async () => {
    const first = await start({ templates: [storage], directory });
    await sendAll(first.sqs, first.emulator.outputs.ArrivalsUrl, ['taken']);
    await first.sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: first.emulator.outputs.ArrivalsUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout: 43_200,
      }),
    );
    await first.emulator.stop();

    const { emulator, sqs } = await start({ templates: [storage], directory });

    expect(await depthOf(sqs, emulator.outputs.ArrivalsUrl)).toEqual({ ready: 2, inFlight: 0 });
  });

  test('is the only one on its folder', async () => {
    await start({ templates: [storage], directory });

    await expect(start({ templates: [storage], directory })).rejects.toThrow(
      `An emulator already runs on ${directory} (process ${process.pid})`,
    );
  });

  test('is found by the command line while it runs, by a file without secrets', async () => {
    const { emulator } = await start({ templates: [storage], directory, speed: 60 });

    const found = await findRunningEmulator(directory);
    await emulator.stop();

    expect(found).toMatchObject({
      pid: process.pid,
      endpoints: emulator.endpoints,
      outputs: emulator.outputs,
      speed: 60,
    });
    expect(await findRunningEmulator(directory)).toBeUndefined();
  });

  notOn(['Windows'], 'files have no mode bits')('its file is closed to others', async () => {
    const { emulator } = await start({ templates: [storage], directory });
    const { mode } = await stat(join(directory, 'emulator.json'));
    await emulator.stop();
    expect((mode & 0o777).toString(8)).toBe('600');
  });
});
