// Messages out: ten a call, and only what was not taken is sent again.
import { SendMessageBatchCommand, type SQSClient } from '@aws-sdk/client-sqs';
import { type Backoff, defaultBackoff } from './backoff.ts';

const batchSize = 10;

export interface SendOptions {
  /** At most 900 s: SQS's own limit. */
  readonly delaySeconds?: number;
}

export interface Queues {
  /**
   * Sends every body as JSON. Entries that SQS did not take are sent again, a few times. A body that names its import
   * stands in that import's group, so that a few lines need not wait behind another import's hundred thousand.
   * @throws Error when some were still not taken
   */
  send(queueUrl: string, bodies: readonly unknown[], options?: SendOptions): Promise<void>;
}

interface Outgoing {
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
}

/** On a standard queue a group orders and blocks nothing: SQS prefers the groups of which little is in hand. */
const outgoing = (body: unknown): Outgoing => {
  const MessageBody = JSON.stringify(body);
  const isOfImport = typeof body === 'object' && body !== null && 'importId' in body;
  return isOfImport ? { MessageBody, MessageGroupId: String(body.importId) } : { MessageBody };
};

export function createQueues(client: SQSClient, backoff: Backoff = defaultBackoff): Queues {
  /** Answers the entries that were not taken. */
  const sendBatch = async (queueUrl: string, messages: readonly Outgoing[], delaySeconds: number) => {
    const answer = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: messages.map((message, index) => ({ ...message, Id: String(index), DelaySeconds: delaySeconds })),
      }),
    );
    return (answer.Failed ?? []).flatMap((failed) => messages[Number(failed.Id)] ?? []);
  };

  const send = async (queueUrl: string, bodies: readonly unknown[], options: SendOptions = {}) => {
    const messages = bodies.map(outgoing);
    const delay = Math.max(0, Math.min(900, Math.ceil(options.delaySeconds ?? 0)));
    for (let start = 0; start < messages.length; start += batchSize) {
      let rest = messages.slice(start, start + batchSize);
      for (let attempt = 1; rest.length > 0; attempt += 1) {
        rest = await sendBatch(queueUrl, rest, delay);
        if (rest.length === 0) break;
        if (attempt >= backoff.attempts) throw new Error(`${rest.length} messages were not taken by ${queueUrl}`);
        await backoff.pause(attempt);
      }
    }
  };
  return { send };
}
