// The lease of a run, with an in-memory store, and with a clock and a timer that the test moves (fault 47).
import { expect, test } from 'vitest';
import { runLease } from '#functions/sync/intervals.ts';
import { takeRunLease } from '#functions/sync/run.ts';
import type { Leases } from '#shared/store/leases.ts';
import { double } from '../../support/double.ts';
import { silentLog } from '../../support/steps/test-pipeline.ts';

function leaseBench() {
  let now = Date.parse('2026-07-06T12:00:00Z');
  let held: { holder: string; until: number } | undefined;
  let isDown = false;
  let timers: { readonly at: number; readonly ring: () => void }[] = [];
  const takeUp: Leases['takeUp'] = async ({ holder, now: at, until }) => {
    if (isDown) throw new Error('throttled');
    const before = held;
    if (before !== undefined && before.holder !== holder && before.until > at) return undefined;
    held = { holder, until };
    return { note: '', isUnreleased: before !== undefined && before.holder !== holder };
  };
  const leases: Pick<Leases, 'take' | 'takeUp' | 'release'> = {
    take: async (lease) => (await takeUp(lease)) !== undefined,
    takeUp,
    release: async (_name, holder) => {
      if (held?.holder === holder) held = undefined;
    },
  };
  const wait = (milliseconds: number) =>
    new Promise<void>((ring) => {
      timers.push({ at: now + milliseconds, ring });
    });
  const clocks = { wall: () => now, calendar: () => now };
  return {
    take: (runId: string) => takeRunLease(double({ leases: double(leases), clocks, runId, wait, log: silentLog })),
    holder: () => held?.holder,
    breakDown: (down: boolean) => {
      isDown = down;
    },
    /** The process is frozen: no timer fires. */
    freeze: (milliseconds: number) => {
      now += milliseconds;
    },
    pass: async (milliseconds: number) => {
      const end = now + milliseconds;
      for (; now < end; now += 1_000) {
        const due = timers.filter(({ at }) => at <= now);
        timers = timers.filter(({ at }) => at > now);
        for (const { ring } of due) ring();
        await new Promise(setImmediate);
      }
    },
  };
}

test('a run keeps its lease for as long as it takes', async () => {
  const bench = leaseBench();
  const lease = await bench.take('long');
  await bench.pass(10 * runLease.durationMs);
  expect(lease?.isLost()).toBe(false);
  expect(await bench.take('other')).toBeUndefined();
});

test('a run that died does not renew its lease: half a minute later another run starts', async () => {
  const bench = leaseBench();
  await bench.take('dead');
  bench.freeze(runLease.durationMs - 1);
  expect(await bench.take('other')).toBeUndefined();
  bench.freeze(1);
  expect(await bench.take('other')).toBeDefined();
});

test('a released lease is not renewed', async () => {
  const bench = leaseBench();
  const lease = await bench.take('done');
  await lease?.release();
  await bench.pass(runLease.durationMs);
  expect(bench.holder()).toBeUndefined();
});

test('a run that was frozen for longer than its lease has lost it, and does not take it again', async () => {
  const bench = leaseBench();
  const lease = await bench.take('frozen');
  bench.freeze(runLease.durationMs);
  expect(lease?.isLost()).toBe(true);
  await bench.take('other');
  await bench.pass(runLease.durationMs);
  expect(lease?.isLost()).toBe(true);
  expect(bench.holder()).toBe('other');
});

test('one failed renewal does no harm; when all fail, the run ends before its lease', async () => {
  const bench = leaseBench();
  const lease = await bench.take('run');
  bench.breakDown(true);
  await bench.pass(15_000);
  bench.breakDown(false);
  await bench.pass(10_000);
  expect(lease?.isLost()).toBe(false);
  bench.breakDown(true);
  await bench.pass(runLease.durationMs - 4_000);
  expect(lease?.isLost()).toBe(true);
});
