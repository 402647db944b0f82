import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, type RequestItem, requestStates } from '#shared/request/request.ts';
import {
  adoptPorts,
  applyAnswer,
  lostMessageMs,
  markActionRequired,
  maySend,
  requeueAsSafe,
  startAttempt,
} from '#shared/request/request-state.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';

const times = { now: noon, quietMs: 30_000 };
const intent = { lines: '2-3', excludedRows: [], submittedAt: noon, now: noon, leaseMs: 60_000, quietMs: 30_000 };
const inFlight = startAttempt(requestItemOf(), intent);
const error = { kind: 'ambiguous', message: 'reset' };
const created = (portId: string): Answer => ({ kind: 'created', portId });

describe('an attempt', () => {
  test('may be made only for a planned request', () => {
    expect(requestStates.filter((state) => maySend(requestItemOf({ state })))).toEqual(['planned']);
  });

  test('is counted, leased, and due after the lease and the quiet period', () => {
    expect(inFlight).toMatchObject({
      state: 'in-flight',
      attempt: 1,
      dueAt: iso(noon + 90_000),
    });
  });

  test('that created a port leaves the request due until the port is read', () => {
    expect(applyAnswer(inFlight, 1, created('p'), times)).toMatchObject({
      state: 'created',
      portId: 'p',
      dueAt: iso(noon),
    });
  });

  test('with an unknown outcome is due after the quiet period', () => {
    expect(applyAnswer(inFlight, 1, { kind: 'ambiguous', error }, times)).toMatchObject({
      state: 'unknown',
      dueAt: iso(noon + 30_000),
    });
  });

  test('that was not sent is planned again', () => {
    expect(applyAnswer(inFlight, 1, { kind: 'not-sent', error }, times)).toMatchObject({
      state: 'planned',
      attempt: 1,
      dueAt: iso(noon + lostMessageMs),
    });
  });

  test('that was declined ends the request, which is then never due', () => {
    const ended = applyAnswer(inFlight, 1, { kind: 'declined', error }, times);
    expect(ended).toMatchObject({ state: 'declined', endedAt: iso(noon) });
    expect(ended?.dueAt).toBeUndefined();
  });
});

describe('a late answer (fault 46)', () => {
  const second: RequestItem = { ...inFlight, attempt: 2 };

  test('without an id changes nothing', () => {
    expect(applyAnswer(second, 1, { kind: 'declined', error }, times)).toBeUndefined();
    expect(applyAnswer(second, 1, { kind: 'ambiguous', error }, times)).toBeUndefined();
    expect(applyAnswer(second, 1, { kind: 'not-sent', error }, times)).toBeUndefined();
  });

  test('with an id during the next attempt is stored as a duplicate', () => {
    expect(applyAnswer(second, 1, created('late'), times)).toMatchObject({
      state: 'in-flight',
      attempt: 2,
      duplicatePortIds: ['late'],
    });
  });

  test('with an id is the port of the request if the next attempt is declined', () => {
    const kept = applyAnswer(second, 1, created('late'), times);
    const ended = applyAnswer(kept ?? second, 2, { kind: 'declined', error }, times);
    expect(ended).toMatchObject({ state: 'created', portId: 'late' });
    expect(ended?.duplicatePortIds).toBeUndefined();
    expect(ended?.endedAt).toBeUndefined();
  });

  test('with an id makes a request created that is not submitted any more', () => {
    for (const state of ['unknown', 'planned', 'action-required', 'declined'] as const) {
      expect(applyAnswer({ ...inFlight, state }, 1, created('p'), times)).toMatchObject({
        state: 'created',
        portId: 'p',
      });
    }
  });

  test('with a known id changes nothing', () => {
    const item = applyAnswer(inFlight, 1, created('p'), times) ?? inFlight;
    expect(applyAnswer(item, 1, created('p'), times)).toBeUndefined();
  });
});

test('a port that a late answer named and that is then adopted is stored once', () => {
  const again = startAttempt(requeueAsSafe(inFlight, noon), intent);
  const late = applyAnswer(again, 1, created('p1'), times) ?? again;
  const item = adoptPorts(late, ['p1', 'p3'], noon);
  expect([item.portId, item.duplicatePortIds]).toEqual(['p1', ['p3']]);
});

test('a changed port ends the request, once', () => {
  const item = applyAnswer(inFlight, 1, { kind: 'changed', portId: 'p1' }, times);
  expect(item).toMatchObject({ state: 'accepted', changedPortId: 'p1', endedAt: iso(noon) });
  expect(item?.portId).toBeUndefined();
  expect(applyAnswer(item ?? inFlight, 1, { kind: 'changed', portId: 'p1' }, times)).toBeUndefined();
});

describe('in any order of events', () => {
  const answer = fc.oneof(
    fc.constantFrom('p1', 'p2', 'p3').map(created),
    fc.constantFrom('declined', 'not-sent', 'ambiguous').map((kind) => ({ kind, error }) as Answer),
  );
  const step = fc.oneof(
    fc.record({ do: fc.constant('answer' as const), attempt: fc.integer({ min: 1, max: 3 }), answer }),
    fc.record({ do: fc.constant('send' as const) }),
    fc.record({ do: fc.constant('absent' as const) }),
    fc.record({ do: fc.constant('actionRequired' as const) }),
    fc.record({ do: fc.constant('adopt' as const), ports: fc.subarray(['p1', 'p2', 'p3'], { minLength: 1 }) }),
  );
  type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

  const ifUnknown = (item: RequestItem, then: (item: RequestItem) => RequestItem): RequestItem =>
    item.state === 'in-flight' || item.state === 'unknown' ? then(item) : item;
  /** An answer can only come to an attempt that was made. */
  const hear = (item: RequestItem, attempt: number, what: Answer): RequestItem =>
    attempt > item.attempt ? item : (applyAnswer(item, attempt, what, times) ?? item);
  const take = (item: RequestItem, next: Step): RequestItem => {
    switch (next.do) {
      case 'answer':
        return hear(item, next.attempt, next.answer);
      case 'send':
        return maySend(item) ? startAttempt(item, intent) : item;
      case 'absent':
        return ifUnknown(item, (doubtful) => requeueAsSafe(doubtful, noon));
      case 'actionRequired':
        return ifUnknown(item, (doubtful) => markActionRequired(doubtful, 'look', noon));
      case 'adopt':
        return ifUnknown(item, (doubtful) => adoptPorts(doubtful, next.ports, noon));
    }
  };
  const idsOf = (item: RequestItem): string[] =>
    [item.portId, ...(item.duplicatePortIds ?? [])].filter((id) => id !== undefined);

  test('no id is lost or stored twice, and a request always ends or is due (invariants 3 and 4)', () => {
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
          const waits = item.state === 'action-required' || item.dueAt !== undefined || item.endedAt !== undefined;
          expect(waits).toBe(true);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
