// An event source mapping: receives messages from a queue in batches, invokes the function and deletes what it has
// processed. A failed message becomes visible again after its visibility timeout, until the queue dead-letters it.

import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import { limits } from '../limits.ts';
import type { ReceivedMessage as Message } from '../sqs/actions.ts';
import type { MessageAttribute } from '../sqs/message-store.ts';
import type { QueueCall } from '../sqs/server.ts';
import type { Outcome } from './environment.ts';
import { createSemaphore } from './environment.ts';
import { isEndless } from './recursion-detection.ts';

interface EventSourceOptions extends Omit<BatchLimits, 'holdMs'> {
  readonly callQueue: QueueCall;
  readonly region: string;
  readonly queue: {
    readonly name: string;
    readonly url: string;
    readonly arn: string;
    readonly visibilityMs: number;
    /** Where messages of a recursive loop go; without one they are deleted. */
    readonly deadLetterUrl: string | undefined;
  };
  readonly target: {
    readonly name: string;
    readonly arn: string;
    /** The template turns recursive loop detection off: `RecursiveLoop: Allow`. */
    readonly allowsRecursion: boolean;
  };
  readonly reportsFailures: boolean;
  /** The most batches at one time. */
  readonly concurrency: number;
  /**
   * How long a batch stays hidden after its invocation threw, timed out or crashed. While it runs, it is hidden again
   * and again: when a failure, such as a full disk, keeps this mapping from writing, its messages are soon visible.
   * @default - the queue's visibility timeout, as on AWS
   */
  readonly redeliverAfterMs?: number | undefined;
  readonly invoke: (event: unknown, traceHeaders: readonly (string | undefined)[]) => Promise<Outcome>;
  /** Receives messages for the user: which messages wait for redelivery, and which are no longer delivered. */
  readonly report: (line: string) => void;
}

interface EventSource {
  /** Receives no more batches and waits for those that run. */
  stop(): Promise<void>;
}

const traceOf = ({ Attributes }: Message): string | undefined => Attributes?.AWSTraceHeader;
const counted = ({ length }: readonly Message[]): string => (length === 1 ? '1 message' : `${length} messages`);

/** Lambda stops a recursive loop: it sends the message to the dead-letter queue instead of invoking the function. */
const stopLoops = async (options: EventSourceOptions, messages: readonly Message[]): Promise<void> => {
  const { callQueue, queue, target } = options;
  if (messages.length === 0) return;
  for (const { Body } of queue.deadLetterUrl === undefined ? [] : messages) {
    await callQueue('SendMessage', { QueueUrl: queue.deadLetterUrl, MessageBody: Body });
  }
  await deleteMessages(callQueue, queue.url, messages);
  const end = queue.deadLetterUrl === undefined ? 'deleted' : 'dead-lettered';
  const reason = `${target.name} was invoked ${limits.lambdaChain.value} times in one chain (recursive loop)`;
  options.report(`${counted(messages)} of ${queue.name} ${end}: ${reason}`);
};

/** A shorter time would let a batch be delivered twice before its invocation has begun. */
const shortestHoldMs = 10_000;
const holdMs = ({ redeliverAfterMs, queue }: EventSourceOptions): number =>
  redeliverAfterMs === undefined ? queue.visibilityMs : Math.max(shortestHoldMs, redeliverAfterMs);

/** Renews the time for which the messages are hidden, where it is shorter than the visibility timeout. */
async function whileHidden<Result>(
  options: EventSourceOptions,
  messages: readonly Message[],
  run: () => Promise<Result>,
): Promise<Result> {
  if (options.redeliverAfterMs === undefined) return run();
  const hide = () => hideMessages(options.callQueue, options.queue.url, messages, holdMs(options));
  const timer = setInterval(() => void hide().catch(() => undefined), holdMs(options) / 3);
  try {
    return await run();
  } finally {
    clearInterval(timer);
  }
}

/** @param release lets the next batch start */
const processBatch = async (
  options: EventSourceOptions,
  batch: readonly Message[],
  release: () => void,
): Promise<void> => {
  const { callQueue, queue, target, redeliverAfterMs } = options;
  const isLooping = (message: Message): boolean => !target.allowsRecursion && isEndless(traceOf(message), target.arn);
  await stopLoops(options, batch.filter(isLooping));
  const messages = batch.filter((message) => !isLooping(message));
  if (messages.length === 0) return;
  const outcome = await whileHidden(options, messages, () =>
    options.invoke(sqsEvent(messages, queue.arn, options.region), messages.map(traceOf)),
  );
  // The next batch need not wait until the messages of this one are deleted.
  release();
  if (outcome.ok) {
    const processed = options.reportsFailures ? processedMessages(messages, outcome.payload) : messages;
    return deleteMessages(callQueue, queue.url, processed);
  }
  if (redeliverAfterMs !== undefined) await hideMessages(callQueue, queue.url, messages, redeliverAfterMs);
  const seconds = Math.round((redeliverAfterMs ?? queue.visibilityMs) / 1_000);
  const what = `${counted(messages)} of ${queue.name} will be delivered again in ${seconds} s`;
  options.report(`${target.name} failed (${outcome.reason}): ${what}`);
};

export const startEventSource = (options: EventSourceOptions): EventSource => {
  const { callQueue, queue, batchSize, windowMs } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const semaphore = createSemaphore(options.concurrency);
  const running = new Set<Promise<void>>();
  const reportError = (error: unknown): void => options.report(`event source ${queue.name}: ${String(error)}`);

  const takeBatch = async (): Promise<void> => {
    const release = await semaphore.acquire();
    if (signal.aborted) return;
    const batch = await receiveBatch(
      callQueue,
      queue.url,
      { batchSize, windowMs, holdMs: holdMs(options) },
      signal,
    ).catch((error: unknown) => {
      release();
      throw error;
    });
    if (batch.length === 0) return release();
    const run = processBatch(options, batch, release)
      .catch(reportError)
      .finally(() => {
        release();
        running.delete(run);
      });
    running.add(run);
  };

  const loop = (async () => {
    while (!signal.aborted) {
      await takeBatch().catch(async (error: unknown) => {
        if (signal.aborted) return;
        reportError(error);
        await delay(1_000, undefined, { signal }).catch(() => undefined);
      });
    }
  })();

  return {
    stop: async () => {
      stopping.abort();
      await loop;
      await Promise.all(running);
    },
  };
};

const attribute = ({ StringValue, BinaryValue, DataType }: MessageAttribute) => ({
  ...(StringValue === undefined ? {} : { stringValue: StringValue }),
  ...(BinaryValue === undefined ? {} : { binaryValue: BinaryValue }),
  stringListValues: [],
  binaryListValues: [],
  dataType: DataType,
});

/** The `Records` event of an SQS event source mapping. */
const sqsEvent = (messages: readonly Message[], queueArn: string, region: string) => ({
  Records: messages.map((message) => ({
    messageId: message.MessageId,
    receiptHandle: message.ReceiptHandle,
    body: message.Body,
    attributes: message.Attributes ?? {},
    messageAttributes: Object.fromEntries(
      Object.entries(message.MessageAttributes ?? {}).map(([name, value]) => [name, attribute(value)]),
    ),
    md5OfBody: message.MD5OfBody,
    eventSource: 'aws:sqs',
    eventSourceARN: queueArn,
    awsRegion: region,
  })),
});

const batchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string().min(1) })).nullish(),
});

/**
 * The messages that were processed, by Lambda's rules for ReportBatchItemFailures: no answer or an empty list means
 * all, a list means all but those in it, and an answer that cannot be read or names an unknown message means none.
 */
const processedMessages = (messages: readonly Message[], payload: unknown): readonly Message[] => {
  if (payload === null || payload === undefined) return messages;
  const response = batchResponse.safeParse(payload);
  if (!response.success) return [];
  const failed = new Set(response.data.batchItemFailures?.map(({ itemIdentifier }) => itemIdentifier));
  const known = new Set(messages.map(({ MessageId }) => MessageId));
  if ([...failed].some((id) => !known.has(id))) return [];
  return messages.filter(({ MessageId }) => !failed.has(MessageId ?? ''));
};

interface BatchLimits {
  readonly batchSize: number;
  readonly windowMs: number;
  /** How long the messages are hidden from others. */
  readonly holdMs: number;
}

const messagesPerCall = limits.sqsReceived.value;
const parallelReceives = 8;
const longPollSeconds = limits.sqsWaitSeconds.value;
/** The rest is for the fields of the event beside the bodies. */
const payloadLimitBytes = 0.875 * limits.lambdaEventBytes.value;

const payloadBytes = (messages: readonly Message[]): number =>
  messages.reduce((sum, { Body }) => sum + Buffer.byteLength(Body ?? ''), 0);

const inTens = (messages: readonly Message[]): Message[][] =>
  Array.from({ length: Math.ceil(messages.length / messagesPerCall) }, (_, index) =>
    messages.slice(index * messagesPerCall, (index + 1) * messagesPerCall),
  );

const entriesOf = <More extends object>(messages: readonly Message[], more: More) =>
  messages.map(({ ReceiptHandle }, index) => ({ Id: String(index), ReceiptHandle, ...more }));

const deleteMessages = async (callQueue: QueueCall, QueueUrl: string, messages: readonly Message[]): Promise<void> => {
  for (const ten of inTens(messages)) {
    await callQueue('DeleteMessageBatch', { QueueUrl, Entries: entriesOf(ten, {}) });
  }
};

const hideMessages = async (
  callQueue: QueueCall,
  QueueUrl: string,
  messages: readonly Message[],
  milliseconds: number,
): Promise<void> => {
  const VisibilityTimeout = Math.round(milliseconds / 1_000);
  for (const ten of inTens(messages)) {
    await callQueue('ChangeMessageVisibilityBatch', { QueueUrl, Entries: entriesOf(ten, { VisibilityTimeout }) });
  }
};

/**
 * Waits for messages. The first ones open the window; the batch is complete when it is full, when the window closes, or
 * at 6 MB. Without a window it is what one receive returns.
 */
const receiveBatch = async (
  callQueue: QueueCall,
  QueueUrl: string,
  { batchSize, windowMs, holdMs }: BatchLimits,
  signal: AbortSignal,
): Promise<Message[]> => {
  const receive = async (limit: number, WaitTimeSeconds: number): Promise<Message[]> => {
    const input = {
      QueueUrl,
      MaxNumberOfMessages: Math.min(messagesPerCall, limit),
      WaitTimeSeconds,
      VisibilityTimeout: Math.round(holdMs / 1_000),
      MessageSystemAttributeNames: ['All' as const],
    };
    return (await callQueue('ReceiveMessage', input, { signal })).Messages ?? [];
  };
  /** Several receives at once, as many as `missing` messages need. */
  const receiveMany = async (missing: number, most: number): Promise<Message[]> => {
    const calls = Math.min(most, Math.ceil(missing / messagesPerCall));
    const limits = Array.from({ length: calls }, (_, call) => missing - call * messagesPerCall);
    return (await Promise.all(limits.map((limit) => receive(limit, 0)))).flat();
  };

  const batch = await receive(batchSize, longPollSeconds);
  if (windowMs === 0) return batch;
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
