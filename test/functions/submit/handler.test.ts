import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import type { SubmitOutcome } from '#functions/submit/attempt.ts';
import { createSubmitHandler } from '#functions/submit/handler.ts';
import type { SubmitMessage } from '#shared/request/messages.ts';
import { double } from '../../support/double.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { silentLog, silentMetrics, testResources } from '../../support/steps/test-pipeline.ts';

const plan = { key: 'imports/a/plan.ndjson', start: 0, end: 10, digest: 'sha-256' };
const message = (request: number, importId = 'a'): SubmitMessage => ({ importId, request, plan });
const now = Date.parse('2026-07-06T09:00:00Z');
const event = (bodies: readonly unknown[], sentAt = now) =>
  ({
    Records: bodies.map((body, index) => ({
      messageId: `m${index}`,
      attributes: { SentTimestamp: String(sentAt) },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })),
  }) as unknown as SQSEvent;

const pipeline = {
  isRefreshPlanned: (importId: string) => importId === 'planned',
  clocks: { wall: () => now, calendar: () => now },
  rateLimiter: { isSaturated: () => false, noteQueue: () => {} },
  queues: { send: async () => {} },
  resources: testResources,
  log: silentLog,
  metrics: silentMetrics,
};

const handle = async (
  bodies: readonly unknown[],
  submitOne: (message: SubmitMessage) => Promise<SubmitOutcome>,
  send: (bodies: readonly unknown[]) => Promise<void> = async () => {},
) => {
  const reported: unknown[] = [];
  const retried: string[] = [];
  const queues = {
    send: async (_url: string, sent: readonly unknown[]) => {
      await send(sent);
      reported.push(...sent);
    },
  };
  const retryLater = async (records: readonly SQSRecord[]) =>
    void retried.push(...records.map(({ messageId }) => messageId));
  const handler = createSubmitHandler(double({ ...pipeline, queues, submitterFor: () => submitOne, retryLater }));
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

test('report is not notified of an import that it reads later anyway', async () => {
  const { reported } = await handle([message(1, 'planned'), message(1, 'a')], async () => 'created');
  expect(reported).toEqual([{ importId: 'a' }]);
});

test('the messages of a batch are submitted at the same time, and a failed one delays no other', async () => {
  const begun: number[] = [];
  const { promise: allBegan, resolve: begin } = Promise.withResolvers<void>();
  const { failed } = await handle([message(1), message(2), message(3)], async ({ request }) => {
    if (begun.push(request) === 3) begin();
    await allBegan;
    if (request === 1) throw new Error('table is down');
    return 'created' as const;
  });
  expect(begun).toEqual([1, 2, 3]);
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

test('the rate limiter learns of the queue where messages waited for an instance that was there to take them', async () => {
  const after = (seconds: number): number => now + seconds * 1_000;
  let wall = now;
  let noted = 0;
  const noteQueue = (): void => {
    noted += 1;
  };
  const handler = createSubmitHandler(
    double({
      ...pipeline,
      clocks: { wall: () => wall, calendar: () => wall },
      submitterFor: () => async () => 'created',
      rateLimiter: { isSaturated: () => false, noteQueue },
      retryLater: async () => {},
    }),
  );
  const isNotedAt = async (at: number, sentAt: number, messages = [message(1), message(2)]): Promise<boolean> => {
    wall = at;
    noted = 0;
    await handler(event(messages, sentAt), lambdaContext());
    return noted > 0;
  };
  expect(await isNotedAt(after(4), after(-60))).toBe(false);
  expect(await isNotedAt(after(5), after(-60))).toBe(true);
  expect(await isNotedAt(after(20), after(16))).toBe(false);
  expect(await isNotedAt(after(20), after(15))).toBe(true);
  // It may have been sent with a delay.
  expect(await isNotedAt(after(20), after(15), [message(1)])).toBe(false);
});

test('either all created ports of a batch are read at once, or none: one that is would delay the others', async () => {
  const answers = [true, false];
  const decided: boolean[] = [];
  const handler = createSubmitHandler(
    double({
      ...pipeline,
      submitterFor:
        ({ readsBack }) =>
        async () => {
          decided.push(readsBack());
          return 'created';
        },
      rateLimiter: { isSaturated: () => answers.shift() ?? false, noteQueue: () => {} },
      retryLater: async () => {},
    }),
  );
  for (let batch = 0; batch < 2; batch += 1) await handler(event([message(1), message(2)]), lambdaContext());
  expect(decided).toEqual([false, false, true, true]);
});
