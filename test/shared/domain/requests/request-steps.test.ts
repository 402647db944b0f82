// What each step of a request writes, attribute by attribute.
import { describe, expect, test } from 'vitest';
import { type ExcludedRow, type RequestItem, type Resolved, requestStates } from '#shared/domain/requests/ledger.ts';
import {
  type Answer,
  abandonRequest,
  adoptPorts,
  allPortsOf,
  applyAnswer,
  closeDuplicates,
  declineBeforeSending,
  deferTo,
  isUnsent,
  keepPort,
  markActionRequired,
  maySend,
  recordCancelledPort,
  recordCancelRequest,
  recordNewMessage,
  requeueAsSafe,
  requeueRequest,
  resendRequest,
  rowsDeclinedByService,
  skipRequest,
  startAttempt,
  waitsForCancellation,
} from '#shared/domain/requests/request-state.ts';
import {
  deferUnreadable,
  recordInconclusiveSearch,
  recordMissingPort,
} from '#shared/domain/requests/unknown-outcome.ts';
import { iso, noon, requestItemOf } from '../../../support/results-ledger.ts';

const planned = requestItemOf({ dueAt: iso(noon) });
const later = noon + 60_000;
const inLine = iso(later + 15 * 60_000);
const times = { now: later, quietMs: 30_000 };
const error = { kind: 'rejected', message: 'no' };
const rowOut = (line: number, code: ExcludedRow['code']): ExcludedRow => ({
  line,
  subject: '447700900001',
  code,
  message: 'why',
});
const inFlight: RequestItem = { ...planned, state: 'in-flight', attempt: 1 };
const heard = (item: RequestItem, answer: Answer, attempt = item.attempt) => applyAnswer(item, attempt, answer, times);

test('planned, in-flight and unknown requests are not submitted yet', () => {
  expect(requestStates.filter(isUnsent)).toEqual(['planned', 'in-flight', 'unknown']);
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

  test('records that the cancellation was requested', () => {
    expect(recordCancelRequest({ ...held, missingReads: 1 }, replaces, later)).toEqual({
      ...held,
      replaces: { ...replaces, cancelRequestedAt: iso(later) },
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

describe('a ticket', () => {
  const ticket: Answer = { kind: 'accepted', ticket: 't1' };

  test('ends the request', () => {
    expect(heard({ ...inFlight, error }, ticket)).toEqual({
      ...inFlight,
      state: 'accepted',
      ticket: 't1',
      error: undefined,
      dueAt: undefined,
      changedAt: iso(later),
      endedAt: iso(later),
    });
  });

  test('is the first one, whatever comes later', () => {
    const ended = heard(inFlight, ticket) ?? inFlight;
    expect(heard(ended, { kind: 'accepted', ticket: 't2' })).toBeUndefined();
    expect(heard(ended, { kind: 'changed', portId: 'p1' })).toBeUndefined();
  });
});

describe('an answer to the last attempt', () => {
  const inLineAgain = { state: 'planned', dueAt: inLine, changedAt: iso(later) };

  test('counts while the call is in flight or unknown, and in no other state', () => {
    const counts = requestStates.filter((state) => heard({ ...inFlight, state }, { kind: 'declined', error }));
    expect(counts).toEqual(['in-flight', 'unknown']);
  });

  test('that names some rows plans the others again without them', () => {
    const before = { ...inFlight, excludedRows: [rowOut(4, 'MSISDN_IN_LIVE_IMPORT')] };
    const named = [rowOut(3, 'ROW_REFUSED')];
    expect(heard(before, { kind: 'declined', error, named })).toEqual({
      ...before,
      ...inLineAgain,
      excludedRows: [...before.excludedRows, ...named],
    });
    expect(heard(inFlight, { kind: 'declined', error, named })?.excludedRows).toEqual(named);
  });

  test('with an unknown outcome leaves the request unknown, with the error', () => {
    expect(heard(inFlight, { kind: 'ambiguous', error })).toEqual({
      ...inFlight,
      state: 'unknown',
      error,
      dueAt: iso(later + 30_000),
      changedAt: iso(later),
    });
  });

  test('that declines makes the first port of a late answer its own, and keeps the others', () => {
    const before = { ...inFlight, duplicatePortIds: ['p1', 'p2', 'p3'] };
    expect(heard(before, { kind: 'declined', error })).toEqual({
      ...before,
      state: 'created',
      portId: 'p1',
      duplicatePortIds: ['p2', 'p3'],
      error: undefined,
      dueAt: iso(later),
      changedAt: iso(later),
    });
  });
});

test('rows that the service declined by name are distinguished from other excluded rows', () => {
  const named = rowOut(3, 'ROW_REFUSED');
  expect(rowsDeclinedByService(requestItemOf({ excludedRows: [rowOut(2, 'MSISDN_IN_LIVE_IMPORT'), named] }))).toEqual([
    named,
  ]);
  expect(rowsDeclinedByService(requestItemOf())).toEqual([]);
});

describe('a late id', () => {
  test('is the port of a request with an unknown outcome, whichever attempt created it', () => {
    const unknown: RequestItem = { ...inFlight, state: 'unknown', attempt: 2 };
    expect(heard(unknown, { kind: 'created', portId: 'p1' }, 1)).toMatchObject({ state: 'created', portId: 'p1' });
  });

  test('is stored beside the port of the request', () => {
    const made: RequestItem = { ...inFlight, state: 'created', portId: 'p1', duplicatePortIds: ['p2'] };
    expect(heard(made, { kind: 'created', portId: 'p3' })).toEqual({
      ...made,
      duplicatePortIds: ['p2', 'p3'],
      dueAt: iso(later),
      changedAt: iso(later),
    });
    expect(heard(made, { kind: 'created', portId: 'p2' })).toBeUndefined();
  });

  test('is stored beside a later attempt, whose due time does not change', () => {
    const second: RequestItem = { ...inFlight, attempt: 2 };
    expect(heard(second, { kind: 'created', portId: 'p1' }, 1)).toEqual({
      ...second,
      duplicatePortIds: ['p1'],
      changedAt: iso(later),
    });
  });
});

describe('ports that were found by name', () => {
  const unknown: RequestItem = { ...inFlight, state: 'unknown' };

  test('the first is adopted, the others are duplicates', () => {
    expect(adoptPorts(unknown, ['p1', 'p2', 'p1'], later)).toEqual({
      ...unknown,
      state: 'created',
      portId: 'p1',
      duplicatePortIds: ['p2'],
      dueAt: iso(later),
      changedAt: iso(later),
    });
  });

  test('a port that a late answer named is not its own duplicate', () => {
    expect(adoptPorts({ ...unknown, duplicatePortIds: ['p1'] }, ['p1'], later).duplicatePortIds).toBeUndefined();
    expect(adoptPorts({ ...unknown, duplicatePortIds: ['p1', 'p2'] }, ['p1'], later).duplicatePortIds).toEqual(['p2']);
    expect(adoptPorts({ ...unknown, duplicatePortIds: ['p2'] }, ['p1', 'p2'], later).duplicatePortIds).toEqual(['p2']);
    expect(adoptPorts(unknown, ['p1'], later).duplicatePortIds).toBeUndefined();
  });

  test('a request that has a port keeps it', () => {
    const made: RequestItem = { ...unknown, state: 'created', portId: 'p0' };
    expect(adoptPorts(made, ['p1', 'p0', 'p2'], later)).toMatchObject({ portId: 'p0', duplicatePortIds: ['p2'] });
  });
});

describe('after reconcile', () => {
  const unknown: RequestItem = { ...inFlight, state: 'unknown', error };

  test('a request that is safe to retry is planned again', () => {
    expect(requeueAsSafe(unknown, later)).toEqual({
      ...unknown,
      state: 'planned',
      hasUnknownAttempt: true,
      dueAt: inLine,
      changedAt: iso(later),
    });
  });

  test('a request that needs action keeps the kind of its error and is never due', () => {
    expect(markActionRequired(unknown, 'look', later)).toEqual({
      ...unknown,
      state: 'action-required',
      error: { kind: 'rejected', message: 'look' },
      dueAt: undefined,
      changedAt: iso(later),
    });
    expect(markActionRequired(inFlight, 'look', later).error).toEqual({ kind: 'ambiguous', message: 'look' });
  });

  test.each([
    ['after the quiet period at first', 0, 30_000],
    ['as long as nothing has changed', 60_000, 60_000],
    ['an hour later at last', 3_600_001, 3_600_000],
  ])('a request whose port cannot be read is due %s', (_when, unchangedMs, waitMs) => {
    const made = { ...planned, state: 'created' as const, changedAt: iso(later - unchangedMs) };
    expect(deferUnreadable(made, times)).toEqual({ ...made, dueAt: iso(later + waitMs) });
  });

  test('a request whose port is missing is due soon, then an hour later, and then needs action', () => {
    const made: RequestItem = unknown;
    const first = recordMissingPort(made, 'not found', times);
    expect(first).toEqual({ ...made, missingReads: 1, dueAt: iso(later + 30_000) });
    const second = recordMissingPort(first, 'not found', times);
    expect(second).toEqual({ ...made, missingReads: 2, dueAt: iso(later + 3_600_000) });
    const message = 'The service did not find the port in 3 consecutive reads: not found';
    expect(recordMissingPort(second, 'not found', times)).toEqual(markActionRequired(made, message, later));
  });

  test('a new port that is missing twice is taken for a wrong id, and searched by name', () => {
    const made: RequestItem = { ...inFlight, state: 'created', portId: 'p1' };
    const first = recordMissingPort(made, 'not found', times);
    expect(first).toEqual({ ...made, missingReads: 1, dueAt: iso(later + 30_000) });
    expect(recordMissingPort(first, 'not found', times)).toMatchObject({
      state: 'unknown',
      error: { kind: 'wrong-port', message: 'The service answered with port p1, which it does not have' },
      unverified: { answer: 'port-id', absences: 0 },
      dueAt: iso(later + 30_000),
    });
  });

  test('a request that the list does not prove is searched for at growing intervals, and needs action after the eighth search', () => {
    const made: RequestItem = { ...unknown, changedAt: iso(later - 600_000) };
    const first = recordInconclusiveSearch(made, 'it is too long', times);
    expect(first).toEqual({ ...made, inconclusiveSearches: 1, dueAt: iso(later + 600_000) });
    const seventh = recordInconclusiveSearch({ ...made, inconclusiveSearches: 6 }, 'it is too long', times);
    expect(seventh).toEqual({ ...made, inconclusiveSearches: 7, dueAt: iso(later + 600_000) });
    const message =
      'It is unknown whether the request created a port: it is too long, 8 times. ' +
      'Search for its name in the portal, then resolve it';
    expect(recordInconclusiveSearch(seventh, 'it is too long', times)).toEqual(
      markActionRequired(made, message, later),
    );
    expect(requeueAsSafe(seventh, later)).toEqual(requeueAsSafe(made, later));
  });

  test('deferring a request changes only its due time', () => {
    expect(deferTo(unknown, later)).toEqual({ ...unknown, dueAt: iso(later) });
  });
});

describe('after a person resolved it', () => {
  const left: RequestItem = { ...inFlight, state: 'action-required', error };
  const decided = (what: Resolved['what']): Resolved => ({ at: iso(later), by: 'ada', what });

  test('a request that is resent is planned without its error, and names the person', () => {
    expect(resendRequest(left, decided('resend'), later)).toEqual({
      ...left,
      state: 'planned',
      hasUnknownAttempt: true,
      error: undefined,
      resolution: decided('resend'),
      dueAt: inLine,
      changedAt: iso(later),
    });
  });

  test('an abandoned request ends, with the reason', () => {
    expect(abandonRequest(left, decided('abandon'), 'cancelled in the portal', later)).toEqual({
      ...left,
      state: 'declined',
      error: { kind: 'abandoned', message: 'cancelled in the portal' },
      resolution: decided('abandon'),
      dueAt: undefined,
      changedAt: iso(later),
      endedAt: iso(later),
    });
  });

  test('keeping its own port stores only who decided', () => {
    const item = { ...left, portId: 'p', duplicatePortIds: ['q'] };
    const keep = decided('keep');
    expect(keepPort(item, 'p', keep, later)).toEqual({ ...item, resolution: keep, changedAt: iso(later) });
  });

  test('another kept port is read like a new one, and the rest are duplicates', () => {
    const item: RequestItem = {
      ...left,
      portId: 'p',
      duplicatePortIds: ['q', 'r'],
      formerPortIds: ['o'],
      portStatus: 'Created',
      actionRequired: 1,
    };
    const next = keepPort(item, 'q', decided('keep'), later);
    expect(next).toMatchObject({ state: 'created', portId: 'q', duplicatePortIds: ['p', 'r'], dueAt: iso(later) });
    expect(next.formerPortIds).toEqual(['o']);
    expect([next.portStatus, next.actionRequired, next.resolution]).toEqual([undefined, undefined, decided('keep')]);
  });

  test('a single kept port leaves no list of duplicates', () => {
    for (const duplicatePortIds of [undefined, ['q']]) {
      expect(keepPort({ ...left, duplicatePortIds }, 'q', decided('keep'), later).duplicatePortIds).toBeUndefined();
    }
  });

  test('ended duplicates become former ports, and the kept port is due', () => {
    const item: RequestItem = { ...left, portId: 'p', duplicatePortIds: ['q', 'r'], formerPortIds: ['o'] };
    const one = closeDuplicates(item, ['q'], later);
    const due = { dueAt: iso(later), changedAt: iso(later) };
    expect(one).toEqual({ ...item, duplicatePortIds: ['r'], formerPortIds: ['o', 'q'], ...due });
    expect(closeDuplicates(one, ['r'], later).duplicatePortIds).toBeUndefined();
    expect(closeDuplicates(left, [], later)).toEqual({ ...left, formerPortIds: [], ...due });
  });

  test('its own port is adopted again only if the request needs action', () => {
    const item: RequestItem = { ...left, portId: 'p' };
    expect(adoptPorts(item, ['p'], later)).toMatchObject({ state: 'created', portId: 'p', dueAt: iso(later) });
    expect(adoptPorts(item, ['q'], later)).toMatchObject({ state: 'action-required', portId: 'p' });
    const followed: RequestItem = { ...item, state: 'created' };
    expect(adoptPorts(followed, ['p'], later)).toEqual(followed);
  });

  test('its ports are its own, the duplicates and the former ones', () => {
    expect(allPortsOf({ ...left, portId: 'p', duplicatePortIds: ['q'], formerPortIds: ['r'] })).toEqual([
      'p',
      'q',
      'r',
    ]);
    expect(allPortsOf(left)).toEqual([]);
  });
});
