import type { SQSEvent, SQSRecord } from 'aws-lambda';
import { expect, test } from 'vitest';
import { createReportHandler } from '#functions/report/handler.ts';
import { silentLog } from '../../support/results-rig.ts';

const recordsOf = (bodies: readonly string[], deliveries = '1') =>
  bodies.map((body, index) => ({
    messageId: `m${index}`,
    body,
    attributes: { ApproximateReceiveCount: deliveries },
  }));
const event = (...bodies: readonly string[]) => ({ Records: recordsOf(bodies) }) as unknown as SQSEvent;
const keep = async () => {};
const unhurried = { getRemainingTimeInMillis: () => 900_000 };
const about = (importId: string): string => JSON.stringify({ importId });

test('looks at each import once, however many messages are about it', async () => {
  const looked: string[] = [];
  const handler = createReportHandler({
    reportOn: async (importId) => looked.push(importId),
    giveBack: keep,
    log: silentLog,
  });
  expect(await handler(event(about('a'), about('b'), about('a')), unhurried)).toEqual({ batchItemFailures: [] });
  expect(looked).toEqual(['a', 'b']);
});

test('tells of each import whether one of its messages came back; those that did come first', async () => {
  const looked: [string, boolean][] = [];
  const reportOn = async (importId: string, cameBack: boolean) => looked.push([importId, cameBack]);
  const Records = [...recordsOf([about('a'), about('b')]), ...recordsOf([about('b'), about('c')], '2')];
  await createReportHandler({ reportOn, giveBack: keep, log: silentLog })(
    { Records } as unknown as SQSEvent,
    unhurried,
  );
  expect(looked).toEqual([
    ['b', true],
    ['c', true],
    ['a', false],
  ]);
});

test('gives back all messages of an import that failed, and those that are none', async () => {
  const reportOn = async (importId: string) => {
    if (importId === 'a') throw new Error('table is down');
  };
  const givenBack: string[] = [];
  const giveBack = async (records: readonly unknown[]) => {
    givenBack.push(...(records as SQSRecord[]).map(({ messageId }) => messageId));
  };
  const { batchItemFailures } = await createReportHandler({ reportOn, giveBack, log: silentLog })(
    event(about('a'), about('b'), '{}', about('a')),
    unhurried,
  );
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier).sort()).toEqual(['m0', 'm2', 'm3']);
  expect(givenBack.sort()).toEqual(['m0', 'm2', 'm3']);
});

test('begins no import when time is short: its messages come back, and those of the ones before do not', async () => {
  let remainingMs = 900_000;
  const looked: string[] = [];
  const reportOn = async (importId: string, _: boolean, left: () => number) => {
    looked.push(`${importId} ${left()}`);
    remainingMs -= 420_001;
  };
  const handler = createReportHandler({ reportOn, giveBack: keep, log: silentLog });
  const { batchItemFailures } = await handler(event(about('a'), about('b'), about('c'), about('c')), {
    getRemainingTimeInMillis: () => remainingMs,
  });
  expect(looked).toEqual(['a 900000', 'b 479999']);
  expect(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier)).toEqual(['m2', 'm3']);
});
