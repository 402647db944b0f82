// Our own rules: no stage breaks one, and each is seen to catch what it is for.
import { describe, expect, test } from 'vitest';
import { checks, violationsOf } from '#infra/checks/plugin.ts';
import type { Resource, Template } from '#infra/checks/template.ts';
import { stages } from '#infra/config.ts';
import { namedService, synthesise, withChanged } from '../support/infra-template.ts';

const template = synthesise('prod', { ...namedService, alarmEmail: 'watch@example.net' });

const queue = 'AWS::SQS::Queue';
const bucket = 'AWS::S3::Bucket';
const topic = 'AWS::SNS::Topic';
const eventSource = 'AWS::Lambda::EventSourceMapping';
const schedule = 'AWS::Scheduler::Schedule';
const policy = 'AWS::IAM::Policy';
const table = 'AWS::DynamoDB::GlobalTable';

const readsStream = ({ EventSourceArn }: Resource['Properties']) => EventSourceArn['Fn::GetAtt'][1] === 'StreamArn';
const hasRedrive = (properties: { RedrivePolicy?: unknown }) => properties.RedrivePolicy !== undefined;
const ofIngest = (_: unknown, id: string) => id.startsWith('IngestRole');
const withoutDenials = ({ PolicyDocument }: Resource['Properties']) => {
  PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect !== 'Deny');
};

/** What is done to the template, and the rule that must say so. */
const mistakes: readonly (readonly [name: string, rule: string, broken: Template])[] = [
  [
    'a visibility shorter than six time-outs',
    'queue-visibility',
    withChanged(template, queue, (properties) => Object.assign(properties, { VisibilityTimeout: 60 }), hasRedrive),
  ],
  [
    'a time-out that is raised without the visibility',
    'queue-visibility',
    withChanged(
      template,
      'AWS::Lambda::Function',
      (properties) => Object.assign(properties, { Timeout: 901 }),
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'a dropped dead-letter queue',
    'dead-letter-queue',
    withChanged(template, queue, (properties) => Object.assign(properties, { RedrivePolicy: undefined }), hasRedrive),
  ],
  [
    'a dead-letter queue that forgets first',
    'dead-letter-retention',
    withChanged(
      template,
      queue,
      (properties) => Object.assign(properties, { MessageRetentionPeriod: 1_209_600 + 1 }),
      hasRedrive,
    ),
  ],
  [
    'a single delivery',
    'receive-count',
    withChanged(
      template,
      queue,
      ({ RedrivePolicy }) => Object.assign(RedrivePolicy, { maxReceiveCount: 1 }),
      hasRedrive,
    ),
  ],
  [
    'no partial batch responses',
    'partial-batch',
    withChanged(template, eventSource, (properties) => Object.assign(properties, { FunctionResponseTypes: undefined })),
  ],
  [
    'no maximum concurrency',
    'maximum-concurrency',
    withChanged(
      template,
      eventSource,
      (properties) => Object.assign(properties, { ScalingConfig: undefined }),
      (properties) => !readsStream(properties),
    ),
  ],
  [
    'a maximum concurrency above the reserved one',
    'maximum-concurrency',
    withChanged(
      template,
      'AWS::Lambda::Function',
      (properties) => Object.assign(properties, { ReservedConcurrentExecutions: 1 }),
      (_, id) => id.startsWith('Submit'),
    ),
  ],
  ...(
    [
      ['a stream whose failures are lost', 'stream-dead-letters', { DestinationConfig: undefined }],
      ['a stream that is read again without an end', 'stream-retries', { MaximumRetryAttempts: undefined }],
      ['a stream that forgets before its reader gives up', 'stream-retries', { MaximumRecordAgeInSeconds: 86_400 }],
      ['a bad record that is never parted from the others', 'stream-retries', { BisectBatchOnFunctionError: false }],
      ['a function that runs for every write', 'stream-filter', { FilterCriteria: undefined }],
    ] as const
  ).map(
    ([name, rule, change]) =>
      [
        name,
        rule,
        withChanged(template, eventSource, (properties) => Object.assign(properties, change), readsStream),
      ] as const,
  ),
  [
    'the schedule’s default of 185 tries',
    'schedule-retries',
    withChanged(template, schedule, ({ Target }) => Object.assign(Target, { RetryPolicy: undefined })),
  ],
  [
    'a schedule without a dead-letter queue',
    'schedule-dead-letters',
    withChanged(template, schedule, ({ Target }) => Object.assign(Target, { DeadLetterConfig: undefined })),
  ],
  [
    'scheduled runs that fail in silence',
    'scheduled-runs',
    withChanged(template, 'AWS::Lambda::EventInvokeConfig', (properties) =>
      Object.assign(properties, { DestinationConfig: undefined }),
    ),
  ],
  [
    'a bucket in clear',
    'encryption',
    withChanged(template, bucket, (properties) => Object.assign(properties, { BucketEncryption: undefined })),
  ],
  [
    'a queue in clear',
    'encryption',
    withChanged(template, queue, (properties) => Object.assign(properties, { SqsManagedSseEnabled: false })),
  ],
  [
    'alarm mail in clear',
    'encryption',
    withChanged(template, topic, (properties) => Object.assign(properties, { KmsMasterKeyId: 'alias/aws/sns' })),
  ],
  ['alarm mail without TLS', 'tls-only', withChanged(template, 'AWS::SNS::TopicPolicy', withoutDenials)],
  [
    'a secret without our key',
    'encryption',
    withChanged(template, 'AWS::SecretsManager::Secret', (properties) =>
      Object.assign(properties, { KmsKeyId: undefined }),
    ),
  ],
  [
    'a table whose key leaves no trail',
    'encryption',
    withChanged(template, table, (properties) => Object.assign(properties, { SSESpecification: undefined })),
  ],
  [
    'a key that is never rotated',
    'key-rotation',
    withChanged(template, 'AWS::KMS::Key', (properties) => Object.assign(properties, { EnableKeyRotation: false })),
  ],
  [
    'a bucket that a policy could open',
    'no-public-access',
    withChanged(template, bucket, ({ PublicAccessBlockConfiguration }) =>
      Object.assign(PublicAccessBlockConfiguration, { BlockPublicPolicy: false }),
    ),
  ],
  [
    'a bucket that keeps personal data for ever',
    'expiry',
    withChanged(template, bucket, (properties) => Object.assign(properties, { LifecycleConfiguration: undefined })),
  ],
  ['a bucket that answers without TLS', 'tls-only', withChanged(template, 'AWS::S3::BucketPolicy', withoutDenials)],
  ['a queue that answers without TLS', 'tls-only', withChanged(template, 'AWS::SQS::QueuePolicy', withoutDenials)],
  [
    'a table that cannot be restored',
    'point-in-time-recovery',
    withChanged(template, table, ({ Replicas }) =>
      Object.assign(Replicas[0], { PointInTimeRecoverySpecification: undefined }),
    ),
  ],
  [
    'logs without an end',
    'log-retention',
    withChanged(template, 'AWS::Logs::LogGroup', (properties) =>
      Object.assign(properties, { RetentionInDays: undefined }),
    ),
  ],
  [
    'a wildcard among the actions',
    'no-wildcard',
    withChanged(template, policy, ({ PolicyDocument }) =>
      Object.assign(PolicyDocument.Statement[0], { Action: 'dynamodb:*' }),
    ),
  ],
  [
    'a wildcard for the resource',
    'no-wildcard',
    withChanged(template, policy, ({ PolicyDocument }) =>
      Object.assign(PolicyDocument.Statement[0], { Resource: '*' }),
    ),
  ],
  [
    'the whole results bucket instead of one folder',
    'no-wildcard',
    withChanged(template, policy, ({ PolicyDocument }) =>
      Object.assign(PolicyDocument.Statement[0], {
        Resource: { 'Fn::Join': ['', [{ 'Fn::GetAtt': ['Results', 'Arn'] }, '/*']] },
      }),
    ),
  ],
  [
    'a managed policy',
    'no-managed-policy',
    withChanged(template, 'AWS::IAM::Role', (properties) =>
      Object.assign(properties, { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AmazonS3FullAccess'] }),
    ),
  ],
  [
    'a role that two functions share',
    'own-role',
    withChanged(
      template,
      'AWS::Lambda::Function',
      (properties) => {
        const submit = Object.entries(template.Resources).find(([id]) => id.startsWith('SubmitFunction'));
        Object.assign(properties, { Role: submit?.[1].Properties.Role });
      },
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'results that land where uploads do (fault 8)',
    'no-loop',
    withChanged(
      template,
      policy,
      ({ PolicyDocument }) => {
        const reads = PolicyDocument.Statement.find(({ Sid }: { Sid: string }) => Sid === 'ReadUploads');
        Object.assign(reads, { Action: [...reads.Action, 's3:PutObject'] });
      },
      ofIngest,
    ),
  ],
];

describe('the rules for every template', () => {
  test.each(stages)('%s breaks none', (stage) => {
    expect(violationsOf(synthesise(stage))).toEqual([]);
  });

  test('prod with alarm mail breaks none', () => {
    expect(violationsOf(template)).toEqual([]);
  });

  test.each(mistakes)('%s breaks the rule %s', (_, rule, broken) => {
    expect(violationsOf(broken).map((violation) => violation.rule)).toContain(rule);
  });

  test('each has a mistake here that it catches', () => {
    expect([...new Set(mistakes.map(([, rule]) => rule))].sort()).toEqual(
      [...new Set(checks.map(({ rule }) => rule))].sort(),
    );
  });
});
