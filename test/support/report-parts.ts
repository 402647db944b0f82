// What the report function needs, over the stores of a rig.
import type { ReportDependencies } from '#functions/report/report.ts';
import { createDeadline } from '#shared/runtime/deadline.ts';
import { createQueues } from '#shared/store/queues/queues.ts';
import { type Rig, silentLog } from './results-rig.ts';

export const reportParts = (rig: Rig): ReportDependencies => ({
  imports: rig.imports,
  queues: createQueues(rig.services.sqs),
  reportQueueUrl: rig.services.reportQueueUrl,
  requests: rig.requests,
  ports: rig.ports,
  comparisons: rig.comparisons,
  files: rig.files,
  resultsBucket: 'results',
  wall: rig.service.now,
  deadline: createDeadline(() => 900_000),
  log: silentLog,
});
