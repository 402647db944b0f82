// Wires the ingest function to AWS and to the porting service. Only this file acts when it is imported.
import { setTimeout as sleep } from 'node:timers/promises';
import { isoTime } from '#shared/domain/dates/iso-time.ts';
import { createCatalogue } from '#shared/operations/kit/catalogue.ts';
import { operations } from '#shared/operations/registry.ts';
import { callsAtOnce } from '#shared/porting/in-parallel.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { readSettings } from '#shared/runtime/settings.ts';
import { callingVariables, wireCallingFunction } from '#shared/runtime/wiring/calling-function.ts';
import { createPlans } from '#shared/store/files/plans.ts';
import { openStores } from '#shared/store/open-stores.ts';
import { createQueues } from '#shared/store/queues/queues.ts';
import { createRetryLater } from '#shared/store/queues/retry-later.ts';
import { createContents } from '#shared/store/tables/contents.ts';
import { createFindPortByNumber } from '#shared/store/tables/find-port-by-number.ts';
import { createPortSnapshots } from '#shared/store/tables/port-snapshots.ts';
import { createReportNotifications } from '#shared/store/tables/report-notifications.ts';
import type { IngestDependencies } from './dependencies.ts';
import { createIngestHandler } from './handler.ts';

/** About one kilobyte each. */
const maxOpenGroups = 25_000;
/** Two million rows, of which 50 bytes each must wait. */
const maxWaitingBytes = 100 * 1024 * 1024;

const environment = parseEnvironment(process.env, [
  ...callingVariables,
  'WORK_BUCKET',
  'RESULTS_BUCKET',
  'INGEST_QUEUE_URL',
  'COMMAND_QUEUE_URL',
  'SUBMIT_QUEUE_URL',
  'REPORT_QUEUE_URL',
]);
const settings = readSettings(process.env);
const table = environment.RESULTS_TABLE;
const { client, clients, clocks, log, metrics } = wireCallingFunction(environment, settings, 'ingest');
const account = settings.service.accountId;
const { comparisons, ...stores } = openStores(clients, { resultsTable: table, account });
const { numbers, requests, ports } = stores;
const findPortByNumber = createFindPortByNumber(numbers, requests);

const dependencies: IngestDependencies = {
  ...stores,
  callsAtOnce: callsAtOnce(settings.callsPerSecond),
  contents: createContents(clients.table, table),
  notifications: createReportNotifications(clients.table, table),
  queues: createQueues(clients.sqs),
  plans: createPlans(stores.files, environment.WORK_BUCKET),
  operations,
  openCatalogue: () => createCatalogue(client, { findPortByNumber }),
  account,
  recordRetentionDays: settings.retention.recordDays,
  approval: settings.approval,
  settings: { ...settings.account, maxRowsPerRequest: settings.limits.rowsPerRequest },
  limits: {
    ...settings.limits,
    maxFileBytes: settings.limits.fileBytes,
    maxFileRows: settings.limits.fileRows,
    maxOpenGroups,
    maxWaitingBytes,
  },
  workBucket: environment.WORK_BUCKET,
  resultsBucket: environment.RESULTS_BUCKET,
  ingestQueueUrl: environment.INGEST_QUEUE_URL,
  commandQueueUrl: environment.COMMAND_QUEUE_URL,
  submitQueueUrl: environment.SUBMIT_QUEUE_URL,
  reportQueueUrl: environment.REPORT_QUEUE_URL,
  calendar: clocks.calendar,
  wall: clocks.wall,
  now: () => isoTime(clocks.wall()),
  wait: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
  log,
  metrics,
};
const snapshots = createPortSnapshots(ports, numbers, comparisons);

export const handler = createIngestHandler({
  ...dependencies,
  adopt: async (message) => (await import('./adopt.ts')).adopt(message, { ...dependencies, snapshots }),
  retryLater: (queueUrl, records) => createRetryLater(clients.sqs, queueUrl, log)(records),
});
