// The Lambda handlers around the steps of the pipeline: they create one deadline per invocation and write the metrics
// at its end. For steps that read a queue, they decode each message and report each failed message by itself.
import type { Context, SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda';
import { createDeadline, type Deadline } from './clock.ts';
import type { Log } from './logger.ts';
import type { Metrics } from './metrics.ts';

export type LambdaContext = Pick<Context, 'awsRequestId' | 'getRemainingTimeInMillis'>;

export interface Invocation {
  readonly id: string;
  readonly deadline: Deadline;
}

export interface StepScope {
  readonly log: Log;
  /** Absent if the step has no metrics. */
  readonly metrics?: Metrics;
}

/** A Lambda handler that runs the step, and writes its metrics whether it succeeds or fails. */
export function createStepHandler<Event, Result>(
  { metrics }: StepScope,
  step: (event: Event, invocation: Invocation) => Promise<Result>,
): (event: Event, context: LambdaContext) => Promise<Result> {
  return async (event, context) => {
    try {
      const deadline = createDeadline(() => context.getRemainingTimeInMillis());
      return await step(event, { id: context.awsRequestId, deadline });
    } finally {
      metrics?.flush();
    }
  };
}

/** One delivery of a message, decoded. */
export interface Delivery<Message> {
  readonly message: Message;
  readonly record: SQSRecord;
}

/** Makes failed messages visible again before their visibility timeout ends. */
export type RetryLater = (records: readonly SQSRecord[]) => Promise<void>;

export interface QueueStep<Message> extends StepScope {
  /** From the body of a message. @throws if it is not a message of this step */
  readonly decode: (body: string) => Message;
  /** Handles the messages of one batch, and returns those that failed. */
  readonly handle: (
    deliveries: readonly Delivery<Message>[],
    invocation: Invocation,
  ) => Promise<readonly Delivery<Message>[]>;
  readonly retryLater: RetryLater;
}

/**
 * A Lambda handler for batches of SQS messages. Each message succeeds or fails alone. One that cannot be decoded fails
 * on each delivery, and so ends in the dead-letter queue without stopping the others.
 */
export function createQueueHandler<Message>(step: QueueStep<Message>) {
  const { log, retryLater } = step;
  const decode = (record: SQSRecord): Delivery<Message> | undefined => {
    try {
      return { message: step.decode(record.body), record };
    } catch (error) {
      log.error('a message could not be decoded', { messageId: record.messageId, error });
      return undefined;
    }
  };
  return createStepHandler(step, async ({ Records }: SQSEvent, invocation): Promise<SQSBatchResponse> => {
    const decoded = Records.map(decode);
    const deliveries = decoded.filter((delivery) => delivery !== undefined);
    const unhandled = await step.handle(deliveries, invocation);
    const failed = Records.filter((record, index) => {
      return decoded[index] === undefined || unhandled.some((delivery) => delivery.record === record);
    });
    await retryLater(failed);
    return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) };
  });
}

export const deliveriesOf = ({ attributes }: SQSRecord): number => Number(attributes.ApproximateReceiveCount);
