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
   * Sends every body as JSON. Entries that SQS did not take are sent again, a few times.
   * @throws Error when some were still not taken
   */
  send(queueUrl: string, bodies: readonly unknown[], options?: SendOptions): Promise<void>;
}

export function createQueues(client: SQSClient, backoff: Backoff = defaultBackoff): Queues {
  /** Answers the entries that were not taken. */
  const sendBatch = async (queueUrl: string, bodies: readonly string[], delaySeconds: number) => {
    const answer = await client.send(
      new SendMessageBatchCommand({
        QueueUrl: queueUrl,
        Entries: bodies.map((body, index) => ({ Id: String(index), MessageBody: body, DelaySeconds: delaySeconds })),
      }),
    );
    return (answer.Failed ?? []).flatMap((failed) => bodies[Number(failed.Id)] ?? []);
  };

  const send = async (queueUrl: string, bodies: readonly unknown[], options: SendOptions = {}) => {
    const texts = bodies.map((body) => JSON.stringify(body));
    const delay = Math.max(0, Math.min(900, Math.ceil(options.delaySeconds ?? 0)));
    for (let start = 0; start < texts.length; start += batchSize) {
      let rest = texts.slice(start, start + batchSize);
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
