// Opens the pipeline for the submit function. Only this file acts when it is imported.
import { createReadDayCycle } from '#shared/import/part.ts';
import { createCatalogue, keepLists } from '#shared/operations/catalogue.ts';
import { todayOf } from '#shared/operations/columns/connection-date.ts';
import { openService } from '#shared/pipeline/service.ts';
import { createIsFirstUse } from '#shared/store/first-uses.ts';
import { createRetryLater } from '#shared/store/queues.ts';
import type { SubmitBatch, SubmitPipeline } from './attempt.ts';
import { createSubmitHandler } from './handler.ts';
import { createFindMove } from './moved-numbers.ts';
import { shareCalls } from './shared-calls.ts';
import { createImportReadings } from './stopped-imports.ts';
import { submit } from './submit.ts';

const opened = openService(process.env, 'submit');
const { clients, resultsTable, settings, resources, imports, client, clocks, log } = opened;
const rules = { settings, calendar: clocks.calendar, readDayCycle: createReadDayCycle(imports) };
const listsForNow = keepLists(client, clocks.wall, () => todayOf(rules));
const isFirstUseOf = createIsFirstUse(clients.table, resultsTable, clocks.wall);

const { readStop, isRefreshPlanned } = createImportReadings(imports.get, clocks.wall);

const pipelineOf = (batch: SubmitBatch): SubmitPipeline => ({
  ...opened,
  ...shareCalls(opened),
  ...batch,
  validation: { ...rules, catalogue: createCatalogue(client, { lists: listsForNow(), isFirstUseOf }) },
  findMove: createFindMove(opened),
  readStop,
  random: Math.random,
});

export const handler = createSubmitHandler({
  ...opened,
  submitterFor: (batch) => {
    const pipeline = pipelineOf(batch);
    return (message) => submit(message, pipeline);
  },
  isRefreshPlanned,
  retryLater: createRetryLater(clients.sqs, resources.submitQueueUrl, log),
});
