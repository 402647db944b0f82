// What the report function needs, over the stores of a rig.
import type { ReportRun } from '#functions/report/report.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import type { Rig } from './submit-and-sync.ts';

export const reportParts = (rig: Rig): ReportRun => ({ ...rig.syncParts(), deadline: createDeadline(() => 900_000) });
