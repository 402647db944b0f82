// Starts emulators for tests, and makes the few AWS calls that the tests need.
import {
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { project } from '#cli/local-pipeline/local-pipeline.ts';
import { startEmulator } from '#local/emulator.ts';
import type { EmulatorOptions } from '#local/emulator-options.ts';
import type { Template } from '#local/template/template.ts';
import { patienceMs } from '../patience.ts';

/** @param environment of an emulator that accepts its own key only */
export const connectionTo = (endpoint: string | undefined, environment: Readonly<Record<string, string>> = {}) => {
  const { AWS_ACCESS_KEY_ID: accessKeyId = 'local', AWS_SECRET_ACCESS_KEY: secretAccessKey = 'local' } = environment;
  return { endpoint: endpoint ?? '', region: 'eu-west-2', credentials: { accessKeyId, secretAccessKey } };
};

export interface TestEmulatorOptions extends Omit<EmulatorOptions, 'project' | 'stacks'> {
  readonly templates: readonly Template[];
}

/** An emulator whose logs go to `lines`, and which ignores the environment of the tests. */
export const startTestEmulator = async ({ templates, ...options }: TestEmulatorOptions) => {
  const lines: { source: string; line: string }[] = [];
  const reports: string[] = [];
  const emulator = await startEmulator({
    project: { ...project, entries: [], sources: [...project.sources, 'test/support/local-functions'] },
    stacks: templates,
    callerEnvironment: {},
    log: (source, line) => void lines.push({ source, line }),
    report: (line) => void reports.push(line),
    ...options,
  });
  return { emulator, lines, reports, sqs: new SQSClient(connectionTo(emulator.endpoints.sqs)) };
};

export const sendAll = async (sqs: SQSClient, url: string | undefined, bodies: readonly string[]): Promise<void> => {
  for (let index = 0; index < bodies.length; index += 10) {
    const Entries = bodies.slice(index, index + 10).map((MessageBody, id) => ({ Id: String(id), MessageBody }));
    await sqs.send(new SendMessageBatchCommand({ QueueUrl: url, Entries }));
  }
};

/**
 * Receives (and leaves in flight) until there are `count` messages.
 * @param withinMs how long they may take. With 0 they must be there already
 */
export const receiveUntil = async (
  sqs: SQSClient,
  url: string | undefined,
  count: number,
  withinMs = patienceMs,
): Promise<Message[]> => {
  const received: Message[] = [];
  for (const end = Date.now() + withinMs; received.length < count; ) {
    const { Messages = [] } = await sqs.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: Math.min(10, count - received.length),
        WaitTimeSeconds: Math.min(20, withinMs / 1_000),
        MessageSystemAttributeNames: ['All'],
      }),
    );
    if (Messages.length === 0 && Date.now() >= end)
      throw new Error(`Only ${received.length} of ${count} messages came`);
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
