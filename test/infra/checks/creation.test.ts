// The checks of the order of creation, each with a mistake that it finds.
import { creationChecks } from '../../support/infra/checks/creation.ts';
import type { Properties, Resource } from '../../support/infra/checks/read-template.ts';
import { alarm, bucket, describeChecks, lambda, type Mistake, rule, template } from '../../support/infra/mistakes.ts';
import {
  consoleSettings,
  productionSettings,
  synthesise,
  synthesiseConsole,
  withChanged,
} from '../../support/infra/template.ts';

const webhook = synthesise('prod', { ...productionSettings, webhook: { secretName: 'simporter/webhook' } });
const network = { subnetIds: ['subnet-0a1b'], securityGroupIds: ['sg-0e3f'] };
const inVpc = synthesise('prod', { ...productionSettings, network });
const traced = synthesise('prod', { ...productionSettings, tracing: true });
const signIn = {
  kind: 'oidc',
  name: 'Company',
  issuer: 'https://id.example.com',
  clientId: 'simporter',
  clientSecretName: 'simporter/oidc-client',
};
const companyConsole = synthesiseConsole('prod', { console: { ...consoleSettings('prod').console, signIn } });

const eventSource = 'AWS::Lambda::EventSourceMapping';
/** Without what it waits for beside its references. */
const atOnce = (_: unknown, resource: Resource) => Object.assign(resource, { DependsOn: undefined });
/** Without one of them. */
const without = (dependency: string) => (_: unknown, resource: Resource) => {
  const kept = [resource.DependsOn ?? []].flat().filter((id) => !id.startsWith(dependency));
  Object.assign(resource, { DependsOn: kept });
};
/** A mapping waits for its function, which waits for the policy of its role. */
const impatient = (name: string) => withChanged(template, lambda, atOnce, named(name));
const named = (name: string) => (_: Properties, id: string) => id.includes(name);

const mistakes: readonly Mistake[] = [
  [
    'settings of invocations before the alias that they name',
    'alias-first',
    withChanged(template, 'AWS::Lambda::EventInvokeConfig', without('SyncLive')),
  ],
  [
    'settings of an alias that does not exist',
    'alias-first',
    withChanged(template, 'AWS::Lambda::EventInvokeConfig', (properties) =>
      Object.assign(properties, { Qualifier: 'l' }),
    ),
  ],
  [
    'a destination before the policy of the function',
    'function-permissions',
    withChanged(impatient('SyncFunction'), 'AWS::Lambda::EventInvokeConfig', without('SyncRole')),
  ],
  [
    'a mapping of a queue before the policy of the function',
    'function-permissions',
    withChanged(impatient('IngestFunction'), eventSource, atOnce, named('IngestSource')),
  ],
  [
    'a mapping of a stream before the policy of the function',
    'function-permissions',
    withChanged(impatient('AnnounceFunction'), eventSource, atOnce, named('Announce')),
  ],
  ['a function in a VPC before its policy', 'function-permissions', withChanged(inVpc, lambda, atOnce)],
  ['a traced function before its policy', 'function-permissions', withChanged(traced, lambda, atOnce)],
  [
    'a visibility timeout below the time-out of the function',
    'source-visibility',
    withChanged(
      template,
      'AWS::SQS::Queue',
      (properties) => Object.assign(properties, { VisibilityTimeout: 60 }),
      named('IngestQueue'),
    ),
  ],
  [
    'a schedule before the policy of its role',
    'role-permissions',
    withChanged(template, 'AWS::Scheduler::Schedule', atOnce),
  ],
  [
    'a rule that calls the webhook before the policy of its role',
    'role-permissions',
    withChanged(webhook, rule, atOnce, named('Webhook')),
  ],
  [
    'a bucket that notifies a queue before its policy',
    'delivery-policy',
    withChanged(template, bucket, without('QueuesIngest'), named('Inbox')),
  ],
  [
    'a bucket before the policy of its access logs',
    'delivery-policy',
    withChanged(template, bucket, atOnce, named('Work')),
  ],
  [
    'a trail before the policy of its bucket',
    'delivery-policy',
    withChanged(template, 'AWS::CloudTrail::Trail', atOnce),
  ],
  [
    'a rule before the policy of its topic',
    'delivery-policy',
    withChanged(template, rule, atOnce, named('MailFinishedImports')),
  ],
  [
    'a rule before the policy of its log group',
    'delivery-policy',
    withChanged(template, rule, atOnce, named('LogEvents')),
  ],
  ['an alarm before the policy of its topic', 'delivery-policy', withChanged(template, alarm, atOnce)],
  [
    'an alarm whose topic has a key that CloudWatch may not use',
    'key-policy',
    withChanged(template, 'AWS::KMS::Key', ({ KeyPolicy }) => {
      KeyPolicy.Statement = KeyPolicy.Statement.filter(({ Sid }: { Sid?: string }) => Sid !== 'EncryptAlarms');
    }),
  ],
  [
    'a log group with a key that CloudWatch Logs may not use',
    'key-policy',
    withChanged(template, 'AWS::Logs::LogGroup', (properties) =>
      Object.assign(properties, { KmsKeyId: { 'Fn::GetAtt': ['Key', 'Arn'] } }),
    ),
  ],
  [
    'a subscription before the policy of its topic',
    'subscription-policy',
    withChanged(template, 'AWS::SNS::Subscription', atOnce),
  ],
  [
    'a stage with settings of a route before the route',
    'route-settings',
    withChanged(companyConsole, 'AWS::ApiGatewayV2::Stage', atOnce),
  ],
  [
    'a client of the user pool before the sign-in of the company',
    'identity-provider',
    withChanged(companyConsole, 'AWS::Cognito::UserPoolClient', atOnce),
  ],
];

describeChecks('the order of creation', creationChecks, mistakes);
