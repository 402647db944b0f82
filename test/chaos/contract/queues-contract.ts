// The contract of the queues: hide received messages, return them, and dead-letter messages that fail too often.
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  ReceiveMessageCommand,
} from '@aws-sdk/client-sqs';
import { expect, test } from 'vitest';
import { createDeadLetters } from '#shared/store/dead-letters.ts';
import { createQueues } from '#shared/store/queues.ts';
import { mostDeliveries, type OpenSide, type Side } from './side.ts';

/** Receives all messages until each is dead-lettered. */
async function failAll({ clients, queueUrl: QueueUrl }: Side): Promise<void> {
  for (let delivery = 0; delivery <= mostDeliveries; delivery += 1) {
    const { Messages = [] } = await clients.sqs.send(new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10 }));
    const Entries = Messages.map(({ ReceiptHandle }, index) => ({
      Id: `${index}`,
      ReceiptHandle,
      VisibilityTimeout: 0,
    }));
    if (Entries.length > 0) {
      await clients.sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries }));
    }
  }
}

/** Receives one batch. */
async function groupsOfNext({ clients, queueUrl: QueueUrl }: Side): Promise<(string | undefined)[]> {
  const MessageSystemAttributeNames = ['MessageGroupId' as const];
  const command = new ReceiveMessageCommand({ QueueUrl, MaxNumberOfMessages: 10, MessageSystemAttributeNames });
  const { Messages = [] } = await clients.sqs.send(command);
  return Messages.map(({ Attributes }) => Attributes?.MessageGroupId);
}

export function queuesContract(open: OpenSide): void {
  test('deliver a message until it is deleted, and hide it meanwhile', async () => {
    const { clients, queueUrl: QueueUrl } = await open();
    await createQueues(clients.sqs).send(QueueUrl, [{ some: 'body' }]);
    await createQueues(clients.sqs).send(QueueUrl, [{ another: 'body' }], { delaySeconds: 60 });
    const receive = async () => (await clients.sqs.send(new ReceiveMessageCommand({ QueueUrl }))).Messages ?? [];
    const [first] = await receive();
    expect(first?.Body).toBe('{"some":"body"}');
    expect(await receive()).toEqual([]);
    const entry = { Id: '0', ReceiptHandle: first?.ReceiptHandle ?? '' };
    const retryLater = { ...entry, VisibilityTimeout: 0 };
    await clients.sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: [retryLater] }));
    const [again] = await receive();
    expect(again?.MessageId).toBe(first?.MessageId);
    const receipt = { Id: '0', ReceiptHandle: again?.ReceiptHandle ?? '' };
    await clients.sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: [receipt] }));
    expect(await receive()).toEqual([]);
  });

  const bodiesOf = (importId: string, count: number) => Array.from({ length: count }, () => ({ importId }));
  const [ten, small] = [Array(10).fill('large'), Array(2).fill('small')];

  test('deliver in order until a group has 30 messages in flight, then other groups first, and block none', async () => {
    const side = await open();
    const { clients, queueUrl: QueueUrl } = side;
    const queues = createQueues(clients.sqs);
    const receive = () => groupsOfNext(side);
    await queues.send(QueueUrl, bodiesOf('large', 58));
    await queues.send(QueueUrl, bodiesOf('small', 2));
    await queues.send(QueueUrl, bodiesOf('large', 10), { delaySeconds: 60 });
    expect([await receive(), await receive(), await receive()]).toEqual([ten, ten, ten]);
    expect(await receive()).toEqual([...small, ...ten.slice(2)]);
    expect([await receive(), await receive(), await receive()]).toEqual([ten, ten, []]);
  });

  test('deliver other groups first while one group has had most of the processing time', async () => {
    const side = await open();
    const { clients, queueUrl: QueueUrl } = side;
    const queues = createQueues(clients.sqs);
    await queues.send(QueueUrl, bodiesOf('large', 20));
    const { Messages: [message] = [] } = await clients.sqs.send(new ReceiveMessageCommand({ QueueUrl }));
    const receipt = { Id: '0', ReceiptHandle: message?.ReceiptHandle ?? '' };
    await clients.sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: [receipt] }));
    await queues.send(QueueUrl, bodiesOf('small', 2));
    expect(await groupsOfNext(side)).toEqual([...small, ...ten.slice(2)]);
  });

  test('dead-letter messages that failed too often, and redrive them', async () => {
    const side = await open();
    const deadLetters = createDeadLetters(side.clients.sqs);
    await createQueues(side.clients.sqs).send(side.queueUrl, [{ importId: 'a' }, { another: 'body' }]);
    const aside = await deadLetters.of(side.queueUrl);
    expect(await deadLetters.count(side.queueUrl)).toBe(2);
    await failAll(side);
    expect([await deadLetters.count(side.queueUrl), await deadLetters.count(aside)]).toEqual([0, 2]);
    expect(await deadLetters.redrive(side.queueUrl)).toBe(2);
    expect([await deadLetters.count(side.queueUrl), await deadLetters.count(aside)]).toEqual([2, 0]);
    expect(new Set(await groupsOfNext(side))).toEqual(new Set(['a', undefined]));
  });

  test('purge a dead-letter queue', async () => {
    const side = await open();
    const deadLetters = createDeadLetters(side.clients.sqs);
    await createQueues(side.clients.sqs).send(side.queueUrl, [{ some: 'body' }]);
    await failAll(side);
    const aside = await deadLetters.of(side.queueUrl);
    expect([await deadLetters.clear(aside), await deadLetters.count(aside)]).toEqual([1, 0]);
  });
}
