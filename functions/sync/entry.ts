// Wires the sync function to AWS and to the porting service. Only this file acts when it is imported.
import { setTimeout as sleep } from 'node:timers/promises';
import { createCatalogue } from '#shared/operations/kit/catalogue.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { callsAtOnce } from '#shared/porting/in-parallel.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { readSettings } from '#shared/runtime/settings.ts';
import type { Invocation } from '#shared/runtime/step.ts';
import { callingVariables, wireCallingFunction } from '#shared/runtime/wiring/calling-function.ts';
import { createFiles } from '#shared/store/files/files.ts';
import { searchKey } from '#shared/store/files/object-keys.ts';
import { createPlans } from '#shared/store/files/plans.ts';
import { createQueues } from '#shared/store/queues/queues.ts';
import { createImports } from '#shared/store/tables/imports.ts';
import { createLeases } from '#shared/store/tables/leases.ts';
import { createNumbers } from '#shared/store/tables/numbers.ts';
import { createPortSnapshots } from '#shared/store/tables/port-snapshots.ts';
import { createPorts } from '#shared/store/tables/ports.ts';
import { createReportNotifications } from '#shared/store/tables/report-notifications.ts';
import { createRequests } from '#shared/store/tables/requests.ts';
import { createResolutions } from '#shared/store/tables/resolutions.ts';
import { createComparisons } from '#shared/store/tables/service-mismatches.ts';
import { createWaitLimits } from '#shared/store/tables/wait-limits.ts';
import type { SyncDependencies } from './dependencies.ts';
import { examineService } from './examine-service.ts';
import { createSyncHandler } from './handler.ts';
import { hourMs, runLimits } from './intervals.ts';
import { resolveRequest } from './resolve/resolve-request.ts';
import { sync } from './sync.ts';
import { createSearchStore } from './unknown-outcomes/search-store.ts';
import { watchLateCommits } from './unknown-outcomes/watch-late-commits.ts';
import { limitWaits } from './upkeep/limit-waits.ts';
import { rescueImports } from './upkeep/rescue-imports.ts';
import { sweepInbox } from './upkeep/sweep-inbox.ts';
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
const numbers = createNumbers(clients.table, table);
const ports = createPorts(clients.table, table);
const comparisons = createComparisons(clients.table, table);
const leases = createLeases(clients.table, table);
const imports = createImports(clients.table, table);
const files = createFiles(clients.s3);
const queues = createQueues(clients.sqs);
const limitWait = createWaitLimits(clients.table, table);
const plans = createPlans(files, environment.WORK_BUCKET);
const stores = {
  requests: createRequests(clients.table, table),
  numbers,
  ports,
  comparisons,
  leases,
  imports,
  notifications: createReportNotifications(clients.table, table),
  resolutions: createResolutions(clients.table, table),
  snapshots: createPortSnapshots(ports, numbers, comparisons),
  plans,
  replacePlanned: plans.replace,
  searches: createSearchStore({
    ...{ files, bucket: environment.WORK_BUCKET, wall: clocks.wall },
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
  limitWaits: () => limitWaits({ leases, limitWait, clocks, runId, quietMs: settings.quietMs, log }),
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
