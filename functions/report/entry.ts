// Wires the report function to AWS. Only this file acts when it is imported.
import { wallClock } from '#shared/runtime/clock.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { createLog } from '#shared/runtime/logger.ts';
import { readSettings } from '#shared/runtime/settings.ts';
import { createAwsClients } from '#shared/store/clients.ts';
import { createFiles } from '#shared/store/files/files.ts';
import { createQueues } from '#shared/store/queues/queues.ts';
import { createRetryLater } from '#shared/store/queues/retry-later.ts';
import { createImports } from '#shared/store/tables/imports.ts';
import { createPorts } from '#shared/store/tables/ports.ts';
import { createRequests } from '#shared/store/tables/requests.ts';
import { createComparisons } from '#shared/store/tables/service-mismatches.ts';
import { createReportHandler } from './handler.ts';
import { mayRefresh, throttleWait } from './refresh-throttle.ts';
import { checkTime, report } from './report.ts';

const environment = parseEnvironment(process.env, ['RESULTS_BUCKET', 'RESULTS_TABLE', 'REPORT_QUEUE_URL']);
const table = environment.RESULTS_TABLE;
const { analytics, account } = readSettings(process.env);
const { callingCode } = account;
const clients = createAwsClients(process.env);
const log = createLog({ service: 'report' });
const resultsBucket = environment.RESULTS_BUCKET;
const files = createFiles(clients.s3);
const reportQueueUrl = environment.REPORT_QUEUE_URL;
const dependencies = {
  imports: createImports(clients.table, table),
  queues: createQueues(clients.sqs),
  reportQueueUrl,
  requests: createRequests(clients.table, table),
  ports: createPorts(clients.table, table),
  comparisons: createComparisons(clients.table, table),
  files,
  resultsBucket,
  wall: wallClock,
  log,
};
const throttle = { ...dependencies, throttleWait };

export const handler = createReportHandler({
  reportOn: async ({ importId, message, isRedelivered, deadline }) => {
    let isThrottled = false;
    const item = await report(importId, { ...dependencies, deadline }, async (item) => {
      isThrottled = !(await mayRefresh(item, { message, isRedelivered }, throttle));
      return !isThrottled;
    });
    // The run that wrote the files writes their workbooks.
    if (item === undefined || isThrottled) return;
    const { writeWorkbooks } = await import('./write-workbooks.ts');
    await writeWorkbooks(item, { files, resources: { resultsBucket }, deadline, log });
    if (!analytics) return;
    const { writeAnalytics } = await import('#shared/results/write-analytics.ts');
    await writeAnalytics(item, {
      files,
      resultsBucket,
      callingCode,
      checkTime: () => checkTime(importId, { deadline }),
    });
  },
  retryLater: createRetryLater(clients.sqs, reportQueueUrl, log),
  log,
});
