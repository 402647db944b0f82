// The embedded SQS over HTTP: what the pipeline needs of it, also after a restart.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ChangeMessageVisibilityCommand,
  CreateQueueCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
  TagQueueCommand,
} from '@aws-sdk/client-sqs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { connectionTo, receiveUntil } from '../../support/emulator/emulator.ts';
import { type ServedSqs, serveSqs } from '../../support/emulator/services.ts';

let directory: string;
let sqs: ServedSqs;
let client: SQSClient;
let url: string | undefined;

const start = async () => {
  sqs = await serveSqs(directory);
  client = new SQSClient(connectionTo(sqs.url));
};
const stop = async () => {
  client.destroy();
  await sqs.stop();
};
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'emulator-sqs-'));
  await start();
  ({ QueueUrl: url } = await client.send(new CreateQueueCommand({ QueueName: 'work' })));
});
afterEach(async () => {
  await stop();
  await rm(directory, { recursive: true });
});

describe('a queue', () => {
  test('has a URL at the address of the endpoint, also after a restart at another address', async () => {
    expect(url).toBe(`${sqs.url}/000000000000/work`);
    await stop();
    await start();

    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: 'work' }));

    expect(QueueUrl).toBe(`${sqs.url}/000000000000/work`);
  });

  test('redelivers a message at once when its visibility timeout is set to 0, and counts the receives', async () => {
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'again' }));
    const [first] = await receiveUntil(client, url, 1);

    await client.send(
      new ChangeMessageVisibilityCommand({ QueueUrl: url, ReceiptHandle: first?.ReceiptHandle, VisibilityTimeout: 0 }),
    );

    const [second] = await receiveUntil(client, url, 1);
    expect(second?.Body).toBe('again');
    expect(second?.Attributes?.ApproximateReceiveCount).toBe('2');
  });

  test('redelivers messages that were in flight when it was stopped, and keeps their receive counts', async () => {
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'kept' }));
    await receiveUntil(client, url, 1);
    await stop();
    await start();
    url = `${sqs.url}/000000000000/work`;

    const [message] = await receiveUntil(client, url, 1, 0);

    expect(message?.Body).toBe('kept');
    expect(message?.Attributes?.ApproximateReceiveCount).toBe('2');
  });

  test('delivers its messages in their order, also of several groups and after a restart', async () => {
    const send = (body: string, MessageGroupId?: string) =>
      client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: body, MessageGroupId }));
    for (const body of ['a1', 'a2', 'a3']) await send(body, 'a');
    await send('none');
    await send('b1', 'b');
    await stop();
    await start();
    url = `${sqs.url}/000000000000/work`;

    const received = await receiveUntil(client, url, 5, 0);

    expect(received.map(({ Body }) => Body)).toEqual(['a1', 'a2', 'a3', 'none', 'b1']);
    expect(received.map(({ Attributes }) => Attributes?.MessageGroupId)).toEqual(['a', 'a', 'a', undefined, 'b']);
    expect(sqs.store.depth('work')).toEqual({ ready: 0, delayed: 0, inFlight: 5 });
  });

  test('waits for a message as long as it is asked to', async () => {
    const waiting = client.send(new ReceiveMessageCommand({ QueueUrl: url, WaitTimeSeconds: 20 }));
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'late' }));

    expect((await waiting).Messages?.map(({ Body }) => Body)).toEqual(['late']);
  });

  test('gives nothing to a caller that has gone, before it asks or while it waits', async () => {
    const gone = new AbortController();
    const ask = () => sqs.call('ReceiveMessage', { QueueUrl: 'work', WaitTimeSeconds: 20 }, { signal: gone.signal });
    const waiting = ask();
    gone.abort();
    await expect(waiting).rejects.toBe(gone.signal.reason);
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody: 'late' }));

    await expect(ask()).rejects.toBe(gone.signal.reason);
    expect(sqs.store.depth('work')).toEqual({ ready: 1, delayed: 0, inFlight: 0 });
  });

  test('declines an action that it does not implement by name', async () => {
    const tagging = client.send(new TagQueueCommand({ QueueUrl: url, Tags: { a: 'b' } }));

    await expect(tagging).rejects.toMatchObject({
      name: 'InvalidAction',
      message: expect.stringContaining('TagQueue'),
    });
  });
});
