// Checks of EventBridge rules and of the topics that they publish to. A wrong target or policy loses events silently.
import { asArray, formatValue, referencedId } from '#local/template/references.ts';
import { alarmMetricsOf, type Check, checkEach, type Properties, resourcesOf, type Template } from './read-template.ts';

const rule = 'AWS::Events::Rule';
const eventBridge = 'events.amazonaws.com';

interface Statement {
  readonly Effect: string;
  readonly Principal?: { readonly Service?: string | readonly string[] };
  readonly Condition?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}
const statementsForEventBridge = (document: { Statement: unknown }): readonly Statement[] =>
  asArray(document.Statement as Statement[]).filter(
    ({ Effect, Principal }) => Effect === 'Allow' && asArray(Principal?.Service).includes(eventBridge),
  );

export const eventChecks: readonly Check[] = [
  checkEach(
    rule,
    'log-target',
    'The ARN of a log group as a target must not end in :*. EventBridge delivers nothing to it.',
    ({ Targets }, template) =>
      asArray<Properties>(Targets).every(
        ({ Arn }) =>
          !formatValue(Arn).endsWith(':*') &&
          !(template.Resources[referencedId(Arn) ?? '']?.Type === 'AWS::Logs::LogGroup' && 'Fn::GetAtt' in Arn),
      ),
  ),
  checkEach(
    rule,
    'rule-dead-letters',
    'Events that cannot be delivered are lost silently: each target needs a dead-letter queue that the rule may use.',
    ({ Targets }, template, id) =>
      asArray<Properties>(Targets).every(({ DeadLetterConfig }) => maySendTo(template, id, DeadLetterConfig?.Arn)),
  ),
  checkEach(
    rule,
    'rule-alarm',
    'The rule needs a name and an alarm on FailedInvocations with that name and the name of its bus as dimensions.',
    ({ Name, EventBusName }, template) =>
      alarmMetricsOf(template).some(
        (metric) =>
          metric.MetricName === 'FailedInvocations' &&
          metric.RuleName === Name &&
          metric.EventBusName === formatValue(EventBusName),
      ),
  ),
  checkEach(
    'AWS::SNS::TopicPolicy',
    'topic-conditions',
    'EventBridge supports no condition in a topic policy: its events would not arrive.',
    ({ PolicyDocument }) => statementsForEventBridge(PolicyDocument).every(({ Condition }) => Condition === undefined),
  ),
  checkEach(
    'AWS::KMS::Key',
    'key-conditions',
    'For EventBridge to an encrypted topic, the key policy may only have conditions on the encryption context.',
    ({ KeyPolicy }) =>
      statementsForEventBridge(KeyPolicy)
        .flatMap(({ Condition = {} }) => Object.values(Condition).flatMap((keys) => Object.keys(keys)))
        .every((key) => key.startsWith('kms:EncryptionContext:')),
  ),
];

function maySendTo(template: Template, ruleId: string, queueArn: unknown): boolean {
  const queue = referencedId(queueArn);
  return resourcesOf(template, 'AWS::SQS::QueuePolicy')
    .filter(([, { Queues }]) => queue !== undefined && asArray(Queues).map(referencedId).includes(queue))
    .flatMap(([, { PolicyDocument }]) => statementsForEventBridge(PolicyDocument))
    .some(({ Condition }) => referencedId(Condition?.ArnEquals?.['aws:SourceArn']) === ruleId);
}
