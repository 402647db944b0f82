// Checks of queues, event sources and schedules: nothing is delivered twice without need, and nothing is lost silently.
import { asArray, functionIn, referencedId } from '#local/template/references.ts';
import {
  type Check,
  type Condition,
  checkEach,
  functionPropertiesOf,
  type Properties,
  propertiesOf,
  resourcesOf,
  type Template,
} from './read-template.ts';

const queue = 'AWS::SQS::Queue';
const eventSource = 'AWS::Lambda::EventSourceMapping';
const schedule = 'AWS::Scheduler::Schedule';

const defaultRetentionSeconds = 345_600;
const retentionOf = (properties: { MessageRetentionPeriod?: number }) =>
  properties.MessageRetentionPeriod ?? defaultRetentionSeconds;

const isStream = ({ EventSourceArn }: Properties): boolean => EventSourceArn?.['Fn::GetAtt']?.[1] === 'StreamArn';
const forQueues =
  (condition: Condition): Condition =>
  (properties, template, id) =>
    isStream(properties) || condition(properties, template, id);
const forStreams =
  (condition: Condition): Condition =>
  (properties, template, id) =>
    !isStream(properties) || condition(properties, template, id);

/** DynamoDB keeps the records of a stream for 24 hours. */
const streamRetentionSeconds = 86_400;

export const deliveryChecks: readonly Check[] = [
  checkEach(
    eventSource,
    'queue-visibility',
    'The visibility timeout is shorter than six function time-outs, or not one for commands: a message may be processed twice.',
    forQueues(({ EventSourceArn, FunctionName }, template) => {
      const { Timeout = 3 } = functionPropertiesOf(template, FunctionName);
      const { VisibilityTimeout = 30 } = propertiesOf(template, EventSourceArn);
      // A crash must not hide the command of a person, such as to stop an import, for longer than Lambda requires.
      if (referencedId(EventSourceArn) === 'CommandQueue') return VisibilityTimeout === Timeout;
      return VisibilityTimeout >= 6 * Timeout;
    }),
  ),
  checkEach(
    eventSource,
    'partial-batch',
    'Without ReportBatchItemFailures, one failed message causes a retry of the whole batch.',
    ({ FunctionResponseTypes = [] }) => FunctionResponseTypes.includes('ReportBatchItemFailures'),
  ),
  checkEach(
    eventSource,
    'maximum-concurrency',
    'Without a maximum concurrency (at most the reserved one), throttles use up the receive count of messages.',
    forQueues(
      ({ ScalingConfig, FunctionName }, template) =>
        ScalingConfig?.MaximumConcurrency <=
        (functionPropertiesOf(template, FunctionName).ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY),
    ),
  ),
  checkEach(
    eventSource,
    'stream-dead-letters',
    'Records whose retries failed are lost silently: the mapping has no destination for failures.',
    forStreams(({ DestinationConfig }) => referencedId(DestinationConfig?.OnFailure?.Destination) !== undefined),
  ),
  checkEach(
    eventSource,
    'stream-retries',
    'An invalid record blocks its shard until the stream deletes it: limit retries and age, and bisect batches.',
    forStreams(
      ({ MaximumRetryAttempts = -1, MaximumRecordAgeInSeconds = -1, BisectBatchOnFunctionError }) =>
        BisectBatchOnFunctionError === true &&
        MaximumRetryAttempts >= 0 &&
        MaximumRecordAgeInSeconds > 0 &&
        MaximumRecordAgeInSeconds < streamRetentionSeconds,
    ),
  ),
  checkEach(
    eventSource,
    'stream-filter',
    'Every write to the table invokes the function: the mapping has no filter.',
    forStreams(({ FilterCriteria }) => FilterCriteria?.Filters?.length > 0),
  ),
  checkEach(
    queue,
    'dead-letter-queue',
    'A message that always fails is retried until it expires: the queue has no dead-letter queue and is none.',
    ({ RedrivePolicy }, template, id) => RedrivePolicy !== undefined || deadLetterQueues(template).has(id),
  ),
  checkEach(
    queue,
    'dead-letter-retention',
    'The dead-letter queue keeps messages shorter than its source, and a message keeps its age when it moves.',
    (properties, template) => {
      const deadLetters = properties.RedrivePolicy?.deadLetterTargetArn;
      return !deadLetters || retentionOf(propertiesOf(template, deadLetters)) >= retentionOf(properties);
    },
  ),
  checkEach(
    queue,
    'receive-count',
    'With fewer than three deliveries, throttled messages are dead-lettered.',
    ({ RedrivePolicy }) => !RedrivePolicy || RedrivePolicy.maxReceiveCount >= 3,
  ),
  checkEach(
    schedule,
    'schedule-retries',
    'The default is 185 retries within a day, long after later runs did the work.',
    ({ Target }) => Target.RetryPolicy?.MaximumRetryAttempts <= 2,
  ),
  checkEach(
    schedule,
    'schedule-dead-letters',
    'A run that cannot start is lost silently: the schedule has no dead-letter queue.',
    ({ Target }) => referencedId(Target.DeadLetterConfig?.Arn) !== undefined,
  ),
  checkEach(
    schedule,
    'scheduled-runs',
    'A failed scheduled run is retried and then lost: its function needs an EventInvokeConfig with OnFailure.',
    ({ Target }, template) =>
      resourcesOf(template, 'AWS::Lambda::EventInvokeConfig').some(
        ([, { FunctionName, Qualifier, DestinationConfig }]) =>
          functionIn(template, FunctionName) === functionIn(template, Target.Arn) &&
          Qualifier === qualifierOf(template, Target.Arn) &&
          DestinationConfig?.OnFailure !== undefined,
      ),
  ),
];

/** An EventInvokeConfig applies to invocations of one alias, or of the function itself. */
const qualifierOf = (template: Template, arn: unknown): string =>
  template.Resources[referencedId(arn) ?? '']?.Properties.Name ?? '$LATEST';

/** Dead-letter queues of queues, schedules and event rules, and destinations for failures of streams. */
function deadLetterQueues(template: Template): ReadonlySet<string | undefined> {
  return new Set(
    [
      ...resourcesOf(template, queue).map(([, { RedrivePolicy }]) => RedrivePolicy?.deadLetterTargetArn),
      ...resourcesOf(template, schedule).map(([, { Target }]) => Target.DeadLetterConfig?.Arn),
      ...resourcesOf(template, eventSource).map(([, one]) => one.DestinationConfig?.OnFailure?.Destination),
      ...resourcesOf(template, 'AWS::Events::Rule').flatMap(([, { Targets }]) =>
        asArray<Properties>(Targets).map(({ DeadLetterConfig }) => DeadLetterConfig?.Arn),
      ),
    ].map(referencedId),
  );
}
