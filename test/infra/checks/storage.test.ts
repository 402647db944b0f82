// The checks of storage, each with a mistake that it finds.

import type { Properties } from '../../support/infra/checks/read-template.ts';
import { storageChecks } from '../../support/infra/checks/storage.ts';
import { bucket, describeChecks, type Mistake, queue, template, topic } from '../../support/infra/mistakes.ts';
import { synthesiseConsole, withChanged } from '../../support/infra/template.ts';

const table = 'AWS::DynamoDB::GlobalTable';
const withDeletionPolicy = (DeletionPolicy: string, type: string, name: string) =>
  withChanged(
    template,
    type,
    (_, resource) => Object.assign(resource, { DeletionPolicy }),
    (_, id) => id === name,
  );
const withoutDenials = ({ PolicyDocument }: Properties) => {
  PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect !== 'Deny');
};

const mistakes: readonly Mistake[] = [
  [
    'a bucket without encryption',
    'encryption',
    withChanged(template, bucket, (properties) => Object.assign(properties, { BucketEncryption: undefined })),
  ],
  [
    'a queue without encryption',
    'encryption',
    withChanged(template, queue, (properties) => Object.assign(properties, { SqsManagedSseEnabled: false })),
  ],
  [
    'a mail topic without our key',
    'encryption',
    withChanged(template, topic, (properties) => Object.assign(properties, { KmsMasterKeyId: 'alias/aws/sns' })),
  ],
  [
    'a secret without our key',
    'encryption',
    withChanged(template, 'AWS::SecretsManager::Secret', (properties) =>
      Object.assign(properties, { KmsKeyId: undefined }),
    ),
  ],
  [
    'a table whose key leaves no audit trail',
    'encryption',
    withChanged(template, table, (properties) => Object.assign(properties, { SSESpecification: undefined })),
  ],
  [
    'a workgroup whose queries have no limit',
    'limited-queries',
    withChanged(template, 'AWS::Athena::WorkGroup', ({ WorkGroupConfiguration }) =>
      Object.assign(WorkGroupConfiguration, { BytesScannedCutoffPerQuery: undefined }),
    ),
  ],
  [
    'a bucket without expiry',
    'expiry',
    withChanged(template, bucket, (properties) => Object.assign(properties, { LifecycleConfiguration: undefined })),
  ],
  [
    'a mail topic that accepts messages without TLS',
    'tls-only',
    withChanged(template, 'AWS::SNS::TopicPolicy', withoutDenials),
  ],
  [
    'a key that is never rotated',
    'key-rotation',
    withChanged(template, 'AWS::KMS::Key', (properties) => Object.assign(properties, { EnableKeyRotation: false })),
  ],
  [
    'a bucket that a policy could make public',
    'no-public-access',
    withChanged(template, bucket, ({ PublicAccessBlockConfiguration }) =>
      Object.assign(PublicAccessBlockConfiguration, { BlockPublicPolicy: false }),
    ),
  ],
  [
    'a bucket that accepts requests without TLS',
    'tls-only',
    withChanged(template, 'AWS::S3::BucketPolicy', withoutDenials),
  ],
  [
    'a queue that accepts requests without TLS',
    'tls-only',
    withChanged(template, 'AWS::SQS::QueuePolicy', withoutDenials),
  ],
  [
    'a queue with two policies',
    'one-policy',
    withChanged(
      template,
      'AWS::SQS::QueuePolicy',
      ({ Queues }) => Queues.push({ Ref: 'IngestQueue' }),
      ({ Queues }) => Queues.length > 1,
    ),
  ],
  [
    'a table that cannot be restored',
    'point-in-time-recovery',
    withChanged(template, table, ({ Replicas }) =>
      Object.assign(Replicas[0], { PointInTimeRecoverySpecification: undefined }),
    ),
  ],
  [
    'logs without retention',
    'log-retention',
    withChanged(template, 'AWS::Logs::LogGroup', (properties) =>
      Object.assign(properties, { RetentionInDays: undefined }),
    ),
  ],
  [
    'a bucket that a failed first deployment would leave behind',
    'repeatable-creation',
    withDeletionPolicy('Retain', bucket, 'Inbox'),
  ],
  [
    'a table that refuses to be deleted by a rollback',
    'repeatable-creation',
    withDeletionPolicy('RetainExceptOnCreate', table, 'Table'),
  ],
  [
    'a bucket of records that is not empty when a rollback deletes it',
    'repeatable-creation',
    withDeletionPolicy('RetainExceptOnCreate', bucket, 'AuditLogs'),
  ],
  [
    'a bucket of access logs that is not empty when a rollback deletes it',
    'repeatable-creation',
    withDeletionPolicy('Delete', bucket, 'AccessLogs'),
  ],
  [
    'a table that a failed first deployment leaves behind with the name of the next one',
    'repeatable-creation',
    withChanged(template, table, (properties) => Object.assign(properties, { TableName: 'simporter' })),
  ],
  [
    'people who refuse to be deleted by a rollback',
    'repeatable-creation',
    withChanged(synthesiseConsole('prod'), 'AWS::Cognito::UserPool', (_, resource) =>
      Object.assign(resource, { DeletionPolicy: 'RetainExceptOnCreate' }),
    ),
  ],
  [
    'an inbox that accepts any encryption',
    'readable-uploads',
    withChanged(
      template,
      'AWS::S3::BucketPolicy',
      ({ PolicyDocument }) => {
        PolicyDocument.Statement = PolicyDocument.Statement.filter(
          ({ Sid }: { Sid: string }) => Sid !== 'DenyOtherKeys',
        );
      },
      ({ Bucket }) => Bucket.Ref === 'Inbox',
    ),
  ],
];

describeChecks('storage', storageChecks, mistakes);
