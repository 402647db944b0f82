// Gives failed messages back to their queue soon. Left alone they stay hidden for the queue's whole visibility, which is
// made for the longest invocation and may be hours.
import { ChangeMessageVisibilityBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';

/** What Lambda's record of a message tells of its delivery. */
export interface DeliveredMessage {
  readonly receiptHandle: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}

/** Never rejects: a message that could not be given back comes back all the same, only later. */
export type GiveBack = (messages: readonly DeliveredMessage[]) => Promise<void>;

const batchSize = 10;
const firstWaitSeconds = 15;
const longestWaitSeconds = 15 * 60;

/** Seconds until the next delivery: 15, doubled with every delivery so far, at most 15 minutes. */
export function waitBeforeNextDelivery(deliveries: number): number {
  const doubled = firstWaitSeconds * 2 ** Math.min(20, Math.max(0, deliveries - 1));
  return Math.min(longestWaitSeconds, Number.isFinite(doubled) ? doubled : firstWaitSeconds);
}

/** @param onFailure told of each call that SQS did not take */
export function createGiveBack(client: SQSClient, queueUrl: string, onFailure: (error: unknown) => void): GiveBack {
  return async (messages) => {
    for (let start = 0; start < messages.length; start += batchSize) {
      const entries = messages.slice(start, start + batchSize).map(({ receiptHandle, attributes }, index) => ({
        Id: String(index),
        ReceiptHandle: receiptHandle,
        VisibilityTimeout: waitBeforeNextDelivery(Number(attributes.ApproximateReceiveCount)),
      }));
      try {
        await client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: queueUrl, Entries: entries }));
      } catch (error) {
        onFailure(error);
      }
    }
  };
}
