// Starts engines for tests and offers the few AWS calls tests make of them.
import {
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { type EngineOptions, startEngine } from '#local/engine.ts';

const credentials = { accessKeyId: 'local', secretAccessKey: 'local' };

export const connectionTo = (endpoint: string) => ({ endpoint, region: 'eu-west-2', credentials });

/** An engine whose logs go to `lines`, deaf to the environment of whoever runs the tests. */
export const startTestEngine = async (options: EngineOptions) => {
  const lines: { source: string; line: string }[] = [];
  const engine = await startEngine({
    callerEnvironment: {},
    log: (source, line) => void lines.push({ source, line }),
    ...options,
  });
  return { engine, lines, sqs: new SQSClient(connectionTo(engine.endpoints.sqs)) };
};

export const sendAll = async (sqs: SQSClient, url: string | undefined, bodies: readonly string[]): Promise<void> => {
  for (let index = 0; index < bodies.length; index += 10) {
    const Entries = bodies.slice(index, index + 10).map((MessageBody, id) => ({ Id: String(id), MessageBody }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  }
};

/** Receives (and leaves in flight) until there are `count` messages. */
export const receiveUntil = async (
  sqs: SQSClient,
  url: string | undefined,
  count: number,
  waitSeconds = 20,
): Promise<Message[]> => {
  const received: Message[] = [];
  while (received.length < count) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: Math.min(10, count - received.length),
        WaitTimeSeconds: waitSeconds,
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0) throw new Error(`Only ${received.length} of ${count} messages came`);
    received.push(...Messages);
  }
  return received;
};

/** Messages that are ready and those in flight. */
export const depthOf = async (sqs: SQSClient, url: string | undefined) => {
  const { Attributes } = await sqs.send(new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ['All'] }));
  return {
    ready: Number(Attributes?.ApproximateNumberOfMessages),
    inFlight: Number(Attributes?.ApproximateNumberOfMessagesNotVisible),
  };
};

/** What the recording function wrote down of each batch. */
export interface Recorded {
  readonly pid: number;
  readonly invocations: number;
  readonly bodies: string[];
  readonly event: { Records?: Record<string, unknown>[] };
  readonly context: string[];
}
export const recordsOf = (messages: readonly Message[]): Recorded[] =>
  messages.map(({ Body }) => JSON.parse(Body ?? '{}'));
