// What invokes functions: the event source mappings (of queues and of streams) and the schedules of the template.
import type { Outcome } from './lambda/environment.ts';
import { startEventSource } from './lambda/event-source.ts';
import { startSchedule } from './lambda/schedules.ts';
import type { Log } from './logs.ts';
import type { QueueCall } from './sqs/server.ts';
import type { ItemChange } from './stream/dynamodb-proxy.ts';
import { createFilter } from './stream/filter.ts';
import { startStreamSource } from './stream/stream-source.ts';
import type { Blueprint, MappingPlan, SchedulePlan } from './template/blueprint.ts';
import { TemplateError } from './template/template.ts';

export type Invoke = (
  functionNameOrArn: string,
  event: unknown,
  traceHeaders?: readonly (string | undefined)[],
) => Promise<Outcome>;

export interface TriggersOptions {
  readonly blueprint: Blueprint;
  readonly callQueue: QueueCall;
  readonly region: string;
  /** How much faster than wall time schedules run now. */
  readonly speed: () => number;
  readonly clock: () => number;
  /** The most invocations at one time over all functions. More batches would only wait, hidden from others. */
  readonly capacity: number;
  readonly redeliverAfterMs: number | undefined;
  readonly invoke: Invoke;
  readonly log: Log;
  /** Takes what a person should know. */
  readonly report: (line: string) => void;
}

/** On AWS a mapping starts with five pollers, unless the template sets a maximum. */
const defaultConcurrency = 5;

const urlOf = (queueArn: string | undefined, { blueprint }: TriggersOptions): string | undefined =>
  blueprint.queues.find(({ arn }) => arn === queueArn)?.url;

/** Sends nothing without a queue. */
const senderTo = (queueArn: string | undefined, options: TriggersOptions) => {
  const QueueUrl = urlOf(queueArn, options);
  return async (MessageBody: string): Promise<void> => {
    if (QueueUrl !== undefined) await options.callQueue('SendMessage', { QueueUrl, MessageBody });
  };
};

const batchOf = (mapping: MappingPlan) => ({
  batchSize: mapping.BatchSize,
  windowMs: mapping.MaximumBatchingWindowInSeconds * 1_000,
  reportsFailures: mapping.FunctionResponseTypes.includes('ReportBatchItemFailures'),
});

const mapQueue = (mapping: MappingPlan, options: TriggersOptions) => {
  const queue = options.blueprint.queues.find(({ arn }) => arn === mapping.EventSourceArn);
  if (queue === undefined) {
    throw new TemplateError(
      `${mapping.logicalId}: ${mapping.EventSourceArn} is neither a queue nor a table of the template`,
    );
  }
  const target = options.blueprint.functions.find(({ name, arn }) => [name, arn].includes(mapping.FunctionName));
  if (target === undefined) {
    throw new TemplateError(`${mapping.logicalId}: ${mapping.FunctionName} is not a function of the template`);
  }
  return startEventSource({
    callQueue: options.callQueue,
    region: options.region,
    redeliverAfterMs: options.redeliverAfterMs,
    queue: {
      name: queue.name,
      url: queue.url,
      arn: queue.arn,
      visibilityMs: (queue.VisibilityTimeout ?? 30) * 1_000,
      deadLetterUrl: urlOf(queue.RedrivePolicy?.deadLetterTargetArn, options),
    },
    target: { name: target.name, arn: target.arn, allowsRecursion: target.RecursiveLoop === 'Allow' },
    ...batchOf(mapping),
    concurrency: Math.min(
      mapping.ScalingConfig?.MaximumConcurrency ?? defaultConcurrency,
      target.ReservedConcurrentExecutions ?? Number.POSITIVE_INFINITY,
      options.capacity,
    ),
    invoke: (event, traceHeaders) => options.invoke(target.arn, event, traceHeaders),
    report: options.report,
  });
};

/** Mappings whose source is the stream of a table. */
export const streamMappings = ({ mappings, tables }: Blueprint): readonly MappingPlan[] =>
  mappings.filter(({ EventSourceArn }) => tables.some(({ streamArn }) => streamArn === EventSourceArn));

/** The filter patterns of a mapping. */
export const patternsOf = ({ FilterCriteria }: MappingPlan): readonly string[] =>
  FilterCriteria?.Filters.map(({ Pattern }) => Pattern) ?? [];

/** Where the template sets no limit, AWS retries until the record expires. */
const defaultRetries = 1_000;

const followStream = (mapping: MappingPlan, options: TriggersOptions) => {
  const { region, clock } = options;
  const sendToDeadLetters = senderTo(mapping.DestinationConfig?.OnFailure.Destination, options);
  return startStreamSource({
    streamArn: mapping.EventSourceArn,
    region,
    clock,
    filter: createFilter(patternsOf(mapping)),
    ...batchOf(mapping),
    retryAttempts: mapping.MaximumRetryAttempts ?? defaultRetries,
    bisects: mapping.BisectBatchOnFunctionError,
    invoke: (event) => options.invoke(mapping.FunctionName, event),
    sendToDeadLetters: (message) => sendToDeadLetters(JSON.stringify(message)),
    log: (line) => options.log('emulator', line),
  });
};

const runSchedule = (schedule: SchedulePlan, options: TriggersOptions) => {
  const { Arn, Input, RetryPolicy, DeadLetterConfig } = schedule.Target;
  const sendToDeadLetters = senderTo(DeadLetterConfig?.Arn, options);
  return startSchedule({
    name: schedule.logicalId,
    expression: schedule.ScheduleExpression,
    retries: RetryPolicy.MaximumRetryAttempts ?? 0,
    speed: options.speed,
    invoke: () => options.invoke(Arn, JSON.parse(Input)),
    sendToDeadLetters: () => sendToDeadLetters(Input),
    log: (line) => options.log('emulator', line),
  });
};

export const startTriggers = (options: TriggersOptions) => {
  const { mappings, schedules } = options.blueprint;
  const enabled = mappings.filter(({ Enabled }) => Enabled);
  const followed = streamMappings(options.blueprint);
  const streams = enabled.filter((one) => followed.includes(one)).map((mapping) => followStream(mapping, options));
  const timers = schedules.filter(({ State }) => State === 'ENABLED').map((one) => runSchedule(one, options));
  const running = [
    ...streams,
    ...enabled.filter((one) => !followed.includes(one)).map((mapping) => mapQueue(mapping, options)),
    ...timers,
  ];
  return {
    /** Delivers a change of a table to the mappings of its stream. */
    changed: (change: ItemChange): void => {
      for (const stream of streams) stream.offer(change);
    },
    /** Runs every schedule now: the calendar was changed. */
    wakeSchedules: (): void => {
      for (const timer of timers) timer.wake();
    },
    /** Starts no more invocations and waits for those that run. */
    stop: async (): Promise<void> => {
      await Promise.all(running.map((trigger) => trigger.stop()));
    },
  };
};
