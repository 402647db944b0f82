import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { describe, expect, test } from 'vitest';
import { createReportHandler, mayRefresh, type ReportTask } from '#functions/report/handler.ts';
import { throttleWait } from '#functions/report/report.ts';
import type { ImportItem } from '#shared/import/import.ts';
import { partItemOf } from '#shared/import/part.ts';
import type { Pipeline } from '#shared/pipeline/pipeline.ts';
import { double } from '../../support/double.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { importItemOf } from '../../support/steps/submit-and-sync.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

const recordsOf = (bodies: readonly string[], deliveries = '1') =>
  bodies.map((body, index) => ({
    messageId: `m${index}`,
    body,
    attributes: { ApproximateReceiveCount: deliveries },
  }));
const event = (...bodies: readonly string[]) => ({ Records: recordsOf(bodies) }) as unknown as SQSEvent;
const keep = async () => {};
const unhurried = lambdaContext(() => 900_000);
const about = (importId: string): string => JSON.stringify({ importId });

test('reports on each import once, for any number of messages', async () => {
  const looked: string[] = [];
  const handler = createReportHandler({
    reportOn: async ({ importId }) => looked.push(importId),
    retryLater: keep,
    log: silentLog,
  });
  expect(await handler(event(about('a'), about('b'), about('a')), unhurried)).toEqual({ batchItemFailures: [] });
  expect(looked).toEqual(['a', 'b']);
});

test('passes on whether a message was redelivered, and handles those imports first', async () => {
  const looked: [string, boolean][] = [];
  const reportOn = async ({ importId, isRedelivered }: ReportTask) => looked.push([importId, isRedelivered]);
  const Records = [...recordsOf([about('a'), about('b')]), ...recordsOf([about('b'), about('c')], '2')];
  await createReportHandler({ reportOn, retryLater: keep, log: silentLog })(
    { Records } as unknown as SQSEvent,
    unhurried,
  );
  expect(looked).toEqual([
    ['b', true],
    ['c', true],
    ['a', false],
  ]);
});

test('repeats all messages of an import that failed, and unreadable messages', async () => {
  const reportOn = async ({ importId }: ReportTask) => {
    if (importId === 'a') throw new Error('table is down');
  };
  const retried: string[] = [];
  const retryLater = async (records: readonly unknown[]) => {
    retried.push(...(records as SQSRecord[]).map(({ messageId }) => messageId));
  };
  const { batchItemFailures } = await createReportHandler({ reportOn, retryLater, log: silentLog })(
    event(about('a'), about('b'), '{}', about('a')),
    unhurried,
  );
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort()).toEqual(['m0', 'm2', 'm3']);
  expect(retried.sort()).toEqual(['m0', 'm2', 'm3']);
});

test('begins no import when time is short, and repeats only the messages of that import', async () => {
  let remainingMs = 900_000;
  const looked: string[] = [];
  const reportOn = async ({ importId, deadline }: ReportTask) => {
    looked.push(`${importId} ${deadline.remainingMs()}`);
    remainingMs -= 420_001;
  };
  const handler = createReportHandler({ reportOn, retryLater: keep, log: silentLog });
  const { batchItemFailures } = await handler(
    event(about('a'), about('b'), about('c'), about('c')),
    lambdaContext(() => remainingMs),
  );
  expect(looked).toEqual(['a 900000', 'b 479999']);
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m2', 'm3']);
});

// When report refreshes an import at once, and when it leaves that to one delayed message.
describe('how often an import is refreshed', () => {
  const noon = Date.parse('2026-07-06T12:00:00Z');
  const seconds = (count: number): number => count * 1_000;
  const iso = (epochMs: number): string => new Date(epochMs).toISOString();

  /** One import of 10,000 requests, and everything that the throttle did, in order. */
  function largeImport(changes: Partial<ImportItem> = {}) {
    let now = noon;
    let item = importItemOf('import-a', { requestCount: 10_000, ...changes });
    const done: string[] = [];
    /** The corrections of its rows. */
    const corrections: ImportItem[] = [];
    const parts = {
      imports: {
        parts: async () => corrections.map((one) => partItemOf(one, item.importId)),
        get: async (importId: string) => corrections.find((one) => one.importId === importId),
        update: async (_: string, given: Partial<ImportItem>) => {
          done.push(`stored ${Object.keys(given)}`);
          item = { ...item, ...given };
          return item;
        },
      },
      queues: {
        send: async (queueUrl: string, bodies: readonly unknown[], { delaySeconds = 0 } = {}) => {
          done.push(`sent ${JSON.stringify(bodies)} to ${queueUrl}, in ${delaySeconds} s`);
        },
      },
      resources: { reportQueueUrl: 'reports' },
      clocks: { wall: () => now },
    };
    return {
      done,
      corrections,
      item: () => item,
      pass: (milliseconds: number) => {
        now += milliseconds;
      },
      mayRefresh: (isRedelivered = false, other: Partial<typeof parts> = {}) =>
        mayRefresh(
          item,
          { message: { importId: item.importId }, isRedelivered },
          double<Pipeline>({ ...parts, ...other }),
        ),
    };
  }

  describe('the wait', () => {
    test.each([
      [1, 0],
      [333, 0],
      [334, 1_002],
      [10_000, 30_000],
      [300_000, 900_000],
      [10_000_000, 900_000],
    ])('after a refresh of %i requests lasts %i ms', (requestCount, wait) => {
      expect(throttleWait(requestCount)).toBe(wait);
    });
  });

  test('an import of three hundred requests is refreshed for every message', async () => {
    const small = largeImport({ requestCount: 300 });
    expect([await small.mayRefresh(), await small.mayRefresh()]).toEqual([true, true]);
    expect(small.done).toEqual([]);
  });

  test('a large import is refreshed at once, and then waits', async () => {
    const large = largeImport();
    expect(await large.mayRefresh()).toBe(true);
    expect(large.item()).toMatchObject({ throttled: { until: iso(noon + seconds(30)), parts: 0 } });
    large.pass(seconds(30));
    expect(await large.mayRefresh()).toBe(true);
  });

  test('changes during the wait are left to one message, which is sent before it is stored', async () => {
    const large = largeImport({ throttled: { until: iso(noon + seconds(20)), parts: 0 } });
    for (let message = 0; message < 300; message += 1) expect(await large.mayRefresh()).toBe(false);
    expect(large.done).toEqual(['sent [{"importId":"import-a"}] to reports, in 20 s', 'stored refreshAt']);
  });

  test('that message refreshes, and the next wait has another message', async () => {
    const large = largeImport({ throttled: { until: iso(noon + seconds(20)), parts: 0 } });
    await large.mayRefresh();
    large.pass(seconds(20));
    expect(await large.mayRefresh()).toBe(true);
    large.pass(seconds(1));
    expect(await large.mayRefresh()).toBe(false);
    expect(large.done.at(-2)).toContain('in 29 s');
  });

  test('with a clock two seconds behind, the delayed message sends another one: it never relies on itself', async () => {
    const large = largeImport({ throttled: { until: iso(noon + seconds(20)), parts: 0 } });
    await large.mayRefresh();
    large.pass(seconds(18));
    expect(await large.mayRefresh()).toBe(false);
    expect(large.done.at(-2)).toContain('in 2 s');
  });

  test('a part that decides rows is shown at once, and only once', async () => {
    const partOf = { importId: 'import-a', kind: 'correction' } as const;
    const large = largeImport({ throttled: { until: iso(noon + seconds(20)), parts: 0 } });
    large.corrections.push(importItemOf('import-b', { state: 'planning', partOf }));
    expect(await large.mayRefresh()).toBe(false);
    large.corrections[0] = importItemOf('import-b', { state: 'submitting', partOf });
    expect(await large.mayRefresh()).toBe(true);
    expect(large.item()).toMatchObject({ throttled: { until: iso(noon + seconds(30)), parts: 1 } });
    expect(await large.mayRefresh()).toBe(false);
  });

  test('a redelivered message is never throttled, so that it can be dead-lettered', async () => {
    const large = largeImport({ throttled: { until: iso(noon + seconds(20)), parts: 0 } });
    expect(await large.mayRefresh(true)).toBe(true);
    expect(large.item()).toMatchObject({ throttled: { until: iso(noon + seconds(30)), parts: 0 } });
  });

  test('when no message can be sent, nothing is stored and the message fails', async () => {
    const large = largeImport({ throttled: { until: iso(noon + seconds(20)), parts: 0 } });
    const queues = { send: () => Promise.reject(new Error('SQS is down')) };
    await expect(large.mayRefresh(false, { queues })).rejects.toThrow('SQS is down');
    expect(large.done).toEqual([]);
  });
});
