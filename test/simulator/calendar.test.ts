// Bank holidays, working days and the hours at which ports are locked and moved.
import { expect, test } from 'vitest';
import { fromWireDate } from '#shared/row/calendar-date.ts';
import { createCalendar, holidaysOf } from '#simulator/calendar.ts';

const calendar = createCalendar('uk', 'Europe/London');
const on = fromWireDate;
const time = (epochMs: number): string => new Date(epochMs).toISOString();

test.each([
  [
    2026,
    ['2026-01-01', '2026-04-03', '2026-04-06', '2026-05-04', '2026-05-25', '2026-08-31', '2026-12-25', '2026-12-28'],
  ],
  [
    2027,
    ['2027-01-01', '2027-03-26', '2027-03-29', '2027-05-03', '2027-05-31', '2027-08-30', '2027-12-27', '2027-12-28'],
  ],
  [
    2022,
    ['2022-01-03', '2022-04-15', '2022-04-18', '2022-05-02', '2022-05-30', '2022-08-29', '2022-12-26', '2022-12-27'],
  ],
])('the UK holidays of %i, with their substitutes', (year, expected) => {
  expect(holidaysOf('uk', year)).toEqual(expected);
});

test('the French holidays of 2026, which have no substitutes', () => {
  expect(holidaysOf('fr', 2026)).toEqual([
    '2026-01-01',
    '2026-04-06',
    '2026-05-01',
    '2026-05-08',
    '2026-05-14',
    '2026-05-25',
    '2026-07-14',
    '2026-08-15',
    '2026-11-01',
    '2026-11-11',
    '2026-12-25',
  ]);
});

test.each([
  ['a Wednesday in summer', '2026-07-08', '2026-07-07T17:00:00.000Z'],
  ['a Wednesday in winter', '2026-01-14', '2026-01-13T18:00:00.000Z'],
  ['a Monday', '2026-07-13', '2026-07-10T17:00:00.000Z'],
  ['the Tuesday after Easter', '2026-04-07', '2026-04-02T17:00:00.000Z'],
])('a port of %s is locked at six in the evening of the working day before', (_case, date, expected) => {
  expect(time(calendar.lockAt(on(date)))).toBe(expected);
});

test('a port moves at eight in the morning of its date', () => {
  expect(time(calendar.portAt(on('2026-07-08'), Date.parse('2026-07-07T17:00:00Z')))).toBe('2026-07-08T07:00:00.000Z');
});

test('a port that was locked late moves on the next working day', () => {
  expect(time(calendar.portAt(on('2026-07-08'), Date.parse('2026-07-10T12:00:00Z')))).toBe('2026-07-13T07:00:00.000Z');
});

test('an unknown zone is an error', () => {
  expect(() => createCalendar('uk', 'Europe/Atlantis').today(0)).toThrow(RangeError);
});
