// The API on one machine: the same app as on AWS, over the emulator's services and the porting simulator.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { LambdaClient } from '@aws-sdk/client-lambda';
import { type Api, bindEndpoints, createApi } from '#functions/api/app.ts';
import type { ApiSettings, WriteDependencies } from '#functions/api/dependencies.ts';
import { createIdempotency } from '#functions/api/http/idempotency.ts';
import { openApiDocument } from '#functions/api/openapi-document.ts';
import { readEndpoints } from '#functions/api/read/endpoints.ts';
import { type SimulatorDependencies, simulatorEndpoints } from '#functions/api/simulator/endpoints.ts';
import { writeEndpoints } from '#functions/api/write/endpoints.ts';
import { resolveWith } from '#functions/api/write/resolve.ts';
import { environments } from '#infra/environments.ts';
import { createCatalogue, keepCatalogue } from '#shared/operations/kit/catalogue.ts';
import type { AccountSettings } from '#shared/operations/kit/operation.ts';
import { createPortingClient } from '#shared/porting/client.ts';
import { createRateLimiter } from '#shared/porting/rate-limiter.ts';
import { type Clock, wallClock } from '#shared/runtime/clock.ts';
import { createLog } from '#shared/runtime/logger.ts';
import type { AwsClients } from '#shared/store/clients.ts';
import { openApiStores } from '#shared/store/open-api-stores.ts';
import { openStores } from '#shared/store/open-stores.ts';
import { createQueues } from '#shared/store/queues/queues.ts';
import { callSync } from '#shared/store/sync-function.ts';
import { createFindPortByNumber } from '#shared/store/tables/find-port-by-number.ts';
import { createIdempotencyStore } from '#shared/store/tables/idempotency-keys.ts';
import { createRateLimitStore } from '#shared/store/tables/rate-limit-state.ts';
import type { ServiceAccess } from '../local-pipeline/simulator-process.ts';
import type { Resources } from '../target/stack-outputs.ts';

export interface LocalApiOptions {
  readonly clients: AwsClients;
  /** Where functions are invoked. */
  readonly lambdaEndpoint: string;
  readonly resources: Resources;
  readonly service: ServiceAccess;
  readonly calendar: Clock;
  /** The controls of the simulator; undefined where there is none. */
  readonly simulator: SimulatorDependencies | undefined;
}

const { limits, account: accountSettings } = environments.local;
const { zone, msisdnFormat } = accountSettings;
const account = { zone, msisdnFormat, maxRowsPerRequest: limits.rowsPerRequest };
const callsPerSecond = 10;
const callTimeoutMs = 15_000;
/** One person, whose page may load many things at once. */
const limit = { perSecond: 500, burst: 2_000 };

const settingsOf = ({ resources }: LocalApiOptions): ApiSettings => ({
  name: 'local',
  kind: 'local',
  colour: '#d91515',
  account: resources.account,
  simulated: resources.simulated,
  zone: account.zone,
  callingCode: resources.callingCode,
  approval: 'upload',
  maxFileBytes: limits.fileBytes,
  maxRowsPerRequest: account.maxRowsPerRequest,
});

function openLocalCatalogue({ clients, resources, service }: LocalApiOptions, stores: ReturnType<typeof openStores>) {
  const rateLimiter = createRateLimiter({
    store: createRateLimitStore(clients.table, resources.resultsTable, resources.account),
    callsPerSecond,
    clock: wallClock,
    random: Math.random,
    wait: async (milliseconds) => {
      await sleep(Math.max(0, milliseconds));
    },
    notify: () => undefined,
    onFailure: () => undefined,
  });
  const client = createPortingClient({
    ...{ baseUrl: service.baseUrl, authUrl: service.authUrl, accountId: service.accountId },
    credentials: async () => ({ clientId: service.clientId, clientSecret: service.clientSecret }),
    timeoutMs: callTimeoutMs,
    rateLimiter,
  });
  const findPortByNumber = createFindPortByNumber(stores.numbers, stores.requests);
  return keepCatalogue(() => createCatalogue(client, { findPortByNumber }), wallClock);
}

export function createLocalApi(options: LocalApiOptions): Api {
  const { clients, resources, calendar, simulator } = options;
  const { resultsTable, inboxBucket, ingestQueueUrl, syncFunction, callingCode } = resources;
  const stores = openStores(clients, resources);
  const lambda = new LambdaClient({
    ...{ region: 'eu-west-2', endpoint: options.lambdaEndpoint },
    credentials: { accessKeyId: 'local', secretAccessKey: 'local' },
  });
  const queues = createQueues(clients.sqs);
  const dependencies: WriteDependencies = {
    ...stores,
    ...openApiStores(clients, resultsTable),
    settings: settingsOf(options),
    resources,
    inboxBucket,
    command: (message) => queues.send(ingestQueueUrl, [message]),
    resolve: resolveWith((command) => callSync(lambda, syncFunction, command)),
    openCatalogue: openLocalCatalogue(options, stores),
    account: { ...account, callingCode } satisfies AccountSettings,
    calendar,
    wall: wallClock,
    newId: randomUUID,
  };
  const endpoints = [
    ...bindEndpoints(readEndpoints, dependencies),
    ...bindEndpoints(writeEndpoints, dependencies),
    ...(simulator ? bindEndpoints(simulatorEndpoints, simulator) : []),
  ];
  const idempotency = createIdempotency(createIdempotencyStore(clients.table, resultsTable, wallClock));
  const log = createLog({ service: 'api', level: 'ERROR' });
  const document = async () => openApiDocument({ hasSimulator: simulator !== undefined });
  return createApi({ endpoints, document, idempotency, limit, wall: wallClock, log });
}
