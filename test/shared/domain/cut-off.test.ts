import { expect, test } from 'vitest';
import { parseCalendarDate } from '#shared/domain/calendar-date.ts';
import { cutOff } from '#shared/domain/cut-off.ts';

const at = (text: string, zone: string, hour?: number): string => {
  const date = parseCalendarDate(text);
  if (!date.ok) throw new Error(text);
  return new Date(cutOff(date.value, zone, hour)).toISOString();
};

test.each([
  ['a Thursday', '2026-07-09', '2026-07-08T15:00:00.000Z'],
  ['a Monday, three days before', '2026-07-13', '2026-07-10T15:00:00.000Z'],
  ['a winter day, without summer time', '2026-12-10', '2026-12-09T16:00:00.000Z'],
])('a port of %s can be cancelled until the locking hour of the working day before', (_day, date, until) => {
  expect(at(date, 'Europe/London')).toBe(until);
});

test('the hour is a setting, and it is one of the account’s own clocks', () => {
  expect(at('2026-07-09', 'Europe/Paris', 18)).toBe('2026-07-08T16:00:00.000Z');
});
