// A queue with its dead-letter queue. Messages hold ids and keys, never a number or a PAC (decision 44), so SQS's own
// encryption is enough and no sender needs the right to use our key.
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { visibilitySeconds } from '../config.ts';
import { keepId } from '../logical-id.ts';

export interface WorkQueueProps {
  /** The function that reads it: its queues are named `<Reader>Queue` and `<Reader>DeadLetters`. */
  readonly reader: string;
  /** Time-out of the function that reads the queue: the visibility follows from it. */
  readonly consumerTimeoutSeconds: number;
}

export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  constructor(scope: Construct, id: string, props: WorkQueueProps) {
    super(scope, id);
    this.deadLetters = deadLetterQueue(this, `${props.reader}DeadLetters`);
    const queue = new Queue(this, `${props.reader}Queue`, {
      ...sealed,
      visibilityTimeout: Duration.seconds(visibilitySeconds(props.consumerTimeoutSeconds)),
      retentionPeriod: Duration.days(4),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount: deliveries },
    });
    this.queue = keepId(queue);
  }
}

/**
 * Deliveries before a message is put aside. A failed one is given back after 15 s, then after twice as long each time: eight
 * outlast an outage of half an hour, which must not look like poison.
 */
const deliveries = 8;

/** Keeps messages for as long as SQS can: the clock of a moved message began with its first queue. */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  return keepId(new Queue(scope, id, { ...sealed, retentionPeriod: Duration.days(14) }));
}

const sealed = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;
