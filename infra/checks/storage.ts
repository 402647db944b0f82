// What must hold of everything that keeps data: encrypted, closed, recoverable, and not kept for ever.
import { type Check, every, list, resourcesOf, type Template, target } from './template.ts';

const bucket = 'AWS::S3::Bucket';
const queue = 'AWS::SQS::Queue';
const topic = 'AWS::SNS::Topic';

export const storageChecks: readonly Check[] = [
  every(bucket, 'encryption', 'The bucket is not encrypted.', ({ BucketEncryption }) => BucketEncryption !== undefined),
  every(
    queue,
    'encryption',
    'The queue is not encrypted.',
    ({ SqsManagedSseEnabled, KmsMasterKeyId }) => SqsManagedSseEnabled === true || KmsMasterKeyId !== undefined,
  ),
  every(
    'AWS::SecretsManager::Secret',
    'encryption',
    'The secret is not encrypted with a key of ours.',
    ({ KmsKeyId }) => target(KmsKeyId) !== undefined,
  ),
  every(
    'AWS::KMS::Key',
    'key-rotation',
    'The key is never rotated.',
    ({ EnableKeyRotation }) => EnableKeyRotation === true,
  ),
  every(
    bucket,
    'no-public-access',
    'The bucket could be opened to the public by a policy or an ACL.',
    ({ PublicAccessBlockConfiguration: block = {} }) =>
      ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls', 'RestrictPublicBuckets'].every(
        (name) => block[name],
      ),
  ),
  every(
    bucket,
    'expiry',
    'Objects hold personal data: the bucket must let them expire.',
    ({ LifecycleConfiguration }) =>
      list(LifecycleConfiguration?.Rules).some(
        ({ ExpirationInDays, Status }) => ExpirationInDays && Status === 'Enabled',
      ),
  ),
  every(bucket, 'tls-only', 'The bucket answers requests without TLS.', (_, template, id) =>
    refusesPlainText(template, 'AWS::S3::BucketPolicy', ({ Bucket }) => target(Bucket) === id),
  ),
  every(queue, 'tls-only', 'The queue answers requests without TLS.', (_, template, id) =>
    refusesPlainText(template, 'AWS::SQS::QueuePolicy', ({ Queues }) => list(Queues).map(target).includes(id)),
  ),
  every(
    topic,
    'encryption',
    'The topic is not encrypted with a key of ours.',
    ({ KmsMasterKeyId }) => target(KmsMasterKeyId) !== undefined,
  ),
  every(topic, 'tls-only', 'The topic takes messages without TLS.', (_, template, id) =>
    refusesPlainText(template, 'AWS::SNS::TopicPolicy', ({ Topics }) => list(Topics).map(target).includes(id)),
  ),
  ...['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'].flatMap((table) => [
    every(
      table,
      'point-in-time-recovery',
      'The table cannot be restored to a moment before a mistake.',
      ({ Replicas, PointInTimeRecoverySpecification }) =>
        (Replicas ?? [{ PointInTimeRecoverySpecification }]).every(
          (replica: { PointInTimeRecoverySpecification?: { PointInTimeRecoveryEnabled?: boolean } }) =>
            replica.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled === true,
        ),
    ),
    every(table, 'encryption', 'The table’s key leaves no audit trail.', ({ SSESpecification }) =>
      Boolean(SSESpecification?.SSEEnabled),
    ),
  ]),
  every(
    'AWS::Logs::LogGroup',
    'log-retention',
    'Logs would be kept, and paid for, for ever.',
    ({ RetentionInDays }) => RetentionInDays > 0,
  ),
];

function refusesPlainText(
  template: Template,
  policyType: string,
  isFor: (properties: Record<string, unknown>) => boolean,
): boolean {
  return resourcesOf(template, policyType)
    .filter(([, properties]) => isFor(properties))
    .flatMap(([, { PolicyDocument }]) => list(PolicyDocument.Statement))
    .some(({ Effect, Condition }) => Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false');
}
