import { describe, expect, test } from 'vitest';
import { DateOrderEvidence, dateOfDayNumber, normalizeDate, normalizeDateTime } from '#shared/row/date-order.ts';

test.each<[string, 'dmy' | 'mdy' | 'ymd' | undefined, string | undefined]>([
  ['13/12/2026', undefined, '2026-12-13'],
  ['12/13/2026', undefined, '2026-12-13'],
  ['13/12/2026', 'mdy', '2026-12-13'],
  ['5/5/2026', undefined, '2026-05-05'],
  ['03/07/2026', undefined, undefined],
  ['03/07/2026', 'dmy', '2026-07-03'],
  ['03/07/2026', 'mdy', '2026-03-07'],
  ['3.7.26', 'dmy', '2026-07-03'],
  ['13.7.26', undefined, undefined],
  ['26/07/03', 'ymd', '2026-07-03'],
  ['2026/7/3', undefined, '2026-07-03'],
  ['08-Jul-26', undefined, '2026-07-08'],
  ['8 July 2026', undefined, '2026-07-08'],
  ['08/07/2026 00:00:00', 'dmy', '2026-07-08'],
  ['08/07/2026 09:30', 'dmy', undefined],
  ['31/02/2026', undefined, '2026-02-31'],
  ['auto', 'dmy', undefined],
  ['8 Foo 2026', 'dmy', undefined],
  ['1/2/3', 'dmy', undefined],
  ['due 13/12/2026', undefined, undefined],
  ['x8 July 2026', undefined, undefined],
  ['8 Jul., 2026', undefined, '2026-07-08'],
  ['08/07/2026 00:00', 'dmy', '2026-07-08'],
  ['08/07/2026 00:00:00.000', 'dmy', '2026-07-08'],
  ['08/07 00:00/2026', 'dmy', undefined],
  ['2026/7/13', undefined, '2026-07-13'],
  ['2026/7/2026', undefined, undefined],
  ['123/7/2026', 'dmy', undefined],
  ['03/07/2026', 'ymd', undefined],
  ['12/07/2026', undefined, undefined],
  ['07/12/2026', undefined, undefined],
  ['13/14/2026', undefined, undefined],
  ['14/13/2026', undefined, undefined],
  ['12/17/2026 12:00:00 AM', undefined, '2026-12-17'],
  ['12/17/2026 12:00:00 PM', undefined, undefined],
  ['Thursday, 17 December 2026', undefined, '2026-12-17'],
  ['Thu 17/12/2026', undefined, '2026-12-17'],
  ['Fri 17 Dec 2026', undefined, undefined],
  ['17th December 2026', undefined, '2026-12-17'],
  ['December 17th, 2026', undefined, '2026-12-17'],
  ['Dec. 17 2026', undefined, '2026-12-17'],
  ['Dec 17', undefined, undefined],
  ['20261217', undefined, '2026-12-17'],
  ['17122026', undefined, undefined],
])('%s in the order %s is %s', (text, order, expected) => {
  expect(normalizeDate(text, order)).toBe(expected);
});

test.each<[string, 'dmy' | undefined, string | undefined]>([
  ['2026-07-08 09:30', undefined, '2026-07-08T09:30'],
  ['2026-07-08T09:30:15.000Z', undefined, '2026-07-08T09:30:15.000'],
  ['08/07/2026 9:30', 'dmy', '2026-07-08T09:30'],
  ['08/07/2026 9:30', undefined, undefined],
  ['8 July 2026 23:59:59', undefined, '2026-07-08T23:59:59'],
  ['2026-07-08', undefined, undefined],
  ['2026-07-08 noon', undefined, undefined],
  ['x 09:30', 'dmy', undefined],
  ['2026-07T09:30-08', undefined, undefined],
  ['2026-07-08T09:30:15.000Z or so', undefined, undefined],
])('%s with its time, in the order %s, is %s', (text, order, expected) => {
  expect(normalizeDateTime(text, order)).toBe(expected);
});

test.each([
  ['46211', '2026-07-08'],
  ['46211.0', '2026-07-08'],
  ['46211.00', '2026-07-08'],
  ['46211.5', undefined],
  ['146211', undefined],
  ['12345', undefined],
  ['ABC', undefined],
])('the day number %s is %s', (text, expected) => {
  expect(dateOfDayNumber(text)).toBe(expected);
});

test.each(
  [
    'January',
    'February',
    'March',
    'April',
    'May',
    'June',
    'July',
    'August',
    'September',
    'October',
    'November',
    'December',
  ].map((name, index) => [name, String(index + 1).padStart(2, '0')] as const),
)('%s is the month %s', (name, month) => {
  for (const text of [name, name.slice(0, 3), name.toUpperCase()]) {
    expect(normalizeDate(`14 ${text} 2026`, undefined)).toBe(`2026-${month}-14`);
  }
  expect(normalizeDate(`14 ${name}x 2026`, undefined)).toBeUndefined();
});

test.each(['14 marraskuu 2026', '14 mars 2026', '14 ma 2026', '14 ly 2026'])('%s names no month', (text) => {
  expect(normalizeDate(text, 'dmy')).toBeUndefined();
});

describe('the evidence of a column', () => {
  const of = (...texts: string[]) => {
    const evidence = new DateOrderEvidence();
    for (const [index, text] of texts.entries()) evidence.add(text, index + 2);
    return evidence;
  };

  test('is one date with one meaning', () => {
    expect(of('03/07/2026', 'auto', '13/07/2026')).toMatchObject({ order: 'dmy', isOpen: false });
    expect(of('07/03/2026', '07/13/2026').order).toBe('mdy');
  });

  test('is missing where every date has two meanings', () => {
    expect(of('2026-07-08', '03/07/2026', '13/07/26')).toMatchObject({ order: undefined, isOpen: true });
  });

  test('is not needed where each date has one meaning', () => {
    expect(of('2026-07-08', '5/5/2026', 'auto', '')).toMatchObject({ order: undefined, isOpen: false });
  });

  test('is read without spaces around the date and a midnight after it', () => {
    expect(of(' 13/07/2026 ').proofs).toEqual({ dmy: { line: 2, text: '13/07/2026' } });
    expect(of('x', '07/13/2026 00:00').proofs).toEqual({ mdy: { line: 3, text: '07/13/2026' } });
  });

  test('names the first date with two meanings, also one with a short year', () => {
    expect(of('x', '03/07/2026', '04/07/2026').ambiguous).toEqual({ line: 3, text: '03/07/2026' });
    expect(of('13/7/26').ambiguous).toEqual({ line: 2, text: '13/7/26' });
    expect(of('5/5/26')).toMatchObject({ ambiguous: { line: 2 }, isOpen: true });
    expect(of('1/2/3').ambiguous).toBeUndefined();
  });

  test('names the first date of which either end may be the year', () => {
    expect(of('26-12-28', '27-06-28').ambiguousYear).toEqual({ line: 2, text: '26-12-28' });
    expect(of('20-06-31').ambiguousYear).toBeDefined();
    for (const text of ['26-13-28', '19-06-28', '28-06-19', '32-06-28', '28-06-32', '26-06-2028', '126-06-28']) {
      expect(of(text).ambiguousYear).toBeUndefined();
    }
  });

  test.each([
    [[], '03/07/2026', true],
    [[], '13/07/2026', false],
    [[], '2026-07-08', false],
    [[], 'auto', false],
    [['13/07/2026'], '03/07/2026', false],
    [['13/07/2026'], '14/07/2026', false],
    [['13/07/2026'], '07/13/2026', true],
    [['07/13/2026'], '13/07/2026', true],
    [['13/07/2026'], '26-07-28', true],
    [[], '26-07-28', true],
    [['13/07/2026', '07/13/2026'], '14/07/2026', false],
    [['13/07/2026', '07/13/2026'], '03/07/2026', true],
  ])('of %j is contradicted by %s: %s', (texts, later, expected) => {
    const evidence = of(...texts);
    expect(evidence.isContradictedBy(later, undefined)).toBe(expected);
    expect(evidence.isContradictedBy(`${later} `, undefined)).toBe(expected);
  });

  test('is complete once a date proves an order', () => {
    expect(of('03/07/2026', '07/13/2026').isOpen).toBe(false);
    expect(of('03/07/2026', '13/07/2026').isOpen).toBe(false);
  });

  test.each(['auto', 'AUTO', '2026-07-08', '8 July 2026'])('knows that %s needs no order', (text) => {
    expect([of(text).hasOtherDates, of(text, 'soon').hasOtherDates]).toEqual([true, true]);
  });

  test.each(['', 'soon', '03/07/2026', '5/5/2026'])('has no other date in %j', (text) => {
    expect(of(text).hasOtherDates).toBe(false);
  });

  test('contradicts itself where two dates prove two orders', () => {
    expect(of('13/07/2026', '07/13/2026', '01/02/2026')).toMatchObject({ order: undefined, isOpen: false });
  });
});

test.each<[string, readonly string[], 'dmy' | 'mdy' | undefined, boolean, boolean]>([
  ['a date that can be read in one way only', ['13/12/2026'], undefined, false, false],
  ['another ambiguous date, where the order is known', ['13/12/2026'], undefined, false, false],
  ['a date of the other order', ['12/13/2026'], undefined, false, true],
  ['an ambiguous date, where nothing is known', [], undefined, false, true],
  ['a date that proves an order, in a workbook', [], undefined, true, true],
  ['a date that cannot be in the order that was named', [], 'mdy', false, true],
])('%s may change how the file is read', (what, known, given, isWorkbook, may) => {
  const evidence = new DateOrderEvidence();
  for (const [line, cell] of known.entries()) evidence.add(cell, line + 2);
  const cell = what.includes('mbiguous') ? '03/07/2026' : '14/07/2026';
  expect(evidence.isContradictedBy(cell, given, isWorkbook)).toBe(may);
});
