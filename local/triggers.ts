// What makes functions run: the event source mappings (of queues and of streams) and schedules of the template.
import { SendMessageCommand, type SQSClient } from '@aws-sdk/client-sqs';
import type { Calendar } from './calendar.ts';
import type { Outcome } from './lambda/environment.ts';
import { startEventSource } from './lambda/event-source.ts';
import { startSchedule } from './lambda/schedules.ts';
import type { Log } from './logs.ts';
import { createFilter } from './stream/filter.ts';
import type { Change } from './stream/pass-through.ts';
import { type StreamSource, startStreamSource } from './stream/stream-source.ts';
import type { Blueprint, MappingPlan, SchedulePlan } from './template/blueprint.ts';
import { TemplateError } from './template/template.ts';

export interface TriggersOptions {
  readonly blueprint: Blueprint;
  readonly sqs: SQSClient;
  readonly region: string;
  readonly calendar: Calendar;
  readonly clock: () => number;
  /** The most invocations at one time over all functions: batches beyond it would only wait, hidden. */
  readonly capacity: number;
  readonly redeliverAfterMs: number | undefined;
  readonly invoke: (functionNameOrArn: string, event: unknown) => Promise<Outcome>;
  readonly log: Log;
}

export interface Triggers {
  /** Hands a change of a table on to whoever follows its stream. */
  changed(change: Change): void;
  /** Starts nothing new and waits for what runs. */
  stop(): Promise<void>;
}

/** Event source mappings of AWS have five pollers to begin with; a template that wants a cap says so. */
const defaultConcurrency = 5;

const mapQueue = (mapping: MappingPlan, options: TriggersOptions) => {
  const queue = options.blueprint.queues.find(({ arn }) => arn === mapping.EventSourceArn);
  if (queue === undefined) {
    throw new TemplateError(
      `${mapping.logicalId}: the engine takes events from queues and tables of the template only, not from ${mapping.EventSourceArn}`,
    );
  }
  const target = options.blueprint.functions.find(({ name, arn }) => [name, arn].includes(mapping.FunctionName));
  return startEventSource({
    sqs: options.sqs,
    queueUrl: queue.url,
    queueArn: queue.arn,
    region: options.region,
    batchSize: mapping.BatchSize,
    windowMs: mapping.MaximumBatchingWindowInSeconds * 1_000,
    reportsFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    concurrency: Math.min(
      mapping.ScalingConfig?.MaximumConcurrency ?? defaultConcurrency,
      target?.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY,
      options.capacity,
    ),
    redeliverAfterMs: options.redeliverAfterMs,
    invoke: (event) => options.invoke(mapping.FunctionName, event),
    log: (line) => options.log('engine', line),
  });
};

/** Mappings whose source is the stream of a table. */
export const streamMappings = ({ mappings, tables }: Blueprint): readonly MappingPlan[] =>
  mappings.filter(({ EventSourceArn }) => tables.some(({ streamArn }) => streamArn === EventSourceArn));

/** The patterns that let a record through. */
export const patternsOf = ({ FilterCriteria }: MappingPlan): readonly string[] =>
  FilterCriteria?.Filters.map(({ Pattern }) => Pattern) ?? [];

/** Tries where the template sets no end: there, AWS goes on until the stream forgets the record. */
const defaultRetries = 1_000;

const followStream = (mapping: MappingPlan, options: TriggersOptions): StreamSource => {
  const { sqs, blueprint, region, clock } = options;
  const deadLetters = blueprint.queues.find(({ arn }) => arn === mapping.DestinationConfig?.OnFailure.Destination);
  return startStreamSource({
    ...{ streamArn: mapping.EventSourceArn, region, clock, filter: createFilter(patternsOf(mapping)) },
    batchSize: mapping.BatchSize,
    windowMs: mapping.MaximumBatchingWindowInSeconds * 1_000,
    retryAttempts: mapping.MaximumRetryAttempts ?? defaultRetries,
    bisects: mapping.BisectBatchOnFunctionError,
    reportsFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
    invoke: (event) => options.invoke(mapping.FunctionName, event),
    putAside: async (message) => {
      const command = { QueueUrl: deadLetters?.url, MessageBody: JSON.stringify(message) };
      if (deadLetters !== undefined) await sqs.send(new SendMessageCommand(command));
    },
    log: (line) => options.log('engine', line),
  });
};

const runSchedule = (schedule: SchedulePlan, options: TriggersOptions) => {
  const { calendar, clock, sqs } = options;
  const { Arn, Input, RetryPolicy, DeadLetterConfig } = schedule.Target;
  const deadLetters = options.blueprint.queues.find(({ arn }) => arn === DeadLetterConfig?.Arn);
  return startSchedule({
    name: schedule.logicalId,
    expression: schedule.ScheduleExpression,
    timezone: schedule.ScheduleExpressionTimezone,
    retries: RetryPolicy.MaximumRetryAttempts ?? 0,
    speed: calendar.speed,
    calendar: () => calendar.origin + (clock() - calendar.origin) * calendar.speed,
    invoke: () => options.invoke(Arn, JSON.parse(Input)),
    gaveUp: async () => {
      if (deadLetters) await sqs.send(new SendMessageCommand({ QueueUrl: deadLetters.url, MessageBody: Input }));
    },
    log: (line) => options.log('engine', line),
  });
};

export const startTriggers = (options: TriggersOptions): Triggers => {
  const { mappings, schedules } = options.blueprint;
  const enabled = mappings.filter(({ Enabled }) => Enabled);
  const followed = streamMappings(options.blueprint);
  const streams = enabled.filter((one) => followed.includes(one)).map((mapping) => followStream(mapping, options));
  const running = [
    ...streams,
    ...enabled.filter((one) => !followed.includes(one)).map((mapping) => mapQueue(mapping, options)),
    ...schedules.filter(({ State }) => State === 'ENABLED').map((schedule) => runSchedule(schedule, options)),
  ];
  return {
    changed: (change) => {
      for (const stream of streams) stream.offer(change);
    },
    stop: async () => {
      await Promise.all(running.map((trigger) => trigger.stop()));
    },
  };
};
