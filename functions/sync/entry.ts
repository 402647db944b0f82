// Wires the sync function to AWS and to the porting service. Only this file acts when it is imported.
import { setTimeout as sleep } from 'node:timers/promises';
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createAwsClients } from '#shared/aws/clients.ts';
import { createDrifts } from '#shared/aws/drifts.ts';
import { createFiles } from '#shared/aws/files.ts';
import { createImports } from '#shared/aws/imports.ts';
import { createLeases } from '#shared/aws/leases.ts';
import { createLooks } from '#shared/aws/looks.ts';
import { createNumbers } from '#shared/aws/numbers.ts';
import { createPaceStore } from '#shared/aws/pace-store.ts';
import { createPlans } from '#shared/aws/plans.ts';
import { createPorts } from '#shared/aws/ports.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { createReminders } from '#shared/aws/reminders.ts';
import { createRequests } from '#shared/aws/requests.ts';
import { createTimeZone } from '#shared/domain/time-zone.ts';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { createPortingClient } from '#shared/porting/client.ts';
import { createPace } from '#shared/porting/pace.ts';
import { acceleratedClock, wallClock } from '#shared/runtime/clock.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { createLog } from '#shared/runtime/logger.ts';
import { createMetrics } from '#shared/runtime/metrics.ts';
import { paceSurroundings } from '#shared/runtime/pace-surroundings.ts';
import { createCredentialsReader } from '#shared/runtime/secret.ts';
import { decide } from './decide.ts';
import { createSyncHandler } from './handler.ts';
import { writeLookupPack } from './lookup-pack.ts';
import type { SyncParts } from './parts.ts';
import { sweepInbox } from './sweep-inbox.ts';
import { sync } from './sync.ts';

/**
 * Ports and requests that one run takes on, each. More than a run can look at: a page of the list shows whichever ports it
 * shows, and should find all of them among those that are waited for. So many ports take about 100 MB.
 */
const runLimit = 100_000;
/** SIMs whose services one run compares. They can wait, so they take a minute of a run at most. */
const simsPerRun = 1_000;

const environment = parseEnvironment(process.env, [
  'INBOX_BUCKET',
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
  'LOCKING_HOUR',
  'ON_BAD_PAC',
  'EVICT_AFTER_HOURS',
  'CALL_TIMEOUT_SECONDS',
  'CALLS_PER_SECOND',
  'QUIET_SECONDS',
  'CALENDAR_ORIGIN',
  'CALENDAR_SPEED',
]);
const { CALENDAR_ORIGIN: origin, CALENDAR_SPEED: speed } = environment;
const clocks = { wall: wallClock, calendar: origin === undefined ? wallClock : acceleratedClock(origin, speed ?? 1) };

const clients = createAwsClients(process.env);
const requests = createRequests(clients.table, environment.RESULTS_TABLE);
const numbers = createNumbers(clients.table, environment.RESULTS_TABLE);
const ports = createPorts(clients.table, environment.RESULTS_TABLE);
const queues = createQueues(clients.sqs);
const log = createLog({ service: 'sync' });
const metrics = createMetrics({ service: 'sync' });
const paceStore = createPaceStore(clients.table, environment.RESULTS_TABLE, environment.SERVICE_ACCOUNT_ID);
const pace = createPace({
  store: paceStore,
  callsPerSecond: environment.CALLS_PER_SECOND,
  ...paceSurroundings(log, metrics),
});
/** A client that has neither secret nor token yet. */
const openClient = () =>
  createPortingClient({
    baseUrl: environment.SERVICE_BASE_URL,
    authUrl: environment.SERVICE_AUTH_URL,
    accountId: environment.SERVICE_ACCOUNT_ID,
    credentials: createCredentialsReader({
      client: new SecretsManagerClient({}),
      secretId: environment.SERVICE_SECRET_ARN,
    }),
    timeoutMs: environment.CALL_TIMEOUT_SECONDS * 1000,
    pace,
  });
const client = openClient();

const settings = {
  account: environment.SERVICE_ACCOUNT_ID,
  zone: createTimeZone(environment.ACCOUNT_ZONE),
  callingCode: environment.CALLING_CODE,
  lockingHour: environment.LOCKING_HOUR,
  evictAfterMs: environment.ON_BAD_PAC === 'evict' ? environment.EVICT_AFTER_HOURS * 3_600_000 : undefined,
  quietMs: environment.QUIET_SECONDS * 1000,
  submitQueueUrl: environment.SUBMIT_QUEUE_URL,
  reportQueueUrl: environment.REPORT_QUEUE_URL,
  limit: runLimit,
  simsPerRun,
};
const leases = createLeases(clients.table, environment.RESULTS_TABLE);
const drifts = createDrifts(clients.table, environment.RESULTS_TABLE);
const looks = createLooks(ports, numbers, drifts);
const files = createFiles(clients.s3);
const plans = createPlans(files, environment.WORK_BUCKET);
const imports = createImports(clients.table, environment.RESULTS_TABLE);
const reminders = createReminders(clients.table, environment.RESULTS_TABLE);
const pack = {
  leases,
  files,
  openCatalogue: () => createCatalogue(client),
  resultsBucket: environment.RESULTS_BUCKET,
  zone: environment.ACCOUNT_ZONE,
  calendar: clocks.calendar,
};
const sweep = {
  leases,
  files,
  imports,
  queues,
  inboxBucket: environment.INBOX_BUCKET,
  ingestQueueUrl: environment.INGEST_QUEUE_URL,
  account: environment.SERVICE_ACCOUNT_ID,
  wall: clocks.wall,
  log,
};

const partsOf = (runId: string, remainingMs: () => number): SyncParts => ({
  requests,
  numbers,
  ports,
  looks,
  drifts,
  imports,
  reminders,
  pace: { get: paceStore.get, probeNow: pace.probeNow },
  leases,
  plans,
  queues,
  client,
  operationNamed,
  sweepInbox: (onUnreadable) => sweepInbox({ ...sweep, runId, remainingMs, onUnreadable }),
  writeLookupPack: () => writeLookupPack({ ...pack, runId, remainingMs }),
  settings,
  clocks,
  runId,
  remainingMs,
  // It keeps no process alive.
  wait: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
  log,
  metrics,
});

export const handler = createSyncHandler({
  runSync: (runId, remainingMs, checkSecret) =>
    sync({ ...partsOf(runId, remainingMs), ...(checkSecret && { checkSecret, client: openClient() }) }),
  decide: (wish, runId, remainingMs) => decide(wish, partsOf(runId, remainingMs)),
  log,
  metrics,
});
