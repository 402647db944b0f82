// An event source mapping: takes messages from a queue in batches, invokes the function, deletes what it has done. What
// failed is left alone and comes back when its visibility ends, until the queue moves it to its dead letter queue.
import { setTimeout as delay } from 'node:timers/promises';
import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  type Message,
  ReceiveMessageCommand,
  type SQSClient,
} from '@aws-sdk/client-sqs';
import type { Outcome } from './environment.ts';
import { createGate } from './gate.ts';
import { sqsEvent, succeeded } from './sqs-event.ts';

export interface EventSourceOptions {
  readonly sqs: SQSClient;
  readonly queueUrl: string;
  readonly queueArn: string;
  readonly region: string;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly reportsFailures: boolean;
  /** The most batches at one time. */
  readonly concurrency: number;
  /**
   * How long a batch stays hidden after its invocation threw, timed out or died.
   * @default the queue's visibility timeout, as on AWS, which may be hours
   */
  readonly redeliverAfterMs?: number | undefined;
  readonly invoke: (event: unknown) => Promise<Outcome>;
  readonly log: (line: string) => void;
}

export interface EventSource {
  /** Takes no more batches and waits for those that run. */
  stop(): Promise<void>;
}

const messagesPerReceive = 10;
const parallelReceives = 8;
const longPollSeconds = 20;
/** A synchronous invocation takes 6 MB; the rest is left for the event's own fields. */
const payloadLimitBytes = 5_500_000;

const payloadBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, { Body }) => sum + Buffer.byteLength(Body ?? ''), 0);

export const startEventSource = (options: EventSourceOptions): EventSource => {
  const { sqs, queueUrl, queueArn, region, batchSize, windowMs, log } = options;
  const stopping = new AbortController();
  const gate = createGate(options.concurrency);
  const running = new Set<Promise<void>>();

  const receive = async (limit: number, waitSeconds: number): Promise<Message[]> => {
    const command = new ReceiveMessageCommand({
      QueueUrl: queueUrl,
      MaxNumberOfMessages: Math.min(messagesPerReceive, limit),
      WaitTimeSeconds: waitSeconds,
      MessageSystemAttributeNames: ['All'],
      MessageAttributeNames: ['All'],
    });
    const { Messages } = await sqs.send(command, { abortSignal: stopping.signal });
    return Messages ?? [];
  };

  /** Several receives at once, as many as `missing` messages need. */
  const receiveMany = async (missing: number): Promise<Message[]> => {
    const calls = Math.min(parallelReceives, Math.ceil(missing / messagesPerReceive));
    const limits = Array.from({ length: calls }, (_, call) =>
      Math.min(messagesPerReceive, missing - call * messagesPerReceive),
    );
    return (await Promise.all(limits.map((limit) => receive(limit, 0)))).flat();
  };

  /** The first messages open the window; the batch is over when it is full, when the window closes, or at 6 MB. */
  const collect = async (): Promise<Message[]> => {
    const batch = await receive(batchSize, longPollSeconds);
    const closes = performance.now() + windowMs;
    while (batch.length > 0 && batch.length < batchSize && payloadBytes(batch) < payloadLimitBytes) {
      const more = await receiveMany(batchSize - batch.length);
      batch.push(...more);
      const left = closes - performance.now();
      if (left <= 0) break;
      if (more.length > 0) continue;
      const waitSeconds = Math.min(longPollSeconds, Math.floor(left / 1_000));
      if (waitSeconds === 0) await delay(left, undefined, { signal: stopping.signal });
      else batch.push(...(await receive(batchSize - batch.length, waitSeconds)));
    }
    return batch;
  };

  /** SQS takes ten entries in one batch call. */
  const inTens = (messages: readonly Message[]): Message[][] =>
    Array.from({ length: Math.ceil(messages.length / 10) }, (_, index) => messages.slice(index * 10, index * 10 + 10));

  const remove = async (messages: readonly Message[]): Promise<void> => {
    for (const batch of inTens(messages)) {
      const Entries = batch.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle }));
      await sqs.send(new DeleteMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  };

  const hideFor = async (messages: readonly Message[], milliseconds: number): Promise<void> => {
    const VisibilityTimeout = Math.round(milliseconds / 1_000);
    for (const batch of inTens(messages)) {
      const Entries = batch.map(({ ReceiptHandle }, index) => ({
        Id: String(index),
        ReceiptHandle,
        VisibilityTimeout,
      }));
      await sqs.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  };

  const process = async (batch: readonly Message[], leave: () => void): Promise<void> => {
    const outcome = await options.invoke(sqsEvent(batch, queueArn, region));
    // The next batch need not wait until the messages of this one are gone.
    leave();
    if (outcome.ok) await remove(succeeded(batch, outcome.payload, options.reportsFailures));
    else if (options.redeliverAfterMs !== undefined) await hideFor(batch, options.redeliverAfterMs);
  };

  const takeOne = async (): Promise<void> => {
    const leave = await gate.enter();
    const batch = stopping.signal.aborted
      ? []
      : await collect().catch(async (error: unknown) => {
          if (stopping.signal.aborted) return [];
          log(`event source ${queueArn}: ${String(error)}`);
          await delay(1_000, undefined, { signal: stopping.signal }).catch(() => undefined);
          return [];
        });
    if (batch.length === 0) return leave();
    const run = process(batch, leave)
      .catch((error: unknown) => log(`event source ${queueArn}: ${String(error)}`))
      .finally(() => {
        leave();
        running.delete(run);
      });
    running.add(run);
  };

  const loop = (async () => {
    while (!stopping.signal.aborted) await takeOne();
  })();

  return {
    stop: async () => {
      stopping.abort();
      await loop;
      await Promise.all(running);
    },
  };
};
