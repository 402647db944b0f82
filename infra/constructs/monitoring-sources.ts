// What alarms and the dashboard measure.
import type { Configuration } from '../settings.ts';
import type { PipelineEvents } from './event-bus.ts';
import type { PipelineMetrics } from './metrics.ts';
import type { Queues } from './queues.ts';
import type { Announce, Ingest, Report, Submit, Sync } from './steps.ts';

export interface MonitoringSources {
  readonly configuration: Configuration;
  readonly metrics: PipelineMetrics;
  readonly queues: Queues;
  readonly events: PipelineEvents;
  readonly functions: {
    readonly ingest: Ingest;
    readonly submit: Submit;
    readonly sync: Sync;
    readonly report: Report;
    readonly announce: Announce;
  };
}
