// Wires the sync function to AWS and to the porting service. Only this file acts when it is imported.
import { setTimeout as sleep } from 'node:timers/promises';
import { createCatalogue } from '#shared/operations/kit/catalogue.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { callsAtOnce } from '#shared/porting/in-parallel.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { readSettings } from '#shared/runtime/settings.ts';
import type { Invocation } from '#shared/runtime/step.ts';
import { callingVariables, wireCallingFunction } from '#shared/runtime/wiring/calling-function.ts';
import { searchKey } from '#shared/store/files/object-keys.ts';
import { createPlans } from '#shared/store/files/plans.ts';
import { openStores } from '#shared/store/open-stores.ts';
import { createQueues } from '#shared/store/queues/queues.ts';
import { createLeases } from '#shared/store/tables/leases.ts';
import { createPortSnapshots } from '#shared/store/tables/port-snapshots.ts';
import { createReportNotifications } from '#shared/store/tables/report-notifications.ts';
import type { SyncDependencies } from './dependencies.ts';
import { examineService } from './examine-service.ts';
import { createSyncHandler } from './handler.ts';
import { hourMs, runLimits } from './intervals.ts';
import { resolveRequest } from './resolve/resolve-request.ts';
import { sync } from './sync.ts';
import { createSearchStore } from './unknown-outcomes/search-store.ts';
import { watchLateCommits } from './unknown-outcomes/watch-late-commits.ts';
import { rescueImports, sweepInbox } from './upkeep/sweep-inbox.ts';
import { writeReferenceData } from './upkeep/write-reference-data.ts';

const environment = parseEnvironment(process.env, [
  ...callingVariables,
  'INBOX_BUCKET',
  'WORK_BUCKET',
  'RESULTS_BUCKET',
  'INGEST_QUEUE_URL',
  'SUBMIT_QUEUE_URL',
  'REPORT_QUEUE_URL',
]);
const all = readSettings(process.env);
const table = environment.RESULTS_TABLE;
const account = all.service.accountId;
const wired = wireCallingFunction(environment, all, 'sync', 'background');
const { client, openClient, rateLimiter, clients, clocks, log, metrics } = wired;
const leases = createLeases(clients.table, table);
const opened = openStores(clients, { resultsTable: table, account });
const { files, imports } = opened;
const queues = createQueues(clients.sqs);
const plans = createPlans(files, environment.WORK_BUCKET);
const stores = {
  ...opened,
  leases,
  notifications: createReportNotifications(clients.table, table),
  snapshots: createPortSnapshots(opened.ports, opened.numbers, opened.comparisons),
  plans,
  replacePlanned: plans.replace,
  searches: createSearchStore({
    files,
    bucket: environment.WORK_BUCKET,
    wall: clocks.wall,
    key: searchKey(account, all.service.baseUrl),
  }),
  queues,
};
const settings = {
  ...all.account,
  account,
  removeIfChosenAfterMs: all.account.removeBlockingAfterHours * hourMs,
  removeBlockingAfterMs:
    all.account.onInvalidPac === 'remove' ? all.account.removeBlockingAfterHours * hourMs : undefined,
  quietMs: all.submit.quietSeconds * 1000,
  submitQueueUrl: environment.SUBMIT_QUEUE_URL,
  reportQueueUrl: environment.REPORT_QUEUE_URL,
  limit: runLimits.dueItems,
  simsPerRun: runLimits.sims,
  callsAtOnce: callsAtOnce(all.callsPerSecond),
};
const referenceData = {
  leases,
  files,
  openCatalogue: () => createCatalogue(client),
  resultsBucket: environment.RESULTS_BUCKET,
  ...all.account,
  ...clocks,
};
const inbox = {
  leases,
  files,
  imports,
  queues,
  inboxBucket: environment.INBOX_BUCKET,
  ingestQueueUrl: environment.INGEST_QUEUE_URL,
  account,
  wall: clocks.wall,
  log,
};

const dependenciesFor = ({ id: runId, deadline }: Invocation): SyncDependencies => ({
  ...stores,
  client,
  rateLimiter,
  operationNamed,
  sweepInbox: (onUnreadable) => sweepInbox({ ...inbox, runId, deadline, onUnreadable }),
  rescueImports: (onUnreadable) => rescueImports({ ...inbox, runId, onUnreadable }),
  watchLateCommits,
  writeReferenceData: () => writeReferenceData({ ...referenceData, runId, deadline }),
  settings,
  clocks,
  runId,
  deadline,
  // This timer does not keep the process alive.
  wait: (milliseconds) => sleep(milliseconds, undefined, { ref: false }),
  log,
  metrics,
});

export const handler = createSyncHandler({
  runSync: ({ checkSecret, ...invocation }) =>
    sync({ ...dependenciesFor(invocation), ...(checkSecret && { checkSecret, client: openClient() }) }),
  // A new client reads the secret as it is stored now.
  examine: () => examineService({ openClient, wall: clocks.wall, settings: all.account }),
  listPorts: async (invocation) => {
    const { listPorts } = await import('./list-ports.ts');
    return listPorts({ ...dependenciesFor(invocation), files, resultsBucket: environment.RESULTS_BUCKET });
  },
  resolve: (resolution, invocation) => resolveRequest(resolution, dependenciesFor(invocation)),
  log,
  metrics,
});
