// Recursive loop detection, as Lambda documents it: a function that sends to its own queue is stopped after 16
// invocations of one chain, unless the template allows it.
import { expect, type TestContext, test } from 'vitest';
import { depthOf, receiveUntil, sendAll, startTestEmulator } from '../../support/emulator/emulator.ts';
import { arnOf, hiddenSeconds, lambda, mapping, queue, stackOf } from '../../support/emulator/templates.ts';

const start = async ({ onTestFinished }: TestContext, properties: object = {}, redrive: object = {}) => {
  const template = stackOf(
    {
      Work: queue({ VisibilityTimeout: hiddenSeconds, ...redrive }),
      Dead: queue(),
      Loop: lambda('loop', {
        Timeout: 60,
        Environment: { Variables: { WORK_QUEUE_URL: { Ref: 'Work' } } },
        ...properties,
      }),
      Source: mapping('Work', 'Loop', { FunctionResponseTypes: [] }),
    },
    { Outputs: { WorkUrl: { Value: { Ref: 'Work' } }, DeadUrl: { Value: { Ref: 'Dead' } } } },
  );
  const started = await startTestEmulator({ templates: [template] });
  onTestFinished(() => started.emulator.stop());
  return started;
};
const withDeadLetters = { RedrivePolicy: { deadLetterTargetArn: arnOf('Dead'), maxReceiveCount: 3 } };

test('the 17th invocation of a chain does not happen: its message is dead-lettered', async (context) => {
  const { emulator, sqs, reports } = await start(context, {}, withDeadLetters);

  await sendAll(sqs, emulator.outputs.WorkUrl, ['0']);

  const [message] = await receiveUntil(sqs, emulator.outputs.DeadUrl, 1);
  expect(message?.Body).toBe('16');
  expect(emulator.status().functions.loop?.invocations).toBe(16);
  const reason = 'test-Loop was invoked 16 times in one chain';
  await expect.poll(() => reports.join('\n')).toContain(`1 message of test-Work dead-lettered: ${reason}`);
});

test('without a dead-letter queue the message is deleted', async (context) => {
  const { emulator, sqs, reports } = await start(context);

  await sendAll(sqs, emulator.outputs.WorkUrl, ['0']);

  await expect.poll(() => reports.join('\n')).toContain('1 message of test-Work deleted');
  expect(await depthOf(sqs, emulator.outputs.WorkUrl)).toEqual({ ready: 0, inFlight: 0 });
});

test('a function with RecursiveLoop: Allow goes on', async (context) => {
  const { emulator, sqs, reports } = await start(context, { RecursiveLoop: 'Allow' }, withDeadLetters);

  await sendAll(sqs, emulator.outputs.WorkUrl, ['0']);

  await expect.poll(() => emulator.status().functions.loop?.invocations).toBeGreaterThan(20);
  expect(reports).toEqual([]);
});

test('messages of other chains are not stopped with it', async (context) => {
  const { emulator, sqs } = await start(context, {}, withDeadLetters);

  await sendAll(sqs, emulator.outputs.WorkUrl, ['0']);
  await receiveUntil(sqs, emulator.outputs.DeadUrl, 1);
  await sendAll(sqs, emulator.outputs.WorkUrl, ['100']);

  const [message] = await receiveUntil(sqs, emulator.outputs.DeadUrl, 1);
  expect(message?.Body).toBe('116');
});
