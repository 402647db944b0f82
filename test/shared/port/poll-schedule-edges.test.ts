// The poll interval of each status, to the minute.
import { expect, test } from 'vitest';
import { nextPoll } from '#shared/port/poll-schedule.ts';
import type { CalendarDate } from '#shared/row/calendar-date.ts';

const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
// London is an hour ahead of UTC in July. The 6th and the 13th are Mondays.
const at = (text: string) => Date.parse(`2026-07-${text}:00+01:00`);
const far = '2026-08-20' as CalendarDate;

/** Minutes until the next read when the last change was `changedAgo` milliseconds ago. */
const wait = (statusName: string, changedAgo: number, connectionDate = far, now = at('06T12:00')) => {
  const next = nextPoll({ statusName, connectionDate, now, lastChange: now - changedAgo, zone: 'Europe/London' });
  return next === null ? null : (next - now) / minute;
};

test.each([
  ['Created', 1, 60],
  ['Network Validating', 1, 60],
  ['Pac Check Failed', 2, 300],
  ['Network Rejected', 2, 300],
  ['Submitted', 15, 24 * 60],
  ['Locked', 4 * 24 * 60, 4 * 24 * 60],
  ['Ported', 15, 60],
  ['Create RA', 15, 60],
  ['Awaiting RA', 15, 60],
  ['Create Configuration', 15, 60],
  ['Awaiting Configuration', 15, 60],
  ['No Such Status', 10, 300],
])('%s: %i minutes right after a change, %i minutes five hours later', (status, atFirst, later) => {
  expect([wait(status, 1), wait(status, 5 * hour)]).toEqual([atFirst, later]);
});

test('an unknown status is read four times a day in the end', () => {
  expect(wait('No Such Status', 30 * day)).toBe(6 * 60);
});

test('the day after the port date has the intervals of the port date; later reads become fewer', () => {
  const now = at('08T12:00');
  expect(wait('Submitted', 10 * day, '2026-07-07' as CalendarDate, now)).toBe(60);
  expect(wait('Submitted', 10 * day, '2026-07-06' as CalendarDate, now)).toBe(12 * 60);
});

test('the evening of the lock and the morning of the port date are never missed', () => {
  const monday = '2026-07-13' as CalendarDate;
  // Friday at six, two hours before four days are over.
  expect(wait('Locked', day, monday, at('06T20:00'))).toBe((4 * 24 - 2) * 60);
  expect(wait('Submitted', day, monday, at('13T07:30'))).toBe(30);
  expect(wait('Submitted', day, monday, at('13T07:59'))).toBe(1);
  expect(wait('Submitted', day, monday, at('13T08:00'))).toBe(60);
});
