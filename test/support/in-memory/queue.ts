// SQS in memory: standard queues that reorder messages, hide received ones and dead-letter those that fail too often.
import { limits } from '#local/limits.ts';
import { FairQueue } from '#local/sqs/fair-queues.ts';
import type { Clock } from '#shared/runtime/clock.ts';

export interface QueueSettings {
  readonly visibilityMs: number;
  /** The dead-letter queue after this many deliveries: the URL of another queue. @default - none */
  readonly redrive?: { readonly to: string; readonly deliveries: number };
}

export interface QueueTwinOptions {
  readonly now: Clock;
  readonly queues: Readonly<Record<string, QueueSettings>>;
  /** Whether the messages of noisy groups come last, as in SQS, whose thresholds are approximate. @default always */
  readonly isFair?: () => boolean;
  /** Which of this many deliverable messages comes next. @default the oldest */
  readonly pick?: (count: number) => number;
  /** Whether one entry of a batch is not accepted. @default never */
  readonly throttles?: () => boolean;
  /** Whether a received message stays visible to other readers: SQS promises at-least-once delivery. @default never */
  readonly forgets?: () => boolean;
  /** Called with every time (epoch milliseconds) at which a message becomes visible. */
  readonly onVisible?: (at: number) => void;
}

interface Message {
  readonly id: string;
  readonly body: string;
  /** Undefined: a separate group. */
  readonly group: string | undefined;
  /** The trace header of the sender, which SQS stores with the message. */
  readonly trace: string | undefined;
  /** The principal of the sender, where a test names one. */
  readonly sender: string | undefined;
  readonly sentAt: number;
  visibleAt: number;
  deliveries: number;
  receipt: string;
  /** While the message is in flight, and until it is received again. */
  receivedAt?: number;
}

export interface Delivered {
  readonly messageId: string;
  readonly receiptHandle: string;
  readonly body: string;
  readonly eventSourceARN: string;
  readonly attributes: {
    readonly ApproximateReceiveCount: string;
    readonly SentTimestamp: string;
    readonly MessageGroupId?: string;
    readonly AWSTraceHeader?: string;
    readonly SenderId?: string;
  };
}

export interface QueueTwin {
  /** @param trace the header that the SDK sends with each command of an invocation */
  send(command: { readonly input: unknown }, trace?: string): Promise<unknown>;
  receive(queueUrl: string, most: number): Delivered[];
  remove(queueUrl: string, receiptHandle: string): void;
  /** Adds a message as any other sender would. */
  add(queueUrl: string, body: unknown, delayMs?: number, sender?: string): void;
  /** Bodies of visible and received messages. */
  bodies(queueUrl: string): string[];
  /** The messages that nobody has received, with the delay with which they were sent. */
  unreceived(queueUrl: string): { readonly body: unknown; readonly delaySeconds: number }[];
  /** What CloudWatch shows of the queue. */
  measure(queueUrl: string): QueueMeasures;
}

interface QueueMeasures {
  readonly visible: number;
  /** When the oldest message was sent. SQS leaves out those that it delivered three times. */
  readonly oldestSentAt: number | undefined;
}

interface Entry {
  readonly Id: string;
  readonly MessageBody: string;
  readonly MessageGroupId?: string;
  readonly DelaySeconds?: number;
  readonly ReceiptHandle: string;
  readonly VisibilityTimeout: number;
}

interface Input {
  readonly QueueUrl: string;
  readonly Entries: readonly Entry[];
  readonly MaxNumberOfMessages?: number;
  readonly QueueName: string;
  readonly SourceArn: string;
  readonly DestinationArn?: string;
}

const deliveredOf = (
  url: string,
  { id, body, group, trace, sender, sentAt, deliveries, receipt }: Message,
): Delivered => ({
  eventSourceARN: arnOf(url),
  messageId: id,
  receiptHandle: receipt,
  body,
  attributes: {
    ApproximateReceiveCount: String(deliveries),
    SentTimestamp: String(sentAt),
    ...(group !== undefined && { MessageGroupId: group }),
    ...(trace !== undefined && { AWSTraceHeader: trace }),
    ...(sender !== undefined && { SenderId: sender }),
  },
});

const decline = (name: string): never => {
  throw Object.assign(new Error(name), { name });
};

/** @throws Error with the name that SQS gives it */
function checkBatch(entries: readonly Pick<Entry, 'Id' | 'MessageBody'>[]): void {
  const ids = entries.map(({ Id }) => Id);
  if (ids.length > limits.sqsBatch.value) decline('TooManyEntriesInBatchRequest');
  if (ids.some((id) => !/^[\w-]+$/.test(id) || id.length > limits.sqsBatchId.value)) decline('InvalidBatchEntryId');
  if (new Set(ids).size < ids.length) decline('BatchEntryIdsNotDistinct');
  const bytes = entries.reduce((sum, { MessageBody = '' }) => sum + Buffer.byteLength(MessageBody), 0);
  if (bytes > limits.sqsMessageBytes.value) decline('BatchRequestTooLong');
}

const arnOf = (url: string): string => `arn:aws:sqs:eu-west-2:000000000000:${nameOf(url)}`;
const nameOf = (urlOrArn: string): string => urlOrArn.split(/[/:]/).at(-1) ?? '';

export function createQueueTwin(options: QueueTwinOptions): QueueTwin {
  const { now, queues, isFair = () => true, pick = () => 0 } = options;
  const { throttles = () => false, forgets = () => false, onVisible = () => {} } = options;
  const waiting = new Map<string, Message[]>(Object.keys(queues).map((url) => [url, []]));
  let count = 0;

  const messagesIn = (url: string): Message[] => {
    const found = waiting.get(url);
    if (found === undefined) throw new Error(`the twin of SQS has no queue ${url}`);
    return found;
  };

  const hide = (message: Message, until: number): void => {
    message.visibleAt = until;
    onVisible(until);
  };

  const addText = (
    url: string,
    body: string,
    delayMs: number,
    from: Partial<Pick<Message, 'group' | 'trace' | 'sender'>>,
  ): void => {
    count += 1;
    const { group, trace, sender } = from;
    const id = `message-${count}`;
    const sentAt = now();
    const message = { id, body, group, trace, sender, sentAt, visibleAt: 0, deliveries: 0, receipt: '' };
    messagesIn(url).push(message);
    hide(message, sentAt + delayMs);
  };

  const fairQueues = new Map<string, FairQueue>(Object.keys(queues).map((url) => [url, new FairQueue(now)]));
  const endFlight = (url: string, { group, receivedAt, visibleAt }: Message): void => {
    if (receivedAt !== undefined)
      fairQueues.get(url)?.ended(group, Math.max(0, Math.min(now(), visibleAt) - receivedAt));
  };

  const discard = (url: string, gone: Message): void => {
    endFlight(url, gone);
    waiting.set(
      url,
      messagesIn(url).filter((message) => message !== gone),
    );
  };

  /** The messages of quiet groups; without one, those of the noisy group with the fewest messages in flight. */
  const fairlyNext = (visible: readonly Message[], noisy: ReadonlySet<string>, url: string): readonly Message[] => {
    const quiet = visible.filter(({ group }) => group === undefined || !noisy.has(group));
    if (quiet.length > 0) return quiet;
    const counts = inFlightIn(url);
    const of = ({ group }: Message): number => counts.get(group) ?? 0;
    const fewest = Math.min(...visible.map(of));
    return visible.filter((message) => of(message) === fewest);
  };

  const inFlightIn = (url: string): Map<string | undefined, number> => {
    const counts = new Map<string | undefined, number>();
    for (const { group, receivedAt, visibleAt } of messagesIn(url)) {
      if (receivedAt !== undefined && visibleAt > now()) counts.set(group, (counts.get(group) ?? 0) + 1);
    }
    return counts;
  };

  const noisyGroupsIn = (url: string): ReadonlySet<string> => {
    const groups = new Set(messagesIn(url).map(({ group }) => group));
    return fairQueues.get(url)?.noisyGroups(inFlightIn(url), (group) => groups.has(group)) ?? new Set();
  };

  const takeNext = (visible: Message[], noisy: ReadonlySet<string>, url: string): Message | undefined => {
    const candidates = isFair() ? fairlyNext(visible, noisy, url) : visible;
    const next = candidates[pick(candidates.length)];
    if (next !== undefined) visible.splice(visible.indexOf(next), 1);
    return next;
  };

  const receive = (url: string, most: number): Delivered[] => {
    const { visibilityMs, redrive } = queues[url] ?? { visibilityMs: 0 };
    const delivered: Delivered[] = [];
    const visible = messagesIn(url).filter(({ visibleAt }) => visibleAt <= now());
    const noisy = noisyGroupsIn(url);
    while (visible.length > 0 && delivered.length < most) {
      const message = takeNext(visible, noisy, url);
      if (message === undefined) break;
      if (redrive !== undefined && message.deliveries >= redrive.deliveries) {
        discard(url, message);
        addText(redrive.to, message.body, 0, message);
        continue;
      }
      endFlight(url, message);
      message.receivedAt = now();
      message.deliveries += 1;
      message.receipt = `${message.id}/${message.deliveries}`;
      if (!forgets()) hide(message, now() + visibilityMs);
      delivered.push(deliveredOf(url, message));
    }
    return delivered;
  };

  const byReceipt = (url: string, receipt: string) => messagesIn(url).find((message) => message.receipt === receipt);
  const remove = (url: string, receipt: string): void => {
    const found = byReceipt(url, receipt);
    if (found !== undefined) discard(url, found);
  };

  const sendBatch = ({ QueueUrl, Entries }: Input, trace?: string) => {
    checkBatch(Entries);
    const failed = Entries.filter(() => throttles());
    for (const entry of Entries) {
      if (!failed.includes(entry)) {
        addText(QueueUrl, entry.MessageBody, (entry.DelaySeconds ?? 0) * 1000, { group: entry.MessageGroupId, trace });
      }
    }
    return { Failed: failed.map(({ Id }) => ({ Id, Code: 'InternalError', SenderFault: false })) };
  };

  const changeVisibility = ({ QueueUrl, Entries }: Input) => {
    checkBatch(Entries);
    for (const { ReceiptHandle, VisibilityTimeout } of Entries) {
      const found = byReceipt(QueueUrl, ReceiptHandle);
      if (found !== undefined) hide(found, now() + VisibilityTimeout * 1000);
    }
    return {};
  };

  const urlOf = (nameOrArn: string): string => {
    const found = Object.keys(queues).find((url) => nameOf(url) === nameOf(nameOrArn));
    if (found === undefined) throw new Error(`the twin of SQS has no queue ${nameOrArn}`);
    return found;
  };

  const attributes = ({ QueueUrl }: Input) => {
    const to = queues[QueueUrl]?.redrive?.to;
    return {
      Attributes: {
        QueueArn: arnOf(QueueUrl),
        ApproximateNumberOfMessages: String(messagesIn(QueueUrl).filter(({ visibleAt }) => visibleAt <= now()).length),
        ...(to === undefined ? {} : { RedrivePolicy: JSON.stringify({ deadLetterTargetArn: arnOf(to) }) }),
      },
    };
  };

  /** Moves messages back to the queue whose dead-letter queue this is, or to another, with a new receive count. */
  const move = ({ SourceArn, DestinationArn }: Input) => {
    const from = urlOf(SourceArn);
    const [source] = Object.keys(queues).filter((url) => queues[url]?.redrive?.to === from);
    const to = DestinationArn === undefined ? source : urlOf(DestinationArn);
    if (to === undefined) throw new Error(`the twin of SQS has no queue that fails into ${from}`);
    const moved = messagesIn(from).filter(({ visibleAt }) => visibleAt <= now());
    for (const message of moved) {
      discard(from, message);
      addText(to, message.body, 0, { group: message.group });
    }
    return { TaskHandle: 'task' };
  };

  const commands: Readonly<Record<string, (input: Input, trace?: string) => unknown>> = {
    SendMessageBatchCommand: sendBatch,
    ChangeMessageVisibilityBatchCommand: changeVisibility,
    GetQueueAttributesCommand: attributes,
    GetQueueUrlCommand: ({ QueueName }) => ({ QueueUrl: urlOf(QueueName) }),
    StartMessageMoveTaskCommand: move,
    DeleteMessageBatchCommand: ({ QueueUrl, Entries }) => {
      checkBatch(Entries);
      for (const { ReceiptHandle } of Entries) remove(QueueUrl, ReceiptHandle);
      return {};
    },
    ReceiveMessageCommand: ({ QueueUrl, MaxNumberOfMessages = 1 }) => {
      if (MaxNumberOfMessages > limits.sqsReceived.value) decline('InvalidParameterValue');
      const received = receive(QueueUrl, MaxNumberOfMessages);
      return {
        Messages: received.map(({ messageId, receiptHandle, body, attributes }) => ({
          MessageId: messageId,
          ReceiptHandle: receiptHandle,
          Body: body,
          Attributes: attributes,
        })),
      };
    },
  };

  return {
    send: async (command, trace) => {
      const run = commands[command.constructor.name];
      if (run === undefined) throw new Error(`the twin of SQS knows no ${command.constructor.name}`);
      return run(command.input as Input, trace);
    },
    receive,
    remove,
    add: (url, body, delayMs = 0, sender) => addText(url, JSON.stringify(body), delayMs, { sender }),
    bodies: (url) => messagesIn(url).map(({ body }) => body),
    unreceived: (url) =>
      messagesIn(url)
        .filter(({ deliveries }) => deliveries === 0)
        .map(({ body, sentAt, visibleAt }) => ({
          body: JSON.parse(body) as unknown,
          delaySeconds: (visibleAt - sentAt) / 1000,
        })),
    measure: (url) => {
      const fresh = messagesIn(url).filter(({ deliveries }) => deliveries < 3);
      return {
        visible: messagesIn(url).filter(({ visibleAt }) => visibleAt <= now()).length,
        oldestSentAt: fresh.length === 0 ? undefined : Math.min(...fresh.map(({ sentAt }) => sentAt)),
      };
    },
  };
}
