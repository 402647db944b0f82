// The emulator as a whole, on small templates: what it starts, what it keeps, and that it leaves nothing behind.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DynamoDBClient, GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { InvokeCommand, LambdaClient } from '@aws-sdk/client-lambda';
import { GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { ReceiveMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
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
import { arnOf, eventPolicy, lambda, mapping, queue, recordingStack, stackOf } from '../support/emulator/templates.ts';
import { notOn } from '../support/not-on.ts';
import { descendants, isRunning } from '../support/processes.ts';

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
      DependsOn: 'ArrivalsPolicy',
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
    ArrivalsPolicy: eventPolicy('Arrivals'),
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

// `kill -9` of the emulator: every program ends with it, and the next start continues with all data.
describe('after a crash', () => {
  let emulator: Emulator | undefined;
  afterEach(() => emulator?.stop());

  const program = fileURLToPath(new URL('../support/emulator/emulator-process.ts', import.meta.url));

  const startProcess = async (options: object, environment: NodeJS.ProcessEnv = {}) => {
    const child = spawn(process.execPath, [program, JSON.stringify(options)], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...environment },
    });
    const [line] = await once(child.stdout, 'data');
    return { child, outputs: JSON.parse(String(line)) as Record<string, string> };
  };

  /** A function that never finishes what it gets from the queue `Work`. */
  const stuck = stackOf(
    {
      Work: queue({ VisibilityTimeout: 3_600 }),
      Records: queue(),
      Stuck: lambda('stuck', { Timeout: 900 }),
      Source: mapping('Work', 'Stuck'),
    },
    { Outputs: { WorkUrl: { Value: { Ref: 'Work' } } } },
  );

  notOn(['Windows'], 'the processes of the machine are listed by ps')(
    'a message in flight when the emulator was killed is redelivered at the next start',
    async () => {
      const { child, outputs } = await startProcess({ directory, templates: [stuck] });
      const sqs = new SQSClient(connectionTo(new URL(outputs.WorkUrl ?? '').origin));
      await sendAll(sqs, outputs.WorkUrl, ['precious']);
      const pidOfStuck = async () =>
        Number(await readFile(join(directory, 'logs', 'stuck.log'), 'utf8').catch(() => 'NaN'));
      await expect.poll(pidOfStuck).toBeGreaterThan(0);
      const environment = await pidOfStuck();
      const programs = descendants(child.pid ?? 0);
      expect(programs).toContain(environment);

      child.kill('SIGKILL');
      await once(child, 'exit');

      await expect.poll(() => programs.filter(isRunning)).toEqual([]);
      const restarted = await startTestEmulator({ directory, templates: [recordingStack()] });
      emulator = restarted.emulator;
      const [record] = recordsOf(await receiveUntil(restarted.sqs, emulator.outputs.RecordsUrl, 1));
      expect(record?.bodies).toEqual(['precious']);
    },
  );

  test('the temporary folder of an emulator that was killed is removed by the next one', async () => {
    const temporary = await mkdtemp(join(directory, 'tmp-'));
    const environment = { TMPDIR: temporary, TEMP: temporary };
    const foldersOf = async () => (await readdir(temporary)).filter((name) => name.startsWith('aws-emulator-'));
    const killed = await startProcess({ templates: [recordingStack()] }, environment);
    const [left] = await foldersOf();
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    expect(await foldersOf()).toEqual([left]);

    const next = await startProcess({ templates: [recordingStack()] }, environment);

    const folders = await foldersOf();
    next.child.kill('SIGKILL');
    await once(next.child, 'exit');
    expect(folders).toHaveLength(1);
    expect(folders).not.toContain(left);
  });
});

// A start that fails ends soon, names the cause, and leaves nothing behind.
describe('a start that fails', () => {
  const templates = [recordingStack({}, { Inbox: { Type: 'AWS::S3::Bucket' } })];

  /** The guards of programs that this process has started. */
  const guards = (): number[] => descendants(process.pid, 'child-launcher.ts');

  const garbage = 'this is no database, and longer than the header of one would be: '.repeat(10);

  const listsProcesses = notOn(['Windows'], 'the processes of the machine are listed by ps');

  describe('a start', () => {
    listsProcesses.each<[string, (path: string) => Promise<unknown>]>([
      ['sqs.sqlite', (path) => mkdir(path)],
      ['sqs.sqlite', (path) => writeFile(path, garbage)],
      ['dynamodb.sqlite', (path) => writeFile(path, garbage)],
      ['s3', (path) => writeFile(path, '')],
      [
        's3/index.sqlite',
        async (path) => {
          await mkdir(join(path, '..'));
          await writeFile(path, garbage);
        },
      ],
      ['logs', (path) => writeFile(path, '')],
      ['state.json', (path) => writeFile(path, '{"origin":')],
    ])('with a damaged %s fails, names it, and leaves nothing running', async (name, damage) => {
      await damage(join(directory, name));

      await expect(startTestEmulator({ templates, directory, log: undefined })).rejects.toThrow(join(directory, name));

      expect(guards()).toEqual([]);
      // The folder is free for the next start.
      await rm(join(directory, name), { recursive: true });
      const { emulator } = await startTestEmulator({ templates, directory });
      await emulator.stop();
    });

    listsProcesses('with a function that cannot be bundled fails and leaves nothing running', async () => {
      const broken = { ...lambda('record'), Metadata: { 'simporter:entry': join(directory, 'missing.ts') } };

      await expect(startTestEmulator({ templates: [stackOf({ Broken: broken })], directory })).rejects.toThrow(
        'missing.ts',
      );

      expect(guards()).toEqual([]);
    });
  });

  describe('a start after a loss', () => {
    test('names the objects whose files are missing, and their readers get an error', async () => {
      const first = await startTestEmulator({ templates, directory });
      const Bucket = 'test-inbox';
      const put = new PutObjectCommand({ Bucket, Key: 'create-port/lost.csv', Body: 'msisdn' });
      await new S3Client(connectionTo(first.emulator.endpoints.s3)).send(put);
      await first.emulator.stop();
      await rm(join(directory, 's3', 'objects'), { recursive: true });

      const { emulator, reports } = await startTestEmulator({ templates, directory });

      expect(reports.join('\n')).toContain(
        `Files are missing in ${join(directory, 's3')} for s3://test-inbox/create-port/lost.csv`,
      );
      const s3 = new S3Client({ ...connectionTo(emulator.endpoints.s3), maxAttempts: 1 });
      const reading = s3.send(new GetObjectCommand({ Bucket, Key: 'create-port/lost.csv' }));
      await expect(reading).rejects.toThrow('A file of s3://test-inbox/create-port/lost.csv is missing on disk');
      await emulator.stop();
    });
  });

  const hasFullDisk = notOn(['macOS', 'Windows'], 'a full disk is the device /dev/full');

  hasFullDisk('a disk without room for logs is reported once, and the emulator goes on', async () => {
    await mkdir(join(directory, 'logs'));
    for (const source of ['record', 'emulator']) await symlink('/dev/full', join(directory, 'logs', `${source}.log`));
    const { emulator, reports } = await startTestEmulator({ templates, directory, log: undefined });

    for (let run = 0; run < 3; run += 1) await emulator.invoke('record', { Records: 'no list' });

    await expect.poll(() => reports.join('\n')).toContain(join(directory, 'logs', 'record.log'));
    expect(await emulator.invoke('record', { Records: [] })).toMatchObject({ ok: true });
    expect(reports.filter((line) => line.includes('record.log'))).toHaveLength(1);
    await emulator.stop();
  });
});
