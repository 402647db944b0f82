// The pipeline of every step over the clients of a test: the stores that the entries open, and what a test replaces.
import { randomUUID } from 'node:crypto';
import type { IngestPipeline } from '#functions/ingest/ingest-pipeline.ts';
import type { SyncPipeline, SyncSettings } from '#functions/sync/run.ts';
import { createSearchStore } from '#functions/sync/unknown-outcomes/kept-search.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operationNamed, operations } from '#shared/operations/registry.ts';
import { type Clock, type Clocks, createDeadline } from '#shared/runtime/clock.ts';
import type { Log } from '#shared/runtime/logger.ts';
import type { PortingClient } from '#shared/service/client.ts';
import type { Backoff } from '#shared/store/backoff.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { createFiles } from '#shared/store/files.ts';
import { createContents } from '#shared/store/first-uses.ts';
import { createImports, createReportNotifications } from '#shared/store/imports.ts';
import { createLeases, createSyncRuns } from '#shared/store/leases.ts';
import { createNumberLookups, createNumbers } from '#shared/store/numbers.ts';
import { createAudit, createResolutions, createSavedSettings } from '#shared/store/people.ts';
import { type ChangeablePlans, createPlans } from '#shared/store/plans.ts';
import { createComparisons, createPortSnapshots, createPorts } from '#shared/store/ports.ts';
import { createQueues } from '#shared/store/queues.ts';
import { createRequests, createUnfinishedSince } from '#shared/store/requests.ts';

export const silentLog = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: () => {},
  with: () => silentLog,
};

/** Every entry as text, with the parts of errors that JSON leaves out. */
export function textLog(onLog: (text: string) => void): Log {
  const write = (message: string, fields: object = {}): void =>
    onLog(
      `${message} ${JSON.stringify(fields, (_, value: unknown) => (value instanceof Error ? textOf(value) : value))}`,
    );
  const log: Log = { debug: write, info: write, warn: write, error: write, with: () => log };
  return log;
}

const textOf = ({ name, message, stack, cause }: Error): string => `${name} ${message} ${stack} ${String(cause)}`;

export const silentMetrics = { count: () => {}, gauge: () => {}, flush: () => {} };

export const testSettings = {
  account: '1001@service',
  zone: 'Europe/London',
  callingCode: '44',
  msisdnFormat: 'national',
  maxRowsPerRequest: 100,
  approval: 'upload',
  callTimeoutMs: 5_000,
  leaseMs: 60_000,
  quietMs: 30_000,
  retryWithoutDeclined: true,
  callsAtOnce: 4,
  recordRetentionDays: 730,
  limit: 5_000,
  simsPerRun: 1_000,
} as const satisfies SyncSettings;

export const testLimits = {
  maxFileBytes: 10_000_000,
  maxFileRows: 100_000,
  toleratedFailurePercentage: 100,
  maxOpenGroups: 25_000,
  maxWaitingBytes: 1e8,
} as const;

export const testResources = {
  account: '1001@service',
  callingCode: '44',
  inboxBucket: 'inbox',
  workBucket: 'work',
  resultsBucket: 'results',
  ingestQueueUrl: 'https://queue.example/ingest',
  commandQueueUrl: 'https://queue.example/command',
  submitQueueUrl: 'https://queue.example/submit',
  reportQueueUrl: 'https://queue.example/report',
} as const;

export const clocksOf = (now: Clock): Clocks => ({ wall: now, calendar: now });

/** Every plan has expired, and none may be replaced. */
export const expiredPlans: ChangeablePlans = {
  read: async () => undefined,
  readMany: async () => () => undefined,
  replace: () => Promise.reject(new Error('no port is moved')),
};

export interface TestPipeline extends IngestPipeline, SyncPipeline {
  readonly settings: SyncSettings;
}

interface TestClients extends AwsClients {
  readonly resultsTable: string;
  readonly client: PortingClient;
  readonly rateLimiter: SyncPipeline['rateLimiter'];
  readonly clocks: Clocks;
  readonly backoff?: Backoff | undefined;
}

/** Nothing happens once an hour or a day, no lease is renewed in real time, and nothing is logged. */
export function createTestPipeline(
  { s3, sqs, table, resultsTable, client, rateLimiter, clocks, backoff }: TestClients,
  changes: Partial<TestPipeline> = {},
): TestPipeline {
  const files = createFiles(s3);
  const {
    resources = testResources,
    requests = createRequests(table, resultsTable, backoff),
    numbers = createNumbers(table, resultsTable, backoff),
    ports = createPorts(table, resultsTable, backoff),
    comparisons = createComparisons(table, resultsTable),
  } = changes;
  const stored = { settings: testSettings, resources, files, requests, numbers, ports, comparisons, clocks, client };
  const pipeline: Omit<TestPipeline, 'searches'> = {
    ...stored,
    imports: createImports(table, resultsTable),
    contents: createContents(table, resultsTable),
    savedSettings: createSavedSettings(table, resultsTable, resources.account),
    audit: createAudit(table, resultsTable),
    unfinishedSince: createUnfinishedSince(table, resultsTable, resources.account),
    leases: createLeases(table, resultsTable),
    syncRuns: createSyncRuns(table, resultsTable, resources.account),
    resolutions: createResolutions(table, resultsTable),
    notifications: createReportNotifications(table, resultsTable),
    snapshots: createPortSnapshots(ports, numbers, comparisons),
    plans: createPlans(files, resources.workBucket),
    queues: createQueues(sqs, backoff),
    rateLimiter,
    operationNamed,
    operations,
    newId: randomUUID,
    openCatalogue: () =>
      createCatalogue(client, { numbers: createNumberLookups(numbers, requests, resources.account) }),
    limits: testLimits,
    sweepInbox: async () => 0,
    rescueImports: async () => 0,
    watchLateCommits: async () => 0,
    writeReferenceData: async () => false,
    wait: () => new Promise(() => {}),
    runId: randomUUID(),
    deadline: createDeadline(() => 60_000),
    log: silentLog,
    metrics: silentMetrics,
    ...changes,
  };
  return { searches: createSearchStore('search/1', pipeline), ...pipeline };
}
