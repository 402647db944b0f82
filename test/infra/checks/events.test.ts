// The checks of events, each with a mistake that it finds.

import { eventChecks } from '../../support/infra/checks/events.ts';
import { type Properties, resourcesOf } from '../../support/infra/checks/read-template.ts';
import { alarm, describeChecks, type Mistake, rule, template } from '../../support/infra/mistakes.ts';
import { withChanged } from '../../support/infra/template.ts';

const fromThisAccount = { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } };
const statementOf = ({ Statement }: Properties, sid: string) =>
  Statement.find(({ Sid }: { Sid: string }) => Sid === sid);
const logGroupOfEvents = resourcesOf(template, 'AWS::Logs::LogGroup').find(([id]) => id.startsWith('EventsLog'))?.[0];

const mistakes: readonly Mistake[] = [
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
];

describeChecks('events', eventChecks, mistakes);
