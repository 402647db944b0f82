// Many function instances share one table on virtual time: their total rate, their shares, and how they stop.
import { setImmediate as settled } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { CallPriority, RateLimitEvent } from '#shared/request/shared-rate-limit.ts';
import { CallDeferred, type CallDetails, NotSent, RateLimited, Rejected } from '#shared/service/errors.ts';
import { createRateLimiter, type RateLimiter } from '#shared/service/rate-limiter.ts';
import { createRateLimitStore } from '#shared/store/leases.ts';
import { createDice } from '../../chaos/dice.ts';
import { createTimeline } from '../../chaos/timeline.ts';
import { createTableTwin } from '../../support/in-memory/table.ts';
import { callLimitedService } from '../../support/service/limited-service.ts';
import { sendInBatches } from '../../support/service/submit-fleet.ts';

const start = Date.parse('2026-07-06T12:00:00Z');
const details: CallDetails = { call: 'GET /api/company' };

function createFleet(callsPerSecond: number) {
  const timeline = createTimeline(start);
  const dice = createDice(7);
  let isBroken = false;
  const sent: string[] = [];
  const twin = createTableTwin({ now: timeline.now });
  const client = {
    send: async (command: { readonly input: unknown }) => {
      await timeline.wait(dice.between(2, 20));
      if (isBroken) throw new Error('throttled');
      sent.push(command.constructor.name);
      return twin.send(command);
    },
  };
  const events: RateLimitEvent[] = [];
  const failures: unknown[] = [];
  const instance = (priority?: CallPriority): RateLimiter =>
    createRateLimiter({
      priority,
      store: createRateLimitStore(client as never, 'results', '1001@service'),
      callsPerSecond,
      clock: timeline.now,
      random: dice.next,
      wait: timeline.wait,
      notify: (event) => void events.push(event),
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
  return { timeline, dice, events, failures, sent, instance, run, breakTable };
}
type Fleet = ReturnType<typeof createFleet>;

const good = async (): Promise<void> => {};

/** An instance that makes one call after another, each taking `tookMs`; notes the times. */
async function busy(limiter: RateLimiter, { timeline }: Fleet, calls: number[], tookMs: () => number): Promise<void> {
  for (;;) {
    await limiter.acquire('GET', good);
    calls.push(timeline.now());
    await timeline.wait(tookMs());
    await limiter.recordOutcome();
  }
}

/** The largest number of calls within any span of `spanMs` milliseconds. */
const mostWithin = (calls: readonly number[], spanMs: number): number =>
  Math.max(...calls.map((from) => calls.filter((call) => call >= from && call < from + spanMs).length));

describe('while two instances create ports without a pause', () => {
  test('a background instance gets a fifteenth of the calls after five seconds', async () => {
    const fleet = createFleet(10);
    const calls: number[] = [];
    const inBackground: number[] = [];
    const creators = [fleet.instance(), fleet.instance()];
    for (const creator of creators) void busy(creator, fleet, calls, () => 20);
    void busy(fleet.instance('background'), fleet, inBackground, () => 20);
    await fleet.run(65_000);
    const share = (from: number, until: number) =>
      inBackground.filter((call) => call >= start + from && call < start + until).length;
    expect(creators.map((creator) => creator.isSaturated())).toEqual([true, true]);
    expect(share(0, 4_000)).toBeGreaterThan(8);
    expect(share(5_000, 65_000)).toBeGreaterThan(30);
    expect(share(5_000, 65_000)).toBeLessThan(46);
    const created = calls.filter((call) => call >= start + 5_000).length;
    expect(created).toBeGreaterThan(0.91 * 600);
  });
});

describe('however many instances run (invariant 7)', () => {
  test.each([1, 3, 25])('%i of them together keep the rate limit', async (instances) => {
    const fleet = createFleet(10);
    const calls = Array.from({ length: instances }, (): number[] => []);
    for (const own of calls) void busy(fleet.instance(), fleet, own, () => fleet.dice.between(20, 400));
    await fleet.run(60_000);
    const together = calls.flat().sort((one, other) => one - other);
    // A slot may be used up to a second late.
    for (const seconds of [1, 5, 20]) {
      expect(mostWithin(together, seconds * 1_000)).toBeLessThanOrEqual(10 * (seconds + 1) + 1);
    }
    expect(together.length).toBeLessThanOrEqual(10 * 60 + 1);
  });

  test('twelve busy instances use nearly the whole rate', async () => {
    const fleet = createFleet(10);
    const calls = Array.from({ length: 12 }, (): number[] => []);
    for (const own of calls) void busy(fleet.instance(), fleet, own, () => 300);
    await fleet.run(60_000);
    expect(calls.flat().length).toBeGreaterThan(500);
  });

  test('they share the rate evenly', async () => {
    const fleet = createFleet(10);
    const calls = Array.from({ length: 6 }, (): number[] => []);
    for (const own of calls) void busy(fleet.instance(), fleet, own, () => 50);
    await fleet.run(120_000);
    const counts = calls.map(({ length }) => length);
    expect(Math.min(...counts)).toBeGreaterThan(0.6 * Math.max(...counts));
  });

  test.each([
    [10, 100],
    [10, 3_000],
    [100, 100],
    [100, 3_000],
  ])('batches reach a limit of %i calls per second with calls of %i ms', async (callsPerSecond, latencyMs) => {
    const { ratioToLimit, writesPerSecond } = await sendInBatches({ callsPerSecond, latencyMs, seconds: 30 });
    expect(ratioToLimit).toBeLessThan(1.05);
    expect(writesPerSecond).toBeLessThan(1.5 * callsPerSecond);
  });
});

/** The call was made, or the deferral. */
async function tryCall(limiter: RateLimiter, probe: () => Promise<unknown> = good): Promise<'called' | CallDeferred> {
  try {
    await limiter.acquire('GET', probe);
    return 'called';
  } catch (error) {
    if (error instanceof CallDeferred) return error;
    throw error;
  }
}

/** Runs `work` while time passes. */
async function passing<Result>({ timeline }: Fleet, work: Promise<Result>): Promise<Result> {
  let result: { readonly value: Result } | undefined;
  const done = work.then((value) => {
    result = { value };
  });
  await settled();
  while (result === undefined && (await timeline.step()));
  await done;
  return work;
}

test('a 429 of one instance defers the calls of the others (fault 40)', async () => {
  const fleet = createFleet(10);
  const [one, other] = [fleet.instance(), fleet.instance()];
  await passing(fleet, one.recordOutcome(new RateLimited(120_000, details)));
  const deferred = await passing(fleet, tryCall(other));
  expect(deferred).toMatchObject({
    kind: 'deferred',
    retryable: false,
    message: expect.stringContaining('fewer calls'),
  });
  expect((deferred as CallDeferred).retryAfterMs).toBeGreaterThan(119_000);
  fleet.timeline.moveTo(start + 140_000);
  expect(await passing(fleet, tryCall(other))).toBe('called');
  expect(fleet.events).toMatchObject([{ kind: 'paused' }]);
});

test('a call that waits for its slot is not made when another instance learns of a pause meanwhile', async () => {
  const fleet = createFleet(2);
  const calls = Array.from({ length: 12 }, () => tryCall(fleet.instance()));
  await fleet.run(2_200);
  await passing(fleet, fleet.instance().recordOutcome(new RateLimited(120_000, details), fleet.timeline.now()));
  const outcomes = await passing(fleet, Promise.all(calls));
  expect(outcomes.filter((outcome) => outcome === 'called')).toHaveLength(5);
});

describe('of what a service with a limit offers, callers get at least 95 % (fault 40)', () => {
  const cases = [5, 50, 200].flatMap((callers) => [true, false].map((namesWait) => ({ callers, namesWait })));
  test.each(cases)('%o', async ({ callers, namesWait }) => {
    const figures = await callLimitedService({
      callers,
      namesWait,
      callsPerMinute: 300,
      latencyMs: 900,
      minutes: 5,
    });
    expect(figures.share).toBeGreaterThanOrEqual(0.95);
  });

  test('with any limit and any time that a call takes, and few calls are made during a pause', async () => {
    const runs = fc.record({
      callers: fc.integer({ min: 1, max: 120 }),
      callsPerMinute: fc.integer({ min: 30, max: 700 }),
      namesWait: fc.boolean(),
      latencyMs: fc.integer({ min: 10, max: 5_000 }),
      minutes: fc.constant(3),
      seed: fc.nat(1_000),
    });
    await fc.assert(
      fc.asyncProperty(runs, async (run) => {
        const { share, limited } = await callLimitedService(run);
        expect(share).toBeGreaterThanOrEqual(0.95);
        // Those that are in flight when the pause is learnt, and those of its first second.
        const perRound = 10 * (run.latencyMs / 1_000 + 2);
        expect(limited).toBeLessThanOrEqual((run.namesWait ? 2 : 8) * run.minutes * perRound);
      }),
      { numRuns: 12 },
    );
  });
});

describe('an outage (fault 42)', () => {
  const noConnection = new NotSent('no connection', details);
  /** Five instances have failed once each. */
  const fleetInOutage = async (): Promise<Fleet> => {
    const fleet = createFleet(10);
    for (let call = 0; call < 5; call += 1) await passing(fleet, fleet.instance().recordOutcome(noConnection));
    return fleet;
  };

  test('that no instance has seen alone defers the calls of all', async () => {
    const fleet = await fleetInOutage();
    expect(fleet.events).toMatchObject([{ kind: 'outage', because: 'no connection' }]);
    expect(await passing(fleet, tryCall(fleet.instance()))).toMatchObject({
      message: expect.stringContaining('down since'),
    });
  });

  test('is probed by one of many callers when a probe is due', async () => {
    const fleet = await fleetInOutage();
    fleet.timeline.moveTo(start + 60_000);
    let probes = 0;
    const probe = async (): Promise<void> => {
      probes += 1;
      await fleet.timeline.wait(5_000);
      throw noConnection;
    };
    const calls = Array.from({ length: 12 }, () => tryCall(fleet.instance(), probe));
    const outcomes = await passing(fleet, Promise.all(calls));
    expect(probes).toBe(1);
    expect(outcomes.every((outcome) => outcome instanceof CallDeferred)).toBe(true);
  });

  test('ends with a probe that is answered, and the call that probed is made', async () => {
    const fleet = await fleetInOutage();
    fleet.timeline.moveTo(start + 60_000);
    expect(await passing(fleet, tryCall(fleet.instance()))).toBe('called');
    expect(await passing(fleet, tryCall(fleet.instance()))).toBe('called');
    expect(fleet.events.at(-1)).toMatchObject({ kind: 'recovered' });
  });

  test('continues while a probe gets any other answer', async () => {
    const fleet = await fleetInOutage();
    fleet.timeline.moveTo(start + 60_000);
    const forbidden = new Rejected({ message: 'forbidden', fieldErrors: [], msisdns: [] }, { ...details, status: 403 });
    expect(
      await passing(
        fleet,
        tryCall(fleet.instance(), () => Promise.reject(forbidden)),
      ),
    ).toBeInstanceOf(CallDeferred);
  });

  test('is probed at once on request', async () => {
    const fleet = await fleetInOutage();
    const limiter = fleet.instance();
    expect(await passing(fleet, tryCall(limiter))).toBeInstanceOf(CallDeferred);
    await passing(fleet, limiter.probeNow());
    expect(await passing(fleet, tryCall(limiter))).toBe('called');
  });
});

test('a decline is an answer: it ends a series of failures', async () => {
  const fleet = createFleet(10);
  const limiter = fleet.instance();
  for (let call = 0; call < 4; call += 1)
    await passing(fleet, limiter.recordOutcome(new NotSent('no connection', details)));
  await passing(fleet, limiter.recordOutcome(new Rejected({ message: 'no', fieldErrors: [], msisdns: [] }, details)));
  for (let call = 0; call < 4; call += 1)
    await passing(fleet, limiter.recordOutcome(new NotSent('no connection', details)));
  expect(await passing(fleet, tryCall(limiter))).toBe('called');
});

test('calls that follow each other at once read the item once, and again where another instance has written', async () => {
  const fleet = createFleet(500);
  const [limiter, other] = [fleet.instance(), fleet.instance()];
  for (let call = 0; call < 3; call += 1) await passing(fleet, tryCall(limiter));
  expect(fleet.sent).toEqual(['GetCommand', 'PutCommand', 'PutCommand', 'PutCommand']);

  await passing(fleet, tryCall(other));
  fleet.sent.length = 0;
  expect(await passing(fleet, tryCall(limiter))).toBe('called');
  expect(fleet.sent).toEqual(['PutCommand', 'GetCommand', 'PutCommand']);
});

test('a table that does not answer defers calls, and loses no answer', async () => {
  const fleet = createFleet(10);
  const limiter = fleet.instance();
  fleet.breakTable();
  expect(await passing(fleet, tryCall(limiter))).toMatchObject({ kind: 'deferred' });
  await passing(fleet, limiter.recordOutcome(new NotSent('no connection', details)));
  expect(fleet.failures).toHaveLength(1);
});
