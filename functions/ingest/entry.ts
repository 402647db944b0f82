// Opens the pipeline for the ingest function. Only this file acts when it is imported.
import { randomUUID } from 'node:crypto';
import { createCatalogue, keepLists } from '#shared/operations/catalogue.ts';
import { todayOf } from '#shared/operations/columns/connection-date.ts';
import { operations } from '#shared/operations/registry.ts';
import { openService } from '#shared/pipeline/service.ts';
import { createContents } from '#shared/store/first-uses.ts';
import { createReportNotifications } from '#shared/store/imports.ts';
import { createNumberLookups } from '#shared/store/numbers.ts';
import { createAudit, createSavedSettings } from '#shared/store/people.ts';
import { createRetryLater } from '#shared/store/queues.ts';
import { createIngestHandler } from './handler.ts';
import type { IngestPipeline } from './ingest-pipeline.ts';
import { waitingLimits } from './plan/grouping.ts';

const opened = openService(process.env, 'ingest');
const { clients, resultsTable, all, settings, client, clocks, log } = opened;
const listsForNow = keepLists(client, clocks.wall, () => todayOf({ settings, calendar: clocks.calendar }));
const numbers = createNumberLookups(opened.numbers, opened.requests, opened.settings.account);
const pipeline: IngestPipeline = {
  ...opened,
  contents: createContents(clients.table, resultsTable),
  savedSettings: createSavedSettings(clients.table, resultsTable, settings.account),
  notifications: createReportNotifications(clients.table, resultsTable),
  audit: createAudit(clients.table, resultsTable),
  operations,
  openCatalogue: () => createCatalogue(client, { numbers, lists: listsForNow() }),
  newId: randomUUID,
  limits: {
    ...all.limits,
    maxFileBytes: all.limits.fileBytes,
    maxFileRows: all.limits.fileRows,
    ...waitingLimits,
  },
};

export const handler = createIngestHandler({
  ...pipeline,
  adopt: async (message) => (await import('./commands/adopt.ts')).adopt(message, pipeline),
  retryLater: (queueUrl, records) => createRetryLater(clients.sqs, queueUrl, log)(records),
});
