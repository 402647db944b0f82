// What the steps of the pipeline work with: stores, queues, buckets, the porting service, clocks, settings, log and
// metrics. A use case takes the pipeline and what it is about. Only the entries open it; a step that needs more than
// the others adds that in its entry, so no bundle has what its function does not use.

import type { ApprovalMode } from '#shared/import/approval.ts';
import type { AccountSettings, Operation } from '#shared/operations/operation.ts';
import { clocksOf } from '#shared/runtime/calendar-file.ts';
import type { Clocks } from '#shared/runtime/clock.ts';
import { type EnvironmentName, parseEnvironment } from '#shared/runtime/config.ts';
import { createLog, type Log } from '#shared/runtime/logger.ts';
import type { Metrics } from '#shared/runtime/metrics.ts';
import { type FunctionSettings, readSettings } from '#shared/runtime/settings.ts';
import type { PortingClient } from '#shared/service/client.ts';
import { callsAtOnce } from '#shared/service/in-parallel.ts';
import type { RateLimiter } from '#shared/service/rate-limiter.ts';
import { type AwsClients, createAwsClients } from '#shared/store/clients.ts';
import { createFiles, type Files } from '#shared/store/files.ts';
import { createImports, type Imports } from '#shared/store/imports.ts';
import type { RateLimitReader } from '#shared/store/leases.ts';
import type { Numbers } from '#shared/store/numbers.ts';
import type { ChangeablePlans } from '#shared/store/plans.ts';
import {
  type Comparisons,
  createComparisons,
  createPorts,
  type PortSnapshots,
  type Ports,
} from '#shared/store/ports.ts';
import { createQueues, type Queues } from '#shared/store/queues.ts';
import { createRequests, type Requests } from '#shared/store/requests.ts';
import { type OperationName, portingAccount } from '#shared/text/identity.ts';

/** The settings of the account, and how the steps work. */
export interface PipelineSettings extends AccountSettings {
  /** The account at the porting service (shared/text/identity.ts). */
  readonly account: string;
  /** The hour of the account's day from which the service locks the ports of the next working day. @default 16 */
  readonly lockingHour?: number | undefined;
  readonly approval: ApprovalMode;
  readonly callTimeoutMs: number;
  /** How long an attempt of submit owns its request; longer than any invocation lasts. */
  readonly leaseMs: number;
  /** How long after an unknown outcome sync waits before it asks the service. */
  readonly quietMs: number;
  /** Sends a request again without the rows that the service names when it declines the request (spec gap 25). */
  readonly retryWithoutDeclined: boolean;
  /** Reads of the service at the same time. */
  readonly callsAtOnce: number;
  /**
   * How long rows with invalid PACs may block others, in milliseconds of calendar time.
   * @default - until a person acts
   */
  readonly removeBlockingAfterMs?: number | undefined;
  /** The same for imports whose upload has `on-invalid-pac: remove`. @default `removeBlockingAfterMs` */
  readonly removeIfChosenAfterMs?: number | undefined;
  /** Days for which the items of an import are kept after it has ended. */
  readonly recordRetentionDays: number;
}

/** The buckets and queues. The read models take them with the account. */
export interface PipelineResources {
  readonly account: string;
  /** The country of a national number of this account. */
  readonly callingCode: string;
  readonly inboxBucket: string;
  readonly workBucket: string;
  readonly resultsBucket: string;
  /** Its policy admits only S3, ingest and sync, so its events can be trusted. */
  readonly ingestQueueUrl: string;
  readonly commandQueueUrl: string;
  readonly submitQueueUrl: string;
  readonly reportQueueUrl: string;
}

export interface Pipeline {
  readonly settings: PipelineSettings;
  readonly resources: PipelineResources;
  readonly files: Files;
  readonly imports: Imports;
  readonly requests: Requests;
  readonly ports: Ports;
  readonly comparisons: Comparisons;
  readonly queues: Queues;
  readonly clocks: Clocks;
  readonly log: Log;
}

/** The pipeline of a step that calls the porting service. */
export interface ServicePipeline extends Pipeline {
  readonly client: PortingClient;
  readonly rateLimiter: RateLimiter & RateLimitReader;
  readonly operationNamed: (name: OperationName) => Operation | undefined;
  readonly numbers: Numbers;
  readonly snapshots: PortSnapshots;
  readonly plans: ChangeablePlans;
  /** Does not keep the process alive. */
  readonly wait: (milliseconds: number) => Promise<void>;
  readonly metrics: Metrics;
}

const variables = [
  'INBOX_BUCKET',
  'WORK_BUCKET',
  'RESULTS_BUCKET',
  'RESULTS_TABLE',
  'INGEST_QUEUE_URL',
  'COMMAND_QUEUE_URL',
  'SUBMIT_QUEUE_URL',
  'REPORT_QUEUE_URL',
  'LEASE_SECONDS',
  'CALENDAR_FILE',
] as const satisfies readonly EnvironmentName[];

/** With what an entry adds stores from. */
export interface OpenedPipeline extends Pipeline {
  readonly step: string;
  readonly clients: AwsClients;
  readonly resultsTable: string;
  readonly all: FunctionSettings;
}

/** For a step that never calls the service. @throws Error that names every variable which is missing or wrong */
export function openPipeline(env: Readonly<Record<string, string | undefined>>, step: string): OpenedPipeline {
  const environment = parseEnvironment(env, variables);
  const all = readSettings(env);
  const clients = createAwsClients(env);
  const { RESULTS_TABLE: resultsTable } = environment;
  return {
    step,
    clients,
    resultsTable,
    all,
    settings: settingsOf(all, environment.LEASE_SECONDS),
    resources: {
      account: portingAccount(all.service),
      callingCode: all.account.callingCode,
      inboxBucket: environment.INBOX_BUCKET,
      workBucket: environment.WORK_BUCKET,
      resultsBucket: environment.RESULTS_BUCKET,
      ingestQueueUrl: environment.INGEST_QUEUE_URL,
      commandQueueUrl: environment.COMMAND_QUEUE_URL,
      submitQueueUrl: environment.SUBMIT_QUEUE_URL,
      reportQueueUrl: environment.REPORT_QUEUE_URL,
    },
    files: createFiles(clients.s3),
    imports: createImports(clients.table, resultsTable),
    requests: createRequests(clients.table, resultsTable),
    ports: createPorts(clients.table, resultsTable),
    comparisons: createComparisons(clients.table, resultsTable),
    queues: createQueues(clients.sqs),
    clocks: clocksOf(environment.CALENDAR_FILE),
    log: createLog({ service: step }),
  };
}

const hourMs = 3_600_000;

function settingsOf({ account, submit, ...all }: FunctionSettings, leaseSeconds: number): PipelineSettings {
  const removeAfterMs = account.removeBlockingAfterHours * hourMs;
  return {
    ...account,
    account: portingAccount(all.service),
    maxRowsPerRequest: all.limits.rowsPerRequest,
    approval: all.approval,
    callTimeoutMs: submit.callTimeoutSeconds * 1000,
    leaseMs: leaseSeconds * 1000,
    quietMs: submit.quietSeconds * 1000,
    retryWithoutDeclined: submit.retryWithoutDeclined,
    callsAtOnce: callsAtOnce(all.callsPerSecond),
    removeBlockingAfterMs: account.onInvalidPac === 'remove' ? removeAfterMs : undefined,
    removeIfChosenAfterMs: removeAfterMs,
    recordRetentionDays: all.retention.recordDays,
  };
}
