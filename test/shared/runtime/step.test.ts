// What all functions do around their step.

import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createQueueHandler, createStepHandler, type Delivery } from '#shared/runtime/step.ts';
import { double } from '../../support/double.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

const eventOf = (...bodies: readonly string[]) =>
  ({ Records: bodies.map((body, index) => ({ messageId: `m${index}`, body })) }) as unknown as SQSEvent;

/** Handles numbers, and fails for those that `fails` names. */
function numbersHandler(fails: readonly number[]) {
  const handled: number[] = [];
  const retried: string[] = [];
  const handler = createQueueHandler<number>({
    log: silentLog,
    decode: (body) => {
      const value = Number(body);
      if (Number.isNaN(value)) throw new Error('not a number');
      return value;
    },
    handle: async (deliveries: readonly Delivery<number>[]) => {
      handled.push(...deliveries.map(({ message }) => message));
      return deliveries.filter(({ message }) => fails.includes(message));
    },
    retryLater: async (records: readonly SQSRecord[]) =>
      void retried.push(...records.map((record) => record.messageId)),
  });
  return { handled, retried, handler };
}

test('a step gets the id and the deadline of its invocation, and writes its metrics at the end', async () => {
  const events: unknown[] = [];
  const handler = createStepHandler(
    { log: silentLog, metrics: double({ flush: () => events.push('flushed') }) },
    async (event: string, { id, deadline }) => {
      events.push(event, id, deadline.remainingMs());
      return 'result';
    },
  );
  expect(
    await handler(
      'event',
      lambdaContext(() => 7_000, 'invocation-7'),
    ),
  ).toBe('result');
  expect(events).toEqual(['event', 'invocation-7', 7_000, 'flushed']);
});

test('a step that fails writes its metrics as well', async () => {
  const flushed: string[] = [];
  const metrics = { flush: () => void flushed.push('flushed') };
  const handler = createStepHandler({ log: silentLog, metrics: double(metrics) }, () =>
    Promise.reject(new Error('table is down')),
  );
  await expect(handler(undefined, lambdaContext())).rejects.toThrow('table is down');
  expect(flushed).toEqual(['flushed']);
});

test('messages that cannot be decoded or handled fail, in the order of the batch, and are retried soon', async () => {
  const { handler, handled, retried } = numbersHandler([1]);
  const { batchItemFailures } = await handler(eventOf('0', '1', 'x', '3'), lambdaContext());
  expect(handled).toEqual([0, 1, 3]);
  expect(batchItemFailures).toEqual([{ itemIdentifier: 'm1' }, { itemIdentifier: 'm2' }]);
  expect(retried).toEqual(['m1', 'm2']);
});

test('a batch without failures fails nothing', async () => {
  const { handler, retried } = numbersHandler([]);
  expect(await handler(eventOf('0', '0'), lambdaContext())).toEqual({ batchItemFailures: [] });
  expect(retried).toEqual([]);
});
