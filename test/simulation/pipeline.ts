// The real handlers of ingest, submit, sync and report, wired as their entries do it, but to one simulated environment.
import { createHandler as createIngestHandler } from '#functions/ingest/handler.ts';
import { createReportHandler } from '#functions/report/handler.ts';
import { report } from '#functions/report/report.ts';
import { mayLook } from '#functions/report/rest.ts';
import { createSubmitHandler } from '#functions/submit/handler.ts';
import { submit } from '#functions/submit/submit.ts';
import { decide } from '#functions/sync/decide.ts';
import { createSyncHandler } from '#functions/sync/handler.ts';
import type { SyncParts } from '#functions/sync/parts.ts';
import { sweepInbox } from '#functions/sync/sweep-inbox.ts';
import { sync } from '#functions/sync/sync.ts';
import { createDrifts } from '#shared/aws/drifts.ts';
import { createFiles } from '#shared/aws/files.ts';
import { createGiveBack } from '#shared/aws/give-back.ts';
import { createImports } from '#shared/aws/imports.ts';
import { createLeases } from '#shared/aws/leases.ts';
import { createLooks } from '#shared/aws/looks.ts';
import { createNumbers } from '#shared/aws/numbers.ts';
import { createPaceStore } from '#shared/aws/pace-store.ts';
import { createPlans } from '#shared/aws/plans.ts';
import { createPortOf } from '#shared/aws/port-of.ts';
import { createPorts } from '#shared/aws/ports.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { createReminders } from '#shared/aws/reminders.ts';
import { createRequests, type Requests } from '#shared/aws/requests.ts';
import { type Decide, type DecisionAnswer, type DecisionWish, decisionAnswer } from '#shared/domain/decision.ts';
import { createTimeZone } from '#shared/domain/time-zone.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { createPortingClient, type PortingClient } from '#shared/porting/client.ts';
import { createPace, type Pace } from '#shared/porting/pace.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import type { Environment } from './environment.ts';
import { accountId, baseUrl, credentials } from './network.ts';
import type { Timeline } from './timeline.ts';

export const table = 'results';
export const buckets = { inbox: 'inbox', work: 'work', results: 'results' } as const;
export const stages = ['ingest', 'submit', 'report', 'sync'] as const;
export type Stage = (typeof stages)[number];
export const queueUrl = (stage: Exclude<Stage, 'sync'>): string => `https://sqs.example/${stage}`;
export const deadLetterUrl = (stage: Exclude<Stage, 'sync'>): string => `${queueUrl(stage)}-dead`;

export const callTimeoutMs = 15_000;
export const quietMs = 120_000;
export const callsPerSecond = 10;
export const submitBatch = 3;
/** In seconds, as the stack derives them from one another. */
export const timeoutSeconds: Readonly<Record<Stage, number>> = { ingest: 900, submit: 135, report: 900, sync: 240 };
const leaseMs = (timeoutSeconds.submit + 10) * 1000;
const rules = { zone: 'Europe/London', callingCode: '44', msisdnFormat: 'national', maxRowsPerRequest: 3 } as const;
const timeZone = createTimeZone(rules.zone);

/** Breaks what protects a request, to see that it is missed. */
export interface Sabotage {
  readonly requests?: (requests: Requests) => Requests;
  /** The ledger and the client of submit, which belong together here. */
  readonly submit?: (requests: Requests, client: PortingClient) => { requests: Requests; client: PortingClient };
  readonly syncClient?: (client: PortingClient) => PortingClient;
  readonly pace?: (pace: Pace) => Pace;
}

export interface PipelineOptions {
  readonly timeline: Timeline;
  /** Everything that is logged, as one text each. */
  readonly onLog: (text: string) => void;
  readonly sabotage: Sabotage | undefined;
  readonly evictAfterMs?: number | undefined;
  /** How long any import rests between two looks of report. @default 0 - small imports do not */
  readonly restMs?: number | undefined;
}

export interface QueueRecord {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

export interface Pipeline {
  /** The message ids that failed. */
  readonly consume: (
    stage: Exclude<Stage, 'sync'>,
    records: readonly QueueRecord[],
    remainingMs: () => number,
  ) => Promise<readonly string[]>;
  readonly sync: (runId: string, remainingMs: () => number) => Promise<unknown>;
  /** What `simporter decide` asks of sync. */
  readonly decide: (wish: Decide, runId: string, remainingMs: () => number) => Promise<DecisionAnswer>;
}

export function createPipeline(environment: Environment, options: PipelineOptions): Pipeline {
  const { timeline, onLog } = options;
  const sabotage = options.sabotage ?? {};
  const { s3, sqs, table: documents } = environment.aws;
  const clocks = { wall: timeline.now, calendar: timeline.now };
  const log = loggingTo(onLog);
  const intact = createRequests(documents, table, environment.backoff);
  const requests = sabotage.requests?.(intact) ?? intact;
  const numbers = createNumbers(documents, table, environment.backoff);
  const ports = createPorts(documents, table, environment.backoff);
  const drifts = createDrifts(documents, table);
  const imports = createImports(documents, table);
  const files = createFiles(s3);
  const queues = createQueues(sqs, environment.backoff);
  const looks = createLooks(ports, numbers, drifts);
  const plans = createPlans(files, buckets.work);
  const leases = createLeases(documents, table);
  const reminders = createReminders(documents, table);
  const paceStore = createPaceStore(documents, table, accountId);
  const pace = createPace({
    store: paceStore,
    callsPerSecond,
    clock: timeline.now,
    random: environment.random,
    wait: environment.wait,
    tell: ({ kind }) => log.info('pace', { kind }),
    onFailure: (error) => log.warn('the pace of calls was not changed', { error }),
  });
  const client = createPortingClient({
    baseUrl,
    authUrl: baseUrl,
    accountId,
    credentials: async () => credentials,
    // Real time, and never met: the network itself says when a caller has waited long enough.
    timeoutMs: 60_000,
    fetch: environment.fetch,
    clock: timeline.now,
    random: environment.random,
    wait: environment.wait,
    pace: sabotage.pace?.(pace) ?? pace,
  });
  const giveBack = (stage: Exclude<Stage, 'sync'>) => createGiveBack(sqs, queueUrl(stage), () => {});
  const targets = {
    ingestQueueUrl: queueUrl('ingest'),
    submitQueueUrl: queueUrl('submit'),
    reportQueueUrl: queueUrl('report'),
  };

  const ingestHandler = createIngestHandler({
    files,
    imports,
    requests,
    reminders,
    queues,
    plans,
    operations,
    openCatalogue: () => createCatalogue(client, createPortOf(numbers, requests)),
    account: accountId,
    settings: rules,
    limits: { maxFileBytes: 1e6, maxFileRows: 1000, toleratedFailurePercentage: 100, maxWaitingRows: 1000 },
    workBucket: buckets.work,
    resultsBucket: buckets.results,
    ...targets,
    giveBack: giveBack('ingest'),
    calendar: timeline.now,
    wall: timeline.now,
    now: () => new Date(timeline.now()).toISOString(),
    log,
    metrics,
  });

  const submitting = sabotage.submit?.(requests, client) ?? { requests, client };
  const submitHandler = createSubmitHandler({
    submitterFor: (remainingMs, alsoChanged, inTurn) => (message) =>
      submit(message, {
        ...submitting,
        inTurn,
        numbers,
        ports,
        looks,
        plans,
        queues,
        judge: { catalogue: createCatalogue(client), settings: rules, calendar: timeline.now },
        operationNamed,
        settings: {
          account: accountId,
          rules,
          leaseMs,
          quietMs,
          callTimeoutMs,
          retryWithoutRefused: true,
          submitQueueUrl: targets.submitQueueUrl,
        },
        clocks,
        alsoChanged,
        random: environment.random,
        remainingMs,
        log,
        metrics,
      }),
    queues,
    reportQueueUrl: targets.reportQueueUrl,
    giveBack: giveBack('submit'),
    log,
    metrics,
  });

  const reportParts = { imports, requests, ports, files, drifts, operationNamed, wall: timeline.now, log };
  const { reportQueueUrl } = targets;
  const rest = { imports, queues, reportQueueUrl, restOf: () => options.restMs ?? 0, wall: timeline.now };
  const reportHandler = createReportHandler({
    reportOn: (importId, cameBack, remainingMs) =>
      report(importId, { ...reportParts, resultsBucket: buckets.results, remainingMs }, (item) =>
        mayLook(item, cameBack, rest),
      ),
    giveBack: giveBack('report'),
    log,
  });

  const syncParts = (runId: string, remainingMs: () => number): SyncParts => ({
    requests,
    numbers,
    ports,
    looks,
    imports,
    reminders,
    leases,
    plans,
    queues,
    client: sabotage.syncClient?.(client) ?? client,
    drifts,
    pace: { get: paceStore.get, probeNow: pace.probeNow },
    operationNamed,
    sweepInbox: (onUnreadable) =>
      sweepInbox({
        leases,
        files,
        imports,
        queues,
        inboxBucket: buckets.inbox,
        ingestQueueUrl: queueUrl('ingest'),
        account: accountId,
        wall: timeline.now,
        runId,
        remainingMs,
        onUnreadable,
        log,
      }),
    writeLookupPack: async () => false,
    settings: {
      account: accountId,
      zone: timeZone,
      callingCode: rules.callingCode,
      quietMs,
      evictAfterMs: options.evictAfterMs,
      ...targets,
      limit: 100,
      simsPerRun: 100,
    },
    clocks,
    runId,
    remainingMs,
    wait: environment.wait,
    log,
    metrics,
  });
  const syncHandler = createSyncHandler({
    decide: (wish, runId, remainingMs) => decide(wish, syncParts(runId, remainingMs)),
    runSync: (runId, remainingMs) => sync(syncParts(runId, remainingMs)),
    log,
    metrics,
  });

  const handlers = { ingest: ingestHandler, submit: submitHandler, report: reportHandler };
  return {
    consume: async (stage, records, remainingMs) => {
      const event = { Records: records } as unknown as Parameters<typeof ingestHandler>[0];
      const { batchItemFailures } = await handlers[stage](event, { getRemainingTimeInMillis: remainingMs });
      return batchItemFailures.map(({ itemIdentifier }) => itemIdentifier);
    },
    sync: (awsRequestId, getRemainingTimeInMillis) => syncHandler({}, { awsRequestId, getRemainingTimeInMillis }),
    decide: async (wish, awsRequestId, getRemainingTimeInMillis) => {
      const event: DecisionWish = { decide: wish };
      return decisionAnswer.parse(await syncHandler(event, { awsRequestId, getRemainingTimeInMillis }));
    },
  };
}

const metrics: Metrics = { count: () => {}, gauge: () => {}, flush: () => {} };

function loggingTo(onLog: (text: string) => void): Log {
  const write = (message: string, fields: object = {}): void =>
    onLog(
      `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? textOf(value) : value))}`,
    );
  const log: Log = { debug: write, info: write, warn: write, error: write, with: () => log };
  return log;
}

const textOf = ({ name, message, stack, cause }: Error): string => `${name} ${message} ${stack} ${String(cause)}`;
