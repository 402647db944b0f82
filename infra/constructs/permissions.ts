// The permissions that several functions use. Each becomes one statement of a role.
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { analyticsPrefix, importsPrefix, referenceDataPrefix } from '#shared/store/files/object-keys.ts';
import type { WorkQueue } from './queues.ts';

export interface Permission {
  readonly actions: readonly string[];
  /** ARNs. */
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, unknown>>;
  /** Why an ARN ends in a wildcard. */
  readonly wildcard?: string;
}

/** Reads any upload, in the version that its event names. */
export const readUploads = (inbox: IBucket): Permission => ({
  actions: ['s3:GetObject', 's3:GetObjectVersion'],
  resources: [inbox.arnForObjects('*')],
  wildcard: 'the names of uploads are chosen by those who upload',
});

/** Lists the names and versions of all uploads, without their content. */
export const listUploads = (inbox: IBucket): Permission => ({
  actions: ['s3:ListBucketVersions'],
  resources: [inbox.bucketArn],
});

/** Without s3:ListBucket, S3 answers 403 instead of 404 for a missing object (fault 7). */
export const detectMissingObjects = (...buckets: readonly IBucket[]): Permission => ({
  actions: ['s3:ListBucket'],
  resources: buckets.map((bucket) => bucket.bucketArn),
});

export const readImportFiles = (bucket: IBucket): Permission => ({
  actions: ['s3:GetObject'],
  resources: [bucket.arnForObjects(`${importsPrefix}*`)],
  wildcard: 'one folder per import',
});

/** The values that workbooks offer. */
export const readReferenceData = (bucket: IBucket): Permission => ({
  actions: ['s3:GetObject'],
  resources: [bucket.arnForObjects(`${referenceDataPrefix}*`)],
  wildcard: 'one file for each list',
});

/** Files are written as multipart uploads, which are aborted on a failure. */
export const writeImportFiles = (bucket: IBucket): Permission => ({
  actions: ['s3:AbortMultipartUpload', 's3:PutObject'],
  resources: [bucket.arnForObjects(`${importsPrefix}*`)],
  wildcard: 'one folder per import',
});

/** Each written file is compared with results.csv first. */
export const writeAnalyticsFiles = (bucket: IBucket): Permission => ({
  actions: ['s3:AbortMultipartUpload', 's3:GetObject', 's3:PutObject'],
  resources: [bucket.arnForObjects(`${analyticsPrefix}*`)],
  wildcard: 'one file per import',
});

export type ItemAction =
  | 'BatchGetItem'
  | 'DeleteItem'
  | 'GetItem'
  | 'PartiQLInsert'
  | 'PutItem'
  | 'Query'
  | 'UpdateItem';

/** Items by key or by partition; no function may scan. PartiQL batches 25 inserts in one call. */
export const useItems = (table: ITableV2, ...actions: readonly ItemAction[]): Permission => ({
  actions: actions.map((action) => `dynamodb:${action}`),
  resources: [table.tableArn],
});

/** Functions delete no other items than leases and report notifications. */
export const deleteLeasesAndNotifications = (table: ITableV2): Permission => ({
  ...useItems(table, 'DeleteItem'),
  conditions: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['lease#*', 'notification#*'] } },
});

export const queryIndex = (table: ITableV2, index: 'due' | 'listed'): Permission => ({
  actions: ['dynamodb:Query'],
  resources: [`${table.tableArn}/index/${index}`],
});

export const sendTo = (...queues: readonly WorkQueue[]): Permission => ({
  actions: ['sqs:SendMessage'],
  resources: queues.map(({ queue }) => queue.queueArn),
});

export const readSecret = (secretArn: string): Permission => ({
  actions: ['secretsmanager:GetSecretValue'],
  resources: [secretArn],
});
