import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addDays,
  type CalendarDate,
  dateInZone,
  daysBetween,
  fromWireDate,
  instantOf,
  isWeekend,
  oneMonthBefore,
  parseCalendarDate,
  toWireDate,
  weekday,
} from '#shared/row/calendar-date.ts';

const date = (text: string) => text as CalendarDate;
const messageOf = (text: string) => parseCalendarDate(text).finding?.message;

describe('reading a day', () => {
  test.each(['2026-07-01', ' 2026-07-01 ', "'2026-07-01", '2026-07-01T00:00:00', '2026-07-01T00:00:00.000Z'])(
    'accepts %j',
    (text) => expect(parseCalendarDate(text)).toEqual({ ok: true, value: '2026-07-01' }),
  );

  test.each(['', 'tomorrow', '2026-7-1x', '2026-02-30', '2026-13-01', '2026-07-01T09:00:00', '20260701'])(
    '%j is invalid',
    (text) => expect(parseCalendarDate(text)).toMatchObject({ ok: false, finding: { code: 'DATE_SHAPE' } }),
  );

  test.each(['2026-01-01', '2026-01-31', '2026-02-28', '2028-02-29', '2000-02-29', '2026-04-30', '2026-12-31'])(
    '%s is a day of the calendar',
    (text) => expect(parseCalendarDate(text)).toEqual({ ok: true, value: text }),
  );

  test.each([
    '2026-00-10',
    '2026-01-00',
    '2026-01-32',
    '2026-02-29',
    '2027-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-06-31',
    '2026-09-31',
    '2026-11-31',
    '2026-13-01',
  ])('%s does not exist in the calendar', (text) =>
    expect(messageOf(text)).toBe(`${text} does not exist in the calendar`),
  );

  test('suggests the day where the text can mean only one', () => {
    expect(messageOf('25/12/2026')).toMatch(/is not in the format YYYY-MM-DD\. Write 2026-12-25$/);
    expect(messageOf('12.25.2026')).toMatch(/\. Write 2026-12-25$/);
    expect(messageOf('2026/7/1')).toMatch(/\. Write 2026-07-01$/);
    expect(messageOf('2026-07-01T09:00:00')).toMatch(/\. Write 2026-07-01$/);
  });

  test('suggests both days where the text can mean two', () => {
    expect(messageOf('01/07/2026')).toContain('2026-07-01 or 2026-01-07');
  });

  test('recognises the day number of a spreadsheet', () => {
    expect(messageOf('46204')).toContain('write 2026-07-01');
  });

  test('does not quote a porting code in the wrong column', () => {
    expect(messageOf('ABC123456')).not.toContain('ABC123456');
    expect(messageOf('03P123456559')).not.toContain('03P123456559');
  });

  test('shortens the quoted text', () => {
    expect(messageOf('x'.repeat(500))).toContain(`"${'x'.repeat(40)}…" is not`);
    expect(messageOf('x'.repeat(40))).toContain(`"${'x'.repeat(40)}" is not`);
    expect(messageOf('tomorrow')).toBe('"tomorrow" is not in the format YYYY-MM-DD, for example 2026-07-01');
  });

  test.each([
    'x2026-07-01',
    '2026-07-01x',
    '2026-07-01T00:00:00Z5',
    'T00:002026-07-01',
    '2026-07-01T00:00:00+01:00',
    "2026-07-'01",
  ])('does not read a part of %j as a day', (text) => {
    expect(parseCalendarDate(text)).toMatchObject({ ok: false, finding: { code: 'DATE_SHAPE' } });
    expect(messageOf(text)).toContain('is not in the format YYYY-MM-DD');
  });

  test('accepts a midnight without seconds', () => {
    expect(parseCalendarDate('2026-07-01T00:00')).toEqual({ ok: true, value: '2026-07-01' });
  });

  test.each(['due 25/12/2026', '25/12/2026 9:00', '462041', '1/2/3', '31/31/2026'])(
    'makes no guess at what %j may mean',
    (text) => expect(messageOf(text)).toBe(`"${text}" is not in the format YYYY-MM-DD, for example 2026-07-01`),
  );
});

describe('days of the service', () => {
  test.each(['2026-07-01T00:00:00', '2026-07-01T23:59:59.999Z', '2026-07-01'])(
    '%s is its first ten characters',
    (text) => expect(fromWireDate(text)).toBe('2026-07-01'),
  );

  test('a text that does not start with a day is invalid', () => {
    expect(() => fromWireDate('2026-99-01T00:00:00')).toThrow(RangeError);
    expect(() => fromWireDate('2026/07/01T00:00:00')).toThrow(RangeError);
  });

  test('are written with a midnight time', () => {
    expect(toWireDate(date('2026-07-01'))).toBe('2026-07-01T00:00:00');
  });
});

describe('arithmetic', () => {
  test('crosses months, leap days and years', () => {
    expect(addDays(date('2028-02-28'), 1)).toBe('2028-02-29');
    expect(addDays(date('2026-12-31'), 1)).toBe('2027-01-01');
    expect(addDays(date('2026-01-01'), -1)).toBe('2025-12-31');
  });

  test('addDays and daysBetween agree, and days sort as text', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: -3000, max: 3000 }), (start, days) => {
        const from = addDays(date('2000-01-01'), start);
        const to = addDays(from, days);
        expect(daysBetween(from, to)).toBe(days);
        expect(Math.sign(days)).toBe(to === from ? 0 : to > from ? 1 : -1);
      }),
    );
  });

  test.each([
    ['2026-07-15', '2026-06-15'],
    ['2026-01-31', '2025-12-31'],
    ['2026-03-31', '2026-02-28'],
    ['2028-03-30', '2028-02-29'],
    ['2026-05-31', '2026-04-30'],
  ])('a month before %s is %s', (date, before) => {
    expect(oneMonthBefore(date as CalendarDate)).toBe(before);
  });

  test('the week starts on Monday', () => {
    expect(weekday(date('2026-07-06'))).toBe(1);
    expect(weekday(date('2026-07-05'))).toBe(7);
    expect([4, 5, 6].map((day) => isWeekend(date(`2026-07-0${day}`)))).toEqual([true, true, false]);
  });
});

describe('zones', () => {
  test('an hour before midnight in UTC is the next day in London in summer', () => {
    const late = Date.parse('2026-07-01T23:30:00Z');
    expect(dateInZone(late, 'Europe/London')).toBe('2026-07-02');
    expect(dateInZone(late, 'UTC')).toBe('2026-07-01');
    expect(dateInZone(late, 'America/New_York')).toBe('2026-07-01');
  });

  test('an hour of a day is an instant, before and after a clock change', () => {
    expect(instantOf(date('2026-07-01'), 9, 'Europe/London')).toBe(Date.parse('2026-07-01T08:00:00Z'));
    expect(instantOf(date('2026-01-02'), 9, 'Europe/London')).toBe(Date.parse('2026-01-02T09:00:00Z'));
    expect(instantOf(date('2026-03-29'), 0, 'Europe/London')).toBe(Date.parse('2026-03-29T00:00:00Z'));
    expect(instantOf(date('2026-03-29'), 12, 'Europe/London')).toBe(Date.parse('2026-03-29T11:00:00Z'));
    expect(instantOf(date('2026-03-08'), 3, 'America/New_York')).toBe(Date.parse('2026-03-08T07:00:00Z'));
    expect(instantOf(date('2026-10-25'), 0, 'Europe/London')).toBe(Date.parse('2026-10-24T23:00:00Z'));
  });

  test('a day and an hour are those of the zone', () => {
    expect(dateInZone(Date.parse('2026-07-01T23:30:00Z'), 'Europe/London')).toBe('2026-07-02');
    expect(instantOf(date('2026-07-01'), 9, 'Europe/London')).toBe(Date.parse('2026-07-01T08:00:00Z'));
  });

  test('a zone that does not exist is rejected', () => {
    expect(() => dateInZone(0, 'Europe/Londres')).toThrow(RangeError);
  });

  test('midnight of a day is on that day, the millisecond before is not', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10_000 }),
        fc.constantFrom('Europe/London', 'Europe/Paris', 'Asia/Kolkata', 'America/New_York'),
        (start, zone) => {
          const day = addDays(date('2010-01-01'), start);
          const midnight = instantOf(day, 0, zone);
          expect(dateInZone(midnight, zone)).toBe(day);
          expect(dateInZone(midnight - 1, zone)).toBe(addDays(day, -1));
        },
      ),
    );
  });
});
