// Wires the report function to AWS. Only this file acts when it is imported.
import { createAwsClients } from '#shared/aws/clients.ts';
import { createDrifts } from '#shared/aws/drifts.ts';
import { createFiles } from '#shared/aws/files.ts';
import { createGiveBack } from '#shared/aws/give-back.ts';
import { createImports } from '#shared/aws/imports.ts';
import { createPorts } from '#shared/aws/ports.ts';
import { createQueues } from '#shared/aws/queues.ts';
import { createRequests } from '#shared/aws/requests.ts';
import { operationNamed } from '#shared/operations/registry.ts';
import { wallClock } from '#shared/runtime/clock.ts';
import { parseEnvironment } from '#shared/runtime/config.ts';
import { createLog } from '#shared/runtime/logger.ts';
import { createReportHandler } from './handler.ts';
import { report } from './report.ts';
import { mayLook, restOf } from './rest.ts';

const environment = parseEnvironment(process.env, ['RESULTS_BUCKET', 'RESULTS_TABLE', 'REPORT_QUEUE_URL']);
const clients = createAwsClients(process.env);
const log = createLog({ service: 'report' });
const imports = createImports(clients.table, environment.RESULTS_TABLE);
const parts = {
  imports,
  requests: createRequests(clients.table, environment.RESULTS_TABLE),
  ports: createPorts(clients.table, environment.RESULTS_TABLE),
  drifts: createDrifts(clients.table, environment.RESULTS_TABLE),
  files: createFiles(clients.s3),
  operationNamed,
  resultsBucket: environment.RESULTS_BUCKET,
  wall: wallClock,
  log,
};
const rest = {
  imports,
  queues: createQueues(clients.sqs),
  reportQueueUrl: environment.REPORT_QUEUE_URL,
  restOf,
  wall: wallClock,
};

export const handler = createReportHandler({
  reportOn: (importId, cameBack, remainingMs) =>
    report(importId, { ...parts, remainingMs }, (item) => mayLook(item, cameBack, rest)),
  giveBack: createGiveBack(clients.sqs, environment.REPORT_QUEUE_URL, (error) =>
    log.warn('failed messages were not given back', { error }),
  ),
  log,
});
