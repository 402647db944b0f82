// The calls that an event source mapping makes to its queue.
import { setTimeout as delay } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';

export interface BatchLimits {
  readonly batchSize: number;
  readonly windowMs: number;
  /** How long the messages are hidden from others. */
  readonly holdMs: number;
}

const messagesPerCall = 10;
const parallelReceives = 8;
const longPollSeconds = 20;
/** A synchronous invocation takes 6 MB; the event's own fields need the rest. */
const payloadLimitBytes = 5_500_000;

const payloadBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, { Body }) => sum + Buffer.byteLength(Body ?? ''), 0);

const inTens = (messages: readonly Message[]): Message[][] =>
  Array.from({ length: Math.ceil(messages.length / messagesPerCall) }, (_, index) =>
    messages.slice(index * messagesPerCall, (index + 1) * messagesPerCall),
  );

const entriesOf = <More extends object>(messages: readonly Message[], more: More) =>
  messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle, ...more }));

export const deleteMessages = async (sqs: SQSClient, QueueUrl: string, messages: readonly Message[]): Promise<void> => {
  for (const ten of inTens(messages)) {
    await sqs.send(new DeleteMessageBatchCommand({ QueueUrl, Entries: entriesOf(ten, {}) }));
  }
};

export const hideMessages = async (
  sqs: SQSClient,
  QueueUrl: string,
  messages: readonly Message[],
  milliseconds: number,
): Promise<void> => {
  const VisibilityTimeout = Math.round(milliseconds / 1_000);
  for (const ten of inTens(messages)) {
    await sqs.send(
      new ChangeMessageVisibilityBatchCommand({ QueueUrl, Entries: entriesOf(ten, { VisibilityTimeout }) }),
    );
  }
};

/**
 * Waits for messages. The first ones open the window; the batch is complete when it is full, when the window closes, or
 * at 6 MB.
 */
export const receiveBatch = async (
  sqs: SQSClient,
  QueueUrl: string,
  { batchSize, windowMs, holdMs }: BatchLimits,
  signal: AbortSignal,
): Promise<Message[]> => {
  const receive = async (limit: number, WaitTimeSeconds: number): Promise<Message[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl,
      MaxNumberOfMessages: Math.min(messagesPerCall, limit),
      WaitTimeSeconds,
      VisibilityTimeout: Math.round(holdMs / 1_000),
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    return (await sqs.send(command, { abortSignal: signal })).Messages ?? [];
  };
  /** Several receives at once, as many as `missing` messages need. */
  const receiveMany = async (missing: number, most: number): Promise<Message[]> => {
    const calls = Math.min(most, Math.ceil(missing / messagesPerCall));
    const limits = Array.from({ length: calls }, (_, call) => missing - call * messagesPerCall);
    return (await Promise.all(limits.map((limit) => receive(limit, 0)))).flat();
  };

  const batch = await receive(batchSize, longPollSeconds);
  const closesAt = performance.now() + windowMs;
  let lastCount = batch.length;
  while (batch.length > 0 && batch.length < batchSize && payloadBytes(batch) < payloadLimitBytes) {
    // A receive that was not full has probably emptied the queue.
    const more = await receiveMany(batchSize - batch.length, lastCount < messagesPerCall ? 1 : parallelReceives);
    batch.push(...more);
    lastCount = more.length;
    const remainingMs = closesAt - performance.now();
    if (remainingMs <= 0) break;
    if (more.length > 0) continue;
    const waitSeconds = Math.min(longPollSeconds, Math.floor(remainingMs / 1_000));
    if (waitSeconds === 0) await delay(remainingMs, undefined, { signal });
    else batch.push(...(await receive(batchSize - batch.length, waitSeconds)));
  }
  return batch;
};
