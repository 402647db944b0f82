// Checks of everything that keeps data: encrypted, private, recoverable, and with an end of its retention.
import { asArray, referencedId } from '#local/template/references.ts';
import { type Check, checkEach, type Properties, resourcesOf, type Template, type Violation } from './read-template.ts';

const bucket = 'AWS::S3::Bucket';
const queue = 'AWS::SQS::Queue';
const topic = 'AWS::SNS::Topic';

export const storageChecks: readonly Check[] = [
  { rule: 'repeatable-creation', violations: findWhatBlocksTheNextCreation },
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
    queue,
    'one-policy',
    'Several resources set the policy of the queue: the last one replaces the others.',
    (_, template, id) => policiesOf(template, id).length === 1,
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

const policiesOf = (template: Template, queueId: string) =>
  resourcesOf(template, 'AWS::SQS::QueuePolicy').filter(([, { Queues }]) =>
    asArray(Queues).map(referencedId).includes(queueId),
  );

/** A rollback of a creation must end, and leave no resource whose name the next creation needs. */
function findWhatBlocksTheNextCreation(template: Template): readonly Violation[] {
  return Object.entries(template.Resources).flatMap(([resource, { Type, Properties = {}, DeletionPolicy }]) => {
    const violation = (message: string) => ({ rule: 'repeatable-creation', resource, message });
    const isKept = DeletionPolicy === 'Retain';
    if (refusesDeletion(Properties) || receivesLogs(template, resource)) {
      if (!isKept) return [violation('A rollback of its creation cannot delete it, and fails: use Retain.')];
      const isNamed = [`${Type.split('::')[2]}Name`, 'TableName', 'Name'].some((name) => name in Properties);
      return isNamed ? [violation('A rollback of its creation keeps it with its name, which the next one needs.')] : [];
    }
    return isKept ? [violation('A rollback of its creation keeps it without need: use RetainExceptOnCreate.')] : [];
  });
}

/** A table or a user pool. */
const refusesDeletion = ({ DeletionProtection, DeletionProtectionEnabled, Replicas }: Properties): boolean =>
  DeletionProtection === 'ACTIVE' ||
  DeletionProtectionEnabled === true ||
  asArray<Properties>(Replicas).some((replica) => replica.DeletionProtectionEnabled === true);

/** AWS writes to such a bucket by itself, so it is not empty. */
const receivesLogs = (template: Template, id: string): boolean =>
  [
    ...resourcesOf(template, bucket).map(([, { LoggingConfiguration }]) => LoggingConfiguration?.DestinationBucketName),
    ...resourcesOf(template, 'AWS::CloudTrail::Trail').map(([, { S3BucketName }]) => S3BucketName),
  ].some((name) => referencedId(name) === id);

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
