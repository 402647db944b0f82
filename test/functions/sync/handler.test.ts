import { expect, test } from 'vitest';
import { createSyncHandler } from '#functions/sync/handler.ts';
import { silentLog } from '../../support/results-rig.ts';

const decide = () => Promise.reject(new Error('nobody asked for a decision'));
const context = { awsRequestId: 'run-1', getRemainingTimeInMillis: () => 12_000 };
const result = {
  resent: 0,
  adopted: 0,
  absent: 0,
  people: 0,
  looked: 3,
  changed: 1,
  calls: 2,
  left: 0,
  skipped: false,
  imports: 1,
  evicted: 0,
  released: 0,
  compared: 0,
  secretChecked: false,
};

test('one run per invocation, named by it, within its time; its figures are the answer', async () => {
  const given: unknown[] = [];
  const runSync = async (runId: string, remainingMs: () => number) => {
    given.push(runId, remainingMs());
    return result;
  };
  const handler = createSyncHandler({
    runSync,
    decide,
    log: silentLog,
    metrics: { flush: () => given.push('flushed') },
  });
  expect(await handler({}, context)).toEqual(result);
  expect(given).toEqual(['run-1', 12_000, 'flushed']);
});

test('only who asks for it has the secret checked; whatever else the event holds is a run', async () => {
  const asked: boolean[] = [];
  const runSync = async (_runId: string, _remainingMs: () => number, checkSecret: boolean) => {
    asked.push(checkSecret);
    return result;
  };
  const handler = createSyncHandler({ runSync, decide, log: silentLog, metrics: { flush: () => {} } });
  for (const event of [{ checkSecret: true }, { checkSecret: 'no' }, { 'detail-type': 'Scheduled Event' }, undefined])
    await handler(event, context);
  expect(asked).toEqual([true, false, false, false]);
});

test('metrics are written also when a run fails', async () => {
  let flushed = 0;
  const handler = createSyncHandler({
    runSync: () => Promise.reject(new Error('table is down')),
    decide,
    log: silentLog,
    metrics: {
      flush: () => {
        flushed += 1;
      },
    },
  });
  await expect(handler({}, context)).rejects.toThrow('table is down');
  expect(flushed).toBe(1);
});

test('a decision is handed on and answered without a run; one that cannot be read is refused', async () => {
  const given: unknown[] = [];
  const answer = { decided: true, state: 'refused', portId: null } as const;
  const handler = createSyncHandler({
    runSync: () => Promise.reject(new Error('nobody asked for a run')),
    decide: async (wish, runId) => {
      given.push(wish, runId);
      return answer;
    },
    log: silentLog,
    metrics: { flush: () => {} },
  });
  const wish = { importId: 'import-a', request: 2, what: { kind: 'give-up' }, by: 'Sam' };
  expect(await handler({ decide: wish }, context)).toEqual(answer);
  expect(given).toEqual([wish, 'run-1']);
  const unsure = { ...wish, what: { kind: 'send-again' } };
  expect(await handler({ decide: unsure }, context)).toMatchObject({ decided: false });
  expect(given).toHaveLength(2);
});
