// Opens the pipeline for the ingest function. Only this file acts when it is imported.
import { randomUUID } from 'node:crypto';
import { createCatalogue } from '#shared/operations/catalogue.ts';
import { operations } from '#shared/operations/registry.ts';
import { openPipeline } from '#shared/pipeline/pipeline.ts';
import { openService } from '#shared/pipeline/service.ts';
import { createAudit } from '#shared/store/people.ts';
import { createRetryLater } from '#shared/store/queues/retry-later.ts';
import { createContents } from '#shared/store/tables/contents.ts';
import { createFindPortByNumber } from '#shared/store/tables/find-port-by-number.ts';
import { createReportNotifications } from '#shared/store/tables/report-notifications.ts';
import { createSavedSettings } from '#shared/store/tables/saved-settings.ts';
import type { IngestPipeline } from './dependencies.ts';
import { createIngestHandler } from './handler.ts';

/** About one kilobyte each. */
const maxOpenGroups = 25_000;
/** Two million rows, of which 50 bytes each must wait. */
const maxWaitingBytes = 100 * 1024 * 1024;

const opened = openService(openPipeline(process.env, 'ingest'));
const { clients, resultsTable, all, settings, client, log } = opened;
const findPortByNumber = createFindPortByNumber(opened.numbers, opened.requests);
const pipeline: IngestPipeline = {
  ...opened,
  contents: createContents(clients.table, resultsTable),
  savedSettings: createSavedSettings(clients.table, resultsTable, settings.account),
  notifications: createReportNotifications(clients.table, resultsTable),
  audit: createAudit(clients.table, resultsTable),
  operations,
  openCatalogue: () => createCatalogue(client, { findPortByNumber }),
  newId: randomUUID,
  limits: {
    ...all.limits,
    maxFileBytes: all.limits.fileBytes,
    maxFileRows: all.limits.fileRows,
    maxOpenGroups,
    maxWaitingBytes,
  },
};

export const handler = createIngestHandler({
  ...pipeline,
  adopt: async (message) => (await import('./commands/adopt.ts')).adopt(message, pipeline),
  retryLater: (queueUrl, records) => createRetryLater(clients.sqs, queueUrl, log)(records),
});
