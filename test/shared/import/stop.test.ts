import { expect, test } from 'vitest';
import type { ImportItem, StopKind } from '#shared/import/import.ts';
import { findStopProblem, stopOf } from '#shared/import/import-state.ts';
import { isStopped } from '#shared/request/request-state.ts';
import { someImport } from '../../support/cli/imports.ts';
import { requestItemOf } from '../../support/steps/ledger-items.ts';

const stop = (kind: StopKind) => ({ by: 'Sam', at: '2026-07-06T09:00:00.000Z', kind });
const problemOf = (changes: Partial<ImportItem>, kind: StopKind = 'until-resumed') =>
  findStopProblem(someImport({ state: 'submitting', ...changes }), kind);

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
