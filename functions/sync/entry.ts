// Opens the pipeline for the sync function. Only this file acts when it is imported.
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { openService } from '#shared/pipeline/service.ts';
import type { Invocation } from '#shared/runtime/step.ts';
import { createReportNotifications } from '#shared/store/imports.ts';
import { createLeases, createSyncRuns } from '#shared/store/leases.ts';
import { searchKey } from '#shared/store/object-keys.ts';
import { createResolutions } from '#shared/store/people.ts';
import { createUnfinishedSince } from '#shared/store/requests.ts';
import { createSyncHandler } from './handler.ts';
import { runLimits } from './intervals.ts';
import { rescueImports, sweepInbox } from './lost-messages.ts';
import { writeReferenceData } from './reference-data.ts';
import { resolveRequest } from './resolve-request.ts';
import type { SyncPipeline } from './run.ts';
import { sync } from './sync.ts';
import { createSearchStore } from './unknown-outcomes/kept-search.ts';
import { watchLateCommits } from './unknown-outcomes/late-commits.ts';

const opened = openService(process.env, 'sync', 'background');
const { clients, resultsTable, settings, clocks, openClient } = opened;
const pipeline = {
  ...opened,
  settings: { ...settings, limit: runLimits.dueItems, simsPerRun: runLimits.sims },
  unfinishedSince: createUnfinishedSince(clients.table, resultsTable, settings.account),
  leases: createLeases(clients.table, resultsTable),
  syncRuns: createSyncRuns(clients.table, resultsTable, settings.account),
  notifications: createReportNotifications(clients.table, resultsTable),
  resolutions: createResolutions(clients.table, resultsTable),
  searches: createSearchStore(searchKey(settings.account), opened),
  openCatalogue: () => createCatalogue(opened.client),
  sweepInbox,
  rescueImports,
  watchLateCommits,
  writeReferenceData,
};
const pipelineOf = ({ id, deadline }: Invocation): SyncPipeline => ({ ...pipeline, runId: id, deadline });

export const handler = createSyncHandler({
  runSync: ({ checkSecret, ...invocation }) =>
    sync({ ...pipelineOf(invocation), ...(checkSecret && { checkSecret, client: openClient() }) }),
  // A new client reads the secret as it is stored now.
  examine: async () => {
    const { examineService } = await import('./examine-service.ts');
    return examineService({ openClient, wall: clocks.wall, settings });
  },
  listPorts: async (invocation) => {
    const { listPorts } = await import('./list-ports.ts');
    return listPorts(pipelineOf(invocation));
  },
  resolve: (resolution, invocation) => resolveRequest(resolution, pipelineOf(invocation)),
  log: opened.log,
  metrics: opened.metrics,
});
