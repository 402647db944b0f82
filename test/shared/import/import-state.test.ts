// What an import allows now, and when report is notified of it again.
import { describe, expect, test } from 'vitest';
import { type ImportItem, importStates, type StopKind } from '#shared/import/import.ts';
import {
  attemptUntil,
  describeHold,
  describeWaitingParts,
  expiryOf,
  findArchiveProblem,
  findStopProblem,
  firstNotification,
  fitSheets,
  isActive,
  isArchived,
  isDismissed,
  isOnlyValidated,
  isRefreshPlanned,
  isReleased,
  isStuck,
  mayBeSent,
  nextAttemptUntil,
  nextNotification,
  putAway,
  redeliveryAfter,
  stopOf,
  takesStop,
  timeOfCommand,
  unreadableNotification,
} from '#shared/import/import-state.ts';
import { isStopped } from '#shared/request/request-state.ts';
import { isoTime } from '#shared/text/wording.ts';
import { someImport } from '../../support/cli/imports.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

describe('whether an import may be sent', () => {
  test('an import that needs an approval may be sent once it has one, and any other one at once', () => {
    const approvedAt = '2026-07-06T12:00:00.000Z';
    expect(mayBeSent(someImport({ planOnly: true }))).toBe(false);
    expect(mayBeSent(someImport({ planOnly: true, approvedAt }))).toBe(true);
    expect(mayBeSent(someImport({ planOnly: false }))).toBe(true);
  });

  test('a validation is one until a person approves its plan', () => {
    expect(isOnlyValidated(someImport({ validation: true }))).toBe(true);
    expect(isOnlyValidated(someImport({ validation: true, approvedAt: '2026-07-06T12:00:00.000Z' }))).toBe(false);
    expect(isOnlyValidated(someImport())).toBe(false);
  });

  test('an import is active from its release until its ports have ended, but not while it is stopped', () => {
    const which = (is: typeof isReleased) => importStates.filter((state) => is(someImport({ state })));
    expect(which(isActive)).toEqual(['submitting', 'scheduled', 'in-progress']);
    expect(which(isReleased)).toEqual(['submitting', 'scheduled', 'stopped', 'in-progress', 'finished']);
  });
});

describe('a stop', () => {
  const stop = (kind: StopKind) => ({ by: 'Sam', at: '2026-07-06T09:00:00.000Z', kind });
  const problemOf = (changes: Partial<ImportItem>, kind: StopKind = 'until-resumed') =>
    findStopProblem(someImport({ state: 'submitting', ...changes }), [], kind, '1001@service');

  test('an import that sends requests can be stopped, for good or until it is resumed', () => {
    expect(problemOf({})).toBeUndefined();
    expect(problemOf({}, 'for-good')).toBeUndefined();
    expect(problemOf({ stop: stop('none') })).toBeUndefined();
    expect(problemOf({ stop: stop('until-resumed') }, 'for-good')).toBeUndefined();
    expect(problemOf({ stop: stop('until-resumed') }, 'none')).toBeUndefined();
  });

  test.each([
    [{ state: 'rejected' }, 'Nothing of this import is sent: it was rejected'],
    [{ state: 'finished' }, 'Every request of this import has ended'],
    [{ state: 'planned', planOnly: true }, 'Nothing of this import is sent before its approval'],
    [{ stop: stop('until-resumed') }, 'This import is stopped already'],
    [{ stop: stop('for-good') }, 'What this import had not sent was ended for good: import the rows again'],
  ] as const)('%j: "%s"', (changes, problem) => {
    expect(problemOf(changes)).toBe(problem);
  });

  test('a plan that was stopped while it was read can be resumed before its approval', () => {
    const draft = { state: 'planned', planOnly: true, stop: stop('until-resumed') } as const;
    expect(problemOf(draft, 'none')).toBeUndefined();
    expect(problemOf(draft, 'for-good')).toContain('before its approval');
    expect(problemOf({ ...draft, stop: stop('none') }, 'none')).toContain('before its approval');
  });

  test('a plan that is being released can be stopped', () => {
    expect(problemOf({ state: 'planned', planOnly: false })).toBeUndefined();
    expect(problemOf({ state: 'planned', planOnly: true, approvedAt: '2026-07-06T09:00:00.000Z' })).toBeUndefined();
    expect(problemOf({ state: 'submitting', planOnly: true })).toBeUndefined();
  });

  test('only a stopped import can be resumed', () => {
    expect(problemOf({}, 'none')).toBe('This import is not stopped');
    expect(problemOf({ stop: stop('none') }, 'none')).toBe('This import is not stopped');
    expect(problemOf({ state: 'stopped' }, 'none')).toBeUndefined();
  });

  test.each([
    ['a move', { kind: 'move' }, {}, 'until-resumed', true],
    ['a correction', { kind: 'correction' }, { stop: stop('until-resumed') }, 'none', true],
    ['a cancellation', { kind: 'cancel' }, {}, 'until-resumed', false],
    ['a move that has ended', { kind: 'move' }, { state: 'finished' }, 'for-good', false],
    ['a move that was ended for good', { kind: 'move' }, { stop: stop('for-good') }, 'none', false],
    ['a move that was ended for good', { kind: 'move' }, { stop: stop('for-good') }, 'for-good', true],
  ] as const)('%s takes a stop of its first import: %j, %j, %s: %s', (_what, of, changes, kind, takes) => {
    const partOf = { importId: 'first', at: '2026-07-06T09:00:00.000Z', ...of };
    expect(takesStop(someImport({ state: 'submitting', partOf, ...changes }), kind)).toBe(takes);
  });

  test('an import that is no part takes its own stop only', () => {
    expect(takesStop(someImport({ state: 'submitting' }), 'until-resumed')).toBe(false);
  });

  test('a command is later than the one that its sender saw, although the clock of the sender is behind', () => {
    const seen = stop('until-resumed');
    const at = Date.parse(seen.at);
    expect(timeOfCommand(at - 3_600_000, seen)).toBe('2026-07-06T09:00:00.001Z');
    expect(timeOfCommand(at + 1_000, seen)).toBe('2026-07-06T09:00:01.000Z');
    expect(timeOfCommand(at, undefined)).toBe(seen.at);
  });

  test('a stop that was resumed is none', () => {
    expect([stopOf({}), stopOf({ stop: stop('none') }), stopOf({ stop: stop('for-good') })]).toEqual([
      undefined,
      undefined,
      'for-good',
    ]);
  });

  test('a request is stopped by the kind of its error', () => {
    expect(isStopped(requestItemOf({ error: { kind: 'stopped', message: '' } }))).toBe(true);
    expect(isStopped(requestItemOf({ error: { kind: 'held', message: '' } }))).toBe(false);
    expect(isStopped(requestItemOf({}))).toBe(false);
  });
});

describe('an archived import, and dismissed rows', () => {
  const mark = { by: 'Sam', at: '2026-07-06T09:00:00.000Z' };
  const undone = { ...mark, isUndone: true };

  test('an import is archived until that is undone', () => {
    expect([undefined, mark, undone].map((archived) => isArchived(someImport({ archived })))).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('dismissed rows require no action, until more of them are declined', () => {
    const item = someImport({ dismissedDeclined: { ...mark, rows: 3 }, rejected: 3 });
    const isAt = (declined: number) => isDismissed({ ...item, outcomes: { declined } }, 'declined');
    expect([0, 3, 4].map(isAt)).toEqual([true, true, false]);
    expect(isDismissed(item, 'rejected')).toBe(false);
    expect(isDismissed(someImport({ dismissedRejected: { ...mark, rows: 3 }, rejected: 3 }), 'rejected')).toBe(true);
    expect(isDismissed(someImport({ dismissedRejected: { ...undone, rows: 3 }, rejected: 3 }), 'rejected')).toBe(false);
  });

  test('rows that were declined after a dismissal require an action, also if others were corrected in between', () => {
    const item = someImport({ dismissedDeclined: { ...mark, rows: 10 } });
    const isAt = (declined: number, corrected: number) =>
      isDismissed(
        { ...item, outcomes: { declined }, merged: { parts: 1, hidden: { declined: corrected } } },
        'declined',
      );
    expect(isAt(6, 4)).toBe(true);
    expect(isAt(9, 4)).toBe(false);
  });

  test('rows whose count was not known then are shown once it is, and no row of an archived import is', () => {
    const isAt = (declined: number) =>
      isDismissed(someImport({ dismissedDeclined: mark, outcomes: { declined } }), 'declined');
    expect([0, 1].map(isAt)).toEqual([true, false]);
    expect(isDismissed(someImport({ archived: mark, outcomes: { declined: 5 } }), 'declined')).toBe(true);
  });

  test('a command that was given before the last one changes nothing, and its repeat does', () => {
    expect(putAway(someImport(), 'import', mark)).toEqual({ archived: mark });
    expect(putAway(someImport({ archived: mark }), 'import', undone)).toEqual({ archived: undone });
    expect(
      putAway(someImport({ archived: { ...mark, at: '2026-07-06T09:00:01.000Z' } }), 'import', mark),
    ).toBeUndefined();
    expect(putAway(someImport({ archived: { ...mark, at: '2026-07-07T09:00:00.000Z' } }), 'declined', mark)).toEqual({
      dismissedDeclined: mark,
    });
    expect(putAway(someImport(), 'rejected', mark)).toEqual({ dismissedRejected: mark });
  });

  test.each([
    ['finished', {}, undefined],
    ['rejected', {}, undefined],
    ['planned', { planOnly: true }, undefined],
    ['planned', { planOnly: true, approvedAt: mark.at }, 'Only an import that has ended, or waits for its approval,'],
    ['planned', {}, 'Only an import that has ended'],
    ['in-progress', {}, 'Only an import that has ended'],
    ['in-progress', { planOnly: true }, 'Only an import that has ended'],
    ['finished', { archived: mark }, 'This import is archived already'],
  ] as const)('%s with %j: %s', (state, changes, problem) => {
    const found = findArchiveProblem(someImport({ state, ...changes }), 'archived');
    if (problem === undefined) expect(found).toBeUndefined();
    else expect(found).toContain(problem);
  });

  test('only an archived import can be shown again, in whatever state', () => {
    expect(findArchiveProblem(someImport(), 'restored')).toBe('This import is not archived');
    expect(findArchiveProblem(someImport({ archived: mark, state: 'in-progress' }), 'restored')).toBeUndefined();
  });
});

describe('the next notification of report', () => {
  const minute = 60_000;
  const hour = 60 * minute;
  const day = 24 * hour;
  const now = Date.parse('2026-07-06T12:00:00Z');
  const changed = (agoMs: number) => new Date(now - agoMs).toISOString();

  /** How long until the next notification of an import that changed `ago` milliseconds ago. */
  const waitOf = (state: 'submitting' | 'in-progress' | 'finished' | 'rejected', agoMs: number): number | undefined => {
    const next = nextNotification(someImport({ state, changedAt: changed(agoMs) }), now);
    return next === undefined ? undefined : next - now;
  };

  test.each([
    ['changed just now', 0, minute],
    ['changed a while ago', 20 * minute, 20 * minute],
    ['rests', 3 * day, hour],
  ])('an import in progress that %s is notified soon, and at least every hour', (_, ago, wait) => {
    expect(waitOf('submitting', ago)).toBe(wait);
    expect(waitOf('in-progress', ago)).toBe(wait);
  });

  test('an ended import is notified at growing intervals while its services are compared, and then never', () => {
    expect([hour, 5 * hour, 8 * day].map((ago) => waitOf('finished', ago))).toEqual([hour, 5 * hour, 8 * day]);
    expect(waitOf('finished', 8 * day + 1)).toBeUndefined();
    expect([5 * hour, 8 * day + 1].map((ago) => waitOf('rejected', ago))).toEqual([5 * hour, undefined]);
  });

  test('an import that is released now is notified in a minute', () => {
    expect(firstNotification(now)).toBe(now + minute);
  });

  test('an import that cannot be read is reported every hour', () => {
    expect(unreadableNotification(now)).toBe(now + hour);
  });

  test('a clock that is behind notifies in a minute, never in the past', () => {
    expect(waitOf('in-progress', -hour)).toBe(minute);
  });
});

describe('work of another account', () => {
  const other = '2002@service';

  test('is held while it is not over, and people read why', () => {
    expect(describeHold(someImport({ state: 'in-progress' }), other)).toMatch(
      /is of account 1001 .* works for account 2002.* It is held until/,
    );
    expect(describeHold(someImport({ state: 'in-progress' }), '1001@service')).toBeUndefined();
  });

  test.each<Partial<ImportItem>>([
    { state: 'finished' },
    { state: 'rejected' },
    { state: 'planned', archived: { by: 'Sam', at: '2026-07-06T09:00:00.000Z' } },
    { state: 'planned', validation: true },
  ])('is not held where nothing is left to do: %j', (changes) => {
    expect(describeHold(someImport(changes), other)).toBeUndefined();
  });
});

test.each([
  [{}, ''],
  [{ correction: 1 }, '1 correction waits for approval'],
  [{ correction: 2 }, '2 corrections wait for approval'],
  [{ move: 1, cancel: 1 }, '1 move, 1 cancellation wait for approval'],
])('%j: "%s"', (waiting, words) => {
  expect(describeWaitingParts(waiting)).toBe(words);
});

test('saved settings fit a workbook that has all of their sheets', () => {
  const saved = { sheet: 'July', otherSheets: ['August'] };
  expect(fitSheets(saved, ['August', 'July', 'Notes'])).toBe(true);
  expect(fitSheets(saved, ['July'])).toBe(false);
  expect(fitSheets({}, ['July'])).toBe(true);
});

describe('an attempt of ingest', () => {
  const now = Date.parse('2026-07-06T12:00:00Z');
  const minute = 60_000;
  const planning = (until: number, changes: Partial<ImportItem> = {}) =>
    someImport({ state: 'planning', attemptUntil: attemptUntil(until), ...changes });

  test('is under way for five minutes after it was renewed', () => {
    expect(attemptUntil(now)).toBe('2026-07-06T12:05:00.000Z');
    expect([isStuck(planning(now), now + 5 * minute), isStuck(planning(now), now + 5 * minute + 1)]).toEqual([
      false,
      true,
    ]);
  });

  test('is announced again when it missed two renewals, or waits for its message', () => {
    expect(redeliveryAfter(planning(now), now + 2 * minute)).toBeUndefined();
    expect(redeliveryAfter(planning(now), now + 2 * minute + 1)).toBe('2026-07-06T12:05:00.000Z');
    expect(nextAttemptUntil(now)).toBe('2026-07-06T12:20:00.000Z');
  });

  test('does not begin by itself after sync has announced it eight times, or for two weeks', () => {
    const rescued = { times: 8, at: isoTime(now) };
    const item = planning(now, { receivedAt: isoTime(now), rescues: rescued });
    expect([redeliveryAfter(item, now + 5 * minute), redeliveryAfter(item, now + 5 * minute + 1)]).toEqual([
      '2026-07-06T12:05:00.000Z',
      null,
    ]);
    const young = { ...item, rescues: { ...rescued, times: 7 } };
    const [hour, day] = [60 * minute, 24 * 60 * minute];
    expect(redeliveryAfter(young, now + 14 * day)).toBe('2026-07-06T12:05:00.000Z');
    expect(redeliveryAfter(young, now + 14 * day + hour)).toBeNull();
  });

  test.each<Partial<ImportItem>>([
    { state: 'finished' },
    { state: 'planned', planOnly: true },
    { adoptedPort: 'port-1' },
  ])('is none of an import with %j', (changes) => {
    const item = planning(now, changes);
    expect([isStuck(item, now + 60 * minute), redeliveryAfter(item, now + 60 * minute)]).toEqual([false, undefined]);
  });
});

test('a message that is about to arrive is no planned refresh', () => {
  const now = Date.parse('2026-07-06T12:00:00Z');
  const planned = (ms: number) => isRefreshPlanned(new Date(now + ms).toISOString(), now);
  expect([planned(2_000), planned(2_001), isRefreshPlanned(undefined, now)]).toEqual([false, true, false]);
});

test('items expire after the latest day on which the import can end, and the days for which they are kept', () => {
  expect(expiryOf(0, 90) - expiryOf(0, 0)).toBe(90 * 86_400);
  expect(expiryOf(0, 0)).toBe(165 * 86_400);
});
