// Nothing of an import that waits for an approval is sent.
import { expect, test } from 'vitest';
import { importStates } from '#shared/import/import.ts';
import { isActive, isOnlyValidated, isReleased, mayBeSent } from '#shared/import/import-state.ts';
import { someImport } from '../../support/cli/imports.ts';

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
