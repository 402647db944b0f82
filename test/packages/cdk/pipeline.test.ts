// What a stack of one's own can do with the construct `Pipeline`.
import { App, Stack } from 'aws-cdk-lib';
import { Match, Template } from 'aws-cdk-lib/assertions';
import { Alarm } from 'aws-cdk-lib/aws-cloudwatch';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { expect, test } from 'vitest';
import { Pipeline } from '../../../packages/cdk.ts';

const app = new App({ context: { 'aws:cdk:bundling-stacks': [] } });
const pipeline = new Pipeline(new Stack(app, 'Ports'), 'Pipeline', {
  service: { baseUrl: 'https://porting.example.net', accountId: 4711 },
  alarms: { email: 'on-call@example.net' },
  retention: { resultsDays: 365 },
  report: { memoryMegabytes: 1024 },
});
const own = new Stack(app, 'Own');
const role = new Role(own, 'Role', { assumedBy: new ServicePrincipal('lambda.amazonaws.com') });
pipeline.grantUpload(role, 'create-port/*');
pipeline.grantReadResults(role);
pipeline.grantReadTable(role);
for (const name of ['actionRequired', 'syncStaleness'] as const)
  new Alarm(own, name, { metric: pipeline.metric(name), threshold: 0, evaluationPeriods: 1 });
const template = Template.fromStack(own);

test('settings of the construct are those of its resources', () => {
  const ports = Template.fromStack(Stack.of(pipeline));
  ports.hasResourceProperties('AWS::Lambda::Function', { MemorySize: 1024 });
  ports.hasResourceProperties('AWS::S3::Bucket', {
    LifecycleConfiguration: { Rules: Match.arrayWith([Match.objectLike({ ExpirationInDays: 365 })]) },
  });
});

test.each([
  ['uploads of one operation, with the key of the inbox', ['s3:PutObject', 'kms:GenerateDataKey*']],
  ['results', ['s3:GetObject*', 'kms:Decrypt']],
  ['items', ['dynamodb:Query']],
])('a role is granted %s', (_, actions) => {
  const granted = JSON.stringify(template.findResources('AWS::IAM::Policy'));
  for (const action of actions) expect(granted).toContain(`"${action}"`);
  expect(granted).toContain('/create-port/*');
  expect(granted).not.toContain('s3:DeleteObject');
});

test('metrics are those of the environment', () => {
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    Metrics: Match.arrayWith([Match.objectLike({ Expression: Match.stringLikeRegexp('SUM\\(actionRequired\\)') })]),
  });
  const stat = { Metric: Match.objectLike({ MetricName: 'syncStaleness' }), Stat: 'Maximum' };
  template.hasResourceProperties('AWS::CloudWatch::Alarm', {
    Metrics: Match.arrayWith([Match.objectLike({ MetricStat: Match.objectLike(stat) })]),
  });
});

test('alarms and queues can be used', () => {
  expect(pipeline.alarms.length).toBeGreaterThan(20);
  for (const { queue, deadLetters } of Object.values(pipeline.queues)) {
    expect(queue.queueArn).not.toBe(deadLetters.queueArn);
  }
});
