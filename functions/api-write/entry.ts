// Wires the part of the API that writes to AWS and to the porting service. Only this file acts when it is imported.
import { randomUUID } from 'node:crypto';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { writeEndpoints } from '#functions/api/write/endpoints.ts';
import { createCatalogue, keepCatalogue } from '#shared/operations/catalogue.ts';
import { callingVariables, wireCallingFunction } from '#shared/pipeline/service.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { readSettings } from '#shared/runtime/settings.ts';
import { openStores } from '#shared/store/account.ts';
import { createLinks, createMultipartUploads } from '#shared/store/browser-files.ts';
import { invocationTimeouts } from '#shared/store/client-timeouts.ts';
import { createIdempotencyStore } from '#shared/store/idempotency-keys.ts';
import { createFindPortByNumber } from '#shared/store/numbers.ts';
import { createQueues } from '#shared/store/queues.ts';
import { startSync } from '#shared/store/sync-function.ts';
import { callerLimit, resourcesOf, settingsOf, settingsVariables } from '../api/context.ts';
import { bindEndpoints, createApi, createIdempotency } from '../api/http/app.ts';
import { createApiHandler } from '../api/http/lambda.ts';

const environment = parseEnvironment(process.env, [
  ...settingsVariables,
  ...callingVariables,
  'INBOX_BUCKET',
  'COMMAND_QUEUE_URL',
  'SYNC_FUNCTION',
]);
const settings = readSettings(process.env);
const { client, clients, clocks, log } = wireCallingFunction(environment, settings, 'api-write');
const lambda = new LambdaClient(invocationTimeouts);
const resources = resourcesOf(environment, settings);
const resultsTable = environment.RESULTS_TABLE;
const stores = openStores(clients, { resultsTable, account: resources.account });
const findPortByNumber = createFindPortByNumber(stores.numbers, stores.requests);
const queues = createQueues(clients.sqs);

const dependencies = {
  ...stores,
  links: createLinks(clients.s3),
  multipart: createMultipartUploads(clients.s3),
  settings: settingsOf(environment, settings),
  recordRetentionDays: settings.retention.recordDays,
  resources,
  inboxBucket: environment.INBOX_BUCKET,
  command: (message: unknown) => queues.send(environment.COMMAND_QUEUE_URL, [message]),
  startSync: (command: object) => startSync(lambda, environment.SYNC_FUNCTION, command),
  openCatalogue: keepCatalogue(() => createCatalogue(client, { findPortByNumber }), clocks.wall),
  account: { ...settings.account, maxRowsPerRequest: settings.limits.rowsPerRequest },
  calendar: clocks.calendar,
  wall: clocks.wall,
  newId: randomUUID,
};
const idempotency = createIdempotency(createIdempotencyStore(clients.table, resultsTable, clocks.wall));
const endpoints = bindEndpoints(writeEndpoints, dependencies);
const api = createApi({ endpoints, idempotency, limit: callerLimit, wall: clocks.wall, log });

export const handler = createApiHandler(api);
