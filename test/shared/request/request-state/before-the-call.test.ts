// The states of a request, and what each step writes until its call.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Answer, type RequestItem, requestStates } from '#shared/request/request.ts';
import {
  adoptPorts,
  applyAnswer,
  declineBeforeSending,
  isUnsent,
  lostMessageMs,
  markActionRequired,
  maySend,
  recordCancelledPort,
  recordCancelRequest,
  recordNewMessage,
  requeueAsSafe,
  requeueRequest,
  skipRequest,
  startAttempt,
  waitsForCancellation,
} from '#shared/request/request-state.ts';
import { iso, noon, requestItemOf } from '../../../support/steps/ledger-items.ts';
import { error, inFlight, inLine, later, planned, rowOut } from '../../../support/steps/request-steps.ts';

describe('the states', () => {
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
    /** The id that the step names, if it is heard. */
    const idOf = (next: Step, { attempt }: RequestItem): string[] =>
      next.do === 'answer' && next.answer.kind === 'created' && next.attempt <= attempt ? [next.answer.portId] : [];
    const idsOf = (item: RequestItem): string[] =>
      [item.portId, ...(item.duplicatePortIds ?? [])].filter((id) => id !== undefined);

    test('no id is lost or stored twice, and a request always ends or is due (invariants 3 and 4)', () => {
      fc.assert(
        fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
          let item = requestItemOf({ dueAt: iso(noon) });
          const known = new Set<string>();
          for (const next of steps) {
            for (const id of idOf(next, item)) known.add(id);
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
});

// What each step of a request writes until its call, attribute by attribute.
describe('each step', () => {
  test('planned, scheduled, in-flight and unknown requests are not submitted yet', () => {
    expect(requestStates.filter(isUnsent)).toEqual(['planned', 'scheduled', 'in-flight', 'unknown']);
  });

  describe('a request that replaces a port', () => {
    const replaces = { importId: 'import-0', request: 1, portId: 'p0' };
    const held = requestItemOf({ replaces, error });

    test('waits, and is not sent, until that port is cancelled', () => {
      expect([waitsForCancellation(held), maySend(held)]).toEqual([true, false]);
      const gone = requestItemOf({ replaces: { ...replaces, cancelledAt: iso(noon) } });
      expect([waitsForCancellation(gone), maySend(gone)]).toEqual([false, true]);
      expect(waitsForCancellation(requestItemOf({ replaces, state: 'declined' }))).toBe(false);
      expect(waitsForCancellation(requestItemOf())).toBe(false);
    });

    test('records when the cancellation was requested, and when it was last seen to be in progress', () => {
      const asked = recordCancelRequest({ ...held, missingReads: 1 }, replaces, noon);
      const requested = { ...replaces, cancelRequestedAt: iso(noon), cancelCheckedAt: iso(noon) };
      expect(asked).toEqual({ ...held, replaces: requested });
      expect(recordCancelRequest(asked, requested, later).replaces).toEqual({
        ...requested,
        cancelCheckedAt: iso(later),
      });
    });

    test('is planned and due like any other once the port is cancelled', () => {
      expect(recordCancelledPort(held, replaces, later)).toEqual({
        ...held,
        replaces: { ...replaces, cancelledAt: iso(later) },
        error: undefined,
        dueAt: inLine,
        changedAt: iso(later),
      });
    });
  });

  describe('an attempt', () => {
    const intent = {
      lines: '2-3',
      excludedRows: [],
      submittedAt: later + 1,
      now: later,
      leaseMs: 60_000,
      quietMs: 30_000,
    };

    test('replaces what an earlier attempt wrote, but keeps its note unless it has its own', () => {
      const before = { ...planned, error, excludedRows: [rowOut(4, 'ROW_REFUSED')], note: 'the earliest day' };
      expect(startAttempt(before, intent)).toEqual({
        ...before,
        state: 'in-flight',
        attempt: 1,
        submittedAt: iso(later + 1),
        lines: '2-3',
        excludedRows: undefined,
        error: undefined,
        dueAt: iso(later + 90_000),
        changedAt: iso(later),
      });
      expect(startAttempt(before, { ...intent, note: 'another day' }).note).toBe('another day');
    });

    test('stores the holidays before its own date, and none of an earlier date', () => {
      const holidays = ['2026-08-31'];
      const before = startAttempt(planned, { ...intent, holidays });
      expect(before.holidays).toEqual(holidays);
      expect(startAttempt(before, intent).holidays).toBeUndefined();
    });

    test('stores the excluded rows with their reasons', () => {
      const out = [rowOut(4, 'MSISDN_IN_LIVE_IMPORT'), rowOut(5, 'ROW_REFUSED')];
      expect(startAttempt(planned, { ...intent, excludedRows: out }).excludedRows).toEqual(out);
    });
  });

  describe('before any call', () => {
    const ending = { dueAt: undefined, changedAt: iso(later), endedAt: iso(later) };

    test('a request without rows ends with its excluded rows', () => {
      const rows = [rowOut(2, 'MSISDN_IN_LIVE_IMPORT')];
      expect(skipRequest(planned, rows, later)).toEqual({
        ...planned,
        ...ending,
        state: 'skipped',
        excludedRows: rows,
      });
    });

    test('a declined request ends with the reason', () => {
      expect(declineBeforeSending(planned, error, later)).toEqual({ ...planned, ...ending, state: 'declined', error });
    });

    test('a request that waits has the reason, and is due when its message must be lost', () => {
      expect(requeueRequest(inFlight, error, later)).toEqual({
        ...inFlight,
        state: 'planned',
        error,
        dueAt: inLine,
        changedAt: iso(later),
      });
    });

    test('a delayed message counts as lost only after its delay', () => {
      const dueAt = (waitMs: number) => Date.parse(requeueRequest(inFlight, error, later, waitMs).dueAt ?? '');
      expect(dueAt(60_000) - dueAt(0)).toBe(60_000);
    });

    test('a new message changes only the due time', () => {
      expect(recordNewMessage(planned, later)).toEqual({ ...planned, dueAt: inLine });
    });
  });
});
