// Checks of everything that keeps data: encrypted, private, recoverable, and with an end of its retention.
import {
  asArray,
  type Check,
  checkEach,
  type Properties,
  referencedId,
  resourcesOf,
  type Template,
} from './read-template.ts';

const bucket = 'AWS::S3::Bucket';
const queue = 'AWS::SQS::Queue';
const topic = 'AWS::SNS::Topic';

export const storageChecks: readonly Check[] = [
  {
    rule: 'retain-on-rollback',
    violations: ({ Resources }) =>
      Object.entries(Resources)
        .filter(([, { DeletionPolicy }]) => DeletionPolicy === 'Retain')
        .map(([resource]) => ({
          rule: 'retain-on-rollback',
          resource,
          message:
            'A rollback of its creation would keep the resource and block the next one: use RetainExceptOnCreate.',
        })),
  },
  checkEach(
    bucket,
    'readable-uploads',
    'The bucket accepts uploads that the pipeline cannot read: with other keys, or in an archive storage class.',
    ({ NotificationConfiguration }, template, id) =>
      !NotificationConfiguration || unreadableUploads.every((key) => deniesUploads(template, id, key)),
  ),
  checkEach(
    bucket,
    'encryption',
    'The bucket is not encrypted.',
    ({ BucketEncryption }) => BucketEncryption !== undefined,
  ),
  checkEach(
    queue,
    'encryption',
    'The queue is not encrypted.',
    ({ SqsManagedSseEnabled, KmsMasterKeyId }) => SqsManagedSseEnabled === true || KmsMasterKeyId !== undefined,
  ),
  checkEach(
    'AWS::SecretsManager::Secret',
    'encryption',
    'The secret is not encrypted with our own key.',
    ({ KmsKeyId }) => referencedId(KmsKeyId) !== undefined,
  ),
  checkEach(
    'AWS::KMS::Key',
    'key-rotation',
    'The key is never rotated.',
    ({ EnableKeyRotation }) => EnableKeyRotation === true,
  ),
  checkEach(
    bucket,
    'no-public-access',
    'A policy or an ACL could make the bucket public.',
    ({ PublicAccessBlockConfiguration: block = {} }) =>
      ['BlockPublicAcls', 'BlockPublicPolicy', 'IgnorePublicAcls', 'RestrictPublicBuckets'].every(
        (name) => block[name],
      ),
  ),
  checkEach(
    bucket,
    'expiry',
    'The bucket keeps personal data forever: its objects must expire.',
    ({ LifecycleConfiguration }, template, id) =>
      holdsPublicFiles(template, id) ||
      asArray(LifecycleConfiguration?.Rules).some(
        ({ ExpirationInDays, Status }) => ExpirationInDays && Status === 'Enabled',
      ),
  ),
  checkEach(bucket, 'tls-only', 'The bucket accepts requests without TLS.', (_, template, id) =>
    deniesPlainText(template, 'AWS::S3::BucketPolicy', ({ Bucket }) => referencedId(Bucket) === id),
  ),
  checkEach(queue, 'tls-only', 'The queue accepts requests without TLS.', (_, template, id) =>
    deniesPlainText(template, 'AWS::SQS::QueuePolicy', ({ Queues }) => asArray(Queues).map(referencedId).includes(id)),
  ),
  checkEach(
    topic,
    'encryption',
    'The topic is not encrypted with our own key.',
    ({ KmsMasterKeyId }) => referencedId(KmsMasterKeyId) !== undefined,
  ),
  checkEach(topic, 'tls-only', 'The topic accepts messages without TLS.', (_, template, id) =>
    deniesPlainText(template, 'AWS::SNS::TopicPolicy', ({ Topics }) => asArray(Topics).map(referencedId).includes(id)),
  ),
  ...['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'].flatMap((table) => [
    checkEach(
      table,
      'point-in-time-recovery',
      'The table cannot be restored to the time before a mistake.',
      ({ Replicas, PointInTimeRecoverySpecification }) =>
        (Replicas ?? [{ PointInTimeRecoverySpecification }]).every(
          (replica: { PointInTimeRecoverySpecification?: { PointInTimeRecoveryEnabled?: boolean } }) =>
            replica.PointInTimeRecoverySpecification?.PointInTimeRecoveryEnabled === true,
        ),
    ),
    checkEach(table, 'encryption', 'The use of the table’s key leaves no audit trail.', ({ SSESpecification }) =>
      Boolean(SSESpecification?.SSEEnabled),
    ),
  ]),
  checkEach(
    'AWS::Athena::WorkGroup',
    'limited-queries',
    'A query may read everything, or choose where its answer is stored and how it is encrypted.',
    ({ WorkGroupConfiguration: { BytesScannedCutoffPerQuery, EnforceWorkGroupConfiguration, ResultConfiguration } }) =>
      BytesScannedCutoffPerQuery > 0 &&
      EnforceWorkGroupConfiguration === true &&
      referencedId(ResultConfiguration?.EncryptionConfiguration?.KmsKey) !== undefined,
  ),
  checkEach(
    'AWS::Logs::LogGroup',
    'log-retention',
    'The logs are kept, and billed, forever.',
    ({ RetentionInDays }) => RetentionInDays > 0,
  ),
];

const unreadableUploads = [
  's3:x-amz-server-side-encryption-customer-algorithm',
  's3:x-amz-server-side-encryption-aws-kms-key-id',
  's3:x-amz-storage-class',
];

/** Whether the policy of the bucket denies uploads by a condition on `key`. */
const deniesUploads = (template: Template, bucketId: string, key: string): boolean =>
  resourcesOf(template, 'AWS::S3::BucketPolicy')
    .filter(([, { Bucket }]) => referencedId(Bucket) === bucketId)
    .flatMap(([, { PolicyDocument }]) => asArray(PolicyDocument.Statement))
    .some(
      ({ Effect, Action, Condition = {} }) =>
        Effect === 'Deny' &&
        asArray(Action).includes('s3:PutObject') &&
        Object.values<object>(Condition).some((keys) => key in keys),
    );

function deniesPlainText(
  template: Template,
  policyType: string,
  appliesTo: (properties: Properties) => boolean,
): boolean {
  return resourcesOf(template, policyType)
    .filter(([, properties]) => appliesTo(properties))
    .flatMap(([, { PolicyDocument }]) => asArray(PolicyDocument.Statement))
    .some(({ Effect, Condition }) => Effect === 'Deny' && Condition?.Bool?.['aws:SecureTransport'] === 'false');
}

/** CloudFront shows the files to everyone, so none of them is personal. */
const holdsPublicFiles = (template: Template, id: string): boolean =>
  resourcesOf(template, 'AWS::S3::BucketPolicy')
    .filter(([, { Bucket }]) => referencedId(Bucket) === id)
    .flatMap(([, { PolicyDocument }]) => asArray<Properties>(PolicyDocument.Statement))
    .some(({ Principal }) => Principal?.Service === 'cloudfront.amazonaws.com');
