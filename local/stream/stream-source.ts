// An event source mapping of a stream: batches of records in order, halved and tried again where the function fails, put
// aside where it fails for good.
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod';
import type { Outcome } from '../lambda/environment.ts';
import type { Filter } from './filter.ts';
import type { Change } from './pass-through.ts';

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
  /** Takes the message that tells which part of the stream was given up. */
  readonly putAside: (message: unknown) => Promise<void>;
  readonly log: (line: string) => void;
  /** @default 1000 */
  readonly retryPauseMs?: number;
}

export interface StreamSource {
  offer(change: Change): void;
  /** Delivers nothing more and waits for the batch that runs. */
  stop(): Promise<void>;
}

const batchResponse = z.object({
  batchItemFailures: z.array(z.object({ itemIdentifier: z.string() })).nullish(),
});

const recordOf = (change: Change, number: number, { region, clock }: StreamSourceOptions) => ({
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

export function startStreamSource(options: StreamSourceOptions): StreamSource {
  const { batchSize, windowMs, retryAttempts, retryPauseMs = 1_000 } = options;
  const stopping = new AbortController();
  const waiting: StreamRecord[] = [];
  let wake = (): void => undefined;
  // Counted on over a restart, so that numbers only grow.
  let last = options.clock() * 1_000;

  /** Where in the batch the function has to begin again; undefined where it is done with all of it. */
  const failedAt = async (Records: readonly StreamRecord[]): Promise<number | undefined> => {
    const outcome = await options.invoke({ Records });
    if (!outcome.ok) return 0;
    if (!options.reportsFailures || outcome.payload === null) return undefined;
    const failures = batchResponse.safeParse(outcome.payload).data?.batchItemFailures;
    if (failures === undefined) return 0;
    const numbers = new Set(failures?.map(({ itemIdentifier }) => itemIdentifier));
    const first = Records.findIndex(({ dynamodb }) => numbers.has(dynamodb.SequenceNumber));
    return numbers.size === 0 ? undefined : Math.max(0, first);
  };

  const giveUp = async (records: readonly StreamRecord[], tries: number): Promise<void> => {
    options.log(`stream ${options.streamArn}: gave up ${records.length} records after ${tries} tries`);
    await options.putAside({
      version: '1.0',
      timestamp: new Date(options.clock()).toISOString(),
      requestContext: { condition: 'RetryAttemptsExhausted', approximateInvokeCount: tries },
      DDBStreamBatchInfo: {
        shardId: 'local',
        startSequenceNumber: records[0]?.dynamodb.SequenceNumber,
        endSequenceNumber: records.at(-1)?.dynamodb.SequenceNumber,
        batchSize: records.length,
        streamArn: options.streamArn,
      },
    });
  };

  const deliver = async (records: readonly StreamRecord[], tries = 1): Promise<void> => {
    const failed = await failedAt(records);
    if (failed === undefined || stopping.signal.aborted) return;
    const rest = records.slice(failed);
    if (tries > retryAttempts) return giveUp(rest, tries);
    await delay(retryPauseMs, undefined, { signal: stopping.signal });
    const half = options.bisects ? Math.ceil(rest.length / 2) : rest.length;
    await deliver(rest.slice(0, half), tries + 1);
    if (half < rest.length) await deliver(rest.slice(half), tries + 1);
  };

  const loop = (async () => {
    while (!stopping.signal.aborted) {
      if (waiting.length === 0) await new Promise<void>((resolve) => (wake = resolve));
      if (waiting.length < batchSize) await delay(windowMs, undefined, { signal: stopping.signal });
      await deliver(waiting.splice(0, batchSize));
    }
  })().catch((error: unknown) => {
    if (!stopping.signal.aborted) options.log(`stream ${options.streamArn}: ${String(error)}`);
  });

  return {
    offer: (change) => {
      if (change.streamArn !== options.streamArn) return;
      last += 1;
      const record = recordOf(change, last, options);
      if (!options.filter(record)) return;
      waiting.push(record);
      wake();
    },
    stop: async () => {
      stopping.abort();
      wake();
      await loop;
    },
  };
}
