// The real handlers of ingest, submit, sync and report in one simulated environment.
// What functions load when they need it is loaded here, because time does not wait for the loading of a module.
import type { SQSEvent } from 'aws-lambda';
import type { ApprovalMode } from '#shared/import/approval.ts';
import { double } from '../support/double.ts';
import '#functions/ingest/correction.ts';
import '#functions/submit/held-claims.ts';
import '#shared/files/csv/parse-record.ts';
import { rescueImports, sweepInbox } from '#functions/sync/lost-messages.ts';
import { watchLateCommits } from '#functions/sync/unknown-outcomes/late-commits.ts';
import type { QueueName } from '#shared/api/agreed-names.ts';
import { createCatalogue, keepLists } from '#shared/operations/catalogue.ts';
import { todayOf } from '#shared/operations/columns/connection-date.ts';
import { reportNews } from '#shared/pipeline/service.ts';
import { type Resolution, type ResolveAnswer, type ResolveCommand, resolveAnswer } from '#shared/request/messages.ts';
import type { CallPriority } from '#shared/request/shared-rate-limit.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import type { LambdaContext } from '#shared/runtime/step.ts';
import { createPortingClient, type PortingClient } from '#shared/service/client.ts';
import { callsAtOnce } from '#shared/service/in-parallel.ts';
import { createRateLimiter, type RateLimiter } from '#shared/service/rate-limiter.ts';
import { createIsFirstUse } from '#shared/store/first-uses.ts';
import { createRateLimitStore } from '#shared/store/leases.ts';
import { createNumberLookups, createNumbers, type Numbers } from '#shared/store/numbers.ts';
import { createRetryLater } from '#shared/store/queues.ts';
import { createRequests, type Requests } from '#shared/store/requests.ts';
import { createSteps } from '../rig/steps.ts';
import {
  createTestPipeline,
  silentMetrics,
  testResources,
  testSettings,
  textLog,
} from '../support/steps/test-pipeline.ts';
import type { Environment, Stage } from './environment.ts';
import { account, accountId, baseUrl, credentials } from './network.ts';
import type { Timeline } from './timeline.ts';

export const table = 'results';
export const buckets = { inbox: 'inbox', work: 'work', results: 'results' } as const;
export const queueUrl = (name: QueueName): string => `https://sqs.example/${name}`;
export const deadLetterUrl = (name: QueueName): string => `${queueUrl(name)}-dead`;

export const callTimeoutMs = 15_000;
export const quietMs = 120_000;
export const callsPerSecond = 10;
export const submitBatch = 3;
/** In seconds, as derived by the stack. */
export const timeoutSeconds: Readonly<Record<Stage, number>> = { ingest: 900, submit: 90, report: 900, sync: 240 };
const leaseMs = (timeoutSeconds.submit + 10) * 1000;
const rules = { zone: 'Europe/London', callingCode: '44', msisdnFormat: 'national', maxRowsPerRequest: 3 } as const;

/** Breaks a protection, to check that the simulation detects it. */
export interface Sabotage {
  readonly requests?: (requests: Requests) => Requests;
  readonly numbers?: (numbers: Numbers) => Numbers;
  /** The ledger and the client of submit, which are replaced together. */
  readonly submit?: (requests: Requests, client: PortingClient) => { requests: Requests; client: PortingClient };
  readonly syncClient?: (client: PortingClient) => PortingClient;
  readonly rateLimiter?: (rateLimiter: RateLimiter) => RateLimiter;
}

export interface PipelineOptions {
  readonly timeline: Timeline;
  /** Receives every log entry as text. */
  readonly onLog: (text: string) => void;
  /** @default - they are not published */
  readonly metrics?: Metrics | undefined;
  readonly sabotage: Sabotage | undefined;
  readonly removeBlockingAfterMs?: number | undefined;
  /** @default upload */
  readonly approval?: ApprovalMode | undefined;
  /** The refresh throttle of report for every import. @default 0 - as for small imports */
  readonly restMs?: number | undefined;
  /** @default - as on AWS */
  readonly syncCallsAtOnce?: number | undefined;
  /** Whether submit measures how much of the rate is used. @default false - chance decides */
  readonly isAtScale?: boolean;
  /** @default 3 - a small file has several requests */
  readonly rowsPerRequest?: number | undefined;
}

export interface QueueRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string; readonly SentTimestamp: string };
}

export interface Pipeline {
  /** The message ids that failed. */
  readonly consume: (
    stage: Exclude<Stage, 'sync'>,
    records: readonly QueueRecord[],
    context: LambdaContext,
  ) => Promise<readonly string[]>;
  readonly sync: (context: LambdaContext, event?: object) => Promise<unknown>;
  /** The command that `simporter resolve` sends to sync. */
  readonly resolve: (resolution: Resolution, context: LambdaContext) => Promise<ResolveAnswer>;
}

export function createPipeline(environment: Environment, options: PipelineOptions): Pipeline {
  const { timeline, onLog, metrics = silentMetrics } = options;
  const sabotage = options.sabotage ?? {};
  const { sqs, table: documents } = environment.aws;
  const clocks = { wall: timeline.now, calendar: timeline.now };
  const log = textLog(onLog);
  const intact = createRequests(documents, table, environment.backoff, environment.newId);
  const requests = sabotage.requests?.(intact) ?? intact;
  const allNumbers = createNumbers(documents, table, environment.backoff);
  const numbers = sabotage.numbers?.(allNumbers) ?? allNumbers;
  const rateLimitStore = createRateLimitStore(documents, table, account);
  const connect = (priority: CallPriority) => {
    const rateLimiter = createRateLimiter({
      store: rateLimitStore,
      callsPerSecond,
      priority,
      clock: timeline.now,
      random: environment.random,
      wait: environment.wait,
      notify: (news) => reportNews(news, log, metrics),
      onFailure: (error) => log.warn('the rate limit was not changed', { error }),
    });
    const client = createPortingClient({
      baseUrl,
      authUrl: baseUrl,
      accountId,
      credentials: async () => credentials,
      // Real time, which is never reached: the simulated network ends calls itself.
      timeoutMs: 60_000,
      fetch: environment.fetch,
      clock: timeline.now,
      random: environment.random,
      wait: environment.wait,
      rateLimiter: sabotage.rateLimiter?.(rateLimiter) ?? rateLimiter,
    });
    return { client, rateLimiter };
  };
  const { client, rateLimiter } = connect('foreground');
  const background = connect('background');
  const targets = {
    ingestQueueUrl: queueUrl('ingest'),
    commandQueueUrl: queueUrl('command'),
    submitQueueUrl: queueUrl('submit'),
    reportQueueUrl: queueUrl('report'),
  };

  const settings = {
    ...testSettings,
    ...rules,
    maxRowsPerRequest: options.rowsPerRequest ?? rules.maxRowsPerRequest,
    account,
    approval: options.approval ?? ('upload' as const),
    callTimeoutMs,
    leaseMs,
    quietMs,
    removeBlockingAfterMs: options.removeBlockingAfterMs,
    limit: 100,
    simsPerRun: 100,
    callsAtOnce: options.syncCallsAtOnce ?? callsAtOnce(callsPerSecond),
  };

  const listsForNow = keepLists(client, timeline.now, () => todayOf({ settings: rules, calendar: timeline.now }));
  const lookups = createNumberLookups(numbers, requests, account);

  const pipeline = createTestPipeline(
    {
      ...environment.aws,
      resultsTable: table,
      rateLimiter: double(rateLimiter),
      clocks,
      client,
      backoff: environment.backoff,
    },
    {
      requests,
      numbers,
      openCatalogue: () => createCatalogue(client, { numbers: lookups, lists: listsForNow() }),
      newId: () => environment.random().toString(36).slice(2),
      settings,
      wait: environment.wait,
      log,
      metrics,
      resources: { ...testResources, ...targets, account },
    },
  );

  const isFirstUseOf = createIsFirstUse(documents, table, timeline.now, environment.backoff);
  const handlers = createSteps(pipeline, {
    random: environment.random,
    submitting: sabotage.submit?.(requests, client) ?? { requests, client },
    catalogue: () => ({ lists: listsForNow(), isFirstUseOf }),
    syncing: {
      // Sync looks every list up anew.
      openCatalogue: () => createCatalogue(client),
      client: sabotage.syncClient?.(background.client) ?? background.client,
      rateLimiter: double({ get: rateLimitStore.get, probeNow: background.rateLimiter.probeNow }),
      sweepInbox,
      rescueImports,
      watchLateCommits,
    },
  }).handlers({
    retryLater: (url) => createRetryLater(sqs, url, { warn: () => {} }),
    // Small files hardly ever saturate the rate; left to sync, a read-back has more orders.
    rate: options.isAtScale
      ? pipeline.rateLimiter
      : double({ isSaturated: () => environment.random() < 0.3, noteQueue: pipeline.rateLimiter.noteQueue }),
    throttleWait: () => options.restMs ?? 0,
  });

  return {
    consume: async (stage, records, context) => {
      const event = { Records: records } as unknown as SQSEvent;
      const { batchItemFailures } = await handlers[stage](event, context);
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },
    sync: (context, event = {}) => handlers.sync(event, context),
    resolve: async (resolution, context) => {
      const event: ResolveCommand = { resolve: resolution };
      return resolveAnswer.parse(await handlers.sync(event, context));
    },
  };
}
