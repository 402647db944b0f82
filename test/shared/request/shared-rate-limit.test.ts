// The rate limiter step by step: slots, pauses, outages and their probes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { longestDelayMs } from '#shared/import/import-state.ts';
import {
  type Admission,
  applyCallOutcome,
  type CallOutcome,
  isSaturated,
  newRateLimit,
  type RateLimitItem,
  rateLimitEvent,
  rateLimitItem,
  requestSlots,
  silentSince,
  withProbeNow,
} from '#shared/request/shared-rate-limit.ts';

const now = Date.parse('2026-07-06T12:00:00Z');
const minute = 60_000;
const request = { now, slots: 2, intervalMs: 100, patienceMs: 15_000, priority: 'foreground' as const };
const failed: CallOutcome = { kind: 'failed', because: 'answered 503', credentials: false };
const ok: CallOutcome = { kind: 'ok' };

const step = (item: RateLimitItem, end: CallOutcome, at = now, random = 0.5): RateLimitItem =>
  applyCallOutcome(item, end, at, random) ?? item;
const itemAfter = (...ends: readonly CallOutcome[]): RateLimitItem =>
  ends.reduce((item, end) => step(item, end), newRateLimit(now));
const down = itemAfter(failed, failed, failed, failed, failed);
const waitOf = (admission: Admission): number => (admission.kind === 'deferred' ? admission.waitMs : 0);
const iso = (epochMs: number): string => new Date(epochMs).toISOString();

describe('slots', () => {
  test('are one interval apart, in the order of the requests', () => {
    const first = requestSlots(newRateLimit(now), request);
    const second = requestSlots(first.next ?? newRateLimit(now), request);
    expect([first, second]).toMatchObject([
      { kind: 'slots', first: now },
      { kind: 'slots', first: now + 200 },
    ]);
  });

  test('that nobody took do not accumulate', () => {
    const { next = newRateLimit(now) } = requestSlots(newRateLimit(now), request);
    expect(requestSlots(next, { ...request, now: now + minute })).toMatchObject({ first: now + minute });
  });

  test('beyond the patience of the caller are not taken', () => {
    const long = { ...newRateLimit(now), freeAt: iso(now + 20_000) };
    expect(requestSlots(long, request)).toMatchObject({ kind: 'deferred', waitMs: 20_000 });
    expect(requestSlots(long, { ...request, patienceMs: 20_000 })).toMatchObject({
      kind: 'slots',
      first: now + 20_000,
    });
  });
});

describe('while foreground calls take every slot', () => {
  const second = 1_000;
  /** Every 200 ms an instance takes two slots, from `now` until `until`. */
  const takenUntil = (until: number, every = 200): RateLimitItem => {
    let item = newRateLimit(now);
    for (let at = now; at <= until; at += every) item = requestSlots(item, { ...request, now: at }).next ?? item;
    return item;
  };
  const background = { ...request, priority: 'background' as const };

  test('the rate limiter is saturated after five seconds, and no longer after a gap', () => {
    expect(isSaturated(takenUntil(now + 4.8 * second), now + 4.8 * second)).toBe(false);
    const busy = takenUntil(now + 5 * second);
    expect(isSaturated(busy, now + 5 * second)).toBe(true);
    expect(isSaturated(busy, now + 5.2 * second + 250)).toBe(true);
    expect(isSaturated(busy, now + 5.2 * second + 251)).toBe(false);
    expect(isSaturated(newRateLimit(now), now + 5 * second)).toBe(false);
    const slow = takenUntil(now + 20 * second, 1_000);
    expect(isSaturated(slow, now + 20 * second)).toBe(false);
  });

  test('the rate limiter is saturated as soon as the next call waits for two seconds', () => {
    const queued = (ms: number) => ({ ...newRateLimit(now), foreground: { since: iso(now), until: iso(now + ms) } });
    expect([1_999, 2_000, 60_000].map((ms) => isSaturated(queued(ms), now))).toEqual([false, true, true]);
  });

  test('the rate limiter is saturated while requests wait in a queue, however slowly they are sent', () => {
    const queued = requestSlots(newRateLimit(now), { ...request, hasQueue: true }).next ?? newRateLimit(now);
    const saturatedAfter = (ms: number): boolean => isSaturated(queued, now + ms);
    expect([0, 2_000, 2_001].map(saturatedAfter)).toEqual([true, true, false]);
    let item = queued;
    for (let at = now; at <= now + 9 * second; at += 3 * second)
      item = requestSlots(item, { ...request, now: at, hasQueue: true }).next ?? item;
    expect([12, 13, 14].map((seconds) => isSaturated(item, now + seconds * second))).toEqual([true, true, false]);
  });

  test('a slot that nobody took is not counted where one in fifteen is for a background call', () => {
    const at = now + 6 * second;
    const { next: item = newRateLimit(now) } = requestSlots(takenUntil(at), { ...background, now: at });
    const slow = requestSlots(item, { ...request, now: at + second, hasQueue: true }).next ?? item;
    const laterMs = Date.parse(slow.backgroundAt ?? '') - Date.parse(item.backgroundAt ?? '');
    expect(laterMs).toBe(at + second - Date.parse(item.freeAt));
  });

  test('a pause between two slots that is no gap goes on with the same time', () => {
    const since = (at: number) => {
      const { next } = requestSlots(takenUntil(now), { ...request, now: at });
      return rateLimitItem.parse(next).foreground?.since;
    };
    expect([since(now + 450), since(now + 451)]).toEqual([iso(now), iso(now + 451)]);
  });

  test('no slot is given twice to background calls', () => {
    const given = requestSlots(newRateLimit(now), background);
    expect(given).toMatchObject({ count: 2, next: { freeAt: iso(now + 200) } });
    const at = now + 6 * second;
    expect(requestSlots(takenUntil(at), { ...background, now: at }).next?.freeAt).toBe(iso(at + 300));
  });

  test('one in fifteen slots is for a background call, and before that they take as many as they ask for', () => {
    const [early, busy] = [takenUntil(now + second), takenUntil(now + 6 * second)];
    expect(requestSlots(early, { ...background, now: now + second })).toMatchObject({ kind: 'slots', count: 2 });
    const at = now + 6 * second;
    const given = requestSlots(busy, { ...background, now: at });
    expect(given).toMatchObject({ kind: 'slots', count: 1, first: at + 200 });
    const again = requestSlots(given.next ?? busy, { ...background, now: at });
    expect(again).toEqual({ kind: 'later', waitMs: 1_500 });
    expect(requestSlots(given.next ?? busy, { ...background, now: at + 100 })).toMatchObject({ waitMs: 1_400 });
  });

  test('a call that was answered changes neither', () => {
    const busy = takenUntil(now + 6 * second);
    expect(applyCallOutcome({ ...busy, pauses: 1 }, ok, now, 0.5)).toEqual(busy);
  });
});

describe('a service that asks for fewer calls (fault 40)', () => {
  const limited = (askedMs: number, begunAt?: number): CallOutcome => ({ kind: 'rate-limited', askedMs, begunAt });
  const endOf = ({ pausedUntil = '' }: RateLimitItem): number => Date.parse(pausedUntil);
  /** Each call of a round is answered 429, and the next round begins when the pause ends. */
  const afterRounds = (rounds: number, calls: number): { item: RateLimitItem; lengths: number[] } => {
    let item = newRateLimit(now);
    const lengths: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const begunAt = item.pausedUntil === undefined ? now : endOf(item);
      for (let call = 0; call < calls; call += 1) item = step(item, limited(0, begunAt), begunAt + 100, 0);
      lengths.push(endOf(item) - begunAt - 100);
    }
    return { item, lengths };
  };

  test('gets no call for as long as it asks, and a little longer', () => {
    expect(waitOf(requestSlots(itemAfter(limited(30_000)), request))).toBe(31_500);
  });

  test('gets no call for twice as long in each round, if it names no time, however many calls a round has', () => {
    expect(afterRounds(5, 1).lengths).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
    expect(afterRounds(5, 50).lengths).toEqual([1_000, 2_000, 4_000, 8_000, 16_000]);
  });

  test('gets no call for just as long as it asks in every round', () => {
    let item = newRateLimit(now);
    for (let round = 0; round < 8; round += 1) {
      const begunAt = item.pausedUntil === undefined ? now : endOf(item);
      item = step(item, limited(5_000, begunAt), begunAt, 0);
      expect(endOf(item) - begunAt).toBe(5_000);
    }
  });

  test('is paused once for all calls that began before the end of the pause', () => {
    const once = itemAfter(limited(0, now - 400));
    fc.assert(
      fc.property(fc.array(fc.record({ begun: fc.nat(4_000), took: fc.nat(10_000) }), { maxLength: 60 }), (calls) => {
        const early = calls.filter(({ begun }) => now - 3_000 + begun < endOf(once));
        for (const { begun, took } of early) {
          const at = Math.max(now, now - 3_000 + begun + took);
          expect(applyCallOutcome(once, limited(0, now - 3_000 + begun), at, 0.5)).toBeUndefined();
        }
      }),
    );
  });

  test('starts again with a second after it answered a call of the last round', () => {
    const { item } = afterRounds(4, 3);
    const begunAt = endOf(item);
    const answered = step(item, { ...ok, begunAt }, begunAt + 50);
    const next = step(answered, limited(0, begunAt), begunAt + 60, 0);
    expect(endOf(next) - begunAt - 60).toBe(1_000);
  });

  test('starts again with a second if that answer arrives after the 429 of the round', () => {
    const { item } = afterRounds(4, 3);
    const begunAt = endOf(item);
    const paused = step(item, limited(0, begunAt), begunAt + 60, 0);
    const answered = step(paused, { ...ok, begunAt }, begunAt + 3_000);
    const again = step(answered, limited(0, endOf(paused)), endOf(paused), 0);
    expect(endOf(again) - endOf(paused)).toBe(1_000);
  });

  test('does not start again after an answer to a call of an earlier round', () => {
    const { item } = afterRounds(4, 3);
    expect(applyCallOutcome(item, { ...ok, begunAt: now }, endOf(item), 0)).toBeUndefined();
    expect(step({ ...item, failing: { since: iso(now), times: 1, because: '' } }, { ...ok, begunAt: now })).toEqual(
      item,
    );
  });

  test('ends an outage, also with a 429 to a call that began before the pause', () => {
    const item = { ...itemAfter(limited(30_000)), failing: down.failing, outage: down.outage };
    expect(step(item, limited(30_000))).toEqual(itemAfter(limited(30_000)));
  });

  describe('after every pause is silent', () => {
    /** A 429 to a call of each of three rounds, the first one now. */
    const silent = afterRounds(3, 2).item;
    const begunAt = endOf(silent);

    test('since its first 429, however many pauses follow', () => {
      expect([1, 2, 8].map((rounds) => silentSince(afterRounds(rounds, 2).item))).toEqual(
        [1, 2, 8].map(() => iso(now + 100)),
      );
    });

    test('until it answers a call of the last round, and then again since the next 429', () => {
      const answered = step(silent, { ...ok, begunAt }, begunAt + 50);
      expect(silentSince(answered)).toBeUndefined();
      expect(silentSince(step(answered, limited(0, begunAt), begunAt + 60))).toBe(iso(begunAt + 60));
    });

    test('although it answers a call that began before the pause, which may have been made before its first 429', () => {
      const failing = { since: iso(now), times: 1, because: '' };
      expect(silentSince(step({ ...silent, failing }, { ...ok, begunAt: now }, begunAt))).toBe(iso(now + 100));
      expect(applyCallOutcome(silent, { ...ok, begunAt: now }, begunAt, 0)).toBeUndefined();
    });

    test('since the same time if an outage follows, and without a 429 since the first failed call of an outage', () => {
      const fail = (item: RateLimitItem): RateLimitItem => step(item, failed, begunAt);
      const outage = [1, 2, 3, 4, 5].reduce(fail, silent);
      expect(outage.outage).toBeDefined();
      expect(silentSince(outage)).toBe(iso(now + 100));
      expect([newRateLimit(now), itemAfter(failed), down].map(silentSince)).toEqual([undefined, undefined, iso(now)]);
    });
  });

  test('that asks for a short pause: the call waits instead of being deferred', () => {
    expect(requestSlots(itemAfter(limited(0)), request)).toMatchObject({ kind: 'slots', first: now + 1_050 });
    const longest = { ...newRateLimit(now), pausedUntil: iso(now + 2_000) };
    expect(requestSlots(longest, request)).toMatchObject({ kind: 'slots', first: now + 2_000 });
  });

  test('gets no earlier call because it asks for less the next time', () => {
    expect(waitOf(requestSlots(itemAfter(limited(600_000), limited(1_000)), request))).toBe(630_000);
  });

  test('is reported each time it asks for a later end, with the wait', () => {
    const [once, twice] = [itemAfter(limited(30_000)), itemAfter(limited(30_000), limited(60_000))];
    expect(rateLimitEvent(newRateLimit(now), once, now)).toEqual({ kind: 'paused', waitMs: 31_500 });
    expect(rateLimitEvent(once, twice, now)).toEqual({ kind: 'paused', waitMs: 60_000 });
    expect(rateLimitEvent(twice, step(twice, limited(10_000)), now)).toBeUndefined();
    expect(rateLimitEvent(twice, step(twice, ok), now)).toBeUndefined();
  });

  test('pauses calls for at most 15 minutes plus jitter', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { maxLength: 30 }), (asked) => {
        const item = itemAfter(...asked.map(limited));
        expect(waitOf(requestSlots(item, request))).toBeLessThanOrEqual(longestDelayMs * 1.1);
      }),
    );
  });

  test('is reset by the first good answer, except for the current pause', () => {
    const item = itemAfter(limited(30_000), limited(30_000), ok);
    expect(item).toEqual({ ...newRateLimit(now), pausedUntil: iso(now + 31_500) });
    expect(requestSlots(item, request)).toMatchObject({ kind: 'deferred' });
  });
});

describe('an outage', () => {
  test('starts with the fifth consecutive failed call', () => {
    expect(itemAfter(failed, failed, failed, failed).outage).toBeUndefined();
    expect(down).toMatchObject({
      failing: { since: iso(now), times: 5, because: 'answered 503' },
      outage: { probes: 0 },
    });
  });

  test('does not start when a call in between was answered', () => {
    expect(itemAfter(failed, failed, failed, failed, ok, failed, failed, failed, failed).outage).toBeUndefined();
  });

  test('starts at once when the credentials are rejected, and is probed rarely', () => {
    const locked = itemAfter({ kind: 'failed', because: 'invalid_client', credentials: true });
    expect(waitOf(requestSlots(locked, request))).toBeGreaterThan(4 * minute);
  });

  test('defers every call except one probe at a time', () => {
    expect(requestSlots(down, request)).toMatchObject({
      kind: 'deferred',
      because: expect.stringContaining('answered 503'),
    });
    const due = { ...request, now: now + 10_000 };
    const first = requestSlots(down, due);
    expect(first.kind).toBe('probe');
    expect(requestSlots(first.next ?? down, due).kind).toBe('deferred');
  });

  test('takes over the probe of a crashed instance (fault 33)', () => {
    const { next = down } = requestSlots(down, { ...request, now: now + 10_000 });
    expect(requestSlots(next, { ...request, now: now + 2 * minute }).kind).toBe('probe');
  });

  test('defers a call by ten seconds while another one probes, which would be taken over after 75', () => {
    const due = { ...request, now: now + 10_000 };
    expect(waitOf(requestSlots(requestSlots(down, due).next ?? down, due))).toBe(10_000);
  });

  test('is probed twice a minute, however long it lasts', () => {
    let item = down;
    const waits = Array.from({ length: 5 }, () => {
      item = step(item, failed);
      return Date.parse(item.outage?.nextProbeAt ?? '') - now;
    });
    expect(waits).toEqual([17_500, 26_250, 26_250, 26_250, 26_250]);
  });

  test('defers calls by a sixteenth of its duration, at most by 15 minutes', () => {
    const probed = (lastedMs: number): number => {
      const item = step(down, failed, now + lastedMs);
      return waitOf(requestSlots(item, { ...request, now: now + lastedMs }));
    };
    expect([minute, 80 * minute, 60 * 60 * minute].map(probed)).toEqual([17_500, 5 * minute, 15 * minute]);
  });

  test('ends with the first answer', () => {
    expect(requestSlots(step(down, ok), request)).toMatchObject({ kind: 'slots', first: now });
  });

  test('is probed at once on request', () => {
    expect(requestSlots(withProbeNow(down, now) ?? down, request).kind).toBe('probe');
    expect(withProbeNow(down, now)).toEqual({ ...down, outage: { probes: 0, nextProbeAt: iso(now) } });
    expect(withProbeNow(newRateLimit(now), now)).toBeUndefined();
  });

  test('is reported when it starts and when it ends, and not in between', () => {
    const four = itemAfter(failed, failed, failed, failed);
    expect(rateLimitEvent(newRateLimit(now), four, now)).toBeUndefined();
    expect(rateLimitEvent(four, down, now)).toEqual({ kind: 'outage', since: iso(now), because: 'answered 503' });
    expect(rateLimitEvent(down, step(down, failed), now)).toBeUndefined();
    expect(rateLimitEvent(down, step(down, ok), now + minute)).toEqual({
      kind: 'recovered',
      since: iso(now),
      lastedMs: minute,
    });
  });

  test('of rejected credentials is probed like any other once they are corrected', () => {
    const locked = itemAfter({ kind: 'failed', because: 'invalid_client', credentials: true });
    expect(step(locked, failed).outage).toEqual({ probes: 1, nextProbeAt: iso(now + 17_500) });
  });

  test('without a stored start is deferred, reported and ended like any other', () => {
    const undated: RateLimitItem = { ...newRateLimit(now), outage: { probes: 0, nextProbeAt: iso(now + 10_000) } };
    expect(requestSlots(undated, request)).toEqual({
      kind: 'deferred',
      waitMs: 10_000,
      because: 'the service has been down since an unknown time (no answer)',
    });
    expect(rateLimitEvent(newRateLimit(now), undated, now)).toEqual({
      kind: 'outage',
      since: iso(now),
      because: 'no answer',
    });
    const over = step(undated, ok);
    expect(over.outage).toBeUndefined();
    expect(rateLimitEvent(undated, over, now)).toEqual({ kind: 'recovered', since: iso(now), lastedMs: 0 });
  });
});

describe('the item', () => {
  test('starts with a free slot', () => {
    expect(newRateLimit(now)).toEqual({ revision: 0, freeAt: iso(now) });
  });

  test('is parsed as it was written, in every state', () => {
    const limited = itemAfter({ kind: 'rate-limited', askedMs: 30_000 });
    const { next: probed = down } = requestSlots(down, { ...request, now: now + 10_000 });
    for (const item of [newRateLimit(now), limited, down, probed])
      expect(rateLimitItem.parse({ ...item, pk: 'p' })).toEqual(item);
  });

  test.each([
    { revision: -1 },
    { freeAt: 'soon' },
    { pauses: -1 },
    { failing: { since: iso(now), times: 0.5, because: '' } },
    { outage: { probes: 0, nextProbeAt: 'soon' } },
  ])('is rejected with an invalid value: %j', (wrong) => {
    expect(rateLimitItem.safeParse({ ...newRateLimit(now), ...wrong }).success).toBe(false);
  });
});

test('an answer without earlier failures changes nothing, so it costs no write', () => {
  expect(applyCallOutcome(newRateLimit(now), ok, now, 0)).toBeUndefined();
});
