// Messages out: ten a call, and what SQS did not take is sent again.
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { longestDelayMs } from '#shared/domain/longest-delay.ts';
import { type Backoff, chunksOf, defaultBackoff, sendUntilTaken } from './backoff.ts';

const batchSize = 10;

export interface SendOptions {
  /** At most 900 s. */
  readonly delaySeconds?: number;
}

export interface Queues {
  /**
   * Sends every body as JSON, a few times if necessary. A body with an `importId` is in the message group of that
   * import, so that a few rows need not wait behind the hundred thousand rows of another import.
   * @throws Error when SQS still did not take some messages
   */
  send(queueUrl: string, bodies: readonly unknown[], options?: SendOptions): Promise<void>;
}

interface Outgoing {
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
}

/** On a standard queue a group is a fair queue: SQS prefers the groups with few messages in flight, and blocks none. */
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
