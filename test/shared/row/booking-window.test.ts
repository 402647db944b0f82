import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type BookingRules,
  bookableDays,
  cancellationDeadline,
  checkDate,
  cycleOf,
  dayInCycle,
  earliestDate,
  holidaysBefore,
  opensOn,
} from '#shared/row/booking-window.ts';
import { addDays, type CalendarDate, isWeekend, parseCalendarDate } from '#shared/row/calendar-date.ts';

const date = (text: string) => text as CalendarDate;
// 2026-07-01 is a Wednesday; the 3rd of the month is a holiday here.
const today = date('2026-07-01');
const rules: BookingRules = { minPortDays: 2, maxPortDays: 30, holidays: new Set([date('2026-07-03')]) };

describe('checking a day', () => {
  test.each(['2026-07-06', '2026-07-31'])('%s can be booked', (day) => {
    expect(checkDate(date(day), today, rules)).toBeUndefined();
  });

  test.each([
    ['2026-07-02', 'DATE_TOO_EARLY'],
    ['2026-06-01', 'DATE_TOO_EARLY'],
    ['2026-08-03', 'DATE_TOO_LATE'],
    ['2026-07-04', 'DATE_NOT_WORKING_DAY'],
    ['2026-07-05', 'DATE_NOT_WORKING_DAY'],
    ['2026-07-03', 'DATE_HOLIDAY'],
  ])('%s is %s, and the message names the earliest day', (day, code) => {
    const finding = checkDate(date(day), today, rules);
    expect(finding?.code).toBe(code);
    expect(finding?.message).toContain('The earliest day is 2026-07-06');
  });

  test('both ends belong to the booking window', () => {
    const open = { minPortDays: 1, maxPortDays: 6, holidays: [] };
    expect(checkDate(date('2026-07-02'), today, open)).toBeUndefined();
    expect(checkDate(date('2026-07-07'), today, open)).toBeUndefined();
    expect(checkDate(date('2026-07-08'), today, open)?.code).toBe('DATE_TOO_LATE');
  });
});

test('a working day beyond the booking window can be booked from the day on which it opens, and not before', () => {
  const far = date('2026-09-01');
  expect(checkDate(far, today, rules)?.code).toBe('DATE_TOO_LATE');
  expect(checkDate(far, opensOn(far, rules), rules)).toBeUndefined();
  expect(checkDate(far, addDays(opensOn(far, rules), -1), rules)?.code).toBe('DATE_TOO_LATE');
  expect(checkDate(date('2026-09-05'), today, rules)?.code).toBe('DATE_NOT_WORKING_DAY');
});

test('the days that can be booked are those that pass the check', () => {
  const all = Array.from({ length: 60 }, (_, index) => addDays(today, index - 10));
  expect(bookableDays(today, rules)).toEqual(all.filter((day) => checkDate(day, today, rules) === undefined));
});

describe('the earliest day', () => {
  test('comes with the skipped days and the reasons', () => {
    const earliest = earliestDate(today, rules);
    expect(earliest).toMatchObject({ ok: true, value: { date: '2026-07-06' } });
    expect(earliest.ok && earliest.value.why).toBe(
      '2026-07-06 is a Monday, the first day with 2 days of notice from 2026-07-01, ' +
        'skipping 2026-07-03 (holiday), 2026-07-04 (Saturday), 2026-07-05 (Sunday)',
    );
  });

  test('is never after the booking window', () => {
    const open = { minPortDays: 1, maxPortDays: 1, holidays: [] };
    expect(earliestDate(today, open)).toMatchObject({ value: { date: '2026-07-02' } });
    const none = earliestDate(today, { ...open, holidays: [date('2026-07-02')] });
    expect(none).toMatchObject({ ok: false, finding: { code: 'DATE_NONE_AVAILABLE' } });
    expect(none.ok || none.finding.message).toContain('the booking window ends on 2026-07-02');
  });

  test('mentions no other days if none was skipped', () => {
    const earliest = earliestDate(today, { minPortDays: 1, maxPortDays: 9, holidays: [] });
    expect(earliest.ok && earliest.value.why).toBe(
      '2026-07-02 is a Thursday, the first day with 1 day of notice from 2026-07-01',
    );
  });

  test('is named with its weekday', () => {
    const names = [0, 1, 2, 5, 6].map((days) => {
      const earliest = earliestDate(addDays(today, days), { minPortDays: 0, maxPortDays: 9, holidays: [] });
      return earliest.ok && /is a (\w+)/.exec(earliest.value.why)?.[1];
    });
    expect(names).toEqual(['Wednesday', 'Thursday', 'Friday', 'Monday', 'Tuesday']);
  });

  test('can be booked, and no earlier day can', () => {
    const offsets = fc.uniqueArray(fc.integer({ min: 0, max: 40 }));
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 400 }), fc.nat(10), fc.nat(30), offsets, (start, min, span, free) => {
        const day = addDays(today, start);
        const window = {
          minPortDays: min,
          maxPortDays: min + span,
          holidays: free.map((offset) => addDays(day, offset)),
        };
        const earliest = earliestDate(day, window);
        const candidates = Array.from({ length: min + span + 1 }, (_, offset) => addDays(day, offset));
        const first = candidates.find((candidate) => checkDate(candidate, day, window) === undefined);
        expect(earliest.ok ? earliest.value.date : undefined).toBe(first);
        if (first !== undefined) expect(isWeekend(first)).toBe(false);
      }),
    );
  });
});

describe('the days of a file with a limit of numbers a day', () => {
  const planned = (offsets: readonly number[]): CalendarDate[] => [
    ...new Set(offsets.map((offset) => addDays(today, offset)).filter((day) => !isWeekend(day))),
  ];
  const offsets = (max: number) => fc.uniqueArray(fc.nat(max), { minLength: 1, maxLength: 20 });

  test('repeat one after the other', () => {
    const days = planned([0, 1, 2, 5]);
    expect(cycleOf(days)).toBe(4);
    const open = { ...rules, minPortDays: 0, holidays: [] };
    const moved = days.map((day) => dayInCycle(day, 4, date('2026-07-09'), open));
    expect(moved).toEqual(['2026-07-13', '2026-07-14', '2026-07-09', '2026-07-10']);
  });

  test('never become one, whenever each is sent and whatever days are closed by then', () => {
    const sendings = fc.array(fc.tuple(fc.nat(120), offsets(60)), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(offsets(45), sendings, fc.nat(8), (chosen, whens, minPortDays) => {
        const days = planned(chosen);
        const cycle = cycleOf(days);
        const moved = days.map((day, index) => {
          const [after = 0, closed = []] = whens[index] ?? [];
          const sent = addDays(today, after);
          const holidays = closed.map((offset) => addDays(sent, offset));
          const booked = dayInCycle(day, cycle, sent, { minPortDays, maxPortDays: 60, holidays });
          expect(booked >= addDays(sent, minPortDays) || booked === day).toBe(true);
          expect(isWeekend(booked) || holidays.includes(booked)).toBe(false);
          return booked;
        });
        expect(new Set(moved).size).toBe(days.length);
      }),
    );
  });
});

describe('the deadline of a cancellation', () => {
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
});
