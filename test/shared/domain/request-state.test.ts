import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type RequestItem, requestStates } from '#shared/domain/ledger.ts';
import {
  type Answer,
  adopted,
  answered,
  intended,
  leftToPeople,
  lostMessageMs,
  maySend,
  provenHarmless,
} from '#shared/domain/request-state.ts';
import { iso, noon, requestItemOf } from '../../support/results-ledger.ts';

const times = { now: noon, quietMs: 30_000 };
const intent = { lines: '2-3', withdrawn: [], now: noon, leaseMs: 60_000, quietMs: 30_000 };
const inFlight = intended(requestItemOf(), intent);
const error = { kind: 'ambiguous', message: 'reset' };
const created = (portId: string): Answer => ({ kind: 'created', portId });

describe('an attempt', () => {
  test('may be made of a planned request only', () => {
    expect(requestStates.filter((state) => maySend(requestItemOf({ state })))).toEqual(['planned']);
  });

  test('is counted, leased, and due once the lease is over and it was quiet for a while', () => {
    expect(inFlight).toMatchObject({
      state: 'in-flight',
      attempt: 1,
      leaseUntil: iso(noon + 60_000),
      dueAt: iso(noon + 90_000),
    });
  });

  test('that made a port leaves the request due until the port was read', () => {
    expect(answered(inFlight, 1, created('p'), times)).toMatchObject({
      state: 'created',
      portId: 'p',
      dueAt: iso(noon),
    });
  });

  test('of unknown outcome is due after the quiet period', () => {
    expect(answered(inFlight, 1, { kind: 'ambiguous', error }, times)).toMatchObject({
      state: 'unknown',
      dueAt: iso(noon + 30_000),
    });
  });

  test('that was not sent goes back in line', () => {
    expect(answered(inFlight, 1, { kind: 'not-sent', error }, times)).toMatchObject({
      state: 'planned',
      attempt: 1,
      dueAt: iso(noon + lostMessageMs),
    });
  });

  test('that was refused ends the request and is looked after by nobody', () => {
    const ended = answered(inFlight, 1, { kind: 'refused', error }, times);
    expect(ended).toMatchObject({ state: 'refused', endedAt: iso(noon) });
    expect(ended?.dueAt).toBeUndefined();
  });
});

describe('fault 46: a late answer', () => {
  const second: RequestItem = { ...inFlight, attempt: 2 };

  test('without an id counts for nothing', () => {
    expect(answered(second, 1, { kind: 'refused', error }, times)).toBeUndefined();
    expect(answered(second, 1, { kind: 'ambiguous', error }, times)).toBeUndefined();
    expect(answered(second, 1, { kind: 'not-sent', error }, times)).toBeUndefined();
  });

  test('with an id while the next attempt is under way is kept beside', () => {
    expect(answered(second, 1, created('late'), times)).toMatchObject({
      state: 'in-flight',
      attempt: 2,
      duplicatePortIds: ['late'],
    });
  });

  test('with an id is the port after all when the next attempt is refused', () => {
    const kept = answered(second, 1, created('late'), times);
    const ended = answered(kept ?? second, 2, { kind: 'refused', error }, times);
    expect(ended).toMatchObject({ state: 'created', portId: 'late' });
    expect(ended?.duplicatePortIds).toBeUndefined();
    expect(ended?.endedAt).toBeUndefined();
  });

  test('with an id of a request that nobody sends any more makes it created', () => {
    for (const state of ['unknown', 'planned', 'needs-human', 'refused'] as const) {
      expect(answered({ ...inFlight, state }, 1, created('p'), times)).toMatchObject({ state: 'created', portId: 'p' });
    }
  });

  test('with the id that is known already changes nothing', () => {
    const item = answered(inFlight, 1, created('p'), times) ?? inFlight;
    expect(answered(item, 1, created('p'), times)).toBeUndefined();
  });
});

test('a port that a late answer named, and that is then adopted, does not stand twice', () => {
  const again = intended(provenHarmless(inFlight, noon), intent);
  const late = answered(again, 1, created('p1'), times) ?? again;
  const item = adopted(late, ['p1', 'p3'], noon);
  expect([item.portId, item.duplicatePortIds]).toEqual(['p1', ['p3']]);
});

test('a port that was changed ends the request, once', () => {
  const item = answered(inFlight, 1, { kind: 'changed', portId: 'p1' }, times);
  expect(item).toMatchObject({ state: 'accepted', changedPortId: 'p1', endedAt: iso(noon) });
  expect(item?.portId).toBeUndefined();
  expect(answered(item ?? inFlight, 1, { kind: 'changed', portId: 'p1' }, times)).toBeUndefined();
});

describe('whatever happens in whatever order', () => {
  const answer = fc.oneof(
    fc.constantFrom('p1', 'p2', 'p3').map(created),
    fc.constantFrom('refused', 'not-sent', 'ambiguous').map((kind) => ({ kind, error }) as Answer),
  );
  const step = fc.oneof(
    fc.record({ do: fc.constant('answer' as const), attempt: fc.integer({ min: 1, max: 3 }), answer }),
    fc.record({ do: fc.constant('send' as const) }),
    fc.record({ do: fc.constant('absent' as const) }),
    fc.record({ do: fc.constant('people' as const) }),
    fc.record({ do: fc.constant('adopt' as const), ports: fc.subarray(['p1', 'p2', 'p3'], { minLength: 1 }) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  const inDoubt = (item: RequestItem, then: (item: RequestItem) => RequestItem): RequestItem =>
    item.state === 'in-flight' || item.state === 'unknown' ? then(item) : item;
  /** An answer can only come to an attempt that was made. */
  const hear = (item: RequestItem, attempt: number, what: Answer): RequestItem =>
    attempt > item.attempt ? item : (answered(item, attempt, what, times) ?? item);
  const take = (item: RequestItem, next: Step): RequestItem => {
    switch (next.do) {
      case 'answer':
        return hear(item, next.attempt, next.answer);
      case 'send':
        return maySend(item) ? intended(item, intent) : item;
      case 'absent':
        return inDoubt(item, (doubtful) => provenHarmless(doubtful, noon));
      case 'people':
        return inDoubt(item, (doubtful) => leftToPeople(doubtful, 'look', noon));
      case 'adopt':
        return inDoubt(item, (doubtful) => adopted(doubtful, next.ports, noon));
    }
  };
  const idsOf = (item: RequestItem): string[] =>
    [item.portId, ...(item.duplicatePortIds ?? [])].filter((id) => id !== undefined);

  test('no id is ever lost, none stands twice, and a request always ends or is due (I3, I4)', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        let item = requestItemOf({ dueAt: iso(noon) });
        const known = new Set<string>();
        for (const next of steps) {
          if (next.do === 'answer' && next.answer.kind === 'created' && next.attempt <= item.attempt) {
            known.add(next.answer.portId);
          }
          item = take(item, next);
          const ids = idsOf(item);
          expect(new Set(ids).size).toBe(ids.length);
          for (const id of known) expect(ids).toContain(id);
          const waits = item.state === 'needs-human' || item.dueAt !== undefined || item.endedAt !== undefined;
          expect(waits).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
