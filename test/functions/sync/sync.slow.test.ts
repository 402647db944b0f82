// Simultaneous runs, and runs after one that died.

import { describe, expect, test } from 'vitest';
import type { SyncPipeline } from '#functions/sync/run.ts';
import { readInterruptions } from '#shared/results/progress.ts';
import { createDeadline } from '#shared/runtime/clock.ts';
import { createPortingClient } from '#shared/service/client.ts';
import { emptyAccount } from '../../support/cli/account.ts';
import { startResultsServices } from '../../support/embedded/services.ts';
import { hour, minute } from '../../support/service/simulator.ts';
import { makeElsewhere } from '../../support/steps/adopting.ts';
import { rig, services, useFreshRig } from '../../support/steps/fresh-services.ts';
import { plannedRowOf, portSummaryOf } from '../../support/steps/submit-and-sync.ts';

useFreshRig(startResultsServices);

const rows = [plannedRowOf(1, 2), plannedRowOf(2, 3)];

test('fault 47: of two simultaneous runs one works and the other does nothing', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  rig.pass(hour);
  const results = await Promise.all([rig.sync(), rig.sync()]);
  expect(results.filter(({ skipped }) => skipped)).toHaveLength(1);
});

test('fault 47: the lease of a run that died expires', async () => {
  const now = rig.service.now();
  await rig.leases.take({ name: 'sync', holder: 'dead', now, until: now + minute });
  expect((await rig.sync()).skipped).toBe(true);
  rig.pass(minute);
  expect((await rig.sync()).skipped).toBe(false);
  expect((await rig.sync()).skipped).toBe(false);
});

describe('the result of a run shows', () => {
  test('that the service accepts the secret, after one call, if a person asked', async () => {
    expect(await rig.sync()).toMatchObject({ secretChecked: false, failure: undefined });
    expect(rig.calls).not.toContain('networks');
    expect(await rig.sync({ checkSecret: true })).toMatchObject({ secretChecked: true, failure: undefined });
    expect(rig.calls.filter((name) => name === 'networks')).toHaveLength(1);
  });

  test('that the service rejects the secret, although nothing is due', async () => {
    const { accountId, baseUrl, authUrl } = rig.service;
    const credentials = async () => ({ clientId: 'client', clientSecret: 'an old one' });
    const client = createPortingClient({ accountId, baseUrl, authUrl, credentials });
    const { secretChecked, failure } = await rig.sync({ checkSecret: true, client });
    expect([secretChecked, failure]).toEqual([false, expect.stringContaining('the credentials were rejected')]);
    expect(failure).not.toContain('an old one');
  });

  test('the failure of the first step, and its ports stay due', async () => {
    await rig.submit(await rig.planOne('import-a', rows));
    rig.pass(hour);
    const { client } = rig.connect(async () => new Response('<html>', { status: 503 }));
    expect((await rig.sync({ client })).failure).toMatch(/503/);
    expect((await rig.sync()).failure).toBeUndefined();
  });
});

describe('a task that fails is named and counted, and the tasks after it run:', () => {
  const broken = () => Promise.reject(new Error('throttled'));
  const brokenStores: Readonly<Record<string, () => Partial<SyncPipeline>>> = {
    'probe the service': () => ({ rateLimiter: { ...rig.syncParts().rateLimiter, get: broken } }),
    'resolve requests': () => ({ resolutions: { ...rig.resolutions, waiting: broken } }),
    'reconcile requests': () => ({ requests: { ...rig.requests, due: broken } }),
    'follow ports': () => ({ ports: { ...rig.ports, due: broken } }),
    'send scheduled requests': () => ({ requests: { ...rig.requests, scheduled: broken } }),
    'compare services': () => ({ comparisons: { ...rig.comparisons, due: broken } }),
    'watch for late ports': () => ({ watchLateCommits: broken }),
    'renotify report': () => ({ notifications: { ...rig.notifications, due: broken } }),
    'rescue imports': () => ({ rescueImports: broken }),
    'reference data': () => ({ writeReferenceData: broken }),
  };

  test.each(Object.keys(brokenStores))('%s', async (task) => {
    await rig.submit(await rig.planOne('import-a', rows));
    rig.pass(hour);
    let swept = 0;
    const failed: unknown[] = [];
    const metrics = { ...rig.syncParts().metrics, count: (...given: unknown[]) => void failed.push(given) };
    const sweepInbox = async () => (swept += 1);
    const run = rig.sync({ ...brokenStores[task]?.(), sweepInbox, metrics });
    await expect(run).rejects.toThrow(`${task}: throttled`);
    expect(failed).toEqual([['failedTasks']]);
    expect(swept).toBe(1);
  });
});

describe('people are shown', () => {
  const shown = async () =>
    readInterruptions({ ...emptyAccount, rateLimiter: rig.rateLimiter, syncRuns: rig.syncRuns });
  const at = () => new Date(rig.service.now()).toISOString();
  const broken = () => Promise.reject(new Error('throttled, 447700900001'));
  const fails = () => rig.sync({ rescueImports: broken, sweepInbox: broken }).catch(() => 'failed');

  test('which tasks of sync fail, since when, and no text of what is stored', async () => {
    await rig.sync();
    expect(await shown()).toEqual({});
    const since = at();
    for (let run = 0; run < 3; run += 1) {
      expect(await fails()).toBe('failed');
      expect(await shown()).toEqual({
        syncFailure: { since, reason: 'rescue imports: Error; sweep the inbox: Error' },
      });
      rig.pass(minute);
    }
    await rig.sync();
    expect(await shown()).toEqual({});
  });

  test('how many runs were killed in a row, until one ends', async () => {
    const seen: unknown[] = [];
    let since = '';
    for (let run = 0; run < 4; run += 1) {
      // A killed run releases nothing: its lease expires, and the next run notices.
      await new Promise<void>((killed) => {
        const rescueImports = () => new Promise<number>(() => killed());
        void rig.sync({ rescueImports });
      });
      if (run === 1) since = at();
      seen.push((await shown()).syncFailure);
      rig.pass(minute);
    }
    const killed = (runs: number) => ({ since, reason: `${runs} runs did not end` });
    expect(seen).toEqual([undefined, undefined, killed(2), killed(3)]);
    await rig.sync();
    expect(await shown()).toEqual({});
  });

  test('nothing while all is well, and to record that costs no write', async () => {
    await rig.sync();
    await rig.sync();
    expect(await rig.syncRuns.get()).toBeUndefined();
  });
});

const makeOutcomeUnknown = async (importId: string): Promise<void> => {
  await rig.planOne(importId, [plannedRowOf(3, 2)]);
  const seen = await rig.request(importId);
  await rig.requests.replace(seen, { ...seen, state: 'unknown', attempt: 1, lines: '2' });
  rig.pass(hour);
  rig.calls.length = 0;
};

test('ports are polled before the list is searched for requests of unknown outcome', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  await makeOutcomeUnknown('import-b');
  expect(await rig.sync()).toMatchObject({ polled: 1, absent: 1 });
  expect(rig.calls).toEqual(['port', 'listPorts', 'listPorts']);
});

test('a third of the time is reserved for requests of unknown outcome, if there are any', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  rig.pass(hour);
  // With less than 5 seconds nothing begins.
  expect(await rig.sync({ deadline: createDeadline(() => 7_000) })).toMatchObject({ polled: 1 });
  await makeOutcomeUnknown('import-b');
  expect(await rig.sync({ deadline: createDeadline(() => 7_000) })).toMatchObject({ polled: 0, left: 1 });
});

test('a list that takes longer than the run does not keep ports from being polled, and its search ends in time', async () => {
  await rig.submit(await rig.planOne('import-a', rows));
  await makeOutcomeUnknown('import-b');
  const { client } = rig.syncParts();
  let leftMs = 240_000;
  let listed = 0;
  const listPorts = async () => {
    leftMs -= 500;
    listed += 1;
    const data = Array.from({ length: 50 }, (_, index) => portSummaryOf(`p${listed}-${index}`));
    return { total: 1e6, totalPages: 2e4, data };
  };
  const result = await rig.sync({ client: { ...client, listPorts }, deadline: createDeadline(() => leftMs) });
  expect(result).toMatchObject({ polled: 1, absent: 0 });
  // The last four calls began with at least half a minute left.
  expect(leftMs).toBe(29_500);
  const waiting = await rig.request('import-b');
  expect(waiting).toMatchObject({ state: 'unknown', dueAt: expect.any(String) });
  expect(waiting).not.toHaveProperty('search');
});

test('a run sends five hundred lost messages again, after the search for requests of unknown outcome', async () => {
  await makeElsewhere('Field team', [9]);
  await makeOutcomeUnknown('import-b');
  const groups = Array.from({ length: 800 }, (_, index) => [plannedRowOf(index + 10, index + 2)]);
  await rig.plan('import-a', groups);
  rig.pass(hour);
  const sent: number[] = [];
  const send = async (url: string, bodies: readonly unknown[]) => {
    if (url === services.submitQueueUrl) sent.push(bodies.length);
  };
  expect(await rig.sync({ queues: { send } })).toMatchObject({ absent: 1, resent: 500 });
  expect(sent).toEqual([1, 100, 100, 100, 100, 100]);
  expect(await rig.sync({ queues: { send } })).toMatchObject({ resent: 300 });
});
