// The checks of the delivery of messages, each with a mistake that it finds.

import { deliveryChecks } from '../../support/infra/checks/delivery.ts';
import type { Properties } from '../../support/infra/checks/read-template.ts';
import { describeChecks, lambda, type Mistake, queue, template } from '../../support/infra/mistakes.ts';
import { withChanged } from '../../support/infra/template.ts';

const eventSource = 'AWS::Lambda::EventSourceMapping';
const schedule = 'AWS::Scheduler::Schedule';
const readsStream = ({ EventSourceArn }: Properties) => EventSourceArn['Fn::GetAtt'][1] === 'StreamArn';
const hasRedrive = (properties: { RedrivePolicy?: unknown }) => properties.RedrivePolicy !== undefined;

const mistakes: readonly Mistake[] = [
  [
    'a visibility timeout shorter than six time-outs',
    'queue-visibility',
    withChanged(template, queue, (properties) => Object.assign(properties, { VisibilityTimeout: 60 }), hasRedrive),
  ],
  [
    'a longer time-out with the same visibility timeout',
    'queue-visibility',
    withChanged(
      template,
      lambda,
      (properties) => Object.assign(properties, { Timeout: 901 }),
      (_, id) => id.startsWith('Ingest'),
    ),
  ],
  [
    'a queue without a dead-letter queue',
    'dead-letter-queue',
    withChanged(template, queue, (properties) => Object.assign(properties, { RedrivePolicy: undefined }), hasRedrive),
  ],
  [
    'a dead-letter queue with a shorter retention',
    'dead-letter-retention',
    withChanged(
      template,
      queue,
      (properties) => Object.assign(properties, { MessageRetentionPeriod: 1_209_600 + 1 }),
      hasRedrive,
    ),
  ],
  [
    'a single delivery',
    'receive-count',
    withChanged(
      template,
      queue,
      ({ RedrivePolicy }) => Object.assign(RedrivePolicy, { maxReceiveCount: 1 }),
      hasRedrive,
    ),
  ],
  [
    'no partial batch responses',
    'partial-batch',
    withChanged(template, eventSource, (properties) => Object.assign(properties, { FunctionResponseTypes: undefined })),
  ],
  [
    'no maximum concurrency',
    'maximum-concurrency',
    withChanged(
      template,
      eventSource,
      (properties) => Object.assign(properties, { ScalingConfig: undefined }),
      (properties) => !readsStream(properties),
    ),
  ],
  [
    'a maximum concurrency above the reserved one',
    'maximum-concurrency',
    withChanged(
      template,
      lambda,
      (properties) => Object.assign(properties, { ReservedConcurrentExecutions: 1 }),
      (_, id) => id.startsWith('Submit'),
    ),
  ],
  ...(
    [
      ['a stream without a destination for failures', 'stream-dead-letters', { DestinationConfig: undefined }],
      ['a stream with unlimited retries', 'stream-retries', { MaximumRetryAttempts: undefined }],
      [
        'a stream that deletes records before their retries end',
        'stream-retries',
        { MaximumRecordAgeInSeconds: 86_400 },
      ],
      ['a stream without bisected batches', 'stream-retries', { BisectBatchOnFunctionError: false }],
      ['a stream without a filter', 'stream-filter', { FilterCriteria: undefined }],
    ] as const
  ).map(
    ([name, rule, change]) =>
      [
        name,
        rule,
        withChanged(template, eventSource, (properties) => Object.assign(properties, change), readsStream),
      ] as const,
  ),
  [
    'the schedule’s default of 185 retries',
    'schedule-retries',
    withChanged(template, schedule, ({ Target }) => Object.assign(Target, { RetryPolicy: undefined })),
  ],
  [
    'a schedule without a dead-letter queue',
    'schedule-dead-letters',
    withChanged(template, schedule, ({ Target }) => Object.assign(Target, { DeadLetterConfig: undefined })),
  ],
  [
    'scheduled runs without a destination for failures',
    'scheduled-runs',
    withChanged(template, 'AWS::Lambda::EventInvokeConfig', (properties) =>
      Object.assign(properties, { DestinationConfig: undefined }),
    ),
  ],
];

describeChecks('the delivery of messages', deliveryChecks, mistakes);
