import { describe, expect, test } from 'vitest';
import { cancellationDeadline, holidaysBefore } from '#shared/row/booking-window.ts';
import { type CalendarDate, parseCalendarDate } from '#shared/row/calendar-date.ts';

const dayOf = (text: string): CalendarDate => {
  const date = parseCalendarDate(text);
  if (!date.ok) throw new Error(text);
  return date.value;
};
const at = (text: string, zone: string, hour?: number, holidays?: readonly string[]): string =>
  new Date(cancellationDeadline(dayOf(text), zone, hour, holidays)).toISOString();

test.each([
  ['a Thursday', '2026-07-09', '2026-07-08T15:00:00.000Z'],
  ['a Monday, three days before', '2026-07-13', '2026-07-10T15:00:00.000Z'],
  ['a winter day, without summer time', '2026-12-10', '2026-12-09T16:00:00.000Z'],
])('a port on %s can be cancelled until the locking hour of the working day before', (_day, date, until) => {
  expect(at(date, 'Europe/London')).toBe(until);
});

test('the hour is a setting, in the account’s zone', () => {
  expect(at('2026-07-09', 'Europe/Paris', 18)).toBe('2026-07-08T16:00:00.000Z');
});

describe('a holiday is not a working day', () => {
  const christmas = ['2026-12-25', '2026-12-28', '2027-01-01'].map(dayOf);

  test.each([
    ['on the day before', '2027-05-04', ['2027-05-03'], '2027-04-30T15:00:00.000Z'],
    ['on both sides of a weekend', '2026-12-29', christmas, '2026-12-24T16:00:00.000Z'],
    ['some days before', '2026-12-31', christmas, '2026-12-30T16:00:00.000Z'],
  ])('%s: a port can be cancelled until the working day before that', (_where, date, holidays, until) => {
    expect(at(date, 'Europe/London', 16, holidays)).toBe(until);
  });

  test('only holidays that move the deadline forward are kept', () => {
    expect(holidaysBefore(dayOf('2026-12-29'), christmas)).toEqual(['2026-12-28', '2026-12-25']);
    expect(holidaysBefore(dayOf('2026-12-31'), christmas)).toEqual([]);
    expect(holidaysBefore(dayOf('2026-12-28'), christmas)).toEqual(['2026-12-25']);
  });
});
