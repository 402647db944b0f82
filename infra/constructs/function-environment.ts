// The environment variables of the functions.
import type { EnvironmentName } from '#shared/runtime/config.ts';
import { type SettingName, settingVariables } from '#shared/runtime/settings.ts';
import { approvalMode, eventSource, leaseSeconds, metricsNamespace } from '../derived-settings.ts';
import type { Configuration } from '../settings.ts';
import type { PipelineEvents } from './event-bus.ts';
import type { Queues } from './queues.ts';
import type { Storage } from './storage.ts';

/** Only the functions of the API have these. */
export const apiVariables = [
  'ENVIRONMENT_NAME',
  'ENVIRONMENT_KIND',
  'ENVIRONMENT_COLOUR',
  'SIMULATED',
  'SYNC_FUNCTION',
] as const satisfies readonly EnvironmentName[];
type ApiVariable = (typeof apiVariables)[number];

/** What shared/runtime/config.ts parses. Only the emulator sets the calendar. */
export type FunctionEnvironment = Record<
  Exclude<EnvironmentName, 'CALENDAR_FILE' | ApiVariable> | SettingName | 'POWERTOOLS_METRICS_NAMESPACE',
  string
>;

export interface FunctionEnvironmentProps {
  readonly configuration: Configuration;
  readonly storage: Storage;
  readonly queues: Queues;
  readonly events: PipelineEvents;
}

/** One record for all functions: each parses the variables that it uses. */
export function functionEnvironment(props: FunctionEnvironmentProps): FunctionEnvironment {
  const { configuration, storage, queues, events } = props;
  return {
    INBOX_BUCKET: storage.inbox.bucketName,
    WORK_BUCKET: storage.work.bucketName,
    RESULTS_BUCKET: storage.results.bucketName,
    RESULTS_TABLE: storage.table.tableName,
    INGEST_QUEUE_URL: queues.ingest.queue.queueUrl,
    SUBMIT_QUEUE_URL: queues.submit.queue.queueUrl,
    REPORT_QUEUE_URL: queues.report.queue.queueUrl,
    EVENT_BUS: events.bus.eventBusName,
    EVENT_SOURCE: eventSource(configuration),
    SERVICE_SECRET_ARN: storage.secretArn,
    LEASE_SECONDS: String(leaseSeconds(configuration)),
    ...settingVariables({ ...configuration, approval: approvalMode(configuration) }),
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(configuration),
  };
}
