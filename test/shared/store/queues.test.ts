import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createQueues, createRetryLater, waitBeforeNextDelivery } from '#shared/store/queues.ts';
import { type ResultsServices, startResultsServices } from '../../support/embedded/services.ts';

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
}

const patient = { attempts: 3, pause: async () => {} };

function clientThat(fails: (body: string, call: number) => boolean) {
  const calls: string[][] = [];
  const send = async (command: { input: { Entries: Entry[] } }) => {
    const entries = command.input.Entries;
    calls.push(entries.map(({ MessageBody }) => MessageBody));
    const failed = entries.filter(({ MessageBody }) => fails(MessageBody, calls.length));
    return { Failed: failed.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })) };
  };
  return { client: { send } as unknown as SQSClient, calls };
}

test('fault 25: only the entries that SQS did not take are sent again', async () => {
  const { client, calls } = clientThat((body, call) => call === 1 && body === '3');
  await createQueues(client, patient).send('https://queue', [1, 2, 3, 4]);
  expect(calls).toEqual([['1', '2', '3', '4'], ['3']]);
});

test('a message is in the group of its import, also when it is sent again, and a message without an import in none', async () => {
  const groups: (string | undefined)[] = [];
  const send = async ({ input }: { input: { Entries: (Entry & { MessageGroupId?: string })[] } }) => {
    groups.push(...input.Entries.map(({ MessageGroupId }) => MessageGroupId));
    return { Failed: groups.length === 3 ? [{ Id: '1' }] : [] };
  };
  const bodies = [{ importId: 'a', request: 1 }, { importId: 'b' }, { approve: 'c' }];
  await createQueues({ send } as unknown as SQSClient, patient).send('https://queue', bodies);
  expect(groups).toEqual(['a', 'b', undefined, 'b']);
});

test('entries that are never taken are an error', async () => {
  const { client, calls } = clientThat((body) => body === '2');
  await expect(createQueues(client, patient).send('https://queue', [1, 2])).rejects.toThrow('did not take 1 messages');
  expect(calls).toHaveLength(3);
});

describe('over HTTP', () => {
  let services: ResultsServices;
  beforeAll(async () => {
    services = await startResultsServices();
  });
  afterAll(() => services.stop());

  test('any number of bodies are sent, ten a call, with their delay', async () => {
    const bodies = Array.from({ length: 23 }, (_, index) => ({ importId: 'a', request: index + 1 }));
    await createQueues(services.sqs).send(services.submitQueueUrl, bodies, { delaySeconds: 30.2 });
    const waiting = services.waiting('submit');
    expect(waiting.map(({ body }) => body)).toEqual(bodies);
    expect(new Set(waiting.map(({ delaySeconds }) => delaySeconds))).toEqual(new Set([31]));
  });
});

describe('retrying a message later', () => {
  let services: ResultsServices;
  beforeAll(async () => {
    services = await startResultsServices();
  });
  afterAll(() => services.stop());

  /** Receives all messages, hidden for an hour, as an invocation does. */
  async function deliver(count: number) {
    const delivered: { messageId: string; receiptHandle: string; attributes: { ApproximateReceiveCount: string } }[] =
      [];
    while (delivered.length < count) {
      const { Messages = [] } = await services.sqs.send(
        new ReceiveMessageCommand({
          QueueUrl: services.ingestQueueUrl,
          MaxNumberOfMessages: 10,
          VisibilityTimeout: 3600,
          MessageSystemAttributeNames: ['ApproximateReceiveCount'],
        }),
      );
      for (const { MessageId = '', ReceiptHandle = '', Attributes } of Messages) {
        const ApproximateReceiveCount = Attributes?.ApproximateReceiveCount ?? '';
        delivered.push({ messageId: MessageId, receiptHandle: ReceiptHandle, attributes: { ApproximateReceiveCount } });
      }
    }
    return delivered;
  }

  test('over HTTP: failed messages are hidden for 15 s, and the others stay hidden', async () => {
    const bodies = Array.from({ length: 12 }, (_, index) => index);
    await createQueues(services.sqs).send(services.ingestQueueUrl, bodies);
    const [spared, ...failed] = await deliver(bodies.length);
    const from = Date.now();
    await createRetryLater(services.sqs, services.ingestQueueUrl, {
      warn: (_, { error }) => expect.fail(String(error)),
    })(failed);
    const hidden = services.hidden('ingest');
    expect(hidden.size).toBe(bodies.length);
    expect((hidden.get(spared?.messageId ?? '') ?? 0) - from).toBeGreaterThan(3_000_000);
    for (const { messageId } of failed) {
      const wait = (hidden.get(messageId) ?? 0) - from;
      expect(wait).toBeGreaterThanOrEqual(15_000);
      expect(wait).toBeLessThan(30_000);
    }
  });

  test('each delivery doubles the wait, up to 15 minutes', () => {
    expect([1, 2, 3, 6, 7, 8, 5000].map(waitBeforeNextDelivery)).toEqual([15, 30, 60, 480, 900, 900, 900]);
    expect(waitBeforeNextDelivery(Number('none'))).toBe(15);
  });

  test('a failure of the queue is logged, and nothing is thrown', async () => {
    const told: unknown[] = [];
    const client = { send: () => Promise.reject(new Error('down')) } as unknown as SQSClient;
    const message = { receiptHandle: 'r', attributes: { ApproximateReceiveCount: '1' } };
    await createRetryLater(client, 'https://queue', { warn: (_, { error }) => told.push(error) })([message]);
    expect(told).toHaveLength(1);
  });
});
