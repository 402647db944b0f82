// What must hold of queues, event sources and schedules, so that nothing is delivered twice for no reason or lost in silence.
import { visibilitySeconds } from '../config.ts';
import { type Check, every, propertiesOf, type Resource, resourcesOf, type Template, target } from './template.ts';

const queue = 'AWS::SQS::Queue';
const eventSource = 'AWS::Lambda::EventSourceMapping';
const schedule = 'AWS::Scheduler::Schedule';

const defaultRetentionSeconds = 345_600;
const retention = (properties: { MessageRetentionPeriod?: number }) =>
  properties.MessageRetentionPeriod ?? defaultRetentionSeconds;

type Holds = (properties: Resource['Properties'], template: Template) => boolean;

/** Streams have no visibility and no concurrency of their own; queues keep their own dead letters. */
const isStream = ({ EventSourceArn }: Resource['Properties']): boolean =>
  EventSourceArn?.['Fn::GetAtt']?.[1] === 'StreamArn';
const ofQueue =
  (holds: Holds): Holds =>
  (properties, template) =>
    isStream(properties) || holds(properties, template);
const ofStream =
  (holds: Holds): Holds =>
  (properties, template) =>
    !isStream(properties) || holds(properties, template);

/** DynamoDB keeps its streams for a day. */
const streamRetentionSeconds = 86_400;

export const deliveryChecks: readonly Check[] = [
  every(
    eventSource,
    'queue-visibility',
    'The queue shows a message again before six times its reader’s time-out has passed: it may be worked on twice.',
    ofQueue(
      ({ EventSourceArn, FunctionName }, template) =>
        (propertiesOf(template, EventSourceArn).VisibilityTimeout ?? 30) >=
        visibilitySeconds(propertiesOf(template, FunctionName).Timeout ?? 3),
    ),
  ),
  every(
    eventSource,
    'partial-batch',
    'Without ReportBatchItemFailures one bad message brings the whole batch back.',
    ({ FunctionResponseTypes = [] }) => FunctionResponseTypes.includes('ReportBatchItemFailures'),
  ),
  every(
    eventSource,
    'maximum-concurrency',
    'Without a maximum concurrency, at most the function’s reserved one, throttled messages use up their receive count.',
    ofQueue(
      ({ ScalingConfig, FunctionName }, template) =>
        ScalingConfig?.MaximumConcurrency <=
        (propertiesOf(template, FunctionName).ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY),
    ),
  ),
  every(
    eventSource,
    'stream-dead-letters',
    'What a stream’s reader gives up is lost in silence: its mapping has no destination for failures.',
    ofStream(({ DestinationConfig }) => target(DestinationConfig?.OnFailure?.Destination) !== undefined),
  ),
  every(
    eventSource,
    'stream-retries',
    'A bad record holds all others up until the stream forgets them: tries and age must have an end, and batches be halved.',
    ofStream(
      ({ MaximumRetryAttempts = -1, MaximumRecordAgeInSeconds = -1, BisectBatchOnFunctionError }) =>
        BisectBatchOnFunctionError === true &&
        MaximumRetryAttempts >= 0 &&
        MaximumRecordAgeInSeconds > 0 &&
        MaximumRecordAgeInSeconds < streamRetentionSeconds,
    ),
  ),
  every(
    eventSource,
    'stream-filter',
    'Every write of the table would run the function: its mapping has no filter.',
    ofStream(({ FilterCriteria }) => FilterCriteria?.Filters?.length > 0),
  ),
  every(
    queue,
    'dead-letter-queue',
    'A message that always fails circles until it expires: the queue has no dead-letter queue and is none.',
    ({ RedrivePolicy }, template, id) => RedrivePolicy !== undefined || deadLetterQueues(template).has(id),
  ),
  every(
    queue,
    'dead-letter-retention',
    'The dead-letter queue forgets sooner than its source, and a moved message keeps its age.',
    (properties, template) => {
      const deadLetters = properties.RedrivePolicy?.deadLetterTargetArn;
      return !deadLetters || retention(propertiesOf(template, deadLetters)) >= retention(properties);
    },
  ),
  every(
    queue,
    'receive-count',
    'Fewer than three deliveries make a throttle look like a poisoned message.',
    ({ RedrivePolicy }) => !RedrivePolicy || RedrivePolicy.maxReceiveCount >= 3,
  ),
  every(
    schedule,
    'schedule-retries',
    'The default is 185 tries over a day, long after later runs did the work.',
    ({ Target }) => Target.RetryPolicy?.MaximumRetryAttempts <= 2,
  ),
  every(
    schedule,
    'schedule-dead-letters',
    'A run that cannot be started is lost in silence: the schedule has no dead-letter queue.',
    ({ Target }) => target(Target.DeadLetterConfig?.Arn) !== undefined,
  ),
  every(
    schedule,
    'scheduled-runs',
    'A scheduled run that fails is repeated and then lost: its function needs an EventInvokeConfig with OnFailure.',
    ({ Target }, template) =>
      resourcesOf(template, 'AWS::Lambda::EventInvokeConfig').some(
        ([, { FunctionName, DestinationConfig }]) =>
          target(FunctionName) === target(Target.Arn) && DestinationConfig?.OnFailure !== undefined,
      ),
  ),
];

/** Queues that others put failures into: by a redrive policy, a schedule, or the failure destination of a stream's reader. */
function deadLetterQueues(template: Template): ReadonlySet<string | undefined> {
  return new Set([
    ...resourcesOf(template, queue).map(([, { RedrivePolicy }]) => target(RedrivePolicy?.deadLetterTargetArn)),
    ...resourcesOf(template, schedule).map(([, { Target }]) => target(Target.DeadLetterConfig?.Arn)),
    ...resourcesOf(template, eventSource).map(([, one]) => target(one.DestinationConfig?.OnFailure?.Destination)),
  ]);
}
