// The parts of the template that others rely on: outputs for the command line, variables for the functions, entries for
// the emulator, and logical ids of resources that hold data.
import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { apiVariables } from '#infra/pipeline.ts';
import { formatValue } from '#local/template/references.ts';
import packageJson from '#package.json' with { type: 'json' };
import { environmentSchema } from '#shared/runtime/config.ts';
import { readSettings } from '#shared/runtime/settings.ts';
import { tableDefinition } from '../support/embedded/table.ts';
import { statementsOf } from '../support/infra/checks/permissions.ts';
import { resourcesOf } from '../support/infra/checks/read-template.ts';
import {
  type EnvironmentSettings,
  productionSettings,
  synthesise,
  synthesiseConsole,
  withoutHash,
} from '../support/infra/template.ts';

const template = synthesise('prod');

const pipelineVariables = z.omit(
  environmentSchema,
  Object.fromEntries(apiVariables.map((name) => [name, true])) as Record<(typeof apiVariables)[number], true>,
);

const lambdas = resourcesOf(template, 'AWS::Lambda::Function');
const lambda = (name: string) => {
  const found = lambdas.find(([id]) => id === `${name}Function`);
  if (!found) throw new Error(`There is no function ${name}`);
  return found[1];
};
const source = (name: string) =>
  resourcesOf(template, 'AWS::Lambda::EventSourceMapping').find(([id]) => withoutHash(id) === `${name}Source`)?.[1];

describe('the pipeline stack', () => {
  test('has outputs with fixed names', () => {
    // CDK names those that other stacks import.
    const named = Object.keys(template.Outputs).filter((name) => !name.startsWith('ExportsOutput'));
    expect(named.sort()).toEqual([
      'AnalyticsDatabase',
      'AnalyticsWorkgroup',
      'AnnounceDeadLettersUrl',
      'AnnounceFunction',
      'CallingCode',
      'CommandQueueUrl',
      'EventBus',
      'EventDeadLettersUrl',
      'EventsLog',
      'InboxBucket',
      'IngestQueueUrl',
      'PortingAccount',
      'ReportQueueUrl',
      'ResultsBucket',
      'ResultsTable',
      'SecretArn',
      'ServiceBaseUrl',
      'SetCredentials',
      'SubmitQueueUrl',
      'SyncFunction',
      'SyncMissedRunsUrl',
      'WorkBucket',
    ]);
  });

  test('keeps the logical ids of resources that hold data: a new id would create an empty resource', () => {
    const stateful = ['AWS::S3::Bucket', 'AWS::DynamoDB::GlobalTable', 'AWS::KMS::Key', 'AWS::SecretsManager::Secret'];
    expect(stateful.flatMap((type) => resourcesOf(template, type).map(([id]) => id)).sort()).toEqual([
      'AccessLogs',
      'AuditLogs',
      'Credentials',
      'Inbox',
      'Key',
      'Results',
      'Table',
      'Work',
    ]);
  });

  const policiesOf = (settings: EnvironmentSettings) =>
    Object.fromEntries(
      Object.entries(synthesise('prod', settings).Resources)
        .filter(([id]) => /^(AccessLogs|AuditLogs|Credentials|Inbox|Key|Results|Table|Work)$/.test(id))
        .map(([id, { DeletionPolicy }]) => [id, DeletionPolicy]),
    );
  const isTableProtected = (settings: EnvironmentSettings) =>
    resourcesOf(synthesise('prod', settings), 'AWS::DynamoDB::GlobalTable')[0]?.[1].Replicas[0]
      .DeletionProtectionEnabled;

  test('retains every resource that holds data in prod, unless a rollback of its creation can delete it', () => {
    const empty = ['Credentials', 'Inbox', 'Key', 'Results', 'Work'].map((id) => [id, 'RetainExceptOnCreate']);
    const kept = ['AccessLogs', 'AuditLogs', 'Table'].map((id) => [id, 'Retain']);
    expect(policiesOf(productionSettings)).toEqual(Object.fromEntries([...empty, ...kept]));
    expect(isTableProtected(productionSettings)).toBe(true);
  });

  test('leaves no table behind where a first deployment without protection fails', () => {
    const unprotected = { ...productionSettings, deletionProtection: false };
    expect(isTableProtected(unprotected)).toBe(false);
    expect(policiesOf(unprotected).Table).toBe('RetainExceptOnCreate');
  });

  test('has no other functions than those in functions/', () => {
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

  test.each(lambdas)('sets the environment variables that %s parses', (_, { Environment }) => {
    const deployed = Object.fromEntries(
      Object.entries<unknown>(Environment.Variables).map(([name, value]) => [
        name,
        typeof value === 'string' ? value : `https://deployed/${formatValue(value)}`,
      ]),
    );
    const parsed = pipelineVariables.parse(deployed);
    expect(parsed).toMatchObject({
      LEASE_SECONDS: lambda('Submit').Timeout + 10,
    });
    expect(readSettings(deployed).service).toMatchObject({ baseUrl: 'https://porting.example.net', accountId: 4711 });
    // Only the emulator sets the calendar.
    expect(parsed).not.toHaveProperty('CALENDAR_FILE');
  });

  test('names the version in the description of every function, which simporter doctor reads', () => {
    expect(lambdas.map(([, { Description }]) => Description).sort()).toEqual(
      ['announce', 'ingest', 'report', 'submit', 'sync'].map((name) => `simporter ${packageJson.version} ${name}`),
    );
  });

  test('runs every function on arm64 and Node 24', () => {
    const platforms = lambdas.map(([, { Runtime, Architectures }]) => [Runtime, ...Architectures].join(' '));
    expect(new Set(platforms)).toEqual(new Set(['nodejs24.x arm64']));
  });

  test('runs ingest with a small young generation, by options that NODE_OPTIONS accepts', () => {
    const { NODE_OPTIONS } = lambda('Ingest').Environment.Variables;
    expect(NODE_OPTIONS).toBe('--enable-source-maps --max-old-space-size=384 --max-semi-space-size=4');
    const heap = execFileSync(process.execPath, ['-p', "require('node:v8').getHeapStatistics().heap_size_limit"], {
      env: { NODE_OPTIONS },
    });
    // The young generation is three semi-spaces.
    expect(Number(heap) / 2 ** 20).toBe(384 + 12);
  });

  test('allows recursion for the functions that requeue their own work, and for no other', () => {
    const allowed = lambdas.filter(([, { RecursiveLoop }]) => RecursiveLoop === 'Allow').map(([id]) => id);
    expect(allowed.sort()).toEqual(['IngestFunction', 'ReportFunction', 'SubmitFunction']);
    for (const [, { RecursiveLoop }] of lambdas) expect(RecursiveLoop).toMatch(/^(Allow|Terminate)$/);
  });

  test('delivers one upload, up to five requests and up to ten changes per invocation, and no change waits', () => {
    expect(source('Ingest')).toMatchObject({ BatchSize: 1, ScalingConfig: { MaximumConcurrency: 5 } });
    expect(source('Submit')).toMatchObject({ BatchSize: 5, ScalingConfig: { MaximumConcurrency: 10 } });
    expect(source('Report')).toMatchObject({ BatchSize: 10, MaximumBatchingWindowInSeconds: 0 });
  });

  test('sends an event for every upload, whatever its name, to the ingest queue only', () => {
    const notifications = resourcesOf(template, 'AWS::S3::Bucket').flatMap(([id, { NotificationConfiguration }]) =>
      NotificationConfiguration ? [[id, NotificationConfiguration]] : [],
    );
    expect(notifications).toEqual([
      [
        'Inbox',
        {
          QueueConfigurations: [{ Event: 's3:ObjectCreated:*', Queue: { 'Fn::GetAtt': ['IngestQueue', 'Arn'] } }],
        },
      ],
    ]);
  });

  test('allows only S3, for buckets of this stack in this account, to send to the ingest queue', () => {
    const statements = resourcesOf(template, 'AWS::SQS::QueuePolicy')
      .filter(([, { Queues }]) => Queues[0].Ref === 'IngestQueue')
      .flatMap(([, { PolicyDocument }]) => PolicyDocument.Statement);
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

  test('lets only S3, ingest and sync send to the ingest queue, whatever the permissions of a person are', () => {
    const denied = resourcesOf(template, 'AWS::SQS::QueuePolicy')
      .filter(([, { Queues }]) => Queues[0].Ref === 'IngestQueue')
      .flatMap(([, { PolicyDocument }]) => PolicyDocument.Statement)
      .find(({ Sid }) => Sid === 'DenyOtherSenders');
    expect(denied).toMatchObject({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Action: 'sqs:SendMessage',
      Condition: { Null: { 'aws:SourceArn': 'true' } },
    });
    const roles = denied.Condition.ArnNotEquals['aws:PrincipalArn'].map(formatValue);
    expect(roles.map(withoutHash)).toEqual(['<IngestRole.Arn>', '<SyncRole.Arn>']);
  });

  test('approvals and other commands never wait behind files: ingest reads a second queue for them', () => {
    const commands = resourcesOf(template, 'AWS::Lambda::EventSourceMapping').find(
      ([id]) => withoutHash(id) === 'IngestCommandSource',
    )?.[1];
    expect(commands).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': ['CommandQueue', 'Arn'] },
      FunctionName: source('Ingest')?.FunctionName,
      ScalingConfig: source('Ingest')?.ScalingConfig,
    });
    const senders = statementsOf(synthesiseConsole('prod')).filter(({ actions }) =>
      actions.includes('sqs:SendMessage'),
    );
    expect(senders.flatMap(({ resources }) => resources).join()).toMatch(/CommandQueueArn/);
  });

  test('accepts uploads in the encryption of the bucket only, and none in an archive storage class', () => {
    const [, policy] =
      resourcesOf(template, 'AWS::S3::BucketPolicy').find(([, { Bucket }]) => Bucket.Ref === 'Inbox') ?? [];
    const denied = policy?.PolicyDocument.Statement.filter(
      ({ Action }: { Action: string }) => Action === 's3:PutObject',
    );
    const key = { 'Fn::GetAtt': ['Key', 'Arn'] };
    expect(denied).toMatchObject([
      { Condition: { Null: { 's3:x-amz-server-side-encryption-customer-algorithm': 'false' } } },
      {
        Condition: {
          // Requests without the header get the default encryption.
          Null: { 's3:x-amz-server-side-encryption': 'false' },
          StringNotEquals: { 's3:x-amz-server-side-encryption-aws-kms-key-id': key },
        },
      },
      { Condition: { StringEquals: { 's3:x-amz-storage-class': ['GLACIER', 'DEEP_ARCHIVE'] } } },
    ]);
    for (const { Effect, Principal } of denied) expect([Effect, Principal]).toEqual(['Deny', { AWS: '*' }]);
  });

  test('keeps older versions of uploads, so that overwriting a file does not change an import', () => {
    const versioned = resourcesOf(template, 'AWS::S3::Bucket').filter(
      ([, properties]) => properties.VersioningConfiguration,
    );
    expect(versioned.map(([id]) => id)).toEqual(['Inbox']);
  });

  test('creates the table that the functions expect', () => {
    const [, table] = resourcesOf(template, 'AWS::DynamoDB::GlobalTable')[0] ?? [];
    const { TableName, ...expected } = tableDefinition('any');
    expect(table).toMatchObject(expected);
    expect(table?.TimeToLiveSpecification).toEqual({ AttributeName: 'expiresAt', Enabled: true });
  });

  test('delivers to announce only records that can cause an event, and dead-letters failed ones', () => {
    expect(source('Announce')).toMatchObject({
      EventSourceArn: { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      StartingPosition: 'TRIM_HORIZON',
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 20,
      MaximumRecordAgeInSeconds: 43_200,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      DestinationConfig: { OnFailure: { Destination: { 'Fn::GetAtt': ['AnnounceDeadLetters', 'Arn'] } } },
    });
    // The default quota of an event source mapping.
    expect(source('Announce')?.FilterCriteria.Filters).toHaveLength(5);
    expect(resourcesOf(template, 'AWS::DynamoDB::GlobalTable')[0]?.[1].StreamSpecification).toEqual({
      StreamViewType: 'NEW_AND_OLD_IMAGES',
    });
  });

  test('writes every event to a log group with a retention', () => {
    const [[, rule] = []] = resourcesOf(template, 'AWS::Events::Rule');
    expect(rule).toMatchObject({
      EventBusName: { Ref: 'EventBus' },
      EventPattern: { source: ['simporter.prod'] },
    });
    // CloudFormation's ARN of a log group ends in :*, with which EventBridge delivers nothing.
    expect(formatValue(rule?.Targets[0].Arn)).toMatch(/:logs:.*:log-group:<EventsLog[0-9A-F]{8}>$/);
    const log = resourcesOf(template, 'AWS::Logs::LogGroup').find(([id]) => id.startsWith('EventsLog'))?.[1];
    expect(log).toEqual({ LogGroupName: '/aws/events/simporter-prod', RetentionInDays: 90 });
    const [[, policy] = []] = resourcesOf(template, 'AWS::Logs::ResourcePolicy');
    expect(formatValue(policy?.PolicyDocument)).toMatch(/events\.amazonaws\.com.*EventsLog/);
  });

  test('runs sync on a schedule, one run at a time, and dead-letters failed runs', () => {
    const [[, schedule] = []] = resourcesOf(template, 'AWS::Scheduler::Schedule');
    expect(schedule).toMatchObject({ ScheduleExpression: 'rate(5 minutes)', FlexibleTimeWindow: { Mode: 'OFF' } });
    expect(lambda('Sync')).toMatchObject({ ReservedConcurrentExecutions: 1, Timeout: 240 });
    const [[, runs] = []] = resourcesOf(template, 'AWS::Lambda::EventInvokeConfig');
    expect(runs).toMatchObject({ MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 300 });
  });

  test('sets the visibility timeout of uploads to six time-outs of ingest', () => {
    const [, ingestQueue] = resourcesOf(template, 'AWS::SQS::Queue').find(([id]) => id === 'IngestQueue') ?? [];
    expect(ingestQueue?.VisibilityTimeout).toBe(6 * lambda('Ingest').Timeout);
  });
});

describe('the local environment', () => {
  const local = synthesise('local', { alarms: productionSettings.alarms });

  test('has the same resources as prod, but none of releases and of the audit trail', () => {
    const types = ({ Resources }: typeof local) => Object.entries(Resources).map(([id, { Type }]) => `${id} ${Type}`);
    const productionOnly =
      /^Releases|AWS::Lambda::(Alias|Version)$|^StorageAuditTrail|^(Audit|Access)Logs|^StorageAccessLogs/;
    expect(types(local)).toEqual(types(template).filter((one) => !productionOnly.test(one)));
  });

  test('runs at most four invocations of ingest and two of another step per queue at a time', () => {
    const sources = resourcesOf(local, 'AWS::Lambda::EventSourceMapping');
    const queues = sources.filter(([, { ScalingConfig }]) => ScalingConfig !== undefined);
    const most = queues.map(([id, { ScalingConfig }]) => [
      /^[A-Z][a-z]+/.exec(id)?.[0],
      ScalingConfig.MaximumConcurrency,
    ]);
    expect(most.toSorted()).toEqual([
      ['Ingest', 4],
      ['Ingest', 4],
      ['Report', 2],
      ['Submit', 2],
    ]);
  });
});
