import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import type { SubmitOutcome } from '#functions/submit/finish-message.ts';
import { createSubmitHandler } from '#functions/submit/handler.ts';
import type { SubmitMessage } from '#shared/domain/imports/plan.ts';
import type { SerialQueue } from '#shared/porting/serial-queue.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { silentLog } from '../../support/results-rig.ts';

const plan = { key: 'imports/a/plan.ndjson', start: 0, end: 10 };
const message = (request: number, importId = 'a'): SubmitMessage => ({ importId, request, plan });
const event = (bodies: readonly unknown[]) =>
  ({
    Records: bodies.map((body, index) => ({
      messageId: `m${index}`,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  }) as unknown as SQSEvent;

const handle = async (
  bodies: readonly unknown[],
  submitOne: (message: SubmitMessage, serialQueue: SerialQueue) => Promise<SubmitOutcome>,
  send: (bodies: readonly unknown[]) => Promise<void> = async () => {},
) => {
  const reported: unknown[] = [];
  const retried: string[] = [];
  const handler = createSubmitHandler({
    submitterFor:
      ({ serialQueue }) =>
      (one) =>
        submitOne(one, serialQueue),
    queues: {
      send: async (_url, sent) => {
        await send(sent);
        reported.push(...sent);
      },
    },
    reportQueueUrl: 'https://report',
    retryLater: async (records) => void retried.push(...(records as SQSRecord[]).map(({ messageId }) => messageId)),
    log: silentLog,
    metrics: { flush: () => {} },
  });
  const { batchItemFailures } = await handler(event(bodies), lambdaContext());
  return { failed: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier), reported, retried };
};

test('fault 29: a body that is no message fails, and the other messages are submitted', async () => {
  const submitted: number[] = [];
  const { failed, retried } = await handle(
    [message(1), '{"oops', { importId: 'a' }, message(2)],
    async ({ request }) => {
      submitted.push(request);
      return 'created' as const;
    },
  );
  expect(failed).toEqual(['m1', 'm2']);
  expect(retried).toEqual(failed);
  expect(submitted).toEqual([1, 2]);
});

test('fault 30: when every message fails, all are listed and the function does not fail', async () => {
  const { failed, reported } = await handle([message(1), message(2)], () => Promise.reject(new Error('table is down')));
  expect(failed).toEqual(['m0', 'm1']);
  expect(reported).toEqual([]);
});

test('report is notified once of each import that changed', async () => {
  const outcomes: SubmitOutcome[] = ['created', 'declined', 'not-mine'];
  const bodies = [message(1), message(2), message(1, 'b')];
  const { reported } = await handle(bodies, async () => outcomes.shift() ?? 'created');
  expect(reported).toEqual([{ importId: 'a' }]);
});

test('calls are made one after another', async () => {
  let busy = 0;
  let most = 0;
  await handle([message(1), message(2), message(3)], (_, serialQueue) =>
    serialQueue(async () => {
      busy += 1;
      most = Math.max(most, busy);
      await new Promise((done) => setImmediate(done));
      busy -= 1;
      return 'created' as const;
    }),
  );
  expect(most).toBe(1);
});

test('while one message calls, the next is prepared, and a failed call delays no other', async () => {
  const seen: string[] = [];
  const { promise: isReady, resolve: ready } = Promise.withResolvers<void>();
  const { failed } = await handle([message(1), message(2)], async ({ request }, serialQueue) => {
    if (request === 2) {
      seen.push('2 is made ready');
      ready();
    }
    return serialQueue(async () => {
      await isReady;
      seen.push(`${request} calls`);
      if (request === 1) throw new Error('table is down');
      return 'created' as const;
    });
  });
  expect(seen).toEqual(['2 is made ready', '1 calls', '2 calls']);
  expect(failed).toEqual(['m0']);
});

test('submitted messages do not fail when report cannot be notified', async () => {
  const { failed } = await handle(
    [message(1)],
    async () => 'created',
    () => Promise.reject(new Error('queue is down')),
  );
  expect(failed).toEqual([]);
});
