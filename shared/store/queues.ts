// Sends messages, and makes those that failed visible again soon.
import { ChangeMessageVisibilityBatchCommand, SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { longestDelayMs } from '#shared/import/import-state.ts';
import { type Backoff, chunksOf, defaultBackoff, sendUntilTaken } from './backoff.ts';

const batchSize = 10;

// Messages out: ten a call, and what SQS did not take is sent again.

export interface SendOptions {
  /** At most 900 s. */
  readonly delaySeconds?: number;
}

export interface Queues {
  /**
   * Sends every body as JSON, a few times if necessary. A body with an `importId` is in the message group of that
   * import: a few rows overtake the hundred thousand rows of another import once SQS calls it noisy.
   * @throws Error when SQS still did not take some messages
   */
  send(queueUrl: string, bodies: readonly unknown[], options?: SendOptions): Promise<void>;
}

interface Outgoing {
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
}

/** On a standard queue with groups (a fair queue), SQS delivers messages of busy groups last, and blocks none. */
const outgoing = (body: unknown): Outgoing => {
  const MessageBody = JSON.stringify(body);
  const hasImport = typeof body === 'object' && body !== null && 'importId' in body;
  return hasImport ? { MessageBody, MessageGroupId: String(body.importId) } : { MessageBody };
};

export function createQueues(client: SQSClient, backoff: Backoff = defaultBackoff): Queues {
  const send: Queues['send'] = async (queueUrl, bodies, { delaySeconds = 0 } = {}) => {
    const DelaySeconds = Math.max(0, Math.min(longestDelayMs / 1_000, Math.ceil(delaySeconds)));
    const sendBatch = async (messages: readonly Outgoing[]) => {
      const Entries = messages.map((message, index) => ({ ...message, Id: String(index), DelaySeconds }));
      const { Failed = [] } = await client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
      return Failed.flatMap(({ Id }) => messages[Number(Id)] ?? []);
    };
    for (const batch of chunksOf(bodies.map(outgoing), batchSize)) {
      const left = await sendUntilTaken(batch, sendBatch, backoff);
      if (left.length > 0) throw new Error(`${queueUrl} did not take ${left.length} messages`);
    }
  };
  return { send };
}

// Makes failed messages visible again soon. Otherwise they stay hidden for the queue's whole visibility timeout, which
// is made for the longest invocation and may be hours.

/** The delivery of a message, in Lambda's record. */
export interface DeliveredMessage {
  readonly receiptHandle: string;
  readonly attributes: { readonly ApproximateReceiveCount: string };
}
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
