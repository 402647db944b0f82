import { ReceiveMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGiveBack, waitBeforeNextDelivery } from '#shared/aws/give-back.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { type ResultsServices, startResultsServices } from '../../support/results-services.ts';

let services: ResultsServices;
beforeAll(async () => {
  services = await startResultsServices();
});
afterAll(() => services.stop());

/** All messages there are, hidden for an hour, as an invocation has them. */
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

test('on the wire: what failed is hidden for 15 s, the rest stays hidden as it was', async () => {
  const bodies = Array.from({ length: 12 }, (_, index) => index);
  await createQueues(services.sqs).send(services.ingestQueueUrl, bodies);
  const [spared, ...failed] = await deliver(bodies.length);
  const from = Date.now();
  await createGiveBack(services.sqs, services.ingestQueueUrl, (error) => expect.fail(String(error)))(failed);
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

test('a queue that does not answer is told of, and nothing is thrown', async () => {
  const told: unknown[] = [];
  const client = { send: () => Promise.reject(new Error('down')) } as unknown as SQSClient;
  const message = { receiptHandle: 'r', attributes: { ApproximateReceiveCount: '1' } };
  await createGiveBack(client, 'https://queue', (error) => told.push(error))([message]);
  expect(told).toHaveLength(1);
});
