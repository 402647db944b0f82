import { expect, test } from 'vitest';
import { findArchiveProblem, isArchived, isDismissed, putAway } from '#shared/import/import-state.ts';
import { someImport } from '../../support/cli/imports.ts';

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
      { ...item, outcomes: { declined }, merged: { corrections: 1, hidden: { declined: corrected } } },
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
