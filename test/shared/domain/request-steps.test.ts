// What each step of a request writes, attribute by attribute: the tables hold exactly this.
import { describe, expect, test } from 'vitest';
import { type Decided, type RequestItem, requestStates, type WithdrawnRow } from '#shared/domain/ledger.ts';
import {
  type Answer,
  adopted,
  answered,
  cancelAsked,
  freed,
  givenUp,
  intended,
  isHeld,
  isUnsent,
  kept,
  leftToPeople,
  lookedAfter,
  maySend,
  portMissing,
  portsOf,
  postponed,
  provenHarmless,
  refusedRows,
  refusedUnsent,
  resent,
  sentAgain,
  soughtInVain,
  unreadable,
  withdrawn,
  withNextRevision,
  withoutDuplicates,
} from '#shared/domain/request-state.ts';
import { iso, noon, requestItemOf } from '../../support/results-ledger.ts';

const planned = requestItemOf({ dueAt: iso(noon), leaseUntil: iso(noon) });
const later = noon + 60_000;
const inLine = iso(later + 15 * 60_000);
const times = { now: later, quietMs: 30_000 };
const error = { kind: 'rejected', message: 'no' };
const rowOut = (line: number, code: WithdrawnRow['code']): WithdrawnRow => ({
  line,
  subject: '447700900001',
  code,
  message: 'why',
});
const inFlight: RequestItem = { ...planned, state: 'in-flight', attempt: 1 };
const heard = (item: RequestItem, answer: Answer, attempt = item.attempt) => answered(item, attempt, answer, times);

test.each([
  [undefined, 1],
  [0, 1],
  [6, 7],
])('in the place of revision %s stands revision %s', (revision, next) => {
  const step = resent(requestItemOf(), later);
  expect(withNextRevision(requestItemOf({ revision }), step)).toEqual({ ...step, revision: next });
});

test('on their way to the service are planned, in-flight and unknown requests', () => {
  expect(requestStates.filter(isUnsent)).toEqual(['planned', 'in-flight', 'unknown']);
});

describe('a request in the place of a port', () => {
  const replaces = { importId: 'import-0', request: 1, portId: 'p0' };
  const held = requestItemOf({ replaces, error });

  test('is held, and never sent, until that port is cancelled', () => {
    expect([isHeld(held), maySend(held)]).toEqual([true, false]);
    const gone = requestItemOf({ replaces: { ...replaces, cancelledAt: iso(noon) } });
    expect([isHeld(gone), maySend(gone)]).toEqual([false, true]);
    expect(isHeld(requestItemOf({ replaces, state: 'refused' }))).toBe(false);
    expect(isHeld(requestItemOf())).toBe(false);
  });

  test('notes that the port was asked to be cancelled', () => {
    expect(cancelAsked({ ...held, missingLooks: 1 }, replaces, later)).toEqual({
      ...held,
      replaces: { ...replaces, cancelAskedAt: iso(later) },
    });
  });

  test('is in line, and due like any other, once the port is cancelled', () => {
    expect(freed(held, replaces, later)).toEqual({
      ...held,
      replaces: { ...replaces, cancelledAt: iso(later) },
      error: undefined,
      dueAt: inLine,
      changedAt: iso(later),
    });
  });
});

describe('an intent', () => {
  const intent = { lines: '2-3', withdrawn: [], now: later, leaseMs: 60_000, quietMs: 30_000 };

  test('replaces what an earlier attempt left, but for a note that it has none of its own for', () => {
    const before = { ...planned, error, withdrawn: [rowOut(4, 'ROW_REFUSED')], note: 'the earliest day' };
    expect(intended(before, intent)).toEqual({
      ...before,
      state: 'in-flight',
      attempt: 1,
      lines: '2-3',
      withdrawn: undefined,
      error: undefined,
      leaseUntil: iso(later + 60_000),
      dueAt: iso(later + 90_000),
      changedAt: iso(later),
    });
    expect(intended(before, { ...intent, note: 'another day' }).note).toBe('another day');
  });

  test('keeps the holidays before its own date, and none of a date before', () => {
    const holidays = ['2026-08-31'];
    const before = intended(planned, { ...intent, holidays });
    expect(before.holidays).toEqual(holidays);
    expect(intended(before, intent).holidays).toBeUndefined();
  });

  test('keeps the rows that are not in it, each with its reason', () => {
    const out = [rowOut(4, 'MSISDN_IN_LIVE_IMPORT'), rowOut(5, 'ROW_REFUSED')];
    expect(intended(planned, { ...intent, withdrawn: out }).withdrawn).toEqual(out);
  });
});

describe('before any call', () => {
  const ending = { leaseUntil: undefined, dueAt: undefined, changedAt: iso(later), endedAt: iso(later) };

  test('a request none of whose rows is left ends with them', () => {
    const rows = [rowOut(2, 'MSISDN_IN_LIVE_IMPORT')];
    expect(withdrawn(planned, rows, later)).toEqual({ ...planned, ...ending, state: 'withdrawn', withdrawn: rows });
  });

  test('a request that is refused ends with the reason and its lines', () => {
    expect(refusedUnsent(planned, error, '2-3', later)).toEqual({
      ...planned,
      ...ending,
      state: 'refused',
      error,
      lines: '2-3',
    });
  });

  test('a request that had to wait says why, and is due when its message must have been lost', () => {
    expect(postponed(inFlight, error, later)).toEqual({
      ...inFlight,
      state: 'planned',
      error,
      leaseUntil: undefined,
      dueAt: inLine,
      changedAt: iso(later),
    });
  });

  test('waits for its message as long as that is delayed, before it counts as lost', () => {
    const dueAt = (waitMs: number) => Date.parse(postponed(inFlight, error, later, waitMs).dueAt ?? '');
    expect(dueAt(60_000) - dueAt(0)).toBe(60_000);
  });

  test('a new message changes only when the next one is due', () => {
    expect(resent(planned, later)).toEqual({ ...planned, dueAt: inLine });
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
      leaseUntil: undefined,
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
  const inLineAgain = { state: 'planned', leaseUntil: undefined, dueAt: inLine, changedAt: iso(later) };

  test('counts while the call is under way or in doubt, and in no other state', () => {
    const counts = requestStates.filter((state) => heard({ ...inFlight, state }, { kind: 'refused', error }));
    expect(counts).toEqual(['in-flight', 'unknown']);
  });

  test('that names some of the rows puts the others in line, without those', () => {
    const before = { ...inFlight, withdrawn: [rowOut(4, 'MSISDN_IN_LIVE_IMPORT')] };
    const named = [rowOut(3, 'ROW_REFUSED')];
    expect(heard(before, { kind: 'refused', error, named })).toEqual({
      ...before,
      ...inLineAgain,
      withdrawn: [...before.withdrawn, ...named],
    });
    expect(heard(inFlight, { kind: 'refused', error, named })?.withdrawn).toEqual(named);
  });

  test('that nobody understands leaves it unknown, with the error', () => {
    expect(heard(inFlight, { kind: 'ambiguous', error })).toEqual({
      ...inFlight,
      state: 'unknown',
      error,
      leaseUntil: undefined,
      dueAt: iso(later + 30_000),
      changedAt: iso(later),
    });
  });

  test('that refuses makes the first port of a late answer its own, and keeps the others', () => {
    const before = { ...inFlight, duplicatePortIds: ['p1', 'p2', 'p3'] };
    expect(heard(before, { kind: 'refused', error })).toEqual({
      ...before,
      state: 'created',
      portId: 'p1',
      duplicatePortIds: ['p2', 'p3'],
      error: undefined,
      leaseUntil: undefined,
      dueAt: iso(later),
      changedAt: iso(later),
    });
  });
});

test('rows that the service refused by name are told from those that were withdrawn by ourselves', () => {
  const named = rowOut(3, 'ROW_REFUSED');
  expect(refusedRows(requestItemOf({ withdrawn: [rowOut(2, 'MSISDN_IN_LIVE_IMPORT'), named] }))).toEqual([named]);
  expect(refusedRows(requestItemOf())).toEqual([]);
});

describe('an id that comes late', () => {
  test('is the port of a request whose outcome is unknown, whichever attempt made it', () => {
    const unknown: RequestItem = { ...inFlight, state: 'unknown', attempt: 2 };
    expect(heard(unknown, { kind: 'created', portId: 'p1' }, 1)).toMatchObject({ state: 'created', portId: 'p1' });
  });

  test('stands beside the port that the request has', () => {
    const made: RequestItem = { ...inFlight, state: 'created', portId: 'p1', duplicatePortIds: ['p2'] };
    expect(heard(made, { kind: 'created', portId: 'p3' })).toEqual({
      ...made,
      duplicatePortIds: ['p2', 'p3'],
      dueAt: iso(later),
      changedAt: iso(later),
    });
    expect(heard(made, { kind: 'created', portId: 'p2' })).toBeUndefined();
  });

  test('stands beside a later attempt, which is looked after no earlier for it', () => {
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
    expect(adopted(unknown, ['p1', 'p2', 'p1'], later)).toEqual({
      ...unknown,
      state: 'created',
      portId: 'p1',
      duplicatePortIds: ['p2'],
      leaseUntil: undefined,
      dueAt: iso(later),
      changedAt: iso(later),
    });
  });

  test('one that a late answer named is no duplicate of itself', () => {
    expect(adopted({ ...unknown, duplicatePortIds: ['p1'] }, ['p1'], later).duplicatePortIds).toBeUndefined();
    expect(adopted({ ...unknown, duplicatePortIds: ['p1', 'p2'] }, ['p1'], later).duplicatePortIds).toEqual(['p2']);
    expect(adopted({ ...unknown, duplicatePortIds: ['p2'] }, ['p1', 'p2'], later).duplicatePortIds).toEqual(['p2']);
    expect(adopted(unknown, ['p1'], later).duplicatePortIds).toBeUndefined();
  });

  test('a request that has its port by now keeps it', () => {
    const made: RequestItem = { ...unknown, state: 'created', portId: 'p0' };
    expect(adopted(made, ['p1', 'p0', 'p2'], later)).toMatchObject({ portId: 'p0', duplicatePortIds: ['p2'] });
  });
});

describe('after reconcile has looked', () => {
  const unknown: RequestItem = { ...inFlight, state: 'unknown', error };

  test('what was proven harmless is in line again', () => {
    expect(provenHarmless(unknown, later)).toEqual({
      ...unknown,
      state: 'planned',
      leaseUntil: undefined,
      dueAt: inLine,
      changedAt: iso(later),
    });
  });

  test('what only a person can tell keeps the kind of its error, and is due for nobody', () => {
    expect(leftToPeople(unknown, 'look', later)).toEqual({
      ...unknown,
      state: 'needs-human',
      error: { kind: 'rejected', message: 'look' },
      leaseUntil: undefined,
      dueAt: undefined,
      changedAt: iso(later),
    });
    expect(leftToPeople(inFlight, 'look', later).error).toEqual({ kind: 'ambiguous', message: 'look' });
  });

  test.each([
    ['after the quiet period at first', 0, 30_000],
    ['as long as nothing has changed', 60_000, 60_000],
    ['an hour later at last', 3_600_001, 3_600_000],
  ])('what waits for a port that cannot be read is looked at %s', (_when, unchangedMs, waitMs) => {
    const made = { ...planned, state: 'created' as const, changedAt: iso(later - unchangedMs) };
    expect(unreadable(made, times)).toEqual({ ...made, dueAt: iso(later + waitMs) });
  });

  test('what waits for a port that is missing is looked at soon, an hour later, and then by a person', () => {
    const made: RequestItem = { ...inFlight, state: 'created', portId: 'p1' };
    const first = portMissing(made, 'not found', times);
    expect(first).toEqual({ ...made, missingLooks: 1, dueAt: iso(later + 30_000) });
    const second = portMissing(first, 'not found', times);
    expect(second).toEqual({ ...made, missingLooks: 2, dueAt: iso(later + 3_600_000) });
    const message = 'the service has not known the port for 3 looks: not found';
    expect(portMissing(second, 'not found', times)).toEqual(leftToPeople(made, message, later));
  });

  test('what the list does not tell of is looked for more and more rarely, and by a person after the eighth time', () => {
    const made: RequestItem = { ...unknown, changedAt: iso(later - 600_000) };
    const first = soughtInVain(made, 'it is too long', times);
    expect(first).toEqual({ ...made, vainSearches: 1, dueAt: iso(later + 600_000) });
    const seventh = soughtInVain({ ...made, vainSearches: 6 }, 'it is too long', times);
    expect(seventh).toEqual({ ...made, vainSearches: 7, dueAt: iso(later + 600_000) });
    const message =
      'whether it made a port is not known: it is too long, 8 times; look for its name in the portal, then decide';
    expect(soughtInVain(seventh, 'it is too long', times)).toEqual(leftToPeople(made, message, later));
    expect(provenHarmless(seventh, later)).toEqual(provenHarmless(made, later));
  });

  test('what has to be looked at again changes nothing but when', () => {
    expect(lookedAfter(unknown, later)).toEqual({ ...unknown, dueAt: iso(later) });
  });
});

describe('after a person has decided', () => {
  const left: RequestItem = { ...inFlight, state: 'needs-human', error };
  const decided = (what: Decided['what']): Decided => ({ at: iso(later), by: 'ada', what });

  test('what is to be sent again is in line, without the error, and says who wanted it', () => {
    expect(sentAgain(left, decided('send-again'), later)).toEqual({
      ...left,
      state: 'planned',
      error: undefined,
      decided: decided('send-again'),
      leaseUntil: undefined,
      dueAt: inLine,
      changedAt: iso(later),
    });
  });

  test('what is given up ends, with the reason', () => {
    expect(givenUp(left, decided('give-up'), 'cancelled in the portal', later)).toEqual({
      ...left,
      state: 'refused',
      error: { kind: 'given-up', message: 'cancelled in the portal' },
      decided: decided('give-up'),
      leaseUntil: undefined,
      dueAt: undefined,
      changedAt: iso(later),
      endedAt: iso(later),
    });
  });

  test('the port that it has is kept with no more than a word of who decided', () => {
    const item = { ...left, portId: 'p', duplicatePortIds: ['q'] };
    const keep = decided('keep');
    expect(kept(item, 'p', keep, later)).toEqual({ ...item, decided: keep, changedAt: iso(later) });
  });

  test('another port that is kept is read like a new one; the rest are duplicates', () => {
    const item: RequestItem = {
      ...left,
      portId: 'p',
      duplicatePortIds: ['q', 'r'],
      formerPortIds: ['o'],
      portStatus: 'Created',
      attention: 1,
    };
    const next = kept(item, 'q', decided('keep'), later);
    expect(next).toMatchObject({ state: 'created', portId: 'q', duplicatePortIds: ['p', 'r'], dueAt: iso(later) });
    expect(next.formerPortIds).toEqual(['o']);
    expect([next.portStatus, next.attention, next.decided]).toEqual([undefined, undefined, decided('keep')]);
  });

  test('a port that is kept alone leaves no duplicates at all, not an empty list', () => {
    for (const duplicatePortIds of [undefined, ['q']]) {
      expect(kept({ ...left, duplicatePortIds }, 'q', decided('keep'), later).duplicatePortIds).toBeUndefined();
    }
  });

  test('duplicates that are over are former ports, and the port that stays is due', () => {
    const item: RequestItem = { ...left, portId: 'p', duplicatePortIds: ['q', 'r'], formerPortIds: ['o'] };
    const one = withoutDuplicates(item, ['q'], later);
    const due = { dueAt: iso(later), changedAt: iso(later) };
    expect(one).toEqual({ ...item, duplicatePortIds: ['r'], formerPortIds: ['o', 'q'], ...due });
    expect(withoutDuplicates(one, ['r'], later).duplicatePortIds).toBeUndefined();
    expect(withoutDuplicates(left, [], later)).toEqual({ ...left, formerPortIds: [], ...due });
  });

  test('a port that it has is adopted again only where the request is with people, and it is that one', () => {
    const item: RequestItem = { ...left, portId: 'p' };
    expect(adopted(item, ['p'], later)).toMatchObject({ state: 'created', portId: 'p', dueAt: iso(later) });
    expect(adopted(item, ['q'], later)).toMatchObject({ state: 'needs-human', portId: 'p' });
    const followed: RequestItem = { ...item, state: 'created' };
    expect(adopted(followed, ['p'], later)).toEqual(followed);
  });

  test('its ports are its own, the duplicates and the former ones', () => {
    expect(portsOf({ ...left, portId: 'p', duplicatePortIds: ['q'], formerPortIds: ['r'] })).toEqual(['p', 'q', 'r']);
    expect(portsOf(left)).toEqual([]);
  });
});
