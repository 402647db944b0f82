// Opens the pipeline for the report function. Only this file acts when it is imported.
import { openPipeline } from '#shared/pipeline/pipeline.ts';
import { createRetryLater } from '#shared/store/queues.ts';
import { createReportHandler, mayRefresh, type ReportTask } from './handler.ts';
import { checkTime, report } from './report.ts';

const pipeline = openPipeline(process.env, 'report');
const { clients, resources, all, log } = pipeline;

async function reportOn(task: ReportTask): Promise<void> {
  const { importId, deadline } = task;
  let isThrottled = false;
  const item = await report(importId, { ...pipeline, deadline }, async (item) => {
    isThrottled = !(await mayRefresh(item, task, pipeline));
    return !isThrottled;
  });
  // The run that wrote the files writes their workbooks.
  if (item === undefined || isThrottled) return;
  const { writeWorkbooks } = await import('./write-workbooks.ts');
  await writeWorkbooks(item, deadline, pipeline);
  if (!all.analytics) return;
  const { writeAnalytics } = await import('#shared/results/analytics.ts');
  await writeAnalytics(item, pipeline, () => checkTime(importId, { deadline }));
}

export const handler = createReportHandler({
  reportOn,
  retryLater: createRetryLater(clients.sqs, resources.reportQueueUrl, log),
  log,
});
