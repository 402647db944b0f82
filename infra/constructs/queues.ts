// The queues of the pipeline, each with its dead-letter queue. Messages hold ids and keys, never a number or a PAC
// (spec gap 44), so SQS's own encryption is sufficient and senders need no permissions for our key.
import { Duration, Stack } from 'aws-cdk-lib';
import {
  type AddToResourcePolicyResult,
  AnyPrincipal,
  Effect,
  PolicyDocument,
  PolicyStatement,
} from 'aws-cdk-lib/aws-iam';
import { CfnQueuePolicy, Queue, QueueEncryption, type QueueProps } from 'aws-cdk-lib/aws-sqs';
import { Construct, type IConstruct, Node } from 'constructs';
import { acknowledge, fixLogicalId } from '../cdk-conventions.ts';
import { submitTimeoutSeconds, visibilitySeconds } from '../derived-settings.ts';
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
  /** For how long a message that is being processed, or whose function crashed, is hidden. */
  readonly hiddenSeconds: number;

  constructor(scope: Construct, id: string, hiddenSeconds: number) {
    super(scope, id);
    this.hiddenSeconds = hiddenSeconds;
    this.deadLetters = deadLetterQueue(this, `${id}DeadLetters`);
    const queue = new TlsQueue(this, `${id}Queue`, {
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
  const queue = new TlsQueue(scope, id, { retentionPeriod: Duration.days(14) });
  acknowledge(queue, 'AwsSolutions-SQS3', 'This is a dead-letter queue itself.');
  return fixLogicalId(queue);
}

/**
 * Encrypted, and accepts requests with TLS only. The queues of a stack share a policy for that, until a queue gets a
 * statement of its own: a queue has one policy, and a second resource would replace it.
 */
class TlsQueue extends Queue {
  private hasOwnPolicy = false;

  constructor(scope: Construct, id: string, props: QueueProps) {
    super(scope, id, { ...props, encryption: QueueEncryption.SQS_MANAGED });
    const { sharedPolicy } = this;
    sharedPolicy.queues = [...sharedPolicy.queues, this.queueUrl];
  }

  override addToResourcePolicy(statement: PolicyStatement): AddToResourcePolicyResult {
    if (!this.hasOwnPolicy) {
      this.hasOwnPolicy = true;
      const { sharedPolicy } = this;
      sharedPolicy.queues = sharedPolicy.queues.filter((url) => url !== this.queueUrl);
      const own = super.addToResourcePolicy(denyPlainText(this.queueArn)).policyDependable;
      // The shared one leaves a queue that it loses without a policy.
      if (own) Node.of(own as IConstruct).addDependency(sharedPolicy);
    }
    return super.addToResourcePolicy(statement);
  }

  private get sharedPolicy(): CfnQueuePolicy {
    const [stack, id] = [Stack.of(this), 'QueuesRequireTls'];
    const found = stack.node.tryFindChild(id) as CfnQueuePolicy | undefined;
    // SQS accepts one resource for each statement: * is the queue itself.
    const policyDocument = new PolicyDocument({ statements: [denyPlainText('*')] });
    return found ?? new CfnQueuePolicy(stack, id, { queues: [], policyDocument });
  }
}

const denyPlainText = (resource: string): PolicyStatement =>
  new PolicyStatement({
    sid: 'DenyPlainText',
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions: ['sqs:*'],
    resources: [resource],
    conditions: { Bool: { 'aws:SecureTransport': 'false' } },
  });
