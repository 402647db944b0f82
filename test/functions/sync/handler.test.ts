import { expect, test } from 'vitest';
import { createSyncHandler, type SyncTick } from '#functions/sync/handler.ts';
import { double } from '../../support/double.ts';
import { lambdaContext } from '../../support/lambda-context.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

const resolve = () => Promise.reject(new Error('nobody asked for a decision'));
const examine = () => Promise.reject(new Error('nobody asked to examine the service'));
const listPorts = () => Promise.reject(new Error('nobody asked for the ports'));
const context = lambdaContext(() => 12_000, 'run-1');
const result = {
  resent: 0,
  adopted: 0,
  absent: 0,
  actionRequired: 0,
  polled: 3,
  changed: 1,
  calls: 2,
  left: 0,
  skipped: false,
  imports: 1,
  removed: 0,
  released: 0,
  compared: 0,
  secretChecked: false,
};

test('one run per invocation, with its id and its deadline, and its counts are the answer', async () => {
  const given: unknown[] = [];
  const runSync = async ({ id, deadline }: SyncTick) => {
    given.push(id, deadline.remainingMs());
    return result;
  };
  const handler = createSyncHandler({
    runSync,
    resolve,
    examine,
    listPorts,
    log: silentLog,
    metrics: double({ flush: () => given.push('flushed') }),
  });
  expect(await handler({}, context)).toEqual(result);
  expect(given).toEqual(['run-1', 12_000, 'flushed']);
});

test('the secret is checked only on command, and any other event is a run', async () => {
  const asked: boolean[] = [];
  const runSync = async ({ checkSecret }: SyncTick) => {
    asked.push(checkSecret);
    return result;
  };
  const handler = createSyncHandler({
    runSync,
    resolve,
    examine,
    listPorts,
    log: silentLog,
    metrics: double({ flush: () => {} }),
  });
  for (const event of [{ checkSecret: true }, { checkSecret: 'no' }, { 'detail-type': 'Scheduled Event' }, undefined])
    await handler(event, context);
  expect(asked).toEqual([true, false, false, false]);
});

test('metrics are written when a run fails as well', async () => {
  let flushed = 0;
  const handler = createSyncHandler({
    runSync: () => Promise.reject(new Error('table is down')),
    resolve,
    examine,
    listPorts,
    log: silentLog,
    metrics: double({
      flush: () => {
        flushed += 1;
      },
    }),
  });
  await expect(handler({}, context)).rejects.toThrow('table is down');
  expect(flushed).toBe(1);
});

test('a resolution is carried out without a run, and an unreadable one is declined', async () => {
  const given: unknown[] = [];
  const answer = { resolved: true, state: 'declined', portId: null } as const;
  const handler = createSyncHandler({
    runSync: () => Promise.reject(new Error('nobody asked for a run')),
    resolve: async (resolution, { id }) => {
      given.push(resolution, id);
      return answer;
    },
    examine,
    listPorts,
    log: silentLog,
    metrics: double({ flush: () => {} }),
  });
  const command = { importId: 'import-a', request: 2, what: { kind: 'abandon' }, by: 'Sam' };
  expect(await handler({ resolve: command }, context)).toEqual(answer);
  expect(given).toEqual([command, 'run-1']);
  const unsure = { ...command, what: { kind: 'resend' } };
  expect(await handler({ resolve: unsure }, context)).toMatchObject({ resolved: false });
  expect(given).toHaveLength(2);
});

test('the service is examined on command, without a run', async () => {
  const answer = { checks: [{ check: 'access', state: 'ok', answer: 'the service accepts the secret' }] } as const;
  const handler = createSyncHandler({
    runSync: () => Promise.reject(new Error('nobody asked for a run')),
    resolve,
    listPorts,
    log: silentLog,
    metrics: double({ flush: () => {} }),
    examine: async () => ({ checks: [...answer.checks] }),
  });
  expect(await handler({ examine: true }, context)).toEqual(answer);
});

test('the ports are listed on command, without a run', async () => {
  const answer = { ports: 3, isComplete: true };
  const handler = createSyncHandler({
    runSync: () => Promise.reject(new Error('nobody asked for a run')),
    resolve,
    examine,
    log: silentLog,
    metrics: double({ flush: () => {} }),
    listPorts: async () => answer,
  });
  expect(await handler({ listPorts: true }, context)).toEqual(answer);
});
