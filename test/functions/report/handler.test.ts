import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createReportHandler, type ReportTask } from '#functions/report/handler.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
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
