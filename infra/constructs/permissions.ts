// The permissions that several functions use. Each becomes one statement of a role.
import type { ITableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { IBucket } from 'aws-cdk-lib/aws-s3';
import { importsPrefix } from '#shared/store/object-keys.ts';
import type { WorkQueue } from './queues.ts';

export interface Permission {
  readonly actions: readonly string[];
  /** ARNs. */
  readonly resources: readonly string[];
  readonly conditions?: Readonly<Record<string, unknown>>;
  /** Why an ARN ends in a wildcard. */
  readonly wildcard?: string;
}

/** Objects whose keys begin with `prefix`; `wildcard` states what follows it. */
export const useObjects = (
  bucket: IBucket,
  prefix: string,
  wildcard: string,
  ...actions: readonly ('AbortMultipartUpload' | 'GetObject' | 'GetObjectVersion' | 'PutObject')[]
): Permission => ({
  actions: actions.map((action) => `s3:${action}`),
  resources: [bucket.arnForObjects(`${prefix}*`)],
  wildcard,
});

/** Reads any upload, in the version that its event names. */
export const readUploads = (inbox: IBucket): Permission =>
  useObjects(inbox, '', 'the names of uploads are chosen by those who upload', 'GetObject', 'GetObjectVersion');

/** Without s3:ListBucket, S3 answers 403 instead of 404 for a missing object (fault 7). */
export const detectMissingObjects = (...buckets: readonly IBucket[]): Permission => ({
  actions: ['s3:ListBucket'],
  resources: buckets.map((bucket) => bucket.bucketArn),
});

export const readImportFiles = (bucket: IBucket): Permission =>
  useObjects(bucket, importsPrefix, 'one folder per import', 'GetObject');

/** Files are written as multipart uploads, which are aborted on a failure. */
export const writeImportFiles = (bucket: IBucket): Permission =>
  useObjects(bucket, importsPrefix, 'one folder per import', 'AbortMultipartUpload', 'PutObject');

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
