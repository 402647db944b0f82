// Properties of the constructs that are known only at the deployment, and constructs that cannot work together.
import { App, CfnParameter, NestedStack, Stack, Stage } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { SecurityGroup, Vpc } from 'aws-cdk-lib/aws-ec2';
import { Secret } from 'aws-cdk-lib/aws-secretsmanager';
import { Topic } from 'aws-cdk-lib/aws-sns';
import type { Construct } from 'constructs';
import { describe, expect, test } from 'vitest';
import { Console, Pipeline, type PipelineProps, Simulator } from '../../packages/cdk.ts';

const env = { account: '123456789012', region: 'us-east-1' };
const service = { baseUrl: 'https://porting.example.net', accountId: 4711 };
const required: PipelineProps = { service, alarms: { email: 'on-call@example.net' }, approval: 'two' };
const newApp = () => new App({ context: { 'aws:cdk:bundling-stacks': [] } });

describe('a property may be a token', () => {
  test('Simulator.url and accountId are the service of a pipeline', () => {
    const app = newApp();
    const simulator = new Simulator(new Stack(app, 'PortingSimulator', { env }), 'Simulator');
    const ports = new Stack(app, 'Ports', { env });
    const { url: baseUrl, accountId } = simulator;
    new Pipeline(ports, 'Pipeline', { service: { baseUrl, accountId }, production: false });
    const [submit] = Object.values(
      Template.fromStack(ports).findResources('AWS::Lambda::Function', {
        Properties: { Description: Match.stringLikeRegexp(' submit$') },
      }),
    );
    const variable = JSON.stringify(submit?.Properties.Environment.Variables.service);
    expect(variable.match(/"Fn::ImportValue":"PortingSimulator:\w+ApiEndpoint/g)).toHaveLength(2);
    expect(variable).toContain('1001');
  });

  test('each one that other resources or parameters of an app have', () => {
    const app = newApp();
    const own = new Stack(app, 'Own', { env });
    const names: string[] = [];
    const parameter = (id: string, type = 'String') => {
      names.push(`Ref${id}`);
      return new CfnParameter(own, id, { type });
    };
    const text = (id: string) => parameter(id).valueAsString;
    const vpc = new Vpc(own, 'Vpc');
    const group = new SecurityGroup(own, 'Group', { vpc });
    const ports = new Stack(app, 'Ports', { env });
    const pipeline = new Pipeline(ports, 'Pipeline', {
      service: {
        baseUrl: text('BaseUrl'),
        authUrl: text('AuthUrl'),
        accountId: parameter('AccountId', 'Number').valueAsNumber,
        secretName: text('SecretName'),
      },
      alarms: { email: text('Email'), topicArn: new Topic(own, 'Pager').topicArn },
      digestEmail: text('DigestEmail'),
      webhook: { secretName: new Secret(own, 'Webhook').secretName, form: 'slack' },
      network: {
        subnetIds: vpc.privateSubnets.map(({ subnetId }) => subnetId),
        securityGroupIds: [group.securityGroupId],
      },
      approval: 'two',
    });
    const consoleStack = new Stack(app, 'Console', { env });
    new Console(consoleStack, 'Console', {
      pipeline,
      domain: text('Domain'),
      certificateArn: new Certificate(own, 'Certificate', { domainName: 'porting.example.com' }).certificateArn,
      mailFrom: text('MailFrom'),
      signIn: {
        kind: 'oidc',
        name: 'Company',
        issuer: text('Issuer'),
        clientId: text('ClientId'),
        clientSecretName: text('ClientSecretName'),
      },
    });
    const templates = [ports, consoleStack].map((stack) => JSON.stringify(Template.fromStack(stack).toJSON())).join();
    const used = ['RefPager', 'RefWebhook', 'RefVpcPrivateSubnet', 'FnGetAttGroup', 'RefCertificate', ...names];
    expect(names).toHaveLength(11);
    expect(used.filter((name) => !templates.includes(`"Fn::ImportValue":"Own:ExportsOutput${name}`))).toEqual([]);
    // What the CDK writes where a token was changed or cut.
    expect(templates).not.toMatch(/Token\[|e\+289/);
  });

  test('all subnets together', () => {
    const ports = new Stack(newApp(), 'Ports', { env });
    const subnetIds = new CfnParameter(ports, 'Subnets', { type: 'List<AWS::EC2::Subnet::Id>' }).valueAsList;
    new Pipeline(ports, 'Pipeline', { ...required, network: { subnetIds, securityGroupIds: ['sg-0a1b'] } });
    Template.fromStack(ports).hasResourceProperties('AWS::Lambda::Function', {
      VpcConfig: { SubnetIds: { Ref: 'Subnets' } },
    });
  });
});

describe('what cannot work together is an error in words', () => {
  const pipelineIn = (scope: Construct, props: Partial<PipelineProps> = {}) =>
    new Pipeline(scope, 'Pipeline', { ...required, ...props });

  test('two pipelines of one environment in one account and region', () => {
    const app = newApp();
    pipelineIn(new Stack(app, 'Ports', { env }));
    expect(() => pipelineIn(new Stack(app, 'MorePorts', { env }))).toThrow(
      'MorePorts/Pipeline: Ports/Pipeline is the pipeline of the environment "prod" already, in 123456789012, ' +
        'us-east-1: their names would collide. Give each pipeline its own `environment`, and one console.',
    );
    pipelineIn(new Stack(app, 'Test', { env }), { environment: 'test' });
    pipelineIn(new Stack(app, 'Ireland', { env: { ...env, region: 'eu-west-1' } }));
  });

  test('two pipelines without account and region, unless each has a stage', () => {
    const app = newApp();
    pipelineIn(new Stack(app, 'Ports'));
    expect(() => pipelineIn(new Stack(app, 'MorePorts'))).toThrow('in a stack without account and region');
    for (const name of ['One', 'Other']) pipelineIn(new Stack(new Stage(app, name), 'Ports'));
  });

  test('a pipeline in a nested stack', () => {
    const parent = new Stack(newApp(), 'Parent', { env });
    expect(() => pipelineIn(new NestedStack(parent, 'Nested'))).toThrow(
      'Parent/Nested/Pipeline: "simporter --stack" does not find resources and outputs in a nested stack.',
    );
  });

  test('a console in another region than its pipeline, and a second one', () => {
    const app = newApp();
    const pipeline = pipelineIn(new Stack(app, 'Ports', { env: { ...env, region: 'eu-west-2' } }));
    const certificateArn = 'arn:aws:acm:us-east-1:123456789012:certificate/0a1b2c3d';
    const consoleIn = (id: string, region: string) =>
      new Console(new Stack(app, id, { env: { ...env, region } }), 'Console', {
        pipeline,
        domain: 'porting.example.com',
        certificateArn,
      });
    expect(() => consoleIn('Virginia', 'us-east-1')).toThrow(
      'Virginia/Console is in 123456789012, us-east-1, and Ports/Pipeline is in 123456789012, eu-west-2. ' +
        'Give both stacks the same account and region; only the certificate is in us-east-1.',
    );
    consoleIn('London', 'eu-west-2');
    expect(() => consoleIn('Second', 'eu-west-2')).toThrow('London/Console is the console of the environment "prod"');
  });

  test('alarms that would notify a topic of another region', () => {
    const topicArn = 'arn:aws:sns:eu-west-1:123456789012:pager';
    expect(() => pipelineIn(new Stack(newApp(), 'Ports', { env }), { alarms: { topicArn } })).toThrow(
      'alarms.topicArn: the topic is in eu-west-1, and alarms in us-east-1 can only notify topics there.',
    );
    pipelineIn(new Stack(newApp(), 'Ports', { env: { ...env, region: 'eu-west-1' } }), { alarms: { topicArn } });
  });
});
