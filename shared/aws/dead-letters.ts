// Messages that were put aside: counted, given back to the queue they came from, or cleared.
import {
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  type SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs';

export interface DeadLetters {
  /** The URL of the queue into which failures of the queue at `queueUrl` are put. */
  of(queueUrl: string): Promise<string>;
  /** About how many messages wait; those that somebody has in hand are not counted. */
  count(url: string): Promise<number>;
  /**
   * Gives everything that was put aside from the queue at `queueUrl` back to it, and answers about how many messages that are. On AWS
   * the service moves them by itself after the call; one that is moved twice is harmless, because every consumer is.
   */
  redrive(queueUrl: string): Promise<number>;
  /** Deletes what waits; answers how many messages it was. */
  clear(url: string): Promise<number>;
}

const takenAtATime = 10;
/** How long messages in hand are hidden: a move that dies gives them back by itself. */
const inHandSeconds = 60;

export function createDeadLetters(client: SQSClient): DeadLetters {
  const attributes = async (url: string, ...names: ('ApproximateNumberOfMessages' | 'QueueArn' | 'RedrivePolicy')[]) =>
    (await client.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: names }))).Attributes ?? {};

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

  /** Takes messages until none is left; each batch is deleted only when `use` has done with it. */
  const drain = async (url: string, use: (messages: readonly Message[]) => Promise<void>): Promise<number> => {
    for (let drained = 0; ; ) {
      const { Messages: messages = [] } = await client.send(
        new ReceiveMessageCommand({
          QueueUrl: url,
          MaxNumberOfMessages: takenAtATime,
          VisibilityTimeout: inHandSeconds,
          MessageSystemAttributeNames: ['MessageGroupId'],
          // Asks all servers of the queue: an empty answer then means an empty queue.
          WaitTimeSeconds: 1,
        }),
      );
      if (messages.length === 0) return drained;
      await use(messages);
      const Entries = messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries }));
      drained += messages.length;
    }
  };

  const sendTo =
    (queueUrl: string) =>
    async (messages: readonly Message[]): Promise<void> => {
      const Entries = messages.map(({ Body, Attributes }, index) => ({
        Id: String(index),
        MessageBody: Body,
        // Its import's turn is kept (see queues.ts).
        MessageGroupId: Attributes?.MessageGroupId,
      }));
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
      if (Failed.length > 0) throw new Error(`${Failed.length} messages were not taken by ${queueUrl}`);
    };

  const redrive = async (queueUrl: string): Promise<number> => {
    const url = await of(queueUrl);
    const waiting = await count(url);
    const moving = await startMove(client, await arnOfDeadLetters(queueUrl));
    return moving ? waiting : drain(url, sendTo(queueUrl));
  };

  return { of, count, redrive, clear: (url) => drain(url, async () => {}) };
}

/** Lets AWS move the messages; false where the service at hand cannot, as the embedded one. */
async function startMove(client: SQSClient, sourceArn: string): Promise<boolean> {
  try {
    await client.send(new StartMessageMoveTaskCommand({ SourceArn: sourceArn }));
    return true;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    // Whoever began the move that is under way wanted the same.
    if (/already a task running/i.test(error.message)) return true;
    if (error.name === 'InvalidAction') return false;
    throw error;
  }
}
