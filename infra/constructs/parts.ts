// What the functions of the line share: where things lie, what they are told about it, and the rights that recur.
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IKey } from 'aws-cdk-lib/aws-kms';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import type { EnvironmentName } from '#shared/runtime/config.ts';
import type { FunctionCode } from '../bundle.ts';
import { eventSource, leaseSeconds, metricsNamespace, type StageConfiguration } from '../config.ts';
import type { Events } from './event-bus.ts';
import type { Inbox } from './inbox.ts';
import type { Permission } from './permission.ts';
import type { WorkQueue } from './work-queue.ts';

export interface Parts {
  readonly configuration: StageConfiguration;
  readonly code: FunctionCode;
  readonly key: IKey;
  readonly inbox: Inbox;
  /** Plans: they hold PACs and expire soon. */
  readonly work: IBucket;
  /** What people fetch: results.csv, rejected.csv, issues.ndjson. */
  readonly results: IBucket;
  readonly table: ITableV2;
  /** One small message per request. */
  readonly submissions: WorkQueue;
  /** "Something of this import changed." */
  readonly reports: WorkQueue;
  /** Where announce tells others. */
  readonly events: Events;
  readonly credentialsArn: string;
}

/** What the functions read; the calendar's two are for a rehearsal only. */
type DeployedEnvironment = Record<
  | Exclude<EnvironmentName, 'CALENDAR_ORIGIN' | 'CALENDAR_SPEED' | 'BUNDLE_CONTROL_NETWORKS'>
  | 'POWERTOOLS_METRICS_NAMESPACE',
  string
> & { readonly BUNDLE_CONTROL_NETWORKS?: string };

/** The functions' environment as `shared/runtime/config.ts` parses it: one record for all, each parses what it needs. */
export function environmentOf({ configuration, ...parts }: Parts): DeployedEnvironment {
  const { service, account, limits, submit } = configuration;
  return {
    INBOX_BUCKET: parts.inbox.bucket.bucketName,
    WORK_BUCKET: parts.work.bucketName,
    RESULTS_BUCKET: parts.results.bucketName,
    RESULTS_TABLE: parts.table.tableName,
    INGEST_QUEUE_URL: parts.inbox.arrivals.queue.queueUrl,
    SUBMIT_QUEUE_URL: parts.submissions.queue.queueUrl,
    REPORT_QUEUE_URL: parts.reports.queue.queueUrl,
    EVENT_BUS: parts.events.bus.eventBusName,
    EVENT_SOURCE: eventSource(configuration),
    SERVICE_BASE_URL: service.baseUrl,
    SERVICE_AUTH_URL: service.authUrl,
    SERVICE_ACCOUNT_ID: String(service.accountId),
    SERVICE_SECRET_ARN: parts.credentialsArn,
    ACCOUNT_ZONE: account.zone,
    CALLING_CODE: account.callingCode,
    MSISDN_FORMAT: account.msisdnFormat,
    LOCKING_HOUR: String(account.lockingHour),
    ON_BAD_PAC: account.onBadPac,
    EVICT_AFTER_HOURS: String(account.evictAfterHours),
    ...(account.bundleControlNetworks ? { BUNDLE_CONTROL_NETWORKS: account.bundleControlNetworks.join(';') } : {}),
    MAX_ROWS_PER_REQUEST: String(limits.rowsPerRequest),
    MAX_FILE_BYTES: String(limits.fileBytes),
    MAX_FILE_ROWS: String(limits.fileRows),
    TOLERATED_FAILURE_PERCENTAGE: String(limits.toleratedFailurePercentage),
    CALL_TIMEOUT_SECONDS: String(submit.callTimeoutSeconds),
    CALLS_PER_SECOND: String(configuration.callsPerSecond),
    LEASE_SECONDS: String(leaseSeconds(configuration)),
    QUIET_SECONDS: String(submit.quietSeconds),
    RETRY_WITHOUT_REFUSED_ROWS: String(submit.retryWithoutRefused),
    POWERTOOLS_METRICS_NAMESPACE: metricsNamespace(configuration),
  };
}

/** The folder in the work and results buckets under which everything of one import stands. */
const importsPrefix = 'imports/*';

/** Reads any upload, in the version that its event named. */
export const readUploads = ({ inbox }: Parts): Permission => ({
  actions: ['s3:GetObject', 's3:GetObjectVersion'],
  resources: [inbox.bucket.arnForObjects('*')],
  wildcard: 'the names of uploads are chosen by those who upload',
});

/** What was ever uploaded, by name; nothing of its content. */
export const listUploads = ({ inbox }: Parts): Permission => ({
  actions: ['s3:ListBucketVersions'],
  resources: [inbox.bucket.bucketArn],
});

/** Without it S3 answers 403 for an object that is gone, which reads as a broken permission (fault 7). */
export const noticeGone = (...buckets: readonly IBucket[]): Permission => ({
  actions: ['s3:ListBucket'],
  resources: buckets.map((bucket) => bucket.bucketArn),
});

export const readImportFiles = (bucket: IBucket): Permission => ({
  actions: ['s3:GetObject'],
  resources: [bucket.arnForObjects(importsPrefix)],
  wildcard: 'one folder per import',
});

/** Writing streams: a file that is not finished is taken back. */
export const writeImportFiles = (bucket: IBucket): Permission => ({
  actions: ['s3:AbortMultipartUpload', 's3:PutObject'],
  resources: [bucket.arnForObjects(importsPrefix)],
  wildcard: 'one folder per import',
});

export type ItemAction =
  | 'BatchGetItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PartiQLInsert'
  | 'PartiQLUpdate'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** Items by key or by partition; nobody may scan. The PartiQL actions are for 25 conditional writes in one call. */
export const useItems = ({ table }: Parts, ...actions: readonly ItemAction[]): Permission => ({
  actions: actions.map((action) => `dynamodb:${action}`),
  resources: [table.tableArn],
});

/** A lease is given back, and a reminder struck, by deleting its item; no other item is ever deleted by a function. */
export const strikeMarks = (parts: Parts): Permission => ({
  ...useItems(parts, 'DeleteItem'),
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['lease#*', 'reminder#*'] } },
});

export const queryIndex = ({ table }: Parts, name: 'due' | 'listed'): Permission => ({
  actions: ['dynamodb:Query'],
  resources: [`${table.tableArn}/index/${name}`],
});

export const sendTo = (...queues: readonly WorkQueue[]): Permission => ({
  actions: ['sqs:SendMessage'],
  resources: queues.map(({ queue }) => queue.queueArn),
});

export const readCredentials = ({ credentialsArn }: Parts): Permission => ({
  actions: ['secretsmanager:GetSecretValue'],
  resources: [credentialsArn],
});
