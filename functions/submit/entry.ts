// Wires the submit function to AWS and to the porting service. Only this file acts when it is imported.
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { createAwsClients } from '#shared/aws/clients.ts';
import { createDrifts } from '#shared/aws/drifts.ts';
import { createFiles } from '#shared/aws/files.ts';
import { createGiveBack } from '#shared/aws/give-back.ts';
import { createLooks } from '#shared/aws/looks.ts';
import { createNumbers } from '#shared/aws/numbers.ts';
import { createPaceStore } from '#shared/aws/pace-store.ts';
import { createPlans } from '#shared/aws/plans.ts';
import { createPorts } from '#shared/aws/ports.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { createRequests } from '#shared/aws/requests.ts';
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
import { createSubmitHandler } from './handler.ts';
import type { SubmitParts } from './parts.ts';
import { submit } from './submit.ts';

const environment = parseEnvironment(process.env, [
  'WORK_BUCKET',
  'RESULTS_TABLE',
  'SUBMIT_QUEUE_URL',
  'REPORT_QUEUE_URL',
  'SERVICE_BASE_URL',
  'SERVICE_AUTH_URL',
  'SERVICE_ACCOUNT_ID',
  'SERVICE_SECRET_ARN',
  'ACCOUNT_ZONE',
  'CALLING_CODE',
  'LOCKING_HOUR',
  'MSISDN_FORMAT',
  'MAX_ROWS_PER_REQUEST',
  'CALL_TIMEOUT_SECONDS',
  'CALLS_PER_SECOND',
  'LEASE_SECONDS',
  'QUIET_SECONDS',
  'RETRY_WITHOUT_REFUSED_ROWS',
  'CALENDAR_ORIGIN',
  'CALENDAR_SPEED',
]);
const { CALENDAR_ORIGIN: origin, CALENDAR_SPEED: speed } = environment;
const clocks = { wall: wallClock, calendar: origin === undefined ? wallClock : acceleratedClock(origin, speed ?? 1) };
const rules = {
  zone: environment.ACCOUNT_ZONE,
  callingCode: environment.CALLING_CODE,
  msisdnFormat: environment.MSISDN_FORMAT,
  maxRowsPerRequest: environment.MAX_ROWS_PER_REQUEST,
};
const callTimeoutMs = environment.CALL_TIMEOUT_SECONDS * 1000;

const clients = createAwsClients(process.env);
const requests = createRequests(clients.table, environment.RESULTS_TABLE);
const numbers = createNumbers(clients.table, environment.RESULTS_TABLE);
const ports = createPorts(clients.table, environment.RESULTS_TABLE);
const queues = createQueues(clients.sqs);
const log = createLog({ service: 'submit' });
const metrics = createMetrics({ service: 'submit' });
const client = createPortingClient({
  baseUrl: environment.SERVICE_BASE_URL,
  authUrl: environment.SERVICE_AUTH_URL,
  accountId: environment.SERVICE_ACCOUNT_ID,
  credentials: createCredentialsReader({
    client: new SecretsManagerClient({}),
    secretId: environment.SERVICE_SECRET_ARN,
  }),
  timeoutMs: callTimeoutMs,
  pace: createPace({
    store: createPaceStore(clients.table, environment.RESULTS_TABLE, environment.SERVICE_ACCOUNT_ID),
    callsPerSecond: environment.CALLS_PER_SECOND,
    ...paceSurroundings(log, metrics),
  }),
});

export const handler = createSubmitHandler({
  submitterFor: (remainingMs, alsoChanged, inTurn) => {
    const parts: SubmitParts = {
      requests,
      numbers,
      ports,
      looks: createLooks(ports, numbers, createDrifts(clients.table, environment.RESULTS_TABLE)),
      plans: createPlans(createFiles(clients.s3), environment.WORK_BUCKET),
      queues,
      client,
      inTurn,
      judge: { catalogue: createCatalogue(client), settings: rules, calendar: clocks.calendar },
      operationNamed,
      settings: {
        account: environment.SERVICE_ACCOUNT_ID,
        rules,
        lockingHour: environment.LOCKING_HOUR,
        leaseMs: environment.LEASE_SECONDS * 1000,
        quietMs: environment.QUIET_SECONDS * 1000,
        callTimeoutMs,
        retryWithoutRefused: environment.RETRY_WITHOUT_REFUSED_ROWS,
        submitQueueUrl: environment.SUBMIT_QUEUE_URL,
      },
      clocks,
      alsoChanged,
      random: Math.random,
      remainingMs,
      log,
      metrics,
    };
    return (message) => submit(message, parts);
  },
  queues,
  reportQueueUrl: environment.REPORT_QUEUE_URL,
  giveBack: createGiveBack(clients.sqs, environment.SUBMIT_QUEUE_URL, (error) =>
    log.warn('failed messages were not given back', { error }),
  ),
  log,
  metrics,
});
