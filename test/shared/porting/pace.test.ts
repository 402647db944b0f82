// Many environments over one table, on virtual time: how fast they call together, how they share, and how they stop.
import { setImmediate as settled } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createPaceStore } from '#shared/aws/pace-store.ts';
import type { PaceNews } from '#shared/domain/pace.ts';
import { type CallDetails, HeldBack, NotSent, RateLimited, Rejected } from '#shared/porting/errors.ts';
import { createPace, type Pace } from '#shared/porting/pace.ts';
import { createDice } from '../../simulation/dice.ts';
import { createTimeline } from '../../simulation/timeline.ts';
import { createTableTwin } from '../../support/twin-table.ts';

const start = Date.parse('2026-07-06T12:00:00Z');
const details: CallDetails = { call: 'GET /api/company' };

function stage(callsPerSecond: number) {
  const timeline = createTimeline(start);
  const dice = createDice(7);
  const writes: number[] = [];
  let isBroken = false;
  const twin = createTableTwin({ now: timeline.now, onWrite: () => writes.push(1) });
  const client = {
    send: async (command: { readonly input: unknown }) => {
      await timeline.wait(dice.between(2, 20));
      if (isBroken) throw new Error('throttled');
      return twin.send(command);
    },
  };
  const news: PaceNews[] = [];
  const failures: unknown[] = [];
  const environment = (): Pace =>
    createPace({
      store: createPaceStore(client as never, 'results', 1001),
      callsPerSecond,
      clock: timeline.now,
      random: dice.next,
      wait: timeline.wait,
      tell: (one) => void news.push(one),
      onFailure: (error) => void failures.push(error),
    });
  const run = async (until: number): Promise<void> => {
    await settled();
    while (await timeline.step(start + until));
    timeline.moveTo(start + until);
  };
  const breakTable = (): void => {
    isBroken = true;
  };
  return { timeline, dice, news, failures, environment, run, writes: () => writes.length, breakTable };
}
type Stage = ReturnType<typeof stage>;

const good = async (): Promise<void> => {};

/** An environment that calls again and again, each call taking `tookMs`; notes when. */
async function busy(pace: Pace, { timeline }: Stage, calls: number[], tookMs: () => number): Promise<void> {
  for (;;) {
    await pace.enter('GET', good);
    calls.push(timeline.now());
    await timeline.wait(tookMs());
    await pace.heard();
  }
}

/** The most calls within any span of so many milliseconds. */
const mostWithin = (calls: readonly number[], spanMs: number): number =>
  Math.max(...calls.map((from) => calls.filter((call) => call >= from && call < from + spanMs).length));

describe('I7: however many environments run', () => {
  test.each([1, 3, 25])('%i of them make no more calls together than the stage may', async (environments) => {
    const all = stage(10);
    const calls = Array.from({ length: environments }, (): number[] => []);
    for (const own of calls) void busy(all.environment(), all, own, () => all.dice.between(20, 400));
    await all.run(60_000);
    const together = calls.flat().sort((one, other) => one - other);
    // A place may be used up to a second late.
    for (const seconds of [1, 5, 20]) {
      expect(mostWithin(together, seconds * 1_000)).toBeLessThanOrEqual(10 * (seconds + 1) + 1);
    }
    expect(together.length).toBeLessThanOrEqual(10 * 60 + 1);
  });

  test('the pace is used: twelve busy environments make nearly all the calls that they may', async () => {
    const all = stage(10);
    const calls = Array.from({ length: 12 }, (): number[] => []);
    for (const own of calls) void busy(all.environment(), all, own, () => 300);
    await all.run(60_000);
    expect(calls.flat().length).toBeGreaterThan(500);
  });

  test('they share it evenly', async () => {
    const all = stage(10);
    const calls = Array.from({ length: 6 }, (): number[] => []);
    for (const own of calls) void busy(all.environment(), all, own, () => 50);
    await all.run(120_000);
    const counts = calls.map(({ length }) => length);
    expect(Math.min(...counts)).toBeGreaterThan(0.6 * Math.max(...counts));
  });

  test('one write is made for several calls', async () => {
    const all = stage(40);
    const calls: number[] = [];
    for (let index = 0; index < 2; index += 1) void busy(all.environment(), all, calls, () => 20);
    await all.run(60_000);
    expect(calls.length).toBeGreaterThan(1_500);
    expect(all.writes()).toBeLessThan(calls.length / 4);
  });
});

/** What came of a wish to call: the call was made, or how long it is held back. */
async function wish(pace: Pace, probe: () => Promise<unknown> = good): Promise<'called' | HeldBack> {
  try {
    await pace.enter('GET', probe);
    return 'called';
  } catch (error) {
    if (error instanceof HeldBack) return error;
    throw error;
  }
}

/** Runs `work` while time passes. */
async function passing<Result>({ timeline }: Stage, work: Promise<Result>): Promise<Result> {
  let result: { readonly value: Result } | undefined;
  const done = work.then((value) => {
    result = { value };
  });
  await settled();
  while (result === undefined && (await timeline.step()));
  await done;
  return work;
}

test('fault 40: a 429 that one environment meets holds the others back as well', async () => {
  const all = stage(10);
  const [one, other] = [all.environment(), all.environment()];
  await passing(all, one.heard(new RateLimited(120_000, details)));
  const held = await passing(all, wish(other));
  expect(held).toMatchObject({ kind: 'held-back', retryable: false, message: expect.stringContaining('fewer calls') });
  expect((held as HeldBack).retryAfterMs).toBeGreaterThan(119_000);
  all.timeline.moveTo(start + 140_000);
  expect(await passing(all, wish(other))).toBe('called');
  expect(all.news).toMatchObject([{ kind: 'paused' }]);
});

describe('fault 42: an outage', () => {
  const noConnection = new NotSent('no connection', details);
  /** Five environments have failed once each, so none alone knows it. */
  const downStage = async (): Promise<Stage> => {
    const all = stage(10);
    for (let call = 0; call < 5; call += 1) await passing(all, all.environment().heard(noConnection));
    return all;
  };

  test('that no environment has seen alone holds all of them back', async () => {
    const all = await downStage();
    expect(all.news).toMatchObject([{ kind: 'down', because: 'no connection' }]);
    expect(await passing(all, wish(all.environment()))).toMatchObject({
      message: expect.stringContaining('down since'),
    });
  });

  test('is probed by one of many that come when a probe is due', async () => {
    const all = await downStage();
    all.timeline.moveTo(start + 60_000);
    let probes = 0;
    const probe = async (): Promise<void> => {
      probes += 1;
      await all.timeline.wait(5_000);
      throw noConnection;
    };
    const wishes = Array.from({ length: 12 }, () => wish(all.environment(), probe));
    const outcomes = await passing(all, Promise.all(wishes));
    expect(probes).toBe(1);
    expect(outcomes.every((outcome) => outcome instanceof HeldBack)).toBe(true);
  });

  test('ends with a probe that is answered, and the very call that probed goes on', async () => {
    const all = await downStage();
    all.timeline.moveTo(start + 60_000);
    expect(await passing(all, wish(all.environment()))).toBe('called');
    expect(await passing(all, wish(all.environment()))).toBe('called');
    expect(all.news.at(-1)).toMatchObject({ kind: 'back' });
  });

  test('goes on while a probe is answered by anything but what was asked for', async () => {
    const all = await downStage();
    all.timeline.moveTo(start + 60_000);
    const forbidden = new Rejected({ message: 'forbidden', fieldErrors: [], msisdns: [] }, { ...details, status: 403 });
    expect(
      await passing(
        all,
        wish(all.environment(), () => Promise.reject(forbidden)),
      ),
    ).toBeInstanceOf(HeldBack);
  });

  test('is probed at once for a run of sync', async () => {
    const all = await downStage();
    const pace = all.environment();
    expect(await passing(all, wish(pace))).toBeInstanceOf(HeldBack);
    await passing(all, pace.probeNow());
    expect(await passing(all, wish(pace))).toBe('called');
  });
});

test('a refusal is an answer: it ends a row of failures', async () => {
  const all = stage(10);
  const pace = all.environment();
  for (let call = 0; call < 4; call += 1) await passing(all, pace.heard(new NotSent('no connection', details)));
  await passing(all, pace.heard(new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, details)));
  for (let call = 0; call < 4; call += 1) await passing(all, pace.heard(new NotSent('no connection', details)));
  expect(await passing(all, wish(pace))).toBe('called');
});

test('a table that does not answer holds calls back, and never takes an answer away', async () => {
  const all = stage(10);
  const pace = all.environment();
  all.breakTable();
  expect(await passing(all, wish(pace))).toMatchObject({ kind: 'held-back' });
  await passing(all, pace.heard(new NotSent('no connection', details)));
  expect(all.failures).toHaveLength(1);
});
