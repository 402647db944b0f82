// Event source mappings: batches, windows, partial failures, redrive. All from the template, over real queues. Most of
// it is waiting for a queue's time to pass, so the tests wait together, each beside its own emulator.
import { describe, type TestContext, test } from 'vitest';
import { startEventSource } from '#local/lambda/event-source.ts';
import { openSqs, type QueueCall } from '#local/sqs/server.ts';
import {
  depthOf,
  receiveUntil,
  recordsOf,
  sendAll,
  startTestEmulator,
  type TestEmulatorOptions,
} from '../../support/emulator/emulator.ts';
import {
  arnOf,
  hiddenSeconds,
  lambda,
  mapping,
  queue,
  recordingStack,
  stackOf,
} from '../../support/emulator/templates.ts';

type Started = Awaited<ReturnType<typeof startTestEmulator>>;
const start = async ({ onTestFinished }: TestContext, options: TestEmulatorOptions): Promise<Started> => {
  const started = await startTestEmulator(options);
  onTestFinished(() => started.emulator.stop());
  return started;
};

const numbers = (count: number): string[] => Array.from({ length: count }, (_, index) => String(index));

/** The sizes of the batches in which `bodies` arrived. */
const batchSizes = async ({ emulator, sqs }: Started, bodies: readonly string[]): Promise<number[]> => {
  await sendAll(sqs, emulator.outputs.WorkUrl, bodies);
  const sizes: number[] = [];
  while (sizes.reduce((sum, size) => sum + size, 0) < bodies.length) {
    const [record] = recordsOf(await receiveUntil(sqs, emulator.outputs.RecordsUrl, 1));
    sizes.push(record?.bodies.length ?? 0);
  }
  return sizes;
};

describe.concurrent('batches', () => {
  test.for([1, 4])('are as large as the BatchSize of the template: %i', async (BatchSize, context) => {
    const started = await start(context, { templates: [recordingStack({ BatchSize })] });

    const sizes = await batchSizes(started, numbers(8));

    context.expect(Math.max(...sizes)).toBe(BatchSize);
  });

  test('of more than ten messages are collected within the window', async (context) => {
    // The window is longer than any machine needs to send 25 messages, and ends when the batch is full.
    const template = recordingStack({ BatchSize: 25, MaximumBatchingWindowInSeconds: 300 });
    const started = await start(context, { templates: [template] });

    context.expect(await batchSizes(started, numbers(25))).toEqual([25]);
  });

  test('that are not full when the window ends are not awaited', async (context) => {
    const template = recordingStack({ BatchSize: 1_000, MaximumBatchingWindowInSeconds: 1 });
    const started = await start(context, { templates: [template] });

    context.expect(await batchSizes(started, numbers(1))).toEqual([1]);
  });

  test('carry the fields of an SQS event', async (context) => {
    const { expect } = context;
    const { emulator, sqs } = await start(context, { templates: [recordingStack()] });
    await sendAll(sqs, emulator.outputs.WorkUrl, ['one']);

    const [record] = recordsOf(await receiveUntil(sqs, emulator.outputs.RecordsUrl, 1));

    expect(record?.event.Records?.[0]).toMatchObject({
      body: 'one',
      messageId: expect.any(String),
      receiptHandle: expect.any(String),
      eventSource: 'aws:sqs',
      eventSourceARN: 'arn:aws:sqs:eu-west-2:000000000000:test-Work',
      awsRegion: 'eu-west-2',
      attributes: expect.objectContaining({ ApproximateReceiveCount: '1', SentTimestamp: expect.any(String) }),
    });
  });
});

const maxReceiveCount = 2;

const partialStack = (mappingProperties: object = {}, workProperties: object = {}) =>
  stackOf(
    {
      Work: queue({
        VisibilityTimeout: hiddenSeconds,
        RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount },
        ...workProperties,
      }),
      Dead: queue(),
      Partial: lambda('partial', { Timeout: 60, Environment: { Variables: { WORK_QUEUE_URL: { Ref: 'Work' } } } }),
      Source: mapping('Work', 'Partial', mappingProperties),
    },
    { Outputs: { WorkUrl: { Value: { Ref: 'Work' } }, DeadUrl: { Value: { Ref: 'Dead' } } } },
  );

/** Passes the visibility timeout after each delivery of messages that fail, until they are dead-lettered. */
const deadLettersOf = async ({ emulator, sqs }: Started, failing: number, { expect }: TestContext) => {
  const { WorkUrl, DeadUrl } = emulator.outputs;
  const state = async () => {
    const { invocations, running } = emulator.status().functions.partial ?? {};
    return { invocations, running, ...(await depthOf(sqs, WorkUrl)) };
  };
  for (let invocations = 1; invocations <= maxReceiveCount; invocations += 1) {
    await expect.poll(state).toEqual({ invocations, running: 0, ready: 0, inFlight: failing });
    emulator.advanceQueues(hiddenSeconds * 1_000);
  }
  return bodiesOf(await receiveUntil(sqs, DeadUrl, failing));
};

const bodiesOf = (messages: { Body?: string | undefined }[]) => messages.map(({ Body }) => Body).toSorted();

describe.concurrent('failures', () => {
  test('listed in the answer are redelivered and dead-lettered; the other messages are deleted', async (context) => {
    const started = await start(context, { templates: [partialStack()] });
    const { emulator, sqs } = started;

    await sendAll(sqs, emulator.outputs.WorkUrl, ['good 1', 'bad 1', 'good 2', 'bad 2']);

    context.expect(await deadLettersOf(started, 2, context)).toEqual(['bad 1', 'bad 2']);
    context.expect(await depthOf(sqs, emulator.outputs.WorkUrl)).toEqual({ ready: 0, inFlight: 0 });
  });

  test.for(['throw', 'nonsense'])('of the whole batch (%s) redeliver every message', async (poison, context) => {
    const started = await start(context, { templates: [partialStack({ BatchSize: 10 })] });

    await sendAll(started.sqs, started.emulator.outputs.WorkUrl, ['good', poison]);

    // Both were sent in one call and received in one batch, so the good message fails with the other.
    context.expect(await deadLettersOf(started, 2, context)).toEqual(['good', poison]);
  });

  test('that the function makes visible itself are redelivered at once', async (context) => {
    const { emulator, sqs } = await start(context, { templates: [partialStack()] });

    await sendAll(sqs, emulator.outputs.WorkUrl, ['bad, made visible']);

    const dead = await receiveUntil(sqs, emulator.outputs.DeadUrl, 1);
    context.expect(bodiesOf(dead)).toEqual(['bad, made visible']);
    context.expect(emulator.status().functions.partial?.invocations).toBe(2);
  });

  test('are ignored where the mapping does not report them', async (context) => {
    const { expect } = context;
    const { emulator, sqs } = await start(context, { templates: [partialStack({ FunctionResponseTypes: [] })] });

    await sendAll(sqs, emulator.outputs.WorkUrl, ['bad']);

    await expect.poll(() => emulator.status().functions.partial?.invocations).toBe(1);
    await expect.poll(() => depthOf(sqs, emulator.outputs.WorkUrl)).toEqual({ ready: 0, inFlight: 0 });
    expect(await depthOf(sqs, emulator.outputs.DeadUrl)).toEqual({ ready: 0, inFlight: 0 });
  });
});

/** The queue cannot be written to, as on a full disk: messages can be received, and nothing else. */
const withFullDisk = (call: QueueCall): QueueCall =>
  (async (operation, ...input) => {
    if (operation === 'ReceiveMessage') return call(operation, ...input);
    throw new Error('database or disk is full');
  }) as QueueCall;

test('messages are delivered again within a minute when a full disk kept the mapping from writing', async (context) => {
  const sqs = openSqs({ accountId: '1', region: 'eu-west-2', endpoint: 'http://queues', directory: undefined });
  context.onTestFinished(() => sqs.stop());
  sqs.store.saveQueue({ name: 'Work', attributes: {} });
  const reports: string[] = [];
  let invocations = 0;
  const source = startEventSource({
    callQueue: withFullDisk(sqs.call),
    region: 'eu-west-2',
    batchSize: 10,
    windowMs: 0,
    concurrency: 1,
    queue: { name: 'Work', url: 'Work', arn: 'arn', visibilityMs: 43_200_000, deadLetterUrl: undefined },
    target: { name: 'Target', arn: 'target', allowsRecursion: true },
    reportsFailures: true,
    redeliverAfterMs: 60_000,
    report: (line) => void reports.push(line),
    // The second time the disk has room again for the function, and not yet for the mapping.
    invoke: async () => {
      invocations += 1;
      if (invocations > 1) return { ok: true, payload: null };
      return { ok: false, reason: 'error', error: { name: 'Error', message: 'disk full' } };
    },
  });
  context.onTestFinished(() => source.stop());

  await sqs.call('SendMessage', { QueueUrl: 'Work', MessageBody: 'one' });
  for (const failed of [1, 2]) {
    const counts = () => [invocations, reports.filter((line) => line.includes('disk is full')).length];
    await context.expect.poll(counts).toEqual([failed, failed]);
    sqs.advance(60_000);
  }

  await context.expect.poll(() => invocations).toBe(3);
});

describe.concurrent('a batch whose environment is killed', () => {
  test('is redelivered after the visibility timeout, or sooner with the option for it', async (context) => {
    const hidden = partialStack({}, { VisibilityTimeout: 3_600, RedrivePolicy: undefined });
    const { emulator, sqs } = await start(context, { templates: [hidden], redeliverAfterMs: 0 });

    await sendAll(sqs, emulator.outputs.WorkUrl, ['throw']);

    await context.expect.poll(() => emulator.status().functions.partial?.invocations).toBeGreaterThan(2);
  });

  test('is reported with the time of its redelivery', async (context) => {
    const { emulator, sqs, reports } = await start(context, {
      templates: [partialStack({}, { VisibilityTimeout: 90 })],
    });

    await sendAll(sqs, emulator.outputs.WorkUrl, ['throw']);

    const report = 'test-Partial failed (error): 1 message of test-Work will be delivered again in 90 s';
    await context.expect.poll(() => reports).toEqual([report]);
  });
});
