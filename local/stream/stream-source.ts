// An event source mapping of a stream: batches of records in order. Where the function fails, the batch is halved and
// retried; records that failed too often are dead-lettered.
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Outcome } from '../lambda/environment.ts';
import type { ItemChange } from './dynamodb-proxy.ts';
import type { Filter } from './filter.ts';

export interface StreamSourceOptions {
  readonly streamArn: string;
  readonly region: string;
  readonly filter: Filter;
  readonly batchSize: number;
  readonly windowMs: number;
  readonly retryAttempts: number;
  readonly bisects: boolean;
  readonly reportsFailures: boolean;
  readonly clock: () => number;
  readonly invoke: (event: unknown) => Promise<Outcome>;
  /** Takes the message that names the records of the stream. */
  readonly sendToDeadLetters: (message: unknown) => Promise<void>;
  readonly log: (line: string) => void;
  /** @default 1000 */
  readonly retryPauseMs?: number;
}

const batchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish(),
});

const recordOf = (change: ItemChange, number: number, { region, clock }: StreamSourceOptions) => ({
  eventID: `local-${number}`,
  eventVersion: '1.1',
  eventSource: 'aws:dynamodb',
  awsRegion: region,
  eventName: change.eventName,
  eventSourceARN: change.streamArn,
  dynamodb: {
    ...change.dynamodb,
    ApproximateCreationDateTime: Math.floor(clock() / 1_000),
    SequenceNumber: String(number).padStart(21, '0'),
    SizeBytes: JSON.stringify(change.dynamodb).length,
    StreamViewType: 'NEW_AND_OLD_IMAGES',
  },
});
type StreamRecord = ReturnType<typeof recordOf>;

/** Invokes the function. @returns the index of the first record to retry; undefined where all were processed */
const firstFailure = async (
  { invoke, reportsFailures }: StreamSourceOptions,
  Records: readonly StreamRecord[],
): Promise<number | undefined> => {
  const outcome = await invoke({ Records });
  if (!outcome.ok) return 0;
  if (!reportsFailures || outcome.payload === null) return undefined;
  const failures = batchResponse.safeParse(outcome.payload).data?.batchItemFailures;
  if (failures === undefined) return 0;
  const numbers = new Set(failures?.map(({ itemIdentifier }) => itemIdentifier));
  const first = Records.findIndex(({ dynamodb }) => numbers.has(dynamodb.SequenceNumber));
  return numbers.size === 0 ? undefined : Math.max(0, first);
};

const deadLetter = async (
  { streamArn, clock, log, sendToDeadLetters }: StreamSourceOptions,
  records: readonly StreamRecord[],
  attempts: number,
): Promise<void> => {
  log(`stream ${streamArn}: ${records.length} records dead-lettered after ${attempts} attempts`);
  await sendToDeadLetters({
    version: '1.0',
    timestamp: new Date(clock()).toISOString(),
    requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: attempts },
    DDBStreamBatchInfo: {
      shardId: 'local',
      startSequenceNumber: records[0]?.dynamodb.SequenceNumber,
      endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
      batchSize: records.length,
      streamArn,
    },
  });
};

const deliver = async (
  options: StreamSourceOptions,
  records: readonly StreamRecord[],
  signal: AbortSignal,
  attempt = 1,
): Promise<void> => {
  const failed = await firstFailure(options, records);
  if (failed === undefined || signal.aborted) return;
  const remaining = records.slice(failed);
  if (attempt > options.retryAttempts) return deadLetter(options, remaining, attempt);
  await delay(options.retryPauseMs ?? 1_000, undefined, { signal });
  const half = options.bisects ? Math.ceil(remaining.length / 2) : remaining.length;
  await deliver(options, remaining.slice(0, half), signal, attempt + 1);
  if (half < remaining.length) await deliver(options, remaining.slice(half), signal, attempt + 1);
};

export const startStreamSource = (options: StreamSourceOptions) => {
  const { streamArn, batchSize, windowMs, log } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const waiting: StreamRecord[] = [];
  let wake = (): void => undefined;
  // Begins at the time, so that numbers only grow over restarts.
  let lastNumber = options.clock() * 1_000;

  const takeBatch = async (): Promise<void> => {
    if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
    if (waiting.length < batchSize) await delay(windowMs, undefined, { signal });
    await deliver(options, waiting.splice(0, batchSize), signal);
  };
  const loop = (async () => {
    while (!signal.aborted) {
      await takeBatch().catch((error: unknown) => {
        if (!signal.aborted) log(`stream ${streamArn}: ${String(error)}`);
      });
    }
  })();

  return {
    offer: (change: ItemChange): void => {
      if (change.streamArn !== streamArn) return;
      lastNumber += 1;
      const record = recordOf(change, lastNumber, options);
      if (!options.filter(record)) return;
      waiting.push(record);
      wake();
    },
    /** Delivers no more batches and waits for the one that runs. */
    stop: async (): Promise<void> => {
      stopping.abort();
      wake();
      await loop;
    },
  };
};
