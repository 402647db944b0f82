// Counts, redrives and deletes dead-lettered messages.
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ReceiveMessageCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';

export interface DeadLetters {
  /** The URL of the dead-letter queue of the queue at `queueUrl`. */
  of(queueUrl: string): Promise<string>;
  /** About how many messages are visible. */
  count(url: string): Promise<number>;
  /**
   * Asks SQS to move all dead-lettered messages back to the queue at `queueUrl`, or to another one, and answers about
   * how many they are. A message may be moved twice: every consumer can handle that.
   */
  redrive(queueUrl: string, destinationUrl?: string): Promise<number>;
  /** Deletes the messages, and returns their number. */
  clear(url: string): Promise<number>;
}

const batchSize = 10;

export function createDeadLetters(client: SQSClient): DeadLetters {
  const attributes = async (url: string, name: 'ApproximateNumberOfMessages' | 'QueueArn' | 'RedrivePolicy') =>
    (await client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [name] }))).Attributes ?? {};

  const arnOfDeadLetters = async (queueUrl: string): Promise<string> => {
    const { RedrivePolicy = '{}' } = await attributes(queueUrl, 'RedrivePolicy');
    const { deadLetterTargetArn } = JSON.parse(RedrivePolicy) as { deadLetterTargetArn?: string };
    if (deadLetterTargetArn === undefined) throw new Error(`${queueUrl} has no dead-letter queue`);
    return deadLetterTargetArn;
  };

  const of = async (queueUrl: string): Promise<string> => {
    const name = (await arnOfDeadLetters(queueUrl)).split(':').at(-1);
    const { QueueUrl } = await client.send(new GetQueueUrlCommand({ QueueName: name }));
    if (QueueUrl === undefined) throw new Error(`there is no queue ${name}`);
    return QueueUrl;
  };

  const count = async (url: string): Promise<number> =>
    Number((await attributes(url, 'ApproximateNumberOfMessages')).ApproximateNumberOfMessages ?? 0);

  const redrive = async (queueUrl: string, destinationUrl = queueUrl): Promise<number> => {
    const waiting = await count(await of(queueUrl));
    const { QueueArn } = await attributes(destinationUrl, 'QueueArn');
    await startMove(client, await arnOfDeadLetters(queueUrl), QueueArn);
    return waiting;
  };

  const clear = async (url: string): Promise<number> => {
    for (let cleared = 0; ; ) {
      // A long poll asks all servers of the queue, so that an empty answer means an empty queue.
      const receive = { QueueUrl: url, MaxNumberOfMessages: batchSize, WaitTimeSeconds: 1 };
      const { Messages: messages = [] } = await client.send(new ReceiveMessageCommand(receive));
      if (messages.length === 0) return cleared;
      const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
      cleared += messages.length;
    }
  };

  return { of, count, redrive, clear };
}

async function startMove(client: SQSClient, SourceArn: string, DestinationArn: string | undefined): Promise<void> {
  try {
    await client.send(new StartMessageMoveTaskCommand({ SourceArn, DestinationArn }));
  } catch (error) {
    // A move that is in progress does the same.
    if (!(error instanceof Error && /already a task running/i.test(error.message))) throw error;
  }
}
