// Makes failed messages visible again soon. Otherwise they stay hidden for the queue's whole visibility timeout, which
// is made for the longest invocation and may be hours.
import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { chunksOf } from '#shared/store/backoff.ts';
import { longestDelayMs } from '../../domain/longest-delay.ts';

/** The delivery of a message, in Lambda's record. */
export interface DeliveredMessage {
  readonly receiptHandle: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

const batchSize = 10;
const firstWaitSeconds = 15;

/** Seconds until the next delivery: 15, doubled with every delivery so far, at most 15 minutes. */
export function waitBeforeNextDelivery(deliveries: number): number {
  const doubled = firstWaitSeconds * 2 ** Math.min(20, Math.max(0, deliveries - 1));
  return Math.min(longestDelayMs / 1_000, Number.isFinite(doubled) ? doubled : firstWaitSeconds);
}

interface WarningLog {
  warn(message: string, fields: { readonly error: unknown }): void;
}

/** The function never rejects: a message whose visibility could not be changed is delivered again too, only later. */
export function createRetryLater(client: SQSClient, queueUrl: string, log: WarningLog) {
  return async (messages: readonly DeliveredMessage[]): Promise<void> => {
    for (const batch of chunksOf(messages, batchSize)) {
      const Entries = batch.map(({ receiptHandle, attributes }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: waitBeforeNextDelivery(Number(attributes.ApproximateReceiveCount)),
      }));
      try {
        await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries }));
      } catch (error) {
        log.warn('the visibility of failed messages could not be changed', { error });
      }
    }
  };
}
