import { expect, test } from 'vitest';
import { firstNotification, nextNotification, unreadableNotification } from '#shared/import/import-state.ts';
import { someImport } from '../../support/cli/imports.ts';

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
