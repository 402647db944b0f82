import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createQueues, createRetryLater, waitBeforeNextDelivery } from '#shared/store/queues.ts';
import { type ResultsServices, startResultsServices } from '../../support/embedded/services.ts';

let services: ResultsServices;
beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());

/** Receives all messages, hidden for an hour, as an invocation does. */
async function deliver(count: number) {
  const delivered: { messageId: string; receiptHandle: string; attributes: { ApproximateReceiveCount: string } }[] = [];
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
  await createRetryLater(services.sqs, services.ingestQueueUrl, { warn: (_, { error }) => expect.fail(String(error)) })(
    failed,
  );
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
