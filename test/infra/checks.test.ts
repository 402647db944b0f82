// Our own checks: no environment has a violation, and each check finds the mistake that it is for.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { checks, violationsOf } from '#infra/checks/plugin.ts';
import { type Properties, resourcesOf, type Template } from '#infra/checks/template.ts';
import { stages } from '#infra/settings.ts';
import { productionContext, synthesise, withChanged } from '../support/infra-template.ts';

const template = synthesise('prod', { ...productionContext, digestEmail: 'team@example.net' });

const queue = 'AWS::SQS::Queue';
const bucket = 'AWS::S3::Bucket';
const topic = 'AWS::SNS::Topic';
const eventSource = 'AWS::Lambda::EventSourceMapping';
const schedule = 'AWS::Scheduler::Schedule';
const policy = 'AWS::IAM::Policy';
const alarm = 'AWS::CloudWatch::Alarm';
const table = 'AWS::DynamoDB::GlobalTable';
const lambda = 'AWS::Lambda::Function';
const rule = 'AWS::Events::Rule';

const readsStream = ({ EventSourceArn }: Properties) => EventSourceArn['Fn::GetAtt'][1] === 'StreamArn';
const hasRedrive = (properties: { RedrivePolicy?: unknown }) => properties.RedrivePolicy !== undefined;
const ofRole = (name: string) => (_: unknown, id: string) => id.startsWith(`${name}Role`);
const ofIngest = ofRole('Ingest');
const fromThisAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
const statementOf = ({ Statement }: Properties, sid: string) =>
  Statement.find(({ Sid }: { Sid: string }) => Sid === sid);
/** Replaces one queue by another in what a role may send to. */
const allowSending =
  (from: string, to: string) =>
  ({ PolicyDocument }: Properties) => {
    for (const { Action, Resource } of PolicyDocument.Statement)
      if (Action === 'sqs:SendMessage')
        for (const { 'Fn::GetAtt': attribute } of Resource) if (attribute[0] === from) attribute[0] = to;
  };
const logGroupOfEvents = resourcesOf(template, 'AWS::Logs::LogGroup').find(([id]) => id.startsWith('EventsLog'))?.[0];
const withoutDenials = ({ PolicyDocument }: Properties) => {
  PolicyDocument.Statement = PolicyDocument.Statement.filter(({ Effect }: { Effect: string }) => Effect !== 'Deny');
};

/** A change of the template, and the rule that must find it. */
const mistakes: readonly (readonly [name: string, rule: string, broken: Template])[] = [
  [
    'a visibility timeout shorter than six time-outs',
    'queue-visibility',
    withChanged(template, queue, (properties) => Object.assign(properties, { VisibilityTimeout: 60 }), hasRedrive),
  ],
  [
    'a longer time-out with the same visibility timeout',
    'queue-visibility',
    withChanged(
      template,
      lambda,
      (properties) => Object.assign(properties, { Timeout: 901 }),
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'a queue without a dead-letter queue',
    'dead-letter-queue',
    withChanged(template, queue, (properties) => Object.assign(properties, { RedrivePolicy: undefined }), hasRedrive),
  ],
  [
    'a dead-letter queue with a shorter retention',
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
      lambda,
      (properties) => Object.assign(properties, { ReservedConcurrentExecutions: 1 }),
      (_, id) => id.startsWith('Submit'),
    ),
  ],
  ...(
    [
      ['a stream without a destination for failures', 'stream-dead-letters', { DestinationConfig: undefined }],
      ['a stream with unlimited retries', 'stream-retries', { MaximumRetryAttempts: undefined }],
      [
        'a stream that deletes records before their retries end',
        'stream-retries',
        { MaximumRecordAgeInSeconds: 86_400 },
      ],
      ['a stream without bisected batches', 'stream-retries', { BisectBatchOnFunctionError: false }],
      ['a stream without a filter', 'stream-filter', { FilterCriteria: undefined }],
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
    'the schedule’s default of 185 retries',
    'schedule-retries',
    withChanged(template, schedule, ({ Target }) => Object.assign(Target, { RetryPolicy: undefined })),
  ],
  [
    'a schedule without a dead-letter queue',
    'schedule-dead-letters',
    withChanged(template, schedule, ({ Target }) => Object.assign(Target, { DeadLetterConfig: undefined })),
  ],
  [
    'scheduled runs without a destination for failures',
    'scheduled-runs',
    withChanged(template, 'AWS::Lambda::EventInvokeConfig', (properties) =>
      Object.assign(properties, { DestinationConfig: undefined }),
    ),
  ],
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
    'a mail topic that accepts messages without TLS',
    'tls-only',
    withChanged(template, 'AWS::SNS::TopicPolicy', withoutDenials),
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
    'a bucket without expiry',
    'expiry',
    withChanged(template, bucket, (properties) => Object.assign(properties, { LifecycleConfiguration: undefined })),
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
    'a wildcard in the actions',
    'no-wildcard',
    withChanged(template, policy, ({ PolicyDocument }) =>
      Object.assign(PolicyDocument.Statement[0], { Action: 'dynamodb:*' }),
    ),
  ],
  [
    'a wildcard as the resource',
    'no-wildcard',
    withChanged(template, policy, ({ PolicyDocument }) =>
      Object.assign(PolicyDocument.Statement[0], { Resource: '*' }),
    ),
  ],
  [
    'all objects of the results bucket',
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
      lambda,
      (properties) => {
        const submit = Object.entries(template.Resources).find(([id]) => id.startsWith('SubmitFunction'));
        Object.assign(properties, { Role: submit?.[1].Properties.Role });
      },
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'a function that sends to its own queue, with the default of Lambda',
    'recursive-loop',
    withChanged(
      template,
      lambda,
      (properties) => Object.assign(properties, { RecursiveLoop: undefined }),
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'two functions that send to each other’s queues, with the default of Lambda',
    'recursive-loop',
    withChanged(
      withChanged(template, policy, allowSending('SubmitQueue', 'IngestQueue'), ofRole('Submit')),
      lambda,
      (properties) => Object.assign(properties, { RecursiveLoop: 'Terminate' }),
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'a function without a heap limit',
    'heap-limit',
    withChanged(template, lambda, ({ Environment }) =>
      Object.assign(Environment.Variables, { NODE_OPTIONS: '--max-semi-space-size=4' }),
    ),
  ],
  [
    'a heap as large as the memory',
    'heap-limit',
    withChanged(template, lambda, ({ Environment, MemorySize }) =>
      Object.assign(Environment.Variables, { NODE_OPTIONS: `--max-old-space-size=${MemorySize}` }),
    ),
  ],
  [
    'a schedule before the policy of its role',
    'schedule-permissions',
    withChanged(template, schedule, (_, resource) => Object.assign(resource, { DependsOn: undefined })),
  ],
  [
    'a destination before the policy of the function',
    'destination-permissions',
    withChanged(template, 'AWS::Lambda::EventInvokeConfig', (_, resource) =>
      Object.assign(resource, { DependsOn: undefined }),
    ),
  ],
  [
    'a bucket that a failed first deployment would leave behind',
    'retain-on-rollback',
    withChanged(template, bucket, (_, resource) => Object.assign(resource, { DeletionPolicy: 'Retain' })),
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
  [
    'recursion that a function does not need',
    'needless-recursion',
    withChanged(
      template,
      lambda,
      (properties) => Object.assign(properties, { RecursiveLoop: 'Allow' }),
      (_, id) => id.startsWith('Sync'),
    ),
  ],
  [
    'recursion without an alarm',
    'recursion-alarm',
    withChanged(
      template,
      alarm,
      (properties) => Object.assign(properties, { Metrics: [] }),
      (_, id) => id.includes('SubmitRecursiveInvocations'),
    ),
  ],
  [
    'the ARN of a log group as CloudFormation returns it',
    'log-target',
    withChanged(template, rule, ({ Targets }) =>
      Object.assign(Targets[0], { Arn: { 'Fn::GetAtt': [logGroupOfEvents, 'Arn'] } }),
    ),
  ],
  [
    'a log group with :* as the target of a rule',
    'log-target',
    withChanged(template, rule, ({ Targets }) =>
      Object.assign(Targets[0], { Arn: 'arn:aws:logs:eu-west-2:123456789012:log-group:/aws/events/simporter:*' }),
    ),
  ],
  [
    'a rule without a dead-letter queue',
    'rule-dead-letters',
    withChanged(template, rule, ({ Targets }) => Object.assign(Targets[0], { DeadLetterConfig: undefined })),
  ],
  [
    'a rule that may not send to its dead-letter queue',
    'rule-dead-letters',
    withChanged(
      template,
      'AWS::SQS::QueuePolicy',
      ({ PolicyDocument }) => {
        PolicyDocument.Statement = PolicyDocument.Statement.filter(
          ({ Effect }: { Effect: string }) => Effect === 'Deny',
        );
      },
      ({ Queues }) => Queues[0].Ref === 'EventDeadLetters',
    ),
  ],
  [
    'a rule without an alarm',
    'rule-alarm',
    withChanged(
      template,
      alarm,
      (properties) => Object.assign(properties, { Metrics: [] }),
      (_, id) => id.includes('LogEventsFailed'),
    ),
  ],
  [
    'a rule with a generated name, which is not the dimension of its metrics',
    'rule-alarm',
    withChanged(template, rule, (properties) => Object.assign(properties, { Name: undefined })),
  ],
  [
    'a topic policy with a condition for EventBridge',
    'topic-conditions',
    withChanged(
      template,
      'AWS::SNS::TopicPolicy',
      ({ PolicyDocument }) =>
        Object.assign(statementOf(PolicyDocument, 'PublishDigest'), { Condition: fromThisAccount }),
      ({ Topics }) => Topics[0].Ref === 'DigestMail',
    ),
  ],
  [
    'a key policy with a condition on the source of EventBridge',
    'key-conditions',
    withChanged(template, 'AWS::KMS::Key', ({ KeyPolicy }) =>
      Object.assign(statementOf(KeyPolicy, 'EncryptDigest'), { Condition: fromThisAccount }),
    ),
  ],
  [
    'results written to the inbox (fault 8)',
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

describe('our checks', () => {
  test.each(stages)('find nothing in %s', (stage) => {
    expect(violationsOf(synthesise(stage))).toEqual([]);
  });

  test('find nothing in prod with mail', () => {
    expect(violationsOf(template)).toEqual([]);
  });

  test.each(mistakes)('find %s, by the rule %s', (_, rule, broken) => {
    expect(violationsOf(broken).map((violation) => violation.rule)).toContain(rule);
  });

  test('are the ones that docs/aws.md names', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'aws.md'), 'utf8');
    const named = [...page.matchAll(/\bchecks? ((?:`[a-z-]+`[^`|]*)+)/g)].flatMap(([, names = '']) =>
      [...names.matchAll(/`([a-z-]+)`/g)].map(([, name]) => name),
    );
    expect(named.length).toBeGreaterThan(15);
    expect(checks.map(({ rule }) => rule)).toEqual(expect.arrayContaining(named));
  });

  test('are all tested', () => {
    expect([...new Set(mistakes.map(([, rule]) => rule))].sort()).toEqual(
      [...new Set(checks.map(({ rule }) => rule))].sort(),
    );
  });
});
