// What a deployment must leave as it is. A resource with another logical id, type or fixed property is a new one:
// empty, with another address, or refused, because CloudFormation creates it while the one before still has its name.
// An index of the table can be added or deleted, one in each release: CloudFormation refuses any other change of it.
import { describe, expect, test } from 'vitest';
import type { Properties } from '../support/infra/checks/read-template.ts';
import {
  consoleSettings,
  type EnvironmentSettings,
  namedService,
  productionSettings,
  synthesiseAll,
} from '../support/infra/template.ts';

/** Types of resources that keep data, people or addresses, or have names of their own: what no update changes. */
const fixedProperties: Readonly<Record<string, readonly string[]>> = {
  'AWS::ApiGatewayV2::Api': ['ProtocolType'],
  'AWS::Athena::WorkGroup': ['Name'],
  'AWS::CloudFront::Distribution': [],
  'AWS::CloudFront::OriginAccessControl': ['OriginAccessControlConfig.Name'],
  'AWS::CloudFront::ResponseHeadersPolicy': ['ResponseHeadersPolicyConfig.Name'],
  'AWS::CloudTrail::Trail': ['TrailName'],
  'AWS::CloudWatch::Alarm': ['AlarmName'],
  'AWS::CloudWatch::Dashboard': ['DashboardName'],
  'AWS::CodeDeploy::Application': ['ApplicationName'],
  'AWS::Cognito::UserPool': ['AliasAttributes', 'Schema', 'UsernameAttributes', 'UsernameConfiguration'],
  'AWS::Cognito::UserPoolClient': ['GenerateSecret'],
  'AWS::Cognito::UserPoolDomain': ['Domain'],
  'AWS::Cognito::UserPoolGroup': ['GroupName'],
  'AWS::Cognito::UserPoolIdentityProvider': ['ProviderName', 'ProviderType'],
  'AWS::DynamoDB::GlobalTable': ['GlobalSecondaryIndexes', 'KeySchema', 'LocalSecondaryIndexes', 'TableName'],
  'AWS::Events::EventBus': ['Name'],
  'AWS::Events::Rule': ['Name'],
  'AWS::Glue::Database': ['DatabaseInput.Name'],
  'AWS::KMS::Key': [],
  'AWS::Lambda::Alias': ['Name'],
  'AWS::Lambda::Function': ['FunctionName'],
  'AWS::Logs::LogGroup': ['LogGroupName'],
  'AWS::Logs::ResourcePolicy': ['PolicyName'],
  'AWS::S3::Bucket': ['BucketName', 'BucketNamePrefix', 'BucketNamespace', 'ObjectLockEnabled'],
  'AWS::SNS::Topic': ['FifoTopic', 'TopicName'],
  'AWS::SQS::Queue': ['FifoQueue', 'QueueName'],
  'AWS::SecretsManager::Secret': ['Name'],
};

const valueAt = (properties: Properties, path: string): unknown =>
  path.split('.').reduce<unknown>((value, name) => (value as Properties | undefined)?.[name], properties);

/** One line for each value, such as `KeySchema.0.AttributeName: pk`. */
function linesOf(value: unknown, path: string): readonly string[] {
  if (value === undefined) return [];
  if (typeof value !== 'object' || value === null) return [`  ${path}: ${value}`];
  return Object.entries(value).flatMap(([name, inner]) => linesOf(inner, `${path}.${name}`));
}

const deployment = { account: '123456789012', region: 'eu-west-2' };

/** By stack, type and logical id: the fixed properties of what a deployment keeps. */
function keptOf(settings: EnvironmentSettings): ReadonlyMap<string, readonly string[]> {
  const stacks = [...synthesiseAll('prod', { ...productionSettings, ...consoleSettings('prod'), ...settings })];
  const kept = stacks.flatMap(([stack, { Resources }]) =>
    Object.entries(Resources).flatMap(([id, { Type, Properties = {} }]) => {
      const fixed = fixedProperties[Type];
      if (fixed === undefined) return [];
      return [[`${stack} ${id} (${Type})`, fixed.flatMap((path) => linesOf(valueAt(Properties, path), path))] as const];
    }),
  );
  return new Map(kept.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const company = { name: 'Company', emailClaim: 'email', passwords: false };
const saml = { ...company, kind: 'saml', metadataUrl: 'https://id.example.com/metadata' };
const mails = { digestEmail: 'team@example.net', webhook: { secretName: 'simporter/webhook' } };
const everything = { deployment, ...mails, console: { ...consoleSettings('prod').console, signIn: saml } };

test('a deployment keeps every resource with data, people or an address, and every name', async () => {
  const page = [...keptOf(everything)].map(([resource, lines]) => [resource, ...lines].join('\n'));
  await expect(`${page.join('\n')}\n`).toMatchFileSnapshot('snapshots/kept-resources.txt');
});

test('every resource with a name of this environment is among them', () => {
  const namesIn = (value: unknown): readonly string[] =>
    typeof value !== 'object' || value === null
      ? []
      : Object.entries(value).flatMap(([property, inner]) =>
          property.endsWith('Name') &&
          property !== 'StackName' &&
          typeof inner === 'string' &&
          /^simporter-?prod/.test(inner)
            ? [inner]
            : namesIn(inner),
        );
  const named = [...synthesiseAll('prod', { ...productionSettings, ...consoleSettings('prod'), ...everything })]
    .flatMap(([, { Resources }]) => Object.values(Resources))
    .filter(({ Properties }) => namesIn(Properties).length > 0);
  expect(named.length).toBeGreaterThan(40);
  expect([...new Set(named.map(({ Type }) => Type))].filter((type) => !(type in fixedProperties))).toEqual([]);
});

describe('no setting replaces a kept resource', () => {
  const { console } = consoleSettings('prod');
  const changes: readonly (readonly [string, EnvironmentSettings])[] = [
    [
      'sign-in, releases, subnets, traces, retention and approval',
      {
        deployment,
        approval: 'one',
        releases: 'direct',
        tracing: true,
        network: { subnetIds: ['subnet-0a1b'], securityGroupIds: ['sg-0e3f'] },
        retention: { inboxDays: 60, planDays: 40, resultsDays: 30, recordDays: 200, logDays: 30, auditDays: 30 },
        console: { ...console, mailFrom: 'codes@example.net', domain: 'ports.example.com', colour: '#0972d3' },
      },
    ],
    [
      'protection, audit trail, analytics, service and alarms',
      {
        deployment,
        deletionProtection: false,
        auditTrail: false,
        analytics: false,
        callsPerSecond: 100,
        service: { ...namedService.service, accountId: 4712, baseUrl: 'https://other.example.net' },
        alarms: { topicArn: 'arn:aws:sns:eu-west-2:123456789012:on-call' },
      },
    ],
    ['production', { deployment, production: false }],
  ];
  const before = keptOf(everything);

  test.each(changes)('%s', (_, settings) => {
    const replaced = [...keptOf(settings)].filter(
      ([resource, lines]) => before.has(resource) && String(before.get(resource)) !== String(lines),
    );
    expect(replaced).toEqual([]);
    // What a setting adds or removes has data of that setting only.
    const optional = /AuditTrail|AccessLogs|AuditLogs|Analytics|Mail|Webhook|Monitoring|Releases|Alarms|Live|Provider/;
    const differing = [...before.keys(), ...keptOf(settings).keys()].filter(
      (resource) => !before.has(resource) || !keptOf(settings).has(resource),
    );
    expect(differing.filter((resource) => !optional.test(resource))).toEqual([]);
  });

  test('but the name of the credentials, which docs/reference/settings.md says', () => {
    const named = keptOf({ ...everything, service: { ...namedService.service, secretName: 'porting/client' } });
    const replaced = [...named].filter(([resource, lines]) => String(before.get(resource)) !== String(lines));
    expect(replaced).toEqual([
      ['simporter-prod Credentials (AWS::SecretsManager::Secret)', ['  Name: porting/client']],
    ]);
  });
});
