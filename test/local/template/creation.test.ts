// The order of creation, and what AWS refuses on the way.
import { describe, expect, test } from 'vitest';
import { readBlueprint } from '#local/template/blueprint.ts';
import { creationOrder, refusalsOf } from '#local/template/creation.ts';
import { template } from '#local/template/template.ts';
import {
  arnOf,
  blueprintContext,
  eventPolicy,
  lambda,
  mapping,
  queue,
  stackOf,
} from '../../support/emulator/templates.ts';

type Resources = Parameters<typeof stackOf>[0];
/** As `Fn::Sub` writes it. */
const variable = (name: string) => `$\{${name}}`;
const parse = (Resources: Resources) => template.parse({ Resources }).Resources;
const rulesOf = (resources: Resources) => refusalsOf(parse(resources)).map(({ rule, resource }) => [rule, resource]);
const named = (Type: string, Properties: object, DependsOn?: string) => ({
  Type,
  Properties,
  ...(DependsOn && { DependsOn }),
});

describe('the order of creation', () => {
  test.each([
    ['a reference', { Ref: 'Last' }],
    ['an attribute', { 'Fn::GetAtt': ['Last', 'Arn'] }],
    ['an attribute, as YAML writes it', { 'Fn::GetAtt': 'Last.Arn' }],
    ['a text with a variable', { 'Fn::Sub': `arn:aws:sqs:${variable('AWS::Region')}:${variable('Last.QueueName')}` }],
    ['a text with a variable of its own', { 'Fn::Sub': [variable('Name'), { Name: { Ref: 'Last' } }] }],
    ['a reference deep inside', { 'Fn::Join': ['', [{ 'Fn::Select': [0, [{ Ref: 'Last' }]] }]] }],
  ])('follows %s', (_, QueueName) => {
    expect(creationOrder(parse({ First: queue({ QueueName }), Last: queue() }))).toEqual(['Last', 'First']);
  });

  test('follows what a resource depends on, and what that depends on', () => {
    const resources = { A: { ...queue(), DependsOn: 'B' }, B: queue({ QueueName: { Ref: 'C' } }), C: queue() };
    expect(creationOrder(parse(resources))).toEqual(['C', 'B', 'A']);
  });

  test('does not follow a text that only looks like a variable, or the name of a variable', () => {
    const QueueName = { 'Fn::Sub': [`${variable('!Last')} ${variable('Last')}`, { Last: 'x' }] };
    expect(creationOrder(parse({ First: queue({ QueueName }), Last: queue() }))).toEqual(['First', 'Last']);
  });

  test('does not exist for resources that wait for each other', () => {
    const resources = { A: queue({ QueueName: { Ref: 'B' } }), B: { ...queue(), DependsOn: 'A' } };
    expect(() => creationOrder(parse(resources))).toThrow('resources wait for each other: A, B, A');
  });
});

describe('AWS', () => {
  const alias = named('AWS::Lambda::Alias', { Name: 'live', FunctionName: { Ref: 'Worker' } });
  const nameOf = (qualifier: string) => ({ 'Fn::Join': [':', [{ Ref: 'Worker' }, qualifier]] });

  test.each([
    ['AWS::Lambda::EventInvokeConfig', { FunctionName: { Ref: 'Worker' }, Qualifier: 'live' }],
    ['AWS::Lambda::Permission', { FunctionName: nameOf('live') }],
    ['AWS::Lambda::Url', { TargetFunctionArn: arnOf('Worker'), Qualifier: 'live' }],
    ['AWS::Lambda::EventSourceMapping', { EventSourceArn: arnOf('Work'), FunctionName: nameOf('live') }],
    ['AWS::Scheduler::Schedule', { Target: { Arn: { 'Fn::Join': [':', [arnOf('Worker'), 'live']] } } }],
    ['AWS::Events::Rule', { Targets: [{ Arn: { 'Fn::Join': [':', [arnOf('Worker'), 'live']] }, RoleArn: 'arn' }] }],
  ])('refuses a resource of type %s before the alias that it names', (type, properties) => {
    const resources = { Worker: lambda('slow'), Work: queue(), Live: alias, User: named(type, properties) };
    expect(rulesOf(resources)).toEqual([['alias-first', 'User']]);
    expect(rulesOf({ ...resources, User: named(type, properties, 'Live') })).toEqual([]);
    // The alias of another function does not help.
    const other = {
      ...resources,
      Other: lambda('slow'),
      Live: { ...alias, Properties: { Name: 'live', FunctionName: { Ref: 'Other' } } },
    };
    expect(rulesOf({ ...other, User: named(type, properties, 'Live') })).toEqual([['alias-first', 'User']]);
  });

  test('accepts the latest version, which always exists, and an alias that is referred to', () => {
    const runs = (Qualifier: string) =>
      named('AWS::Lambda::EventInvokeConfig', { FunctionName: { Ref: 'Worker' }, Qualifier });
    const url = named('AWS::Lambda::Permission', { FunctionName: { Ref: 'Live' } });
    expect(rulesOf({ Worker: lambda('slow'), Runs: runs('$LATEST'), Live: alias, Url: url })).toEqual([]);
    expect(rulesOf({ Worker: lambda('slow'), Runs: runs('1') })).toEqual([['alias-first', 'Runs']]);
  });

  const policyOf = (Action: readonly string[], Resource: unknown) =>
    named('AWS::IAM::Policy', {
      Roles: [{ Ref: 'Role' }],
      PolicyDocument: { Statement: [{ Effect: 'Allow', Action, Resource }] },
    });
  const withRole = (policy: object, source: object) => ({
    Role: named('AWS::IAM::Role', {}),
    Policy: policy as ReturnType<typeof policyOf>,
    Work: queue(),
    Worker: lambda('slow', { Role: arnOf('Role') }),
    Source: { ...mapping('Work', 'Worker'), ...source },
  });
  const readsQueue = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];

  test('refuses a mapping before its role may receive from the queue', () => {
    const policy = policyOf(readsQueue, arnOf('Work'));
    expect(rulesOf(withRole(policy, {}))).toContainEqual(['function-permissions', 'Source']);
    expect(rulesOf(withRole(policy, { DependsOn: 'Policy' }))).toEqual([]);
  });

  test.each([
    ['another queue', policyOf(readsQueue, arnOf('Other'))],
    ['fewer actions', policyOf(['sqs:ReceiveMessage'], arnOf('Work'))],
    [
      'a denial',
      named('AWS::IAM::Policy', {
        Roles: [{ Ref: 'Role' }],
        PolicyDocument: { Statement: [{ Effect: 'Deny', Action: 'sqs:*', Resource: '*' }] },
      }),
    ],
  ])('refuses a mapping whose role has a policy with %s', (_, policy) => {
    expect(rulesOf(withRole(policy, { DependsOn: 'Policy' }))).toContainEqual(['function-permissions', 'Source']);
  });

  test.each([
    ['a wildcard', policyOf(['sqs:*'], '*')],
    ['several statements', policyOf(readsQueue, [arnOf('Other'), arnOf('Work')])],
  ])('accepts a policy with %s', (_, policy) => {
    expect(rulesOf(withRole(policy, { DependsOn: 'Policy' }))).toEqual([]);
  });

  test('accepts a role whose permissions are in its managed policies or outside of the template', () => {
    const Role = named('AWS::IAM::Role', { ManagedPolicyArns: ['arn:aws:iam::aws:policy/Any'] });
    expect(rulesOf({ ...withRole(queue(), {}), Role })).toEqual([]);
    const Worker = lambda('slow', { Role: 'arn:aws:iam::123456789012:role/given' });
    expect(rulesOf({ ...withRole(queue(), {}), Worker })).toEqual([]);
  });

  test('refuses a mapping whose queue shows messages again while the function works on them', () => {
    const resources = {
      Work: queue({ VisibilityTimeout: 9 }),
      Worker: lambda('slow'),
      Source: mapping('Work', 'Worker'),
    };
    expect(refusalsOf(parse(resources)).map(({ message }) => message)).toEqual([
      'needs a queue with a visibility timeout of at least the 10 seconds of its function, not 9',
    ]);
  });

  const inbox = (DependsOn?: string) =>
    named(
      'AWS::S3::Bucket',
      { NotificationConfiguration: { QueueConfigurations: [{ Queue: arnOf('Work') }] } },
      DependsOn,
    );

  test('refuses a bucket that notifies a queue before the policy of the queue lets it', () => {
    const resources = { Work: queue(), Policy: eventPolicy('Work') };
    expect(rulesOf({ ...resources, Inbox: inbox() })).toEqual([['delivery-policy', 'Inbox']]);
    expect(rulesOf({ ...resources, Inbox: inbox('Policy') })).toEqual([]);
    const ofOther = { Work: queue(), Other: queue(), Policy: eventPolicy('Other') };
    expect(rulesOf({ ...ofOther, Inbox: inbox('Policy') })).toEqual([['delivery-policy', 'Inbox']]);
  });

  test('refuses a bucket that notifies a queue whose key S3 may not use', () => {
    const key = (service: string) =>
      named('AWS::KMS::Key', {
        KeyPolicy: {
          Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'kms:GenerateDataKey*' }],
        },
      });
    const resources = {
      Work: queue({ KmsMasterKeyId: { Ref: 'Key' } }),
      Policy: eventPolicy('Work'),
      Inbox: inbox('Policy'),
    };
    expect(rulesOf({ ...resources, Key: key('s3.amazonaws.com') })).toEqual([]);
    expect(rulesOf({ ...resources, Key: key('sns.amazonaws.com') })).toEqual([['key-policy', 'Inbox']]);
  });
});

test('a blueprint is refused as AWS refuses its resources, with all of them and what each needs', () => {
  const body = { Work: queue({ VisibilityTimeout: 9 }), Worker: lambda('slow'), Source: mapping('Work', 'Worker') };
  expect(() => readBlueprint([stackOf(body)], blueprintContext)).toThrow(
    'test: AWS would not create it: Source (AWS::Lambda::EventSourceMapping) needs a queue with a visibility timeout of ' +
      'at least the 10 seconds of its function, not 9 [source-visibility]',
  );
});

test('a blueprint has its resources in the order of their creation', () => {
  const RedrivePolicy = { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 3 };
  const { queues } = readBlueprint([stackOf({ Work: queue({ RedrivePolicy }), Dead: queue() })], blueprintContext);
  expect(queues.map(({ logicalId }) => logicalId)).toEqual(['Dead', 'Work']);
});
