// What each step of a request writes until its call, attribute by attribute.
import { describe, expect, test } from 'vitest';
import { requestStates } from '#shared/request/request.ts';
import {
  declineBeforeSending,
  isUnsent,
  maySend,
  recordCancelledPort,
  recordCancelRequest,
  recordNewMessage,
  requeueRequest,
  skipRequest,
  startAttempt,
  waitsForCancellation,
} from '#shared/request/request-state.ts';
import { iso, noon, requestItemOf } from '../../support/steps/ledger-items.ts';
import { error, inFlight, inLine, later, planned, rowOut } from '../../support/steps/request-steps.ts';

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
    expect(skipRequest(planned, rows, later)).toEqual({ ...planned, ...ending, state: 'skipped', excludedRows: rows });
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
