// The pace of a stage, step by step: places in line, pauses, outages and their probes.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Admission,
  admit,
  afterCall,
  type CallEnd,
  freshPace,
  longestPauseMs,
  newsOf,
  type PaceItem,
  paceItem,
  withProbeDue,
} from '#shared/domain/pace.ts';

const now = Date.parse('2026-07-06T12:00:00Z');
const minute = 60_000;
const wish = { now, places: 2, intervalMs: 100, patienceMs: 15_000 };
const sick: CallEnd = { kind: 'sick', because: 'answered 503', credentials: false };
const alive: CallEnd = { kind: 'alive' };

const step = (item: PaceItem, end: CallEnd, at = now, random = 0.5): PaceItem =>
  afterCall(item, end, at, random) ?? item;
const paceAfter = (...ends: readonly CallEnd[]): PaceItem =>
  ends.reduce((item, end) => step(item, end), freshPace(now));
const down = paceAfter(sick, sick, sick, sick, sick);
const waitOf = (admission: Admission): number => (admission.kind === 'held' ? admission.waitMs : 0);
const iso = (epochMs: number): string => new Date(epochMs).toISOString();

describe('places in line', () => {
  test('are one interval apart, whoever asks, in the order of asking', () => {
    const first = admit(freshPace(now), wish);
    const second = admit(first.next ?? freshPace(now), wish);
    expect([first, second]).toMatchObject([
      { kind: 'places', first: now },
      { kind: 'places', first: now + 200 },
    ]);
  });

  test('that nobody took while it was quiet are not saved up', () => {
    const { next = freshPace(now) } = admit(freshPace(now), wish);
    expect(admit(next, { ...wish, now: now + minute })).toMatchObject({ first: now + minute });
  });

  test('too far behind are not taken at all', () => {
    const long = { ...freshPace(now), freeAt: iso(now + 20_000) };
    expect(admit(long, wish)).toMatchObject({ kind: 'held', waitMs: 20_000 });
    expect(admit(long, { ...wish, patienceMs: 20_000 })).toMatchObject({ kind: 'places', first: now + 20_000 });
  });

  test('fault 50: further ahead than anybody honest stands are those of a wrong clock, and nobody waits for them', () => {
    const wrong = { ...freshPace(now), freeAt: iso(now + 60 * minute) };
    expect(admit(wrong, wish)).toMatchObject({ kind: 'places', first: now });
  });
});

describe('fault 40: a service that asks for fewer calls', () => {
  const limited = (askedMs: number): CallEnd => ({ kind: 'limited', askedMs });

  test('is left alone for as long as it asks, and a little longer', () => {
    expect(waitOf(admit(paceAfter(limited(30_000)), wish))).toBe(31_500);
  });

  test('is left alone twice as long each time where it does not say how long', () => {
    const waits = [3, 4, 5].map((times) => waitOf(admit(paceAfter(...Array(times).fill(limited(0))), wish)));
    expect(waits).toEqual([4_200, 8_400, 16_800]);
  });

  test('a pause of a moment is waited out on the spot', () => {
    expect(admit(paceAfter(limited(0)), wish)).toMatchObject({ kind: 'places', first: now + 1_050 });
    const longest = { ...freshPace(now), pausedUntil: iso(now + 2_000) };
    expect(admit(longest, wish)).toMatchObject({ kind: 'places', first: now + 2_000 });
  });

  test('is not called sooner because it asks for less the next time', () => {
    expect(waitOf(admit(paceAfter(limited(600_000), limited(1_000)), wish))).toBe(630_000);
  });

  test('is told of each time, with the wait', () => {
    const [once, twice] = [paceAfter(limited(30_000)), paceAfter(limited(30_000), limited(60_000))];
    expect(newsOf(freshPace(now), once, now)).toEqual({ kind: 'paused', waitMs: 31_500 });
    expect(newsOf(once, twice, now)).toEqual({ kind: 'paused', waitMs: 63_000 });
    expect(newsOf(twice, step(twice, alive), now)).toBeUndefined();
  });

  test('is never obeyed for longer than a quarter of an hour and its jitter', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1e12, noNaN: true }), { maxLength: 30 }), (asked) => {
        const item = paceAfter(...asked.map(limited));
        expect(waitOf(admit(item, wish))).toBeLessThanOrEqual(longestPauseMs * 1.1);
      }),
    );
  });

  test('is forgotten with the first good answer, but for the wait that is running', () => {
    const item = paceAfter(limited(30_000), limited(30_000), alive);
    expect(item.pauses).toBeUndefined();
    expect(admit(item, wish)).toMatchObject({ kind: 'held' });
  });
});

describe('an outage', () => {
  test('begins with the fifth call in a row that comes to nothing', () => {
    expect(paceAfter(sick, sick, sick, sick).outage).toBeUndefined();
    expect(down).toMatchObject({
      failing: { since: iso(now), times: 5, because: 'answered 503' },
      outage: { probes: 0 },
    });
  });

  test('does not begin when any call in between was answered', () => {
    expect(paceAfter(sick, sick, sick, sick, alive, sick, sick, sick, sick).outage).toBeUndefined();
  });

  test('begins at once where the credentials are refused, and is probed rarely', () => {
    const locked = paceAfter({ kind: 'sick', because: 'invalid_client', credentials: true });
    expect(waitOf(admit(locked, wish))).toBeGreaterThan(4 * minute);
  });

  test('holds everybody back, but for one probe at a time when one is due', () => {
    expect(admit(down, wish)).toMatchObject({ kind: 'held', because: expect.stringContaining('answered 503') });
    const due = { ...wish, now: now + 10_000 };
    const first = admit(down, due);
    expect(first.kind).toBe('probe');
    expect(admit(first.next ?? down, due).kind).toBe('held');
  });

  test('fault 33: of a prober that died the probe is taken over', () => {
    const { next = down } = admit(down, { ...wish, now: now + 10_000 });
    expect(admit(next, { ...wish, now: now + 2 * minute }).kind).toBe('probe');
  });

  test('is asked after ever more rarely: messages come back after a quarter of its length, at most of an hour', () => {
    const probed = (lastedMs: number): number => {
      const item = step(down, sick, now + lastedMs);
      return waitOf(admit(item, { ...wish, now: now + lastedMs }));
    };
    expect([minute, 20 * minute, 60 * 60 * minute].map(probed)).toEqual([17_500, 5 * minute, 15 * minute]);
  });

  test('is over with the first answer', () => {
    expect(admit(step(down, alive), wish)).toMatchObject({ kind: 'places', first: now });
  });

  test('is probed at once when somebody wants to know', () => {
    expect(admit(withProbeDue(down, now) ?? down, wish).kind).toBe('probe');
    expect(withProbeDue(down, now)).toEqual({ ...down, outage: { probes: 0, nextProbeAt: iso(now) } });
    expect(withProbeDue(freshPace(now), now)).toBeUndefined();
  });

  test('is told of when it begins and when it is over, and never in between', () => {
    const four = paceAfter(sick, sick, sick, sick);
    expect(newsOf(freshPace(now), four, now)).toBeUndefined();
    expect(newsOf(four, down, now)).toEqual({ kind: 'down', since: iso(now), because: 'answered 503' });
    expect(newsOf(down, step(down, sick), now)).toBeUndefined();
    expect(newsOf(down, step(down, alive), now + minute)).toEqual({ kind: 'back', since: iso(now), lastedMs: minute });
  });

  test('that began with refused credentials is probed like any other once they are mended', () => {
    const locked = paceAfter({ kind: 'sick', because: 'invalid_client', credentials: true });
    expect(step(locked, sick).outage).toEqual({ probes: 1, nextProbeAt: iso(now + 17_500) });
  });

  test('of which nobody noted the beginning is held, told of and ended like any other', () => {
    const unnoted: PaceItem = { ...freshPace(now), outage: { probes: 0, nextProbeAt: iso(now + 10_000) } };
    expect(admit(unnoted, wish)).toEqual({
      kind: 'held',
      waitMs: 10_000,
      because: 'the service has been down since a while (no answer)',
    });
    expect(newsOf(freshPace(now), unnoted, now)).toEqual({ kind: 'down', since: iso(now), because: 'no answer' });
    const over = step(unnoted, alive);
    expect(over.outage).toBeUndefined();
    expect(newsOf(unnoted, over, now)).toEqual({ kind: 'back', since: iso(now), lastedMs: 0 });
  });
});

describe('the item', () => {
  test('begins with a place for whoever comes first', () => {
    expect(freshPace(now)).toEqual({ revision: 0, freeAt: iso(now) });
  });

  test('is read from the table as it was written, in the middle of everything', () => {
    const limited = paceAfter({ kind: 'limited', askedMs: 30_000 });
    const { next: probed = down } = admit(down, { ...wish, now: now + 10_000 });
    for (const item of [freshPace(now), limited, down, probed])
      expect(paceItem.parse({ ...item, pk: 'p' })).toEqual(item);
  });

  test.each([
    { revision: -1 },
    { freeAt: 'soon' },
    { pauses: -1 },
    { failing: { since: iso(now), times: 0.5, because: '' } },
    { outage: { probes: 0, nextProbeAt: 'soon' } },
  ])('is not believed where it is none: %j', (wrong) => {
    expect(paceItem.safeParse({ ...freshPace(now), ...wrong }).success).toBe(false);
  });
});

test('an answer while all is well changes nothing, so that it costs no write', () => {
  expect(afterCall(freshPace(now), alive, now, 0)).toBeUndefined();
});
