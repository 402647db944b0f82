// What reconcile and the decision of a person write to a request, attribute by attribute.
import { describe, expect, test } from 'vitest';
import type { RequestItem, Resolved } from '#shared/request/request.ts';
import {
  abandonRequest,
  adoptPorts,
  allPortsOf,
  closeDuplicates,
  deferTo,
  keepPort,
  markActionRequired,
  requeueAsSafe,
  resendRequest,
} from '#shared/request/request-state.ts';
import { deferUnreadable, recordFailedSearch, recordMissingPort } from '#shared/request/waiting-request.ts';
import { iso } from '../../../support/steps/ledger-items.ts';
import { error, inFlight, inLine, later, planned, times } from '../../../support/steps/request-steps.ts';

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
      search: { for: 'own-port', absences: 0, failures: 0 },
      dueAt: iso(later + 30_000),
    });
  });

  test('a request that the list does not prove is searched for at growing intervals, and needs action after the eighth search', () => {
    const made: RequestItem = { ...unknown, changedAt: iso(later - 600_000) };
    const first = recordFailedSearch(made, 'it is too long', times);
    const search = (failures: number) => ({ for: 'answer' as const, absences: 0, failures });
    expect(first).toEqual({ ...made, search: search(1), dueAt: iso(later + 600_000) });
    const seventh = recordFailedSearch({ ...made, search: search(6) }, 'it is too long', times);
    expect(seventh).toEqual({ ...made, search: search(7), dueAt: iso(later + 600_000) });
    const message =
      'It is unknown whether the request created a port: it is too long, 8 times. ' +
      'Search for its name in the portal, then resolve it';
    expect(recordFailedSearch(seventh, 'it is too long', times)).toEqual(markActionRequired(made, message, later));
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

  test('a late port that is kept is a port like any other', () => {
    const item: RequestItem = { ...left, portId: 'p', isLate: true };
    expect(keepPort(item, 'p', decided('keep'), later).isLate).toBeUndefined();
    expect(keepPort({ ...item, duplicatePortIds: ['q'] }, 'q', decided('keep'), later).isLate).toBeUndefined();
  });

  test('another kept port is read like a new one, and the rest are duplicates', () => {
    const item: RequestItem = {
      ...left,
      portId: 'p',
      duplicatePortIds: ['q', 'r'],
      formerPortIds: ['o'],
      portStatus: 'Created',
      portRows: { waiting: 2 },
      portDate: '2026-07-08',
      actionRequired: 1,
    };
    const next = keepPort(item, 'q', decided('keep'), later);
    expect([next.portRows, next.portDate]).toEqual([undefined, undefined]);
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
