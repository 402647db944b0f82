// Ingest on Lambda: real clients, made once per environment from its variables.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createAwsClients } from '#shared/aws/clients.ts';
import { createFiles } from '#shared/aws/files.ts';
import { createGiveBack } from '#shared/aws/give-back.ts';
import { createImports } from '#shared/aws/imports.ts';
import { createNumbers } from '#shared/aws/numbers.ts';
import { createPaceStore } from '#shared/aws/pace-store.ts';
import { createPlans } from '#shared/aws/plans.ts';
import { createPortOf } from '#shared/aws/port-of.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { createReminders } from '#shared/aws/reminders.ts';
import { createRequests } from '#shared/aws/requests.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operations } from '#shared/operations/registry.ts';
import { createPortingClient } from '#shared/porting/client.ts';
import { createPace } from '#shared/porting/pace.ts';
import { acceleratedClock, wallClock } from '#shared/runtime/clock.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { createLog } from '#shared/runtime/logger.ts';
import { createMetrics } from '#shared/runtime/metrics.ts';
import { paceSurroundings } from '#shared/runtime/pace-surroundings.ts';
import { createCredentialsReader } from '#shared/runtime/secret.ts';
import { createHandler } from './handler.ts';

/** About 4 MB of rows; more would not fill more requests in practice. */
const maxWaitingRows = 20_000;

const environment = parseEnvironment(process.env, [
  'WORK_BUCKET',
  'RESULTS_BUCKET',
  'RESULTS_TABLE',
  'INGEST_QUEUE_URL',
  'SUBMIT_QUEUE_URL',
  'REPORT_QUEUE_URL',
  'SERVICE_BASE_URL',
  'SERVICE_AUTH_URL',
  'SERVICE_ACCOUNT_ID',
  'SERVICE_SECRET_ARN',
  'ACCOUNT_ZONE',
  'CALLING_CODE',
  'MSISDN_FORMAT',
  'BUNDLE_CONTROL_NETWORKS',
  'MAX_ROWS_PER_REQUEST',
  'MAX_FILE_BYTES',
  'MAX_FILE_ROWS',
  'TOLERATED_FAILURE_PERCENTAGE',
  'CALL_TIMEOUT_SECONDS',
  'CALLS_PER_SECOND',
  'CALENDAR_ORIGIN',
  'CALENDAR_SPEED',
]);
const { CALENDAR_ORIGIN: origin, CALENDAR_SPEED: speed } = environment;
const clients = createAwsClients(process.env);
const log = createLog({ service: 'ingest' });
const metrics = createMetrics({ service: 'ingest' });
const porting = createPortingClient({
  baseUrl: environment.SERVICE_BASE_URL,
  authUrl: environment.SERVICE_AUTH_URL,
  accountId: environment.SERVICE_ACCOUNT_ID,
  credentials: createCredentialsReader({
    client: new SecretsManagerClient({}),
    secretId: environment.SERVICE_SECRET_ARN,
  }),
  timeoutMs: environment.CALL_TIMEOUT_SECONDS * 1000,
  pace: createPace({
    store: createPaceStore(clients.table, environment.RESULTS_TABLE, environment.SERVICE_ACCOUNT_ID),
    callsPerSecond: environment.CALLS_PER_SECOND,
    ...paceSurroundings(log, metrics),
  }),
});

const requests = createRequests(clients.table, environment.RESULTS_TABLE);
const portOf = createPortOf(createNumbers(clients.table, environment.RESULTS_TABLE), requests);

export const handler = createHandler({
  files: createFiles(clients.s3),
  imports: createImports(clients.table, environment.RESULTS_TABLE),
  requests,
  reminders: createReminders(clients.table, environment.RESULTS_TABLE),
  queues: createQueues(clients.sqs),
  plans: createPlans(createFiles(clients.s3), environment.WORK_BUCKET),
  operations,
  openCatalogue: () => createCatalogue(porting, portOf),
  account: environment.SERVICE_ACCOUNT_ID,
  settings: {
    zone: environment.ACCOUNT_ZONE,
    callingCode: environment.CALLING_CODE,
    msisdnFormat: environment.MSISDN_FORMAT,
    maxRowsPerRequest: environment.MAX_ROWS_PER_REQUEST,
    bundleControlNetworks: environment.BUNDLE_CONTROL_NETWORKS,
  },
  limits: {
    maxFileBytes: environment.MAX_FILE_BYTES,
    maxFileRows: environment.MAX_FILE_ROWS,
    toleratedFailurePercentage: environment.TOLERATED_FAILURE_PERCENTAGE,
    maxWaitingRows,
  },
  workBucket: environment.WORK_BUCKET,
  resultsBucket: environment.RESULTS_BUCKET,
  ingestQueueUrl: environment.INGEST_QUEUE_URL,
  submitQueueUrl: environment.SUBMIT_QUEUE_URL,
  reportQueueUrl: environment.REPORT_QUEUE_URL,
  giveBack: createGiveBack(clients.sqs, environment.INGEST_QUEUE_URL, (error) =>
    log.warn('failed messages were not given back', { error }),
  ),
  calendar: origin === undefined ? wallClock : acceleratedClock(origin, speed ?? 1),
  wall: wallClock,
  now: () => new Date(wallClock()).toISOString(),
  log,
  metrics,
});
