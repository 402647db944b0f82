// The queues of the pipeline, each with its dead-letter queue. Messages hold ids and keys, never a number or a PAC
// (spec gap 44), so SQS's own encryption is sufficient and senders need no permissions for our key.
import { Duration } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import { acknowledge } from '../acknowledge.ts';
import { submitTimeoutSeconds, visibilitySeconds } from '../derived-settings.ts';
import { fixLogicalId } from '../fixed-logical-id.ts';
import type { Configuration } from '../settings.ts';

export class Queues extends Construct {
  /** One message for each upload. Only S3 and the functions that announce an upload again may send to it. */
  readonly ingest: WorkQueue;
  /** One message for each command of a person: to approve a plan, or to reschedule or cancel ports. */
  readonly command: WorkQueue;
  /** One message for each request. */
  readonly submit: WorkQueue;
  /** One message for each change of an import. */
  readonly report: WorkQueue;

  constructor(scope: Construct, id: string, configuration: Configuration) {
    super(scope, id);
    const { ingest, report } = configuration;
    this.ingest = new WorkQueue(this, 'Ingest', visibilitySeconds(ingest.timeoutSeconds));
    // A person waits for a command, such as to stop an import, so a crash must not hide it for longer than it has to.
    this.command = new WorkQueue(this, 'Command', ingest.timeoutSeconds);
    this.submit = new WorkQueue(this, 'Submit', visibilitySeconds(submitTimeoutSeconds(configuration)));
    this.report = new WorkQueue(this, 'Report', visibilitySeconds(report.timeoutSeconds));
  }
}

export class WorkQueue extends Construct {
  readonly queue: Queue;
  readonly deadLetters: Queue;

  /** `hiddenSeconds`: for how long a message that is being processed, or whose function crashed, is hidden. */
  constructor(scope: Construct, id: string, hiddenSeconds: number) {
    super(scope, id);
    this.deadLetters = deadLetterQueue(this, `${id}DeadLetters`);
    const queue = new Queue(this, `${id}Queue`, {
      ...encrypted,
      visibilityTimeout: Duration.seconds(hiddenSeconds),
      retentionPeriod: Duration.days(4),
      receiveMessageWaitTime: Duration.seconds(20),
      deadLetterQueue: { queue: this.deadLetters, maxReceiveCount },
    });
    this.queue = fixLogicalId(queue);
  }
}

/** A failed message is retried after 15 s, then after twice as long each time: 8 deliveries outlast half an hour. */
const maxReceiveCount = 8;

/** Keeps messages for 14 days, the maximum of SQS: a message keeps its age when it moves to the dead-letter queue. */
export function deadLetterQueue(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, { ...encrypted, retentionPeriod: Duration.days(14) });
  acknowledge(queue, 'AwsSolutions-SQS3', 'This is a dead-letter queue itself.');
  return fixLogicalId(queue);
}

const encrypted = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true } as const;
