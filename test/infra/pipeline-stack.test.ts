// The template as others rely on it: the command line by its outputs, the functions by their environment, the embedded
// engine by its entries, and a deployed account by the ids of what holds data.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { spell } from '#infra/checks/permissions.ts';
import { resourcesOf } from '#infra/checks/template.ts';
import { configurationOf, leaseSeconds, visibilitySeconds } from '#infra/config.ts';
import { tableDefinition } from '#shared/aws/table-definition.ts';
import { environmentSchema } from '#shared/runtime/config.ts';
import { namedService, synthesise, withoutHash } from '../support/infra-template.ts';

const template = synthesise('prod');
const configuration = configurationOf('prod', namedService);

const lambdas = resourcesOf(template, 'AWS::Lambda::Function');
const lambda = (name: string) => {
  const found = lambdas.find(([id]) => id === `${name}Function`);
  if (!found) throw new Error(`There is no function ${name}`);
  return found[1];
};
const source = (name: string) =>
  resourcesOf(template, 'AWS::Lambda::EventSourceMapping').find(([id]) => withoutHash(id) === `${name}Source`)?.[1];

describe('the pipeline stack', () => {
  test('tells by fixed names where everything is', () => {
    expect(Object.keys(template.Outputs).sort()).toEqual([
      'CallingCode',
      'EventBus',
      'EventsLog',
      'InboxBucket',
      'IngestQueueUrl',
      'ReportQueueUrl',
      'ResultsBucket',
      'ResultsTable',
      'SecretArn',
      'ServiceAccountId',
      'SetCredentials',
      'SubmitQueueUrl',
      'SyncFunction',
      'SyncMissedRunsUrl',
      'WorkBucket',
    ]);
  });

  test('keeps the logical ids of what holds data: a new id would mean a new, empty one', () => {
    const stateful = ['AWS::S3::Bucket', 'AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'];
    expect(stateful.flatMap((type) => resourcesOf(template, type).map(([id]) => id)).sort()).toEqual([
      'AccessLogs',
      'Credentials',
      'Inbox',
      'Key',
      'Results',
      'Table',
      'Work',
    ]);
  });

  test('lets nothing that holds data go with the stack in prod', () => {
    const policies = Object.entries(template.Resources)
      .filter(([id]) => /^(AccessLogs|Credentials|Inbox|Key|Results|Table|Work)$/.test(id))
      .map(([id, resource]) => [id, (resource as { DeletionPolicy?: string }).DeletionPolicy]);
    expect(policies.filter(([, deletionPolicy]) => deletionPolicy !== 'Retain')).toEqual([]);
    const [table] = resourcesOf(template, 'AWS::DynamoDB::GlobalTable');
    expect(table?.[1].Replicas[0].DeletionProtectionEnabled).toBe(true);
  });

  test('has no function of its own making: every one is in functions/', () => {
    const entries = Object.values(template.Resources)
      .filter(({ Type }) => Type === 'AWS::Lambda::Function')
      .map((resource) => (resource as { Metadata?: Record<string, string> }).Metadata?.['simporter:entry']);
    expect(entries.sort()).toEqual([
      'functions/announce/entry.ts',
      'functions/ingest/entry.ts',
      'functions/report/entry.ts',
      'functions/submit/entry.ts',
      'functions/sync/entry.ts',
    ]);
  });

  test.each(lambdas)('gives %s an environment that it can parse', (_, { Environment }) => {
    const deployed = Object.fromEntries(
      Object.entries<unknown>(Environment.Variables).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : `https://deployed/${spell(value)}`,
      ]),
    );
    const parsed = environmentSchema.parse(deployed);
    expect(parsed).toMatchObject({
      SERVICE_BASE_URL: 'https://porting.example.net',
      SERVICE_ACCOUNT_ID: 4711,
      LEASE_SECONDS: leaseSeconds(configuration),
    });
    // On AWS the calendar is the clock on the wall.
    expect(parsed).not.toHaveProperty('CALENDAR_SPEED');
  });

  test('runs every function on arm64 and Node 24', () => {
    const platforms = lambdas.map(([, { Runtime, Architectures }]) => [Runtime, ...Architectures].join(' '));
    expect(new Set(platforms)).toEqual(new Set(['nodejs24.x arm64']));
  });

  test('runs ingest with a small young generation, by options that Node takes from its environment', () => {
    const { NODE_OPTIONS } = lambda('Ingest').Environment.Variables;
    expect(NODE_OPTIONS).toBe('--enable-source-maps --max-semi-space-size=4');
    const heap = execFileSync(process.execPath, ['-p', "require('node:v8').getHeapStatistics().heap_size_limit"], {
      env: { NODE_OPTIONS: `${NODE_OPTIONS} --max-old-space-size=384` },
    });
    // Three times the semi-space is the young generation.
    expect(Number(heap) / 2 ** 20).toBe(384 + 12);
  });

  test('delivers uploads one by one, requests by the handful, and reports by the thousand', () => {
    expect(source('Ingest')).toMatchObject({ BatchSize: 1, ScalingConfig: { MaximumConcurrency: 5 } });
    expect(source('Submit')).toMatchObject({ BatchSize: 5, ScalingConfig: { MaximumConcurrency: 5 } });
    expect(source('Report')).toMatchObject({ BatchSize: 1000, MaximumBatchingWindowInSeconds: 5 });
  });

  test('announces every upload, whatever its name, to the ingest queue and to no function', () => {
    const announcements = resourcesOf(template, 'AWS::S3::Bucket').flatMap(([id, { NotificationConfiguration }]) =>
      NotificationConfiguration ? [[id, NotificationConfiguration]] : [],
    );
    expect(announcements).toEqual([
      [
        'Inbox',
        {
          QueueConfigurations: [{ Event: 's3:ObjectCreated:*', Queue: { 'Fn::GetAtt': ['IngestQueue', 'Arn'] } }],
        },
      ],
    ]);
  });

  test('lets S3, for buckets of this stack in this account alone, write to the ingest queue', () => {
    const statements = resourcesOf(template, 'AWS::SQS::QueuePolicy').flatMap(
      ([, { PolicyDocument }]) => PolicyDocument.Statement,
    );
    expect(statements.filter(({ Effect }) => Effect === 'Allow')).toMatchObject([
      {
        Principal: { Service: 's3.amazonaws.com' },
        Condition: {
          StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } },
          ArnLike: {
            'aws:SourceArn': { 'Fn::Join': ['', [expect.anything(), expect.anything(), ':s3:::simporter-prod-*']] },
          },
        },
      },
    ]);
  });

  test('keeps older versions of uploads, so that overwriting one never changes an import', () => {
    const versioned = resourcesOf(template, 'AWS::S3::Bucket').filter(
      ([, properties]) => properties.VersioningConfiguration,
    );
    expect(versioned.map(([id]) => id)).toEqual(['Inbox']);
  });

  test('makes the table as the functions expect it', () => {
    const [, table] = resourcesOf(template, 'AWS::DynamoDB::GlobalTable')[0] ?? [];
    const { TableName, ...expected } = tableDefinition('any');
    expect(table).toMatchObject(expected);
    expect(table?.TimeToLiveSpecification).toBeUndefined();
  });

  test('hands announce only the changes that can be an event, in order, and puts aside what it cannot take', () => {
    expect(source('Announce')).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 20,
      MaximumRecordAgeInSeconds: 43_200,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['AnnounceDeadLetters', 'Arn'] } } },
    });
    // More than these need a quota of the account that nobody has asked for.
    expect(source('Announce')?.FilterCriteria.Filters).toHaveLength(5);
    expect(resourcesOf(template, 'AWS::DynamoDB::GlobalTable')[0]?.[1].StreamSpecification).toEqual({
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    });
  });

  test('keeps every event in a log that ends, which EventBridge may write to', () => {
    const [[, rule] = []] = resourcesOf(template, 'AWS::Events::Rule');
    expect(rule).toMatchObject({
      EventBusName: { Ref: 'EventBus' },
      EventPattern: { source: ['simporter.prod'] },
      Targets: [{ Arn: { 'Fn::GetAtt': [expect.stringMatching(/^EventsLog/), 'Arn'] } }],
    });
    const log = resourcesOf(template, 'AWS::Logs::LogGroup').find(([id]) => id.startsWith('EventsLog'))?.[1];
    expect(log).toEqual({ LogGroupName: '/aws/events/simporter-prod', RetentionInDays: 90 });
    const [[, policy] = []] = resourcesOf(template, 'AWS::Logs::ResourcePolicy');
    expect(spell(policy?.PolicyDocument)).toMatch(/events\.amazonaws\.com.*EventsLog/);
  });

  test('starts sync on a schedule, one run at a time, and puts failed runs aside', () => {
    const [[, schedule] = []] = resourcesOf(template, 'AWS::Scheduler::Schedule');
    expect(schedule).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', FlexibleTimeWindow: { Mode: 'OFF' } });
    expect(lambda('Sync')).toMatchObject({ ReservedConcurrentExecutions: 1, Timeout: 240 });
    const [[, runs] = []] = resourcesOf(template, 'AWS::Lambda::EventInvokeConfig');
    expect(runs).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 300 });
  });

  test('shows uploads again only six time-outs of ingest later', () => {
    const [, arrivals] = resourcesOf(template, 'AWS::SQS::Queue').find(([id]) => id === 'IngestQueue') ?? [];
    expect(arrivals?.VisibilityTimeout).toBe(visibilitySeconds(lambda('Ingest').Timeout));
  });
});

describe('the local stage', () => {
  const local = synthesise('local', {});

  test('has the same resources as prod', () => {
    const types = ({ Resources }: typeof local) => Object.entries(Resources).map(([id, { Type }]) => `${id} ${Type}`);
    expect(types(local)).toEqual(types(template));
  });

  test('asks for no more than two of anything at a time', () => {
    const sources = resourcesOf(local, 'AWS::Lambda::EventSourceMapping');
    const queues = sources.filter(([, { ScalingConfig }]) => ScalingConfig !== undefined);
    expect(queues.map(([, { ScalingConfig }]) => ScalingConfig.MaximumConcurrency)).toEqual([2, 2, 2]);
  });
});
