// The actions of SQS. Input that AWS would decline is declined with the same code.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { limits } from '../limits.ts';
import { type MessageStore, messageAttribute, type Queue, type StoredMessage } from './message-store.ts';

export class SqsError extends Error {
  override readonly name = 'SqsError';
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const names = z.array(z.string()).default([]);
const seconds = ({ value }: { readonly value: number }) => z.int().min(0).max(value).optional();
const entry = z.object({
  Id: z.string().optional(),
  MessageBody: z.string().default(''),
  DelaySeconds: seconds(limits.sqsDelaySeconds),
  MessageGroupId: z.string().max(limits.sqsGroupId.value).optional(),
  MessageAttributes: z.record(z.string(), messageAttribute).default({}),
  MessageSystemAttributes: z.record(z.string(), z.object({ StringValue: z.string().optional() })).default({}),
  ReceiptHandle: z.string().default(''),
  VisibilityTimeout: seconds(limits.sqsVisibilitySeconds),
});
type Entry = z.output<typeof entry>;
/** The input of all actions; each uses its part of it. */
const input = entry.extend({
  QueueUrl: z.string().default(''),
  QueueName: z.string().default(''),
  QueueNamePrefix: z.string().default(''),
  SourceArn: z.string().default(''),
  DestinationArn: z.string().optional(),
  Attributes: z.record(z.string(), z.string()).default({}),
  AttributeNames: names,
  MessageSystemAttributeNames: names,
  MaxNumberOfMessages: z.int().min(1).max(limits.sqsReceived.value).default(1),
  WaitTimeSeconds: seconds(limits.sqsWaitSeconds),
  Entries: z.array(entry).default([]),
});
export type ActionInput = z.input<typeof input>;

export interface SqsContext {
  readonly store: MessageStore;
  readonly accountId: string;
  readonly region: string;
  /** The address that queue URLs begin with. */
  readonly endpoint: string;
  readonly now: () => number;
  /** Resolves when the queue may have a visible message, after `milliseconds` or when the caller has gone. */
  waitForMessage(queue: string, milliseconds: number, signal?: AbortSignal): Promise<void>;
  /** To be called when the queue has a visible message. */
  wake(queue: string): void;
}

/** What SQS stores of a call with its messages. */
export interface SqsCaller {
  /** X-Amzn-Trace-Id. */
  readonly traceHeader?: string | undefined;
  /** The embedded S3 sends its events in a separate session; every other caller of the emulator is one principal. */
  readonly isS3?: true;
  /** Aborted when the caller waits no longer. */
  readonly signal?: AbortSignal | undefined;
}

interface Call extends z.output<typeof input> {
  readonly context: SqsContext;
  readonly caller: SqsCaller;
}

const senderOf = ({ isS3 }: SqsCaller): string => (isS3 ? 'LOCAL:S3-PROD-END' : 'LOCAL');

type Action = (call: Call) => unknown;
/** What an action does for its input, or for each entry of a batch. */
type EntryAction = (call: Call, queue: Queue, entry: Entry) => object;

const defaults = {
  VisibilityTimeout: '30',
  DelaySeconds: '0',
  MaximumMessageSize: String(limits.sqsMessageBytes.value),
  MessageRetentionPeriod: '345600',
  ReceiveMessageWaitTimeSeconds: '0',
} as const;

const nameOf = (urlOrArn: string): string => urlOrArn.split(/[/:]/).at(-1) ?? '';
const urlOf = ({ endpoint, accountId }: SqsContext, name: string) => `${endpoint}/${accountId}/${name}`;
const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
const numberAttribute = (queue: Queue, name: keyof typeof defaults): number =>
  Number(queue.attributes[name] ?? defaults[name]);

const requireQueue = ({ store }: SqsContext, urlOrArn: string): Queue => {
  const queue = store.findQueue(nameOf(urlOrArn));
  if (queue === undefined) throw new SqsError('QueueDoesNotExist', 'The specified queue does not exist.');
  return queue;
};

const createQueue: Action = ({ context, QueueName, Attributes }) => {
  if (!/^[\w-]+$/.test(QueueName) || QueueName.length > limits.sqsQueueName.value) {
    throw new SqsError('InvalidParameterValue', 'The queue name is not valid');
  }
  if (context.store.findQueue(QueueName) === undefined) {
    context.store.saveQueue({ name: QueueName, attributes: Attributes });
  }
  return { QueueUrl: urlOf(context, QueueName) };
};

const getQueueAttributes: Action = ({ context, QueueUrl, AttributeNames }) => {
  const { name, attributes } = requireQueue(context, QueueUrl);
  const { ready, delayed, inFlight } = context.store.depth(name);
  const known = {
    ...defaults,
    ...attributes,
    QueueArn: `arn:aws:sqs:${context.region}:${context.accountId}:${name}`,
    ApproximateNumberOfMessages: String(ready),
    ApproximateNumberOfMessagesDelayed: String(delayed),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
  };
  const isWanted = ([attribute, value]: [string, string]): boolean =>
    value !== '' && (AttributeNames.includes('All') || AttributeNames.includes(attribute));
  return { Attributes: Object.fromEntries(Object.entries(known).filter(isWanted)) };
};

/** The attributes count, the system attributes and the group do not. A binary value is in base64. */
const bytesOf = ({ MessageBody, MessageAttributes }: Entry): number =>
  Object.entries(MessageAttributes)
    .flatMap(([name, { DataType = '', StringValue = '', BinaryValue = '' }]) => [
      Buffer.byteLength(name + DataType + StringValue),
      Buffer.byteLength(BinaryValue, 'base64'),
    ])
    .reduce((sum, bytes) => sum + bytes, Buffer.byteLength(MessageBody));

const checkMessage = (queue: Queue, message: Entry): void => {
  const limit = numberAttribute(queue, 'MaximumMessageSize');
  const [attributes, most] = [Object.keys(message.MessageAttributes).length, limits.sqsAttributes.value];
  if (message.MessageBody === '') {
    throw new SqsError('MissingParameter', 'The request must contain the parameter MessageBody.');
  }
  if (attributes > most) {
    const detail = `Number of message attributes [${attributes}] exceeds the allowed maximum [${most}].`;
    throw new SqsError('InvalidParameterValue', detail);
  }
  if (bytesOf(message) > limit) {
    const detail = `One or more parameters are invalid. Reason: Message must be shorter than ${limit} bytes.`;
    throw new SqsError('InvalidParameterValue', detail);
  }
};

const send: EntryAction = ({ context, caller }, queue, message) => {
  const { MessageBody: body, DelaySeconds, MessageGroupId, MessageSystemAttributes } = message;
  checkMessage(queue, message);
  const AWSTraceHeader = MessageSystemAttributes.AWSTraceHeader?.StringValue ?? caller.traceHeader;
  const MessageId = context.store.send(queue.name, {
    body,
    delayMs: (DelaySeconds ?? numberAttribute(queue, 'DelaySeconds')) * 1_000,
    attributes: message.MessageAttributes,
    systemAttributes: {
      SenderId: senderOf(caller),
      ...(AWSTraceHeader && { AWSTraceHeader }),
      ...(MessageGroupId && { MessageGroupId }),
    },
  });
  context.wake(queue.name);
  return { MessageId, MD5OfMessageBody: md5(body) };
};

const received = (message: StoredMessage, wanted: readonly string[]) => {
  const all = {
    ...message.systemAttributes,
    SentTimestamp: String(Math.floor(message.sentAt)),
    ApproximateReceiveCount: String(message.receiveCount),
    ApproximateFirstReceiveTimestamp: String(Math.floor(message.firstReceivedAt ?? 0)),
  };
  const attributes = Object.entries(all).filter(([name]) => wanted.includes('All') || wanted.includes(name));
  return {
    MessageId: message.id,
    ReceiptHandle: message.receipt ?? '',
    Body: message.body,
    MD5OfBody: md5(message.body),
    ...(attributes.length > 0 && { Attributes: Object.fromEntries(attributes) }),
    ...(Object.keys(message.attributes).length > 0 && { MessageAttributes: message.attributes }),
  };
};

export type ReceivedMessage = ReturnType<typeof received>;

const redriveOf = ({ attributes: { RedrivePolicy } }: Queue) => {
  if (!RedrivePolicy) return undefined;
  const { deadLetterTargetArn, maxReceiveCount } = JSON.parse(RedrivePolicy);
  return { deadLetterQueue: nameOf(String(deadLetterTargetArn)), maxReceiveCount: Number(maxReceiveCount) };
};

const receiveMessage: Action = async (call) => {
  const { context, caller, MaxNumberOfMessages, VisibilityTimeout, WaitTimeSeconds } = call;
  const queue = requireQueue(context, call.QueueUrl);
  const options = {
    limit: MaxNumberOfMessages,
    visibilityMs: (VisibilityTimeout ?? numberAttribute(queue, 'VisibilityTimeout')) * 1_000,
    redrive: redriveOf(queue),
  };
  const waitSeconds = WaitTimeSeconds ?? numberAttribute(queue, 'ReceiveMessageWaitTimeSeconds');
  const end = context.now() + waitSeconds * 1_000;
  const receive = () => {
    caller.signal?.throwIfAborted();
    const received = context.store.receive(queue.name, options);
    // A receive may have moved messages there.
    if (options.redrive !== undefined) context.wake(options.redrive.deadLetterQueue);
    return received;
  };
  let messages = receive();
  while (messages.length === 0 && context.now() < end) {
    await context.waitForMessage(queue.name, end - context.now(), caller.signal);
    messages = receive();
  }
  const wanted = [...call.AttributeNames, ...call.MessageSystemAttributeNames];
  return messages.length === 0 ? {} : { Messages: messages.map((message) => received(message, wanted)) };
};

/** Deleting a message that is already gone succeeds. */
const remove: EntryAction = ({ context }, queue, { ReceiptHandle }) => {
  context.store.delete(queue.name, ReceiptHandle);
  return {};
};

const changeVisibility: EntryAction = ({ context }, queue, { ReceiptHandle, VisibilityTimeout = 0 }) => {
  if (!context.store.changeVisibility(queue.name, ReceiptHandle, VisibilityTimeout * 1_000)) {
    throw new SqsError('ReceiptHandleIsInvalid', 'The receipt handle is not valid for this queue.');
  }
  context.wake(queue.name);
  return {};
};

const single =
  (run: EntryAction): Action =>
  (call) =>
    run(call, requireQueue(call.context, call.QueueUrl), call);

/** What makes SQS decline a whole batch. */
const checkBatch = (entries: readonly Entry[]): void => {
  const ids = entries.map(({ Id = '' }) => Id);
  const { sqsBatch, sqsBatchId, sqsMessageBytes } = limits;
  if (ids.length === 0) throw new SqsError('EmptyBatchRequest', 'There should be at least one entry in the request.');
  if (ids.length > sqsBatch.value) {
    const message = `Maximum number of entries per request are ${sqsBatch.value}. You have sent ${ids.length}.`;
    throw new SqsError('TooManyEntriesInBatchRequest', message);
  }
  if (ids.some((id) => !/^[\w-]+$/.test(id) || id.length > sqsBatchId.value)) {
    const allowed = `alphanumeric characters, hyphens and underscores. It can be at most ${sqsBatchId.value} letters long.`;
    throw new SqsError('InvalidBatchEntryId', `A batch entry id can only contain ${allowed}`);
  }
  if (new Set(ids).size < ids.length) throw new SqsError('BatchEntryIdsNotDistinct', 'Two entries have the same id.');
  const bytes = entries.reduce((sum, one) => sum + bytesOf(one), 0);
  if (bytes > sqsMessageBytes.value) {
    const message = `Batch requests cannot be longer than ${sqsMessageBytes.value} bytes. You have sent ${bytes} bytes.`;
    throw new SqsError('BatchRequestTooLong', message);
  }
};

/** A failed entry does not affect the others. */
const batch =
  (run: EntryAction): Action =>
  (call) => {
    const { context, QueueUrl, Entries } = call;
    checkBatch(Entries);
    const queue = requireQueue(context, QueueUrl);
    const Successful: unknown[] = [];
    const Failed: unknown[] = [];
    for (const one of Entries) {
      try {
        Successful.push({ Id: one.Id, ...run(call, queue, one) });
      } catch (error) {
        if (!(error instanceof SqsError)) throw error;
        Failed.push({ Id: one.Id, Code: error.code, Message: error.message, SenderFault: true });
      }
    }
    return { Successful, Failed };
  };

const actions: Readonly<Record<string, Action>> = {
  CreateQueue: createQueue,
  GetQueueAttributes: getQueueAttributes,
  GetQueueUrl: ({ context, QueueName }) => ({ QueueUrl: urlOf(context, requireQueue(context, QueueName).name) }),
  ListQueues: ({ context, QueueNamePrefix }) => ({
    QueueUrls: context.store.queues(QueueNamePrefix).map(({ name }) => urlOf(context, name)),
  }),
  SetQueueAttributes: ({ context, QueueUrl, Attributes }) => {
    const { name, attributes } = requireQueue(context, QueueUrl);
    context.store.saveQueue({ name, attributes: { ...attributes, ...Attributes } });
    return {};
  },
  PurgeQueue: ({ context, QueueUrl }) => {
    context.store.purge(requireQueue(context, QueueUrl).name);
    return {};
  },
  SendMessage: single(send),
  SendMessageBatch: batch(send),
  ReceiveMessage: receiveMessage,
  DeleteMessage: single(remove),
  DeleteMessageBatch: batch(remove),
  ChangeMessageVisibility: single(changeVisibility),
  ChangeMessageVisibilityBatch: batch(changeVisibility),
  StartMessageMoveTask: ({ context, SourceArn, DestinationArn }) => {
    const { name } = requireQueue(context, SourceArn);
    context.store.moveBack(name, DestinationArn && requireQueue(context, DestinationArn).name);
    for (const queue of context.store.queues('')) context.wake(queue.name);
    return { TaskHandle: name };
  },
};

/** Runs an action, named as in the JSON protocol. @throws SqsError */
export const runAction = (name: string, body: unknown, context: SqsContext, caller: SqsCaller): unknown => {
  const action = actions[name];
  if (action === undefined) throw new SqsError('InvalidAction', `The embedded SQS does not implement ${name}`);
  const parsed = input.safeParse(body);
  if (!parsed.success) throw new SqsError('InvalidParameterValue', z.prettifyError(parsed.error));
  return action({ ...parsed.data, context, caller });
};
