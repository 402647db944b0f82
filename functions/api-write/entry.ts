// Opens the pipeline for the part of the API that writes. Only this file acts when it is imported.
import { randomUUID } from 'node:crypto';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { writeEndpoints } from '#functions/api/write/endpoints.ts';
import { createCatalogue, keepLists, renewRarely } from '#shared/operations/catalogue.ts';
import { todayOf } from '#shared/operations/columns/connection-date.ts';
import { openService } from '#shared/pipeline/service.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { openStores } from '#shared/store/account.ts';
import { createLinks, createMultipartUploads } from '#shared/store/browser-files.ts';
import { invocationTimeouts } from '#shared/store/client-timeouts.ts';
import { createIdempotencyStore } from '#shared/store/idempotency-keys.ts';
import { createNumberLookups } from '#shared/store/numbers.ts';
import { startSync } from '#shared/store/sync-function.ts';
import { type ApiWriter, apiSettingsOf, apiVariables, callerLimit } from '../api/context.ts';
import { bindEndpoints, createApi, createIdempotency } from '../api/http/app.ts';
import { createApiHandler } from '../api/http/lambda.ts';

const environment = parseEnvironment(process.env, [...apiVariables, 'SYNC_FUNCTION']);
const pipeline = openService(process.env, 'api-write');
const { clients, resultsTable, resources, queues, settings, client, clocks, log } = pipeline;
const lambda = new LambdaClient(invocationTimeouts);
const numbers = createNumberLookups(pipeline.numbers, pipeline.requests, settings.account);
const listsForNow = keepLists(client, clocks.wall, () => todayOf({ settings, calendar: clocks.calendar }));
const mayRenew = renewRarely(clocks.wall);

/** Endpoints get what they use of the pipeline: none of its items may be written here. */
const writer: ApiWriter = {
  ...openStores(clients, { resultsTable, account: resources.account }),
  links: createLinks(clients.s3),
  multipart: createMultipartUploads(clients.s3),
  settings: apiSettingsOf(environment, pipeline.all),
  recordRetentionDays: settings.recordRetentionDays,
  resources,
  inboxBucket: resources.inboxBucket,
  command: (message) => queues.send(resources.commandQueueUrl, [message]),
  startSync: (command) => startSync(lambda, environment.SYNC_FUNCTION, command),
  openCatalogue: () => createCatalogue(client, { numbers, mayRenew, lists: listsForNow() }),
  account: settings,
  calendar: clocks.calendar,
  wall: clocks.wall,
  newId: randomUUID,
};
const idempotency = createIdempotency(createIdempotencyStore(clients.table, resultsTable, clocks.wall));
const endpoints = bindEndpoints(writeEndpoints, writer);
const api = createApi({ endpoints, idempotency, limit: callerLimit, wall: clocks.wall, log });

export const handler = createApiHandler(api);
