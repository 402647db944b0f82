// Wires the submit function to AWS and to the porting service. Only this file acts when it is imported.
import { createCatalogue, keepLists } from '#shared/operations/catalogue.ts';
import { todayOf } from '#shared/operations/columns/connection-date.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { callingVariables, wireCallingFunction } from '#shared/pipeline/service.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { readSettings } from '#shared/runtime/settings.ts';
import { createFiles } from '#shared/store/files.ts';
import { createIsFirstUse } from '#shared/store/first-uses.ts';
import { readImportStop } from '#shared/store/imports.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createPlans } from '#shared/store/plans.ts';
import { createComparisons, createPortSnapshots, createPorts } from '#shared/store/ports.ts';
import { createQueues, createRetryLater } from '#shared/store/queues.ts';
import { createFindMove, createRequests } from '#shared/store/requests.ts';
import { createReadStop } from './end-message.ts';
import { createSubmitHandler } from './handler.ts';
import { submit } from './submit.ts';

const environment = parseEnvironment(process.env, [
  ...callingVariables,
  'WORK_BUCKET',
  'SUBMIT_QUEUE_URL',
  'REPORT_QUEUE_URL',
  'LEASE_SECONDS',
]);
const settings = readSettings(process.env);
const table = environment.RESULTS_TABLE;
const rules = { ...settings.account, maxRowsPerRequest: settings.limits.rowsPerRequest };
const { client, rateLimiter, clients, clocks, log, metrics } = wireCallingFunction(environment, settings, 'submit');
const numbers = createNumbers(clients.table, table);
const ports = createPorts(clients.table, table);
const queues = createQueues(clients.sqs);
const dependencies = {
  requests: createRequests(clients.table, table),
  numbers,
  ports,
  snapshots: createPortSnapshots(ports, numbers, createComparisons(clients.table, table)),
  plans: createPlans(createFiles(clients.s3), environment.WORK_BUCKET),
  queues,
  client,
  operationNamed,
  settings: {
    ...settings.account,
    ...settings.submit,
    account: settings.service.accountId,
    leaseMs: environment.LEASE_SECONDS * 1000,
    quietMs: settings.submit.quietSeconds * 1000,
    callTimeoutMs: settings.submit.callTimeoutSeconds * 1000,
    submitQueueUrl: environment.SUBMIT_QUEUE_URL,
  },
  clocks,
  random: Math.random,
  log,
  metrics,
};

const listsForNow = keepLists(client, clocks.wall, () => todayOf({ settings: rules, calendar: clocks.calendar }));
const isFirstUseOf = createIsFirstUse(clients.table, table, clocks.wall);

export const handler = createSubmitHandler({
  submitterFor: (batch) => {
    const catalogue = createCatalogue(client, { lists: listsForNow(), isFirstUseOf });
    const validation = { catalogue, settings: rules, calendar: clocks.calendar };
    const findMove = createFindMove(dependencies.requests);
    const readStop = createReadStop((importId) => readImportStop(clients.table, table, importId), clocks.wall);
    return (message) => submit(message, { ...dependencies, ...batch, validation, findMove, readStop });
  },
  isSaturated: rateLimiter.isSaturated,
  queues,
  reportQueueUrl: environment.REPORT_QUEUE_URL,
  retryLater: createRetryLater(clients.sqs, environment.SUBMIT_QUEUE_URL, log),
  log,
  metrics,
});
