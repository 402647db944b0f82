// Adds to the pipeline what a step needs that calls the porting service. In a separate file, because a bundle with it
// contains the operations.
import { setTimeout as sleep } from 'node:timers/promises';
import { operationNamed } from '#shared/operations/registry.ts';
import type { CallPriority } from '#shared/request/rate-limit.ts';
import { createNumbers } from '#shared/store/numbers.ts';
import { createPlans } from '#shared/store/plans.ts';
import { createPortSnapshots } from '#shared/store/ports.ts';
import type { OpenedPipeline } from './pipeline.ts';
import { connectService } from './service.ts';

export function openService(pipeline: OpenedPipeline, priority?: CallPriority) {
  const { clients, resultsTable, files, ports, comparisons, resources } = pipeline;
  const numbers = createNumbers(clients.table, resultsTable);
  return {
    ...pipeline,
    ...connectService(pipeline, pipeline.all, priority),
    operationNamed,
    numbers,
    snapshots: createPortSnapshots(ports, numbers, comparisons),
    plans: createPlans(files, resources.workBucket),
    wait: (milliseconds: number) => sleep(milliseconds, undefined, { ref: false }),
  };
}
