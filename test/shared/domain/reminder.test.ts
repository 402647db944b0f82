import { expect, test } from 'vitest';
import { firstReminder, nextReminder, unreadableReminder } from '#shared/domain/reminder.ts';

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const now = Date.parse('2026-07-06T12:00:00Z');
const changed = (agoMs: number) => new Date(now - agoMs).toISOString();

/** How long until the next reminder of an import that changed so long ago. */
const waitOf = (state: 'submitting' | 'following' | 'completed' | 'refused', agoMs: number): number | undefined => {
  const next = nextReminder({ state, changedAt: changed(agoMs) }, now);
  return next === undefined ? undefined : next - now;
};

test.each([
  ['changed just now', 0, minute],
  ['changed a while ago', 20 * minute, 20 * minute],
  ['rests', 3 * day, hour],
])('an import that %s and goes on is reminded of soon, and at least every hour', (_, ago, wait) => {
  expect(waitOf('submitting', ago)).toBe(wait);
  expect(waitOf('following', ago)).toBe(wait);
});

test('one that ended is reminded of less and less, for as long as its services are compared, then never', () => {
  expect([hour, 5 * hour, 8 * day].map((ago) => waitOf('completed', ago))).toEqual([hour, 5 * hour, 8 * day]);
  expect(waitOf('completed', 8 * day + 1)).toBeUndefined();
  expect([5 * hour, 8 * day + 1].map((ago) => waitOf('refused', ago))).toEqual([5 * hour, undefined]);
});

test('one that is released now is reminded of in a minute', () => {
  expect(firstReminder(now)).toBe(now + minute);
});

test('one that cannot be read is named every hour', () => {
  expect(unreadableReminder(now)).toBe(now + hour);
});

test('a clock that is behind reminds in a minute, never in the past', () => {
  expect(waitOf('following', -hour)).toBe(minute);
});
