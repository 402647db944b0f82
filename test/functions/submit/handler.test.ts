import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createSubmitHandler } from '#functions/submit/handler.ts';
import type { SubmitOutcome } from '#functions/submit/leave.ts';
import type { SubmitMessage } from '#shared/domain/plan.ts';
import type { InTurn } from '#shared/porting/in-turn.ts';
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
const context = { getRemainingTimeInMillis: () => 60_000 };

const handle = async (
  bodies: readonly unknown[],
  submitOne: (message: SubmitMessage, inTurn: InTurn) => Promise<SubmitOutcome>,
  send: (bodies: readonly unknown[]) => Promise<void> = async () => {},
) => {
  const reported: unknown[] = [];
  const givenBack: string[] = [];
  const handler = createSubmitHandler({
    submitterFor: (_remainingMs, _alsoChanged, inTurn) => (one) => submitOne(one, inTurn),
    queues: {
      send: async (_url, sent) => {
        await send(sent);
        reported.push(...sent);
      },
    },
    reportQueueUrl: 'https://report',
    giveBack: async (records) => void givenBack.push(...(records as SQSRecord[]).map(({ messageId }) => messageId)),
    log: silentLog,
    metrics: { flush: () => {} },
  });
  const { batchItemFailures } = await handler(event(bodies), context);
  return { failed: batchItemFailures.map(({ itemIdentifier }) => itemIdentifier), reported, givenBack };
};

test('fault 29: a body that is no message is given back, and its siblings are submitted', async () => {
  const submitted: number[] = [];
  const { failed, givenBack } = await handle(
    [message(1), '{"oops', { importId: 'a' }, message(2)],
    async ({ request }) => {
      submitted.push(request);
      return 'created' as const;
    },
  );
  expect(failed).toEqual(['m1', 'm2']);
  expect(givenBack).toEqual(failed);
  expect(submitted).toEqual([1, 2]);
});

test('fault 30: when every message fails all are listed, and the function does not fail', async () => {
  const { failed, reported } = await handle([message(1), message(2)], () => Promise.reject(new Error('table is down')));
  expect(failed).toEqual(['m0', 'm1']);
  expect(reported).toEqual([]);
});

test('report is told once of each import of which something changed', async () => {
  const outcomes: SubmitOutcome[] = ['created', 'refused', 'not-mine'];
  const bodies = [message(1), message(2), message(1, 'b')];
  const { reported } = await handle(bodies, async () => outcomes.shift() ?? 'created');
  expect(reported).toEqual([{ importId: 'a' }]);
});

test('calls are made one after the other', async () => {
  let busy = 0;
  let most = 0;
  await handle([message(1), message(2), message(3)], (_, inTurn) =>
    inTurn(async () => {
      busy += 1;
      most = Math.max(most, busy);
      await new Promise((done) => setImmediate(done));
      busy -= 1;
      return 'created' as const;
    }),
  );
  expect(most).toBe(1);
});

test('while one message calls, the next is made ready; and a call that fails holds nobody up', async () => {
  const seen: string[] = [];
  const { promise: isReady, resolve: ready } = Promise.withResolvers<void>();
  const { failed } = await handle([message(1), message(2)], async ({ request }, inTurn) => {
    if (request === 2) {
      seen.push('2 is made ready');
      ready();
    }
    return inTurn(async () => {
      await isReady;
      seen.push(`${request} calls`);
      if (request === 1) throw new Error('table is down');
      return 'created' as const;
    });
  });
  expect(seen).toEqual(['2 is made ready', '1 calls', '2 calls']);
  expect(failed).toEqual(['m0']);
});

test('what was submitted stays done when report cannot be told', async () => {
  const { failed } = await handle(
    [message(1)],
    async () => 'created',
    () => Promise.reject(new Error('queue is down')),
  );
  expect(failed).toEqual([]);
});
