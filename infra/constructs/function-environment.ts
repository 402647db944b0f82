// The environment variables of the functions.
import type { EnvironmentName } from '#shared/runtime/config.ts';
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
  Exclude<EnvironmentName, 'CALENDAR_FILE' | 'BUNDLE_CONTROL_NETWORKS' | ApiVariable> | 'POWERTOOLS_METRICS_NAMESPACE',
  string
> & { readonly BUNDLE_CONTROL_NETWORKS?: string };

export interface FunctionEnvironmentProps {
  readonly configuration: Configuration;
  readonly storage: Storage;
  readonly queues: Queues;
  readonly events: PipelineEvents;
}

/** One record for all functions: each parses the variables that it uses. */
export function functionEnvironment(props: FunctionEnvironmentProps): FunctionEnvironment {
  const { configuration, storage, queues, events } = props;
  const { service, account, limits, submit } = configuration;
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
    SERVICE_BASE_URL: service.baseUrl,
    SERVICE_AUTH_URL: service.authUrl,
    SERVICE_ACCOUNT_ID: String(service.accountId),
    SERVICE_SECRET_ARN: storage.secretArn,
    ACCOUNT_ZONE: account.zone,
    CALLING_CODE: account.callingCode,
    MSISDN_FORMAT: account.msisdnFormat,
    ALREADY_PORTED: account.alreadyPorted,
    LOCKING_HOUR: String(account.lockingHour),
    ON_INVALID_PAC: account.onInvalidPac,
    REMOVE_BLOCKING_AFTER_HOURS: String(account.removeBlockingAfterHours),
    ...(account.bundleControlNetworks ? { BUNDLE_CONTROL_NETWORKS: account.bundleControlNetworks.join(';') } : {}),
    MAX_ROWS_PER_REQUEST: String(limits.rowsPerRequest),
    MAX_FILE_BYTES: String(limits.fileBytes),
    MAX_FILE_ROWS: String(limits.fileRows),
    TOLERATED_FAILURE_PERCENTAGE: String(limits.toleratedFailurePercentage),
    CALL_TIMEOUT_SECONDS: String(submit.callTimeoutSeconds),
    CALLS_PER_SECOND: String(configuration.callsPerSecond),
    LEASE_SECONDS: String(leaseSeconds(configuration)),
    QUIET_SECONDS: String(submit.quietSeconds),
    RETRY_WITHOUT_DECLINED_ROWS: String(submit.retryWithoutDeclined),
    SPLIT_DECLINED_REQUESTS: String(submit.splitDeclined),
    APPROVAL: approvalMode(configuration),
    RECORD_RETENTION_DAYS: String(configuration.retention.recordDays),
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(configuration),
  };
}
